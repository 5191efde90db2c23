package import Domain
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

    private func demandUnknown(_ id: SubmissionID, of owner: UserID) async throws {
        guard try await store.submission(id, owner: owner).state == .unknown else { throw ActionError.notUnknown }
    }
}
