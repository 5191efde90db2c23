package import Domain
package import FoundationEssentials
internal import HTTP
internal import Logging
internal import Store
internal import Submitters

extension PhotoActions {
    /// Publishes a photo of the user's that is not published: a draft as its owner chose, at its time or now; one that waits for its
    /// time, with its posts, now. A photo that is published stays as it is.
    ///
    /// - Throws: `InvalidField` for choices that cannot be met any more; `StoreError.changed` when it was changed meanwhile.
    package func publish(_ photo: Photo, by user: User, requestID: String) async throws {
        guard let plan = photo.plan else { return }
        if plan.publishAt == nil {
            try await publishDraft(photo, by: user)
        } else {
            for submission in try await context.store.submissions(of: photo.id)
            where submission.scheduledAt.map({ $0 > Date() }) == true && !submission.state.isFinal {
                _ = try await SubmissionActions(context).reschedule(submission.id, of: user.id, at: nil)
            }
            try await context.store.publish(photo.id)
        }
        context.pageChanged(photo.code)
        context.wakeWorkers()
        context.logger.info("photo published", ["photo": photo.id, "request": requestID])
    }

    /// Moves the time of a photo that waits for it, with its posts that have not begun.
    ///
    /// - Throws: `InvalidField` for a time too far ahead; `StoreError.changed` when it was published meanwhile.
    package func postpone(_ photo: Photo, by user: User, to time: Date) async throws {
        guard time.timeIntervalSinceNow <= ScheduledTime.furthest else {
            throw InvalidField.invalid("#/scheduled_at", "It may be at most a year ahead.")
        }
        guard try await context.store.postpone(photo.id, owner: user.id, to: time) else { throw StoreError.changed }
        for submission in try await context.store.submissions(of: photo.id)
        where submission.scheduledAt.map({ $0 > Date() }) == true && !submission.state.isFinal {
            _ = try await SubmissionActions(context).reschedule(submission.id, of: user.id, at: time)
        }
    }

    private func publishDraft(_ photo: Photo, by user: User) async throws {
        let draft = try draft(of: photo)
        let zone = try await timeZone(of: user)
        let time = try draft.scheduledAt?.publicationDate(in: zone, asked: Date(), now: Date())
        let recipients = try await recipients(for: draft, of: user)
        let companions = try await context.store.companions(of: photo)
        let submissions = submissions(
            of: PostedPhoto(photo, along: companions.map(\.bytes)), to: recipients,
            texts: try await texts(of: draft, of: user), in: zone, time)
        try await context.store.publishDraft(photo.id, of: user.id, version: photo.version, at: time, submissions)
    }

    /// What a photo says of itself, and what its owner chose for it as a draft.
    package func draft(of photo: Photo) throws -> PhotoDraft {
        var draft = try PhotoDraft(members: try choices(of: photo), limit: .max)
        (draft.caption, draft.altText, draft.album) = (photo.caption, photo.altText, photo.album)
        draft.visibility = photo.plan?.visibility ?? photo.visibility
        (draft.isSensitive, draft.contentWarning) = (photo.labels.isSensitive, photo.labels.warning)
        draft.language = photo.labels.language
        return draft
    }

    /// The members of a draft's choices.
    func choices(of photo: Photo) throws -> JSONObject {
        try JSONValue(parsing: Array((photo.plan?.choices ?? "{}").utf8)).object ?? [:]
    }
}
