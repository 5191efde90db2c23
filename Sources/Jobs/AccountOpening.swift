internal import Crypto
internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import Logging
internal import Store
internal import Submitters

/// Makes the account of a job ready: opens its credentials, renews them before they end, and reads its limits again when
/// they are old.
struct AccountOpening: Sendable {
    let workshop: Workshop
    let job: ClaimedJob

    /// Credentials are renewed so long before they end.
    static let margin = Duration.seconds(300)
    /// How long one process may take to renew them, and others wait for it.
    static let patience = Duration.seconds(90)

    /// - Throws: `SubmissionError`, `StoreError`, `JSONError`, or `MissingKey`.
    func account(_ stored: JobAccount, for submitter: any Submitter) async throws -> Account {
        var account = try opened(stored)
        if let renewing = submitter as? any RefreshingSubmitter, isEnding(account, renewing) {
            account = try await renew(account, stored, renewing)
        }
        guard let life = submitter.description.settingsLife,
            stored.settingsReadAt.addingTimeInterval(life.timeInterval) < workshop.now(),
            let fresh = try await submitter.refreshSettings(of: account, over: workshop.transport), fresh.isStorable
        else { return account }
        try await workshop.store.updateSettings(
            of: job.connection, to: String(decoding: fresh.serialized, as: UTF8.self))
        // As the database adds them: what the owner has chosen stays.
        var settings = account.settings.object ?? JSONObject()
        for member in fresh.object ?? JSONObject() { settings[member.name] = member.value }
        return account.with(settings: .object(settings))
    }

    /// Renews credentials that the service refuses before their end.
    func renew(_ stored: JobAccount, for submitter: any RefreshingSubmitter) async throws {
        _ = try await renew(try opened(stored), stored, submitter)
    }

    private func opened(_ stored: JobAccount) throws -> Account {
        Account(
            connection: job.connection, remoteID: stored.remoteID, name: stored.name,
            credentials: try credentials(of: stored), settings: try JSONValue(parsing: Array(stored.settings.utf8)))
    }

    private func credentials(of stored: JobAccount) throws -> JSONValue {
        let context = CredentialContext.of(service: stored.service, remoteID: stored.remoteID)
        do {
            return try JSONValue(parsing: workshop.keys.open(stored.credentials, context: context))
        } catch CryptoError.unknownKey(let key) {
            workshop.logger.error(
                "the key file does not fit an account's credentials",
                [
                    "connection": job.connection, "service": stored.service, "submission": job.submission,
                    "needed_key": key,
                ])
            throw MissingKey()
        } catch {
            throw SubmissionError.unauthorized(
                SubmissionProblem(
                    "The stored credentials are damaged; connect the account again.", detail: logText(of: error)))
        }
    }

    // MARK: Renewing

    private func isEnding(_ account: Account, _ submitter: any RefreshingSubmitter) -> Bool {
        guard let expiry = submitter.expiry(of: account.credentials) else { return false }
        return expiry < workshop.now().addingTimeInterval(Self.margin.timeInterval)
    }

    /// Renews the credentials, one process at a time: many services take each refresh token once. The new ones are in the
    /// database before they are used.
    private func renew(
        _ account: Account, _ stored: JobAccount, _ submitter: any RefreshingSubmitter
    ) async throws -> Account {
        guard
            try await workshop.store.beginRefresh(
                of: job.connection, credentialsNo: stored.credentialsNo, lease: Self.patience)
        else {
            // Another one renews them, or has done so since this job read them.
            throw SubmissionError.notYet(checkAfter: .seconds(1))
        }
        // Not a part of the cancellable task: a refresh token that was used must not be lost with its answer.
        let renewed = await Task(executorPreference: EventLoop.current) {
            () async -> Result<JSONValue, any Error> in
            do {
                let fresh = try await submitter.refreshCredentials(of: account, over: workshop.transport)
                var members = account.credentials.object ?? JSONObject()
                for member in fresh.object ?? JSONObject() where !member.value.isEmpty {
                    members[member.name] = member.value
                }
                let sealed = try workshop.keys.seal(
                    JSONValue(members).serialized,
                    context: CredentialContext.of(service: stored.service, remoteID: stored.remoteID))
                guard
                    try await workshop.store.endRefresh(
                        of: job.connection, credentialsNo: stored.credentialsNo, with: sealed)
                else { throw SubmissionError.notYet(checkAfter: .seconds(1)) }
                return .success(.object(members))
            } catch {
                _ = try? await workshop.store.endRefresh(
                    of: job.connection, credentialsNo: stored.credentialsNo, with: nil)
                return .failure(error)
            }
        }.value
        switch renewed {
        case .success(let credentials):
            workshop.logger.info("credentials renewed", ["connection": job.connection, "service": stored.service])
            return account.with(credentials: credentials)
        case .failure(let error as SubmissionError): throw RenewalFailure(error: error)
        case .failure(let error): throw error
        }
    }
}

/// Why credentials could not be renewed: nothing that renewing would mend.
struct RenewalFailure: Error {
    let error: SubmissionError
}

/// The credentials of the job's account need a key that is not on this process's ring.
struct MissingKey: Error {}

extension Account {
    fileprivate func with(credentials: JSONValue? = nil, settings: JSONValue? = nil) -> Account {
        Account(
            connection: connection, remoteID: remoteID, name: name, credentials: credentials ?? self.credentials,
            settings: settings ?? self.settings)
    }
}

extension JSONValue {
    /// What a service sends that has nothing new to say.
    fileprivate var isEmpty: Bool { isNull || string == "" }
}
