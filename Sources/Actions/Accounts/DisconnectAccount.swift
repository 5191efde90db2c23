internal import Accounts
internal import Crypto
package import Domain
internal import HTTP
internal import Logging
package import Store
internal import Submitters

extension AccountActions {
    /// Forgets an account's credentials, ends what waits for it, and tells the service if that has a way to hear it. A
    /// service that is away is waited for a few seconds; the account is gone here all the same, and the service is told later,
    /// by `revokeDue`.
    ///
    /// - Throws: `StoreError.notFound` when it is not the owner's.
    package func disconnect(_ connection: AccountID, owner: UserID) async throws -> Disconnection {
        let stored = try await store.account(connection, owner: owner)
        let submitter = registry[stored.service] as? any RevokingSubmitter
        let cancelled = try await store.disconnect(connection, owner: owner, toBeRevoked: submitter != nil)
        logger.notice("account disconnected", ["connection": connection, "user": owner, "cancelled": cancelled])
        guard let submitter else { return Disconnection(cancelled: cancelled, revocation: .none) }
        return Disconnection(cancelled: cancelled, revocation: try await revoke(stored, at: submitter))
    }

    /// The account as it was connected before, when its credentials can be taken back while the new ones stay good.
    func replaced(
        by credentials: JSONValue, _ remoteID: String, of submitter: any Submitter, _ owner: UserID
    ) async throws(StoreError) -> (account: SealedAccount, submitter: any RevokingSubmitter)? {
        guard let submitter = submitter as? any RevokingSubmitter,
            let stored = try await store.account(submitter.description.id, remoteID: remoteID, owner: owner),
            canRevoke(stored, at: submitter, keeping: credentials)
        else { return nil }
        return (stored, submitter)
    }

    /// False also for credentials that no key opens.
    private func canRevoke(
        _ stored: SealedAccount, at submitter: any RevokingSubmitter, keeping new: JSONValue
    ) -> Bool {
        do {
            return submitter.canRevoke(try reader.renewal.credentials(of: stored), keeping: new)
        } catch {
            return false
        }
    }

    /// Whether credentials that are due can be taken back: those that the account has now, if it is connected, stay good.
    private func canRevoke(_ due: DueRevocation, at submitter: any RevokingSubmitter) -> Bool {
        guard let present = due.present else { return true }
        do {
            return canRevoke(
                due.account, at: submitter, keeping: try reader.renewal.opened(present, of: due.account))
        } catch {
            return false
        }
    }

    /// Tells services of accounts that were disconnected, or connected anew, while they could not hear it.
    ///
    /// - Returns: How many have heard it now.
    package func revokeDue(limit: Int = 20) async throws -> Int {
        var count = 0
        for due in try await store.claimRevocations(limit: limit) {
            let stored = due.account
            guard let submitter = registry[stored.service] as? any RevokingSubmitter, canRevoke(due, at: submitter)
            else {
                try await store.endRevocation(of: stored.connection)
                continue
            }
            if case .failed = try await revoke(stored, at: submitter) { continue }
            count += 1
        }
        return count
    }

    /// Tries once. What may go another time stays for that.
    func revoke(
        _ stored: SealedAccount, at submitter: any RevokingSubmitter
    ) async throws(StoreError) -> Disconnection.Revocation {
        let revocation: Disconnection.Revocation
        do {
            // With credentials that are at their end the service may not listen; renewing them now would be odd.
            let bounded = transport.bounded(by: Self.revocationTimeout)
            try await submitter.revoke(try reader.opened(stored), over: bounded)
            // Not every token can be taken back from here.
            revocation = bounded.wasUsed ? .done : .none
        } catch let error as SubmissionError {
            if case .temporary = error { return .failed(error.problem) }
            revocation = .failed(error.problem.whenConnecting)
        } catch {
            revocation = .failed(Problem(.credentialsDamaged).whenConnecting)
        }
        try await store.endRevocation(of: stored.connection)
        return revocation
    }

    /// Whether an account's credentials can be opened.
    ///
    /// - Throws: `StoreError`.
    package func canOpen(_ connection: AccountID, owner: UserID) async throws(StoreError) -> Bool {
        let stored = try await store.account(connection, owner: owner)
        do {
            _ = try reader.opened(stored)
            return true
        } catch {
            return false
        }
    }
}

/// The outcome of a disconnection.
package struct Disconnection: Sendable, Equatable {
    package enum Revocation: Sendable, Equatable {
        /// There is nothing to take back, such as a password that a person has entered.
        case none
        /// The service has heard it.
        case done
        /// It has not, and why.
        case failed(Problem)
    }

    /// Submissions that waited and are ended now.
    package let cancelled: Int
    package let revocation: Revocation
}
