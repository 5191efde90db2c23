import Crypto
import Domain
import Foundation
import HTTP
import Store
import Submitters

/// What commands do to users, tokens and connections.
struct Accounts {
    private let runtime: Runtime

    init(_ runtime: Runtime) { self.runtime = runtime }

    /// Adds a user, whose photos the file service archives from the start.
    func addUser(_ name: String, isAdmin: Bool, timeZone: String) async throws -> User {
        guard TimeZone(identifier: timeZone) != nil else { throw UsageError("There is no time zone \(timeZone).") }
        let user = try await runtime.store.addUser(name, isAdmin: isAdmin, timeZone: timeZone)
        try await welcome(user)
        return user
    }

    /// Connects what a new user has from the start.
    func welcome(_ user: User) async throws {
        if let file = runtime.registry["file"] { _ = try await connect(file, of: user, entered: [:]) }
    }

    /// Makes a token. Only its hash is kept.
    func addToken(of user: User, named name: String, scopes: [Scope]) async throws -> Secret<String> {
        try await runtime.store.issueToken(to: user, named: name, scopes: scopes)
    }

    /// Asks the service whose credentials these are, seals them and opens the account's lane.
    ///
    /// `chosen` is what the owner has decided for this account: kept in its settings, beside what the service told.
    func connect(
        _ submitter: any Submitter, of user: User, entered: [String: String], chosen: JSONObject = JSONObject()
    ) async throws -> ConnectedAccount {
        let account = try await submitter.connect(entered, over: runtime.transport)
        let service = submitter.description
        var settings = account.settings.object ?? JSONObject()
        for member in chosen { settings[member.name] = member.value }
        let remoteID = account.remoteID.isEmpty ? user.name : account.remoteID
        let sealed = try runtime.keys.seal(
            account.credentials.serialized, context: CredentialContext.of(service: service.id, remoteID: remoteID))
        _ = try await runtime.store.connect(
            NewConnection(
                id: .make(), owner: user.id, service: service.id, remoteID: remoteID, account: account.name,
                credentials: sealed, settings: String(decoding: JSONValue(settings).serialized, as: UTF8.self),
                lane: NewLane(service.lane, gate: submitter.gate(.object(settings)))))
        return account
    }
}

extension NewLane {
    /// As a service's policy has it.
    init(_ policy: LanePolicy, gate: String) {
        self.init(
            gate: gate, maximumRunning: policy.concurrency, gap: policy.gap,
            cap: policy.cap.map { JobCap(jobs: $0.submissions, window: $0.window) })
    }
}

extension Store {
    /// Makes a token. Only its hash is kept.
    func issueToken(to user: User, named name: String, scopes: [Scope]) async throws -> Secret<String> {
        let token = makeToken(prefix: "pics_")
        let hash = SHA256Digest(of: token.reveal()).bytes
        _ = try await addToken(of: user.id, hash: hash, name: name, scopes: scopes)
        return token
    }
}
