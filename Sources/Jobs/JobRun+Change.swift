internal import Domain
internal import FoundationEssentials
internal import Store
internal import Submitters
internal import System

/// Jobs that change or take back a post. Asking twice ends like asking once, so nothing is armed.
extension JobRun {
    func changePost(_ isSequential: inout Bool) async throws -> JobOutcome {
        guard let subject = try await context.store.post(of: job) else {
            return .finish(.done, nil, AttemptReport(outcome: "done"))
        }
        let submitter = try submitter(subject.account.service)
        isSequential = submitter.description.lane.concurrency == 1
        try await journal.load(for: submitter)
        let account = try await AccountLoader(context: context, job: job).account(subject.account, for: submitter)
        let post = PublishedPost(
            remoteID: subject.remoteID, url: subject.remoteURL, parts: subject.parts, labels: subject.labels,
            account: account,
            transport: context.transport,
            now: context.now)
        try await journal.check()
        return try await renewing(subject.account, for: submitter) {
            switch job.kind {
            case .delete: try await unpublish(post, with: submitter)
            case .submit, .edit: try await edit(post, subject, with: submitter)
            }
        }
    }

    private func unpublish(_ post: PublishedPost, with submitter: any Submitter) async throws -> JobOutcome {
        guard let submitter = submitter as? any DeletingSubmitter else {
            throw SubmissionError.rejected(
                .changeUnsupported, ProblemParameters(service: submitter.description.name, reason: .delete))
        }
        do {
            try await submitter.deleteAll(post)
        } catch SubmissionError.gone {
            // Somebody else has taken it back.
        }
        return .finish(.deleted, nil, AttemptReport(outcome: "deleted"))
    }

    private func edit(
        _ post: PublishedPost, _ subject: PostSubject, with submitter: any Submitter
    ) async throws -> JobOutcome {
        // New words of a photo that was made private are for nobody else.
        guard !subject.isPhotoDeleted, !subject.isWithheld else {
            return .finish(.done, nil, AttemptReport(outcome: "done"))
        }
        guard let submitter = submitter as? any EditingSubmitter else {
            throw SubmissionError.rejected(
                .changeUnsupported, ProblemParameters(service: submitter.description.name, reason: .edit))
        }
        let shortURL = context.addresses.shortURL(subject.code)
        let settings = post.account.settings
        let captions = submitter.captions(settings, subject.labels)
        let caption = captions.text(
            of: subject.caption, moment: subject.moment, timeZone: Zone(orUTC: subject.timeZone),
            shortURL: shortURL)
        let plan = captions.plan(NormalizedCaption(caption), shortURL: shortURL)
        let texts = post.parts.isEmpty ? [plan.text] : plan.thread
        try await submitter.editAll(post, texts: texts, altText: subject.altText)
        let text = texts.joined(separator: "\n\n")
        let receipt = Receipt(remoteID: subject.remoteID, url: subject.remoteURL, text: text.sanitized)
        return .finish(.done, receipt, AttemptReport(outcome: "edited"))
    }
}
