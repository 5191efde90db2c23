package import Domain
package import FoundationEssentials
internal import Postgres

extension PicsStore {
    /// The channel on which workers hear that there is work.
    package static let workChannel = "pics_work"
    /// The channel on which workers hear which submission is to be cancelled.
    package static let cancelChannel = "pics_cancel"

    /// The submissions of a photo, by service.
    package func submissions(of photo: PhotoID) async throws(StoreError) -> [Submission] {
        try await rows(.submissions(of: [photo]))
    }

    /// The submissions of some photos.
    package func submissions(of photos: [PhotoID]) async throws(StoreError) -> [PhotoID: [Submission]] {
        guard !photos.isEmpty else { return [:] }
        return Dictionary(grouping: try await rows(.submissions(of: photos)), by: \.photo)
    }

    /// The submissions of other photos that a photo goes along with, newest first.
    package func submissions(along photo: PhotoID) async throws(StoreError) -> [Submission] {
        try await rows(.submissions(along: photo))
    }

    /// A submission of the owner's.
    package func submission(_ id: SubmissionID, owner: UserID) async throws(StoreError) -> Submission {
        guard let submission = try await first(.submission(id, owner: owner)) else { throw .notFound }
        return submission
    }

    /// Whether another submission of the account that submission `id` goes to has the post `remoteID`.
    package func isTaken(_ remoteID: String, besides id: SubmissionID) async throws(StoreError) -> Bool {
        try await first(.isTaken(remoteID, besides: id)) == true
    }

    /// Keeps the posts behind the first of a submission's thread, before its receipt is written.
    package func keep(threadPosts posts: [String], of submission: SubmissionID) async throws(StoreError) {
        try await execute(.keepThreadPosts(posts, of: submission))
    }

    /// Asks for the end of a submission: at once when it waits, with the worker's next heartbeat when it runs. One that
    /// has ended stays as it is.
    package func cancel(_ id: SubmissionID, owner: UserID) async throws(StoreError) -> Submission {
        _ = try await submission(id, owner: owner)
        _ = try await first(.cancelSubmission(id))
        return try await submission(id, owner: owner)
    }

    /// Starts a submission anew that was rejected or cancelled or whose end is unknown; one that waits becomes due now, and
    /// its account is held back no longer.
    ///
    /// - Throws: `.withheld` when the photo was made private.
    package func retry(
        _ id: SubmissionID, owner: UserID, maximumAttempts: Int, maximumAge: Duration
    ) async throws(StoreError) -> Submission {
        _ = try await submission(id, owner: owner)
        let state = try await first(.retrySubmission(id, maximumAttempts: maximumAttempts, maximumAge: maximumAge))
        if state == "withheld" { throw .withheld }
        return try await submission(id, owner: owner)
    }

    /// A person has found the post of an `unknown` submission: it is done.
    ///
    /// - Throws: `.changed` when it is not unknown.
    package func resolve(
        _ id: SubmissionID, owner: UserID, remoteID: String, remoteURL: String?
    ) async throws(StoreError) -> Submission {
        _ = try await submission(id, owner: owner)
        guard try await one(.resolveSubmission(id, remoteID: remoteID, remoteURL: remoteURL)) else { throw .changed }
        return try await submission(id, owner: owner)
    }

    /// Asks for the removal of the post of a submission that is done; another one stays as it is.
    package func deletePost(_ id: SubmissionID, owner: UserID) async throws(StoreError) -> Submission {
        _ = try await submission(id, owner: owner)
        _ = try await first(.deletePost(id, ChangePolicy([id])))
        return try await submission(id, owner: owner)
    }

    /// Sends a stored photo of the owner's to further accounts, or takes note of posts that are there already. An account that has a
    /// submission of the photo gets no other, unless its post was deleted; a post takes the place of one that has ended without any.
    ///
    /// - Throws: `.gone` when the photo is deleted; `.withheld` when it was made private; `.changed` when an account that has a post
    ///   of its own is on its way to another, or has it.
    package func send(_ photo: PhotoID, of owner: UserID, _ submissions: [NewSubmission]) async throws(StoreError) {
        let connections = submissions.map(\.connection)
        let sent = submissions.filter { $0.post == nil }.map(\.connection)
        let posted = submissions.filter { $0.post != nil }
        let refusal = try await mappingErrors { () async throws(PostgresError) -> StoreError? in
            try await database.transaction { transaction throws(PostgresError) in
                let (isThere, isWithheld) = try await transaction.run(
                    .lockPhoto(photo, owner: owner, for: connections), .isWithheld(photo, from: sent))
                guard isThere == [true] else { return .gone }
                guard isWithheld == [false] else { return .withheld }
                if !posted.isEmpty {
                    // The lanes are held: no submission comes to another state meanwhile.
                    guard try await transaction.one(.refusesPosts(posted, of: photo)) == false else { return .changed }
                }
                _ = try await transaction.execute([
                    .forgetDeletedPosts(of: photo, at: connections), .takePosts(posted, of: photo),
                    .insertSubmissions(submissions, of: photo, isRepeatable: true), .enqueue(submissions),
                    .notify(Self.workChannel),
                ])
                return nil
            }
        }
        if let refusal { throw refusal }
    }

    /// Moves the time of a submission that was not begun, or starts one that was refused or cancelled anew; nil: now.
    ///
    /// - Throws: `.changed` when it was begun or has ended otherwise; `.withheld` when its photo was made private.
    package func reschedule(
        _ id: SubmissionID, owner: UserID, at time: Date?, maximumAttempts: Int, maximumAge: Duration
    ) async throws(StoreError) -> Submission {
        let submission = try await submission(id, owner: owner)
        if try await one(.isWithheld(submission.photo, from: [submission.connection])) { throw .withheld }
        guard
            try await one(.reschedule(id, at: time, maximumAttempts: maximumAttempts, maximumAge: maximumAge))
        else { throw .changed }
        return try await self.submission(id, owner: owner)
    }
}
