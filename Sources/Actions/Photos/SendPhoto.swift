package import Domain
package import FoundationEssentials
internal import Store
internal import Submitters

extension PhotoActions {
    /// Sends a stored photo on to the accounts that `names` choose, at once or at a later time. An account that the photo was sent to, or
    /// is on its way to, gets no second post; a submission that was refused or cancelled starts anew. `posted` are posts that the
    /// client has made itself.
    ///
    /// `asked` is when the request came: a time before it is a mistake.
    ///
    /// - Returns: The photo's submissions to these accounts.
    /// - Throws: `InvalidField`; `ActionError.otherPost` for an account that is on its way to another post; `StoreError.notFound` also for somebody else's photo, `.gone`, `.withheld` for one that was made
    ///   private.
    package func send(
        _ id: PhotoID, to names: [String], posted: [PostedDraft] = [], at time: ScheduledTime?, asked: Date,
        by user: User
    ) async throws -> [Submission] {
        let photo = try await ownPhoto(id, of: user)
        guard !photo.isDraft else { throw ActionError.photoIsDraft }
        guard photo.hasPicture || names.isEmpty else { throw InvalidField.sentNowhere("#/services") }
        let recipients = try await chooseRecipients(names, of: user)
        let posts = try await registered(posted, besides: recipients, of: user)
        let zone = try await timeZone(of: user)
        let scheduledAt = try time?.publicationDate(in: zone, asked: asked, now: Date())
        let companions = try await context.store.companions(of: photo)
        let stored = PostedPhoto(photo, along: companions.map(\.bytes))
        let added =
            submissions(of: stored, to: recipients, in: zone, scheduledAt)
            + submissions(of: stored, registering: posts, in: zone)
        do throws(StoreError) { try await context.store.send(photo.id, of: user.id, added) } catch {
            guard error == .changed else { throw error }
            throw ActionError.otherPost
        }
        context.wakeWorkers()
        if !posts.isEmpty { context.pageChanged(photo.code) }
        let accounts = Set((recipients + posts.map(\.recipient)).map(\.connection.id))
        var sent: [Submission] = []
        for submission in try await context.store.submissions(of: photo.id)
        where accounts.contains(submission.connection) {
            guard [.rejected, .cancelled].contains(submission.state), !added.contains(where: { $0.id == submission.id })
            else {
                sent.append(submission)
                continue
            }
            sent.append(
                try await SubmissionActions(context).reschedule(submission.id, of: user.id, at: scheduledAt))
        }
        return sent
    }

    /// Moves the time of a submission of the user's; nil: now.
    ///
    /// - Throws: `InvalidField`; as `SubmissionActions.reschedule`.
    package func reschedule(
        _ id: SubmissionID, at time: ScheduledTime?, asked: Date, by user: User
    ) async throws -> Submission {
        let zone = try await timeZone(of: user)
        return try await SubmissionActions(context).reschedule(
            id, of: user.id, at: try time?.publicationDate(in: zone, asked: asked, now: Date()))
    }
}
