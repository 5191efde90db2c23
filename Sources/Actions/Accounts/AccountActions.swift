package import Accounts
internal import Crypto
package import Domain
internal import FoundationEssentials
package import HTTP
package import Logging
package import Store
package import Submitters

/// Connects accounts, changes them and takes them apart, for every front end: REST, pages, the terminal.
///
/// Credentials that a person enters are tried at the service at once. A connection that needs a browser is begun here, waits sealed
/// in `authorizations`, and ends here when the browser comes back.
package struct AccountActions: Sendable {
    package let reader: AccountReader
    package let applications: OAuthClients
    /// The services at which users may connect accounts.
    package let offered: OfferedServices
    /// The beginning of short links, once that is known: texts that wait are planned anew with them.
    let addresses: Addresses
    let logger: Logger
    /// Called after a commit that has made work for the queue: what waited for a login goes on.
    package var wakeWorkers: @Sendable () -> Void = {}

    var store: PicsStore { reader.store }
    var registry: Registry { reader.registry }
    var keys: KeyRing { reader.keys }
    var transport: BoundedTransport { reader.transport }
    var now: @Sendable () -> Date { reader.now }

    /// The longest time that a browser may take.
    package static let timeout = Duration.seconds(600)
    /// Connections that one user may have begun at a time.
    package static let mostBegun = 20
    /// Accounts that one user may have: each photo is planned for, and sent to, all of them.
    package static let mostAccounts = 100
    /// The longest time that a service may take to hear that an account goes.
    package static let revocationTimeout = Duration.seconds(5)

    /// Takes the parts as they are; `settings` are keys of applications by service and field, and `services` the ids of the services to offer,
    /// as the operator has set them.
    package init(
        _ reader: AccountReader, settings: [String: [String: String]] = [:], services: Set<String>? = nil,
        addresses: Addresses = Addresses(base: ""), logger: Logger
    ) {
        self.reader = reader
        offered = OfferedServices(store: reader.store, registry: reader.registry, named: services)
        applications = OAuthClients(store: reader.store, keys: reader.keys, settings: settings)
        self.addresses = addresses
        self.logger = logger
    }

    /// Asks the service whose credentials these are, seals them and opens the account's lane.
    ///
    /// - Parameters:
    ///   - submitter: The service.
    ///   - user: Whose account it becomes.
    ///   - entered: For `credentialFields`.
    ///   - chosen: What the owner has decided for this account: kept in its settings, beside what the service told.
    /// - Returns: The account; one that was there already keeps its identifier.
    /// - Throws: `SubmissionError` of the service; `StoreError`, `.conflict("connections_per_user")` when the user has `mostAccounts`
    ///   already; `CryptoError`.
    package func connect(
        _ submitter: any Submitter, of user: User, entered: [String: String], chosen: JSONObject = JSONObject()
    ) async throws -> AccountSummary {
        let account: ConnectedAccount
        do throws(SubmissionError) {
            account = try await submitter.connect(entered, over: transport)
        } catch {
            throw error.whenConnecting
        }
        return try await keep(account, of: submitter, user: user.id, named: user.name, chosen: chosen)
    }

    /// Stores a connected account. Credentials that it had before are taken back at the service, where that leaves the new ones
    /// good.
    func keep(
        _ account: ConnectedAccount, of submitter: any Submitter, user: UserID, named userName: String,
        chosen: JSONObject
    ) async throws -> AccountSummary {
        let service = submitter.description
        var settings = account.settings.object ?? JSONObject()
        for member in chosen { settings[member.name] = member.value }
        let remoteID = account.remoteID.isEmpty ? userName : account.remoteID
        let sealed = try keys.seal(
            account.credentials.serialized, context: CredentialContext.of(service: service.id, remoteID: remoteID))
        let replaced = try await replaced(by: account.credentials, remoteID, of: submitter, user)
        let picture = AccountPictures.plan(account.picture, of: submitter)
        let id = try await store.connect(
            NewAccount(
                id: .make(), owner: user, service: service.id, remoteID: remoteID, account: account.name,
                credentials: sealed, settings: String(decoding: JSONValue(settings).serialized, as: UTF8.self),
                lane: NewLane(service.lane, gate: submitter.gate(.object(settings))), pictureURL: picture.url,
                pictureDueAfter: picture.dueAfter),
            revoking: replaced?.account.connection, replanning: replanning(for: submitter), limit: Self.mostAccounts)
        if let replaced { _ = try await revoke(replaced.account, at: replaced.submitter) }
        logger.notice("account connected", ["connection": id, "service": service.id, "user": user])
        wakeWorkers()
        return AccountSummary(id: id, service: service.id, account: account.name)
    }
}

/// An account that is connected now.
package struct AccountSummary: Sendable, Equatable {
    package let id: AccountID
    package let service: String
    /// As people know it.
    package let account: String
}

extension NewLane {
    /// As a service's policy has it.
    package init(_ policy: LanePolicy, gate: String) {
        self.init(
            gate: gate, maximumRunning: policy.concurrency, gap: policy.gap,
            cap: policy.cap.map { StartRate(jobs: $0.submissions, window: $0.window) })
    }
}
