internal import Crypto
package import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
package import Store
package import Submitters

extension Connecting {
    /// The albums of an account.
    ///
    /// - Returns: Nil when its service has none.
    /// - Throws: `StoreError.notFound` when it is not the owner's; `SubmissionError`; `CryptoError`.
    package func albums(of connection: ConnectionID, owner: UserID) async throws -> [Album]? {
        let stored = try await store.account(connection, owner: owner)
        guard let submitter = registry[stored.service] as? any AlbumSubmitter else { return nil }
        return try await submitter.albums(of: try await account(stored, for: submitter), over: transport)
    }

    /// Makes an album; where the service allows no second of that name, the one that is there.
    ///
    /// - Returns: Nil when its service has none.
    /// - Throws: As `albums(of:owner:)`.
    package func createAlbum(
        named name: String, of connection: ConnectionID, owner: UserID
    ) async throws -> Album? {
        let stored = try await store.account(connection, owner: owner)
        guard let submitter = registry[stored.service] as? any AlbumSubmitter else { return nil }
        return try await submitter.createAlbum(
            named: name, of: try await account(stored, for: submitter), over: transport)
    }

    /// Forgets an account's credentials, ends what waits for it, and tells the service if that has a way to hear it. A
    /// service that is away is waited for a few seconds; the account is gone here all the same.
    ///
    /// - Throws: `StoreError.notFound` when it is not the owner's.
    package func disconnect(_ connection: ConnectionID, owner: UserID) async throws -> Disconnection {
        let stored = try await store.account(connection, owner: owner)
        let cancelled = try await store.disconnect(connection, owner: owner)
        guard let submitter = registry[stored.service] as? any OAuthSubmitter else {
            return Disconnection(cancelled: cancelled, revocation: .none)
        }
        do {
            // With credentials that are at their end the service may not listen; renewing them now would be odd.
            let farewell = transport.bounded(by: Self.farewellTime)
            try await submitter.revoke(try opened(stored), over: farewell)
            // Not every token can be taken back from here.
            return Disconnection(cancelled: cancelled, revocation: farewell.wasUsed ? .done : .none)
        } catch let error as SubmissionError {
            return Disconnection(cancelled: cancelled, revocation: .failed(error.sentence))
        } catch {
            return Disconnection(
                cancelled: cancelled, revocation: .failed("The stored credentials could not be read."))
        }
    }

    /// Whether an account's credentials can be opened.
    ///
    /// - Throws: `StoreError`.
    package func canOpen(_ connection: ConnectionID, owner: UserID) async throws(StoreError) -> Bool {
        let stored = try await store.account(connection, owner: owner)
        do {
            _ = try opened(stored)
            return true
        } catch {
            return false
        }
    }

    // MARK: Credentials

    /// An account with its credentials opened, and renewed if they are about to end.
    func account(_ stored: StoredAccount, for submitter: any Submitter) async throws -> Account {
        let account = try opened(stored)
        guard let renewing = submitter as? any RefreshingSubmitter,
            let expiry = renewing.expiry(of: account.credentials), expiry < now().addingTimeInterval(Self.margin)
        else { return account }
        guard
            try await store.beginRefresh(
                of: stored.connection, credentialsNo: stored.credentialsNo, lease: Self.renewalLease)
        else { throw Self.isBeingRenewed }
        // Not a part of the request's task: a refresh token that was used must not be lost with its answer.
        return try await Task(executorPreference: EventLoop.current) { () async -> Result<Account, any Error> in
            do {
                return .success(try await renew(account, stored, renewing))
            } catch {
                _ = try? await store.endRefresh(
                    of: stored.connection, credentialsNo: stored.credentialsNo, with: nil)
                return .failure(error)
            }
        }.value.get()
    }

    private func renew(
        _ account: Account, _ stored: StoredAccount, _ submitter: any RefreshingSubmitter
    ) async throws -> Account {
        let fresh = try await submitter.refreshCredentials(of: account, over: transport)
        var members = account.credentials.object ?? JSONObject()
        // What a service leaves empty has nothing new to say.
        for member in fresh.object ?? JSONObject() where !member.value.isNull && member.value.string != "" {
            members[member.name] = member.value
        }
        let sealed = try keys.seal(JSONValue(members).serialized, context: Self.context(of: stored))
        guard
            try await store.endRefresh(of: stored.connection, credentialsNo: stored.credentialsNo, with: sealed)
        else { throw Self.isBeingRenewed }
        return Account(
            connection: account.connection, remoteID: account.remoteID, name: account.name,
            credentials: .object(members), settings: account.settings)
    }

    private func opened(_ stored: StoredAccount) throws -> Account {
        Account(
            connection: stored.connection, remoteID: stored.remoteID, name: stored.name,
            credentials: try JSONValue(parsing: keys.open(stored.credentials, context: Self.context(of: stored))),
            settings: try JSONValue(parsing: Array(stored.settings.utf8)))
    }

    private static func context(of stored: StoredAccount) -> String {
        CredentialContext.of(service: stored.service, remoteID: stored.remoteID)
    }

    /// Credentials are renewed so many seconds before they end, as the queue does it.
    private static let margin: TimeInterval = 300
    /// How long one process may take to renew them, and others wait for it.
    private static let renewalLease = Duration.seconds(90)

    private static let isBeingRenewed = SubmissionError.temporary(
        SubmissionProblem("The account's credentials are being renewed. Try again in a moment."), retryAfter: nil)
}

/// What came of a disconnection.
package struct Disconnection: Sendable, Equatable {
    package enum Revocation: Sendable, Equatable {
        /// There is nothing to take back, such as a password that a person has entered.
        case none
        /// The service has heard it.
        case done
        /// It has not, and why, for people.
        case failed(String)
    }

    /// Submissions that waited and are ended now.
    package let cancelled: Int
    package let revocation: Revocation
}
