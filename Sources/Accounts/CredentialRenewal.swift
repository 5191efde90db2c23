package import Crypto
internal import Domain
internal import EventLoops
package import FoundationEssentials
package import HTTP
package import Store
package import Submitters

/// Opens the credentials of accounts, and renews those that end: one process at a time, since many services take each refresh
/// token once. New ones are in the database before they are used.
package struct CredentialRenewal: Sendable {
    private let store: PicsStore
    private let keys: KeyRing
    private let transport: any Transport
    private let now: @Sendable () -> Date

    /// Credentials are renewed so many seconds before they end.
    private static let margin: TimeInterval = 300
    /// How long one process may take to renew them, and others wait for it.
    private static let lease = Duration.seconds(90)

    package init(store: PicsStore, keys: KeyRing, transport: any Transport, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.keys = keys
        self.transport = transport
        self.now = now
    }

    /// The credentials of an account.
    ///
    /// - Throws: `CryptoError`, `JSONError`.
    package func credentials(of stored: SealedAccount) throws -> JSONValue {
        try opened(stored.credentials, of: stored)
    }

    /// Others of the same account.
    package func opened(_ sealed: [UInt8], of stored: SealedAccount) throws -> JSONValue {
        try JSONValue(parsing: keys.open(sealed, context: Self.context(of: stored)))
    }

    /// Whether credentials are about to end.
    package func areEnding(_ credentials: JSONValue, at submitter: any RefreshingSubmitter) -> Bool {
        guard let expiry = submitter.expiry(of: credentials) else { return false }
        return expiry < now().addingTimeInterval(Self.margin)
    }

    /// Renews the credentials of an account.
    ///
    /// - Returns: The account with new ones; nil when another process renews them, or has replaced them since they were read.
    /// - Throws: `SubmissionError` of the service; `StoreError`; `CryptoError`.
    package func renew(
        _ account: OpenedAccount, _ stored: SealedAccount, by submitter: any RefreshingSubmitter
    ) async throws -> OpenedAccount? {
        guard
            try await store.beginRefresh(
                of: stored.connection, credentialsNo: stored.credentialsNo, lease: Self.lease)
        else { return nil }
        // Not a part of the cancellable task: a refresh token that was used must not be lost with its response.
        return try await Task(executorPreference: EventLoop.current) { () async -> Result<OpenedAccount?, any Error> in
            do {
                return .success(try await exchange(account, stored, submitter))
            } catch {
                // When this fails too, the lease ends by itself.
                _ = try? await store.endRefresh(
                    of: stored.connection, credentialsNo: stored.credentialsNo, with: nil)
                return .failure(error)
            }
        }.value.get()
    }

    private func exchange(
        _ account: OpenedAccount, _ stored: SealedAccount, _ submitter: any RefreshingSubmitter
    ) async throws -> OpenedAccount? {
        let fresh = try await submitter.refreshCredentials(of: account, over: transport)
        var members = account.credentials.object ?? JSONObject()
        // An empty member says nothing new.
        for member in fresh.object ?? JSONObject() where !member.value.isNull && member.value.string != "" {
            members[member.name] = member.value
        }
        let sealed = try keys.seal(JSONValue(members).serialized, context: Self.context(of: stored))
        guard
            try await store.endRefresh(of: stored.connection, credentialsNo: stored.credentialsNo, with: sealed)
        else { return nil }
        return OpenedAccount(
            connection: account.connection, remoteID: account.remoteID, name: account.name,
            credentials: .object(members), settings: account.settings)
    }

    private static func context(of stored: SealedAccount) -> String {
        CredentialContext.of(service: stored.service, remoteID: stored.remoteID)
    }
}
