internal import Accounts
internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Logging
internal import Store
internal import Submitters

/// Makes the account of a job ready: opens its credentials, renews them before they end, and reads its limits again when
/// they are old.
struct AccountLoader: Sendable {
    let context: WorkerContext
    let job: ClaimedJob

    /// - Throws: `SubmissionError`, `StoreError`, `JSONError`, or `MissingKey`.
    func account(_ stored: SealedAccount, for submitter: any Submitter) async throws -> OpenedAccount {
        var account = try opened(stored)
        if let renewing = submitter as? any RefreshingSubmitter, renewal.areEnding(account.credentials, at: renewing) {
            account = try await renew(account, stored, renewing)
        }
        guard let life = submitter.description.settingsLife,
            stored.settingsReadAt.addingTimeInterval(life.timeInterval) < context.now(),
            let fresh = try await submitter.refreshSettings(of: account, over: context.transport), fresh.isStorable
        else { return account }
        try await context.store.updateSettings(
            of: job.connection, to: String(decoding: fresh.serialized, as: UTF8.self))
        // As the database adds them: what the owner has chosen stays.
        var settings = account.settings.object ?? JSONObject()
        for member in fresh.object ?? JSONObject() { settings[member.name] = member.value }
        return OpenedAccount(
            connection: account.connection, remoteID: account.remoteID, name: account.name,
            credentials: account.credentials, settings: .object(settings))
    }

    /// Renews credentials that the service refuses before their end; false where they cannot be.
    func renew(_ stored: SealedAccount, for submitter: any RefreshingSubmitter) async throws -> Bool {
        let account = try opened(stored)
        guard submitter.canRenew(account.credentials) else { return false }
        _ = try await renew(account, stored, submitter)
        return true
    }

    private func opened(_ stored: SealedAccount) throws -> OpenedAccount {
        OpenedAccount(
            connection: job.connection, remoteID: stored.remoteID, name: stored.name,
            credentials: try credentials(of: stored), settings: try JSONValue(parsing: Array(stored.settings.utf8)))
    }

    private func credentials(of stored: SealedAccount) throws -> JSONValue {
        do {
            return try renewal.credentials(of: stored)
        } catch CryptoError.unknownKey(let key) {
            context.logger.error(
                "the key file does not fit an account's credentials",
                [
                    "connection": job.connection, "service": stored.service, "submission": job.submission,
                    "needed_key": key,
                ])
            throw MissingKey()
        } catch {
            throw SubmissionError.unauthorized(
                SubmissionProblem(Problem(.credentialsDamaged), detail: logText(of: error)))
        }
    }

    // MARK: Renewing

    private func renew(
        _ account: OpenedAccount, _ stored: SealedAccount, _ submitter: any RefreshingSubmitter
    ) async throws -> OpenedAccount {
        let renewed: OpenedAccount?
        do { renewed = try await renewal.renew(account, stored, by: submitter) } catch {
            throw (error as? SubmissionError).map { RenewalFailure(error: $0) } ?? error
        }
        // Another one renews them, or has done so since this job read them.
        guard let renewed else { throw SubmissionError.notYet(checkAfter: .seconds(1)) }
        context.logger.info("credentials renewed", ["connection": job.connection, "service": stored.service])
        return renewed
    }

    private var renewal: CredentialRenewal {
        CredentialRenewal(
            store: context.store, keys: context.keys, transport: context.transport, now: context.now)
    }
}

/// Why credentials could not be renewed: nothing that renewing would mend.
struct RenewalFailure: Error {
    let error: SubmissionError
}

/// The credentials of the job's account need a key that is not on this process's ring.
struct MissingKey: Error {}
