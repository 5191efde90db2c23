package import Domain
package import FoundationEssentials
package import Store
package import Submitters

/// The things that people do with submissions: the photo's owner, or an operator in their place.
package struct SubmissionActions: Sendable {
    private let store: PicsStore
    private let registry: Registry
    private let wakeWorkers: @Sendable () -> Void

    /// `wakeWorkers` is called after a commit that has made work for the queue.
    package init(store: PicsStore, registry: Registry, wakeWorkers: @escaping @Sendable () -> Void = {}) {
        self.store = store
        self.registry = registry
        self.wakeWorkers = wakeWorkers
    }

    package init(_ context: ActionContext) {
        self.init(store: context.store, registry: context.registry, wakeWorkers: context.wakeWorkers)
    }

    /// Starts one anew that was rejected, cancelled or is unknown.
    ///
    /// - Throws: `StoreError.notFound` also when this program does not know its service; `.withheld` when its photo is private.
    package func retry(_ id: SubmissionID, of owner: UserID) async throws(StoreError) -> Submission {
        let submission = try await store.submission(id, owner: owner)
        guard let retry = registry[submission.service]?.description.retry else { throw .notFound }
        let retried = try await store.retry(
            id, owner: owner, maximumAttempts: retry.maximumAttempts, maximumAge: retry.maximumAge)
        wakeWorkers()
        return retried
    }

    /// Ends a submission, unless it has ended.
    package func cancel(_ id: SubmissionID, of owner: UserID) async throws(StoreError) -> Submission {
        let cancelled = try await store.cancel(id, owner: owner)
        wakeWorkers()
        return cancelled
    }

    /// Asks for the removal of a published post; its photo stays, and can be posted there again once the post is gone.
    ///
    /// - Throws: `ActionError.postStays` where Pics cannot delete it; `.notPublished`; `StoreError`.
    package func deletePost(_ id: SubmissionID, of owner: UserID) async throws -> Submission {
        let submission = try await store.submission(id, owner: owner)
        guard registry[submission.service] is any DeletingSubmitter else { throw ActionError.postStays }
        guard submission.state == .done || submission.state == .deleted else { throw ActionError.notPublished }
        let asked = try await store.deletePost(id, owner: owner)
        wakeWorkers()
        return asked
    }

    /// Moves the time of a submission that was not begun, or starts one that was refused or cancelled anew at that time; nil: now.
    ///
    /// - Throws: `ActionError.begun`; `StoreError.notFound` also when this program does not know its service; `.withheld`.
    package func reschedule(_ id: SubmissionID, of owner: UserID, at time: Date?) async throws -> Submission {
        let submission = try await store.submission(id, owner: owner)
        guard let retry = registry[submission.service]?.description.retry else { throw StoreError.notFound }
        do throws(StoreError) {
            let moved = try await store.reschedule(
                id, owner: owner, at: time, maximumAttempts: retry.maximumAttempts, maximumAge: retry.maximumAge)
            wakeWorkers()
            return moved
        } catch {
            guard error == .changed else { throw error }
            throw ActionError.begun
        }
    }

    /// Ends an unknown submission whose post a person has found, at `url` if they say so. `remoteID` is the post's identifier at the
    /// service, or another text that says how it was resolved; 1 to 512 bytes.
    ///
    /// - Throws: `ActionError.notUnknown`; `StoreError`.
    package func resolve(
        _ id: SubmissionID, of owner: UserID, remoteID: String, url: String?
    ) async throws -> Submission {
        try await demandUnknown(id, of: owner)
        do {
            return try await store.resolve(id, owner: owner, remoteID: remoteID, remoteURL: url)
        } catch StoreError.changed {
            throw ActionError.notUnknown
        }
    }

    /// Starts an unknown submission anew whose post a person has not found.
    ///
    /// - Throws: `ActionError.notUnknown`; `StoreError`.
    package func resolveAsNotPublished(_ id: SubmissionID, of owner: UserID) async throws -> Submission {
        try await demandUnknown(id, of: owner)
        return try await retry(id, of: owner)
    }

    /// Does in the owner's place what an operator has decided about a submission.
    ///
    /// - Returns: Whether that was still possible.
    /// - Throws: `StoreError`.
    package func perform(_ action: OperatorAction, on id: SubmissionID, by admin: User) async throws -> Bool {
        let found = try await store.submissionForOperator(id)
        let submission = found.submission
        switch action {
        case .retry:
            guard submission.state != .done else { return false }
            do throws(StoreError) { _ = try await retry(id, of: found.owner) } catch {
                guard error == .withheld || error == .notFound else { throw error }
                return false
            }
        case .cancel:
            guard !submission.state.isFinal else { return false }
            _ = try await cancel(id, of: found.owner)
        case .resolve:
            do {
                _ = try await resolve(id, of: found.owner, remoteID: "resolved by \(admin.name)", url: nil)
            } catch ActionError.notUnknown {
                return false
            }
        }
        return true
    }

    /// Pauses or resumes the work behind a gate: a service by its name or alias, a server that users named, or nil for all work.
    ///
    /// - Returns: The gate's own name.
    /// - Throws: `ActionError.noGate`; `StoreError`.
    package func pauseGate(_ isPaused: Bool, _ name: String?, reason: String?) async throws -> String {
        let gate = name.map { registry[$0]?.description.id ?? $0 } ?? "*"
        do throws(StoreError) {
            try await store.pauseGate(isPaused, gate, reason: reason)
        } catch {
            guard error == .notFound else { throw error }
            throw ActionError.noGate
        }
        wakeWorkers()
        return gate
    }

    private func demandUnknown(_ id: SubmissionID, of owner: UserID) async throws {
        guard try await store.submission(id, owner: owner).state == .unknown else { throw ActionError.notUnknown }
    }
}

/// The things that an operator may do about one submission.
package enum OperatorAction: String, Sendable {
    case retry
    case cancel
    case resolve
}
