internal import Domain
internal import Store
internal import Submitters

/// The parts of a photo that an edit changes.
struct PhotoChanges {
    let caption: Bool
    let altText: Bool
    let labels: Set<ContentLabels.Kind>
    /// Another recipe.
    let picture: Bool
    /// Words that are given again, changed or not, also retry an edit that did not arrive.
    let hasWords: Bool

    init(_ edit: PhotoEdit, of photo: Photo) {
        caption = edit.caption.map { $0 != photo.caption } ?? false
        altText = edit.altText.map { $0 != photo.altText } ?? false
        labels = edit.labels.map { $0.differences(from: photo.labels) } ?? []
        if case .set(let recipe) = edit.recipe { picture = recipe != photo.recipe } else { picture = false }
        hasWords = edit.caption != nil || edit.altText != nil || edit.labels != nil
    }

    var mayReachPosts: Bool { hasWords || picture }

    /// Whether a post of the photo gets other words by a job, and whether it keeps something as it was.
    fileprivate func reach(_ submission: Submission, at submitter: any Submitter) -> (isSent: Bool, isMissed: Bool) {
        let description = submitter.description
        let labels = labels.intersection(description.labels)
        let words = caption && submission.ownText == nil || altText && description.takesAltText
        guard let editing = submitter as? any EditingSubmitter else {
            return (false, picture || words || !labels.isEmpty)
        }
        let changesLabels = !labels.isEmpty && editing.editsLabels
        return (
            words || changesLabels || hasWords && submission.edit == .refused,
            picture || !labels.isEmpty && !editing.editsLabels
        )
    }
}

extension PhotoActions {
    /// The submissions whose posts are edited by jobs, and those whose posts keep something as it was: pictures that are out are never
    /// changed, nor what is out of a photo that went along with another, nor words where the service does not let Pics do that.
    func reach(
        of changes: PhotoChanges, _ photo: Photo, _ submissions: [Submission], by user: User
    ) async throws -> (sent: [SubmissionID], missed: [SubmissionID]) {
        var sent: [SubmissionID] = []
        var missed: [SubmissionID] = []
        for submission in submissions where Self.isOutOrMayBe(submission) {
            guard let submitter = context.registry[submission.service] else { continue }
            let (isSent, isMissed) = changes.reach(submission, at: submitter)
            if isSent { sent.append(submission.id) }
            if isMissed { missed.append(submission.id) }
        }
        guard changes.altText || changes.picture else { return (sent, missed) }
        let along = try await context.store.submissions(along: photo.id).filter(Self.isOutOrMayBe)
        guard !along.isEmpty else { return (sent, missed) }
        let places = try await context.store.places(along: photo.id)
        let recipients = try await possibleRecipients(of: user)
        for submission in along {
            guard let place = places[submission.photo],
                let recipient = recipients.first(where: { $0.connection.id == submission.connection }),
                place < recipient.maximumPictures,
                changes.picture || recipient.submitter.description.takesAltText
            else { continue }
            missed.append(submission.id)
        }
        return (sent, missed)
    }

    /// Whether there is a post of a submission, or may be one. One that is unknown gets no edit; a person may find later that it is there.
    private static func isOutOrMayBe(_ submission: Submission) -> Bool {
        [.done, .unknown].contains(submission.state) || !submission.state.isFinal
    }
}
