internal import Domain
internal import Foundation
internal import Store
internal import Submitters

/// Jobs that change or take back a post. Asking twice ends like asking once, so nothing is armed.
extension JobRun {
    func changePost(_ isSequential: inout Bool) async throws -> Verdict {
        guard let subject = try await workshop.store.post(of: job) else {
            return .finish(.done, nil, AttemptReport(outcome: "done"))
        }
        let submitter = try submitter(subject.account.service)
        isSequential = submitter.description.lane.concurrency == 1
        try await journal.load(for: submitter)
        let account = try await AccountOpening(workshop: workshop, job: job).account(subject.account, for: submitter)
        let post = PublishedPost(
            remoteID: subject.remoteID, url: subject.remoteURL, account: account, transport: workshop.transport,
            now: workshop.now)
        try await journal.check()
        return try await renewing(subject.account, for: submitter) {
            switch job.kind {
            case .delete: try await takeBack(post, with: submitter)
            case .submit, .edit: try await edit(post, subject, with: submitter)
            }
        }
    }

    private func takeBack(_ post: PublishedPost, with submitter: any Submitter) async throws -> Verdict {
        guard let submitter = submitter as? any DeletingSubmitter else {
            throw SubmissionError.rejected(
                .changeUnsupported, ProblemParameters(service: submitter.description.name, reason: .delete))
        }
        do {
            try await submitter.delete(post)
        } catch SubmissionError.gone {
            // Somebody else has taken it back.
        }
        return .finish(.deleted, nil, AttemptReport(outcome: "deleted"))
    }

    private func edit(
        _ post: PublishedPost, _ subject: PostSubject, with submitter: any Submitter
    ) async throws -> Verdict {
        // New words of a photo that was made private are for nobody else.
        guard !subject.isPhotoDeleted, !subject.isWithheld else {
            return .finish(.done, nil, AttemptReport(outcome: "done"))
        }
        guard let submitter = submitter as? any EditingSubmitter else {
            throw SubmissionError.rejected(
                .changeUnsupported, ProblemParameters(service: submitter.description.name, reason: .edit))
        }
        let shortURL = workshop.addresses.shortURL(subject.code)
        let settings = post.account.settings
        let captions = AccountCaption(settings, serviceRule: submitter.captionRule(settings))
        let caption = captions.text(
            of: subject.caption, moment: subject.moment, timeZone: TimeZone(identifier: subject.timeZone) ?? .gmt,
            shortURL: shortURL)
        let text = CaptionPlanner.plan(caption: caption, rule: captions.rule, shortURL: shortURL).text
        try await submitter.edit(post, text: text, altText: subject.altText)
        let receipt = Receipt(remoteID: subject.remoteID, url: subject.remoteURL, text: text.storable)
        return .finish(.done, receipt, AttemptReport(outcome: "edited"))
    }
}
