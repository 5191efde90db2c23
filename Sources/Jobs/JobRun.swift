internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP
internal import Logging
internal import Store
internal import Submitters
internal import System

/// One attempt of one job, from its row to its outcome.
struct JobRun: Sendable {
    let context: WorkerContext
    let job: ClaimedJob
    let journal: JobJournal
    let meter: ProgressMeter
    let backoff: Backoff

    /// Does the attempt. `stop` tells, after a cancellation, why it was cancelled.
    func run(stop: () -> StopReason?) async -> JobOutcome {
        var isSequential = true
        do {
            switch job.kind {
            case .submit: return try await submit(&isSequential)
            case .edit, .delete: return try await changePost(&isSequential)
            }
        } catch is MissingKey {
            return .withoutKey(isArmed: job.isArmed)
        } catch {
            let facts = AttemptFacts(
                failures: job.failures, isArmed: await journal.isArmed, isOpen: await journal.isOpen,
                openFailures: await journal.openFailures,
                stop: await journal.isCancelled ? stop() ?? .user : stop(), isSequential: isSequential,
                now: context.now(), fraction: context.random())
            let outcome = JobOutcome(submissionError(error), facts, backoff: backoff)
            return job.kind == .submit ? outcome : outcome.ofChange()
        }
    }

    private func submit(_ isSequential: inout Bool) async throws -> JobOutcome {
        guard var subject = try await context.store.subject(of: job) else { return withoutPhoto }
        let submitter = try submitter(subject.account.service)
        // Refused before it is queued; a stand-in never leaves, whatever asked for it.
        guard subject.photo.hasPicture else {
            throw SubmissionError.rejected(.mediaUnusable, ProblemParameters(reason: .unreadable))
        }
        if let time = subject.photo.plan?.publishAt, !submitter.description.isOwnArchive || time <= context.now() {
            // Readers of the post follow its link. The job may be due before its photo, when somebody has asked for that.
            try await context.store.publish(subject.photo.id)
            guard let published = try await context.store.subject(of: job) else { return withoutPhoto }
            subject = published
        }
        isSequential = submitter.description.lane.concurrency == 1
        try await journal.load(for: submitter, appearance: subject.appearance)
        let receipt = try await renewing(subject.account, for: submitter) {
            try await publish(subject, with: submitter)
        }
        guard let receipt else {
            return .unknown(.outcomeUnknown(.serviceCannotTell, at: submitter.description.name))
        }
        return .published(try receipt.sanitized(from: submitter.description.name))
    }

    /// Does `work`; when the service refuses credentials that can be renewed, they are, and the next attempt has the new ones.
    ///
    /// Credentials that were renewed for this job and are refused again park the account.
    func renewing<Value>(
        _ account: SealedAccount, for submitter: any Submitter, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            guard case .unauthorized? = error as? SubmissionError, let renewing = submitter as? any RefreshingSubmitter,
                await journal.value(JobJournal.renewedKey)?.int != Int64(account.credentialsNo)
            else { throw error }
            // Where nothing can be renewed, the service's own word says best what is wrong.
            guard try await AccountLoader(context: context, job: job).renew(account, for: renewing) else { throw error }
            try await journal.record(JobJournal.renewedKey, .int(Int64(account.credentialsNo) + 1))
            throw SubmissionError.notYet(checkAfter: .seconds(1))
        }
    }

    func submitter(_ service: String) throws(SubmissionError) -> any Submitter {
        guard let submitter = context.registry[service] else {
            throw .rejected(.serviceUnknown, ProblemParameters(service: service))
        }
        return submitter
    }

    private func submissionError(_ error: any Error) -> SubmissionError {
        switch error {
        case let error as SubmissionError:
            return error
        case let failure as RenewalFailure:
            return failure.error
        case StoreError.cancelled:
            return .cancelled
        case is JSONError:
            let problem = SubmissionProblem(Problem(.internalError), detail: logText(of: error))
            return .temporary(problem, retryAfter: nil)
        case StoreError.unavailable:
            return .temporary(Problem(.databaseUnavailable))
        default:
            let problem = SubmissionProblem(Problem(.internalError), detail: logText(of: error))
            context.logger.error("submission failed inside", ["submission": job.submission, "error": problem.detail])
            return .temporary(problem, retryAfter: nil)
        }
    }

    private var withoutPhoto: JobOutcome {
        job.isArmed
            ? .unknown(.outcomeUnknown(.photoDeleted))
            : .finish(.cancelled, nil, AttemptReport(outcome: "cancelled"))
    }

    // MARK: The steps

    /// Makes the copies, sends them and deletes them. Returns nil when only a person can tell whether it was published.
    private func publish(_ subject: JobSubject, with submitter: any Submitter) async throws -> Receipt? {
        let account = try await AccountLoader(context: context, job: job).account(subject.account, for: submitter)
        if subject.isCut, submitter.captions(account.settings).long == .refuse, !(await journal.isOpen) {
            throw SubmissionError.rejected(.captionTooLong, ProblemParameters(service: submitter.description.name))
        }
        let post = OutgoingPost(
            subject, for: job.submission, to: account, of: submitter, context: context,
            destination: "\(context.copiesFolder)/\(job.id)-\(job.leaseNo)", loop: journal.loop
        ) { [meter] sent, total in meter.report(sent: sent, total: total) }
        let result: Result<Receipt?, any Error>
        do { result = .success(try await send(post, of: subject, to: account, with: submitter)) } catch {
            result = .failure(error)
        }
        await post.discard()
        return try result.get()
    }

    private func send(
        _ post: OutgoingPost, of subject: JobSubject, to account: OpenedAccount, with submitter: any Submitter
    ) async throws -> Receipt? {
        let task = task(for: subject, post, account: account)
        if await journal.isOpen {
            switch try await ThreadedPost.reconcile(task, with: submitter) {
            case .found(let receipt): return try await task.isTaken(receipt.remoteID) ? nil : receipt
            case .cannotTell: return nil
            case .absent: await journal.close()
            case .repeatable: break
            }
            try await journal.check()
        }
        if subject.isWithheld { try await journal.withhold() }
        return try await ThreadedPost.submit(task, with: submitter)
    }

    private func task(for subject: JobSubject, _ post: OutgoingPost, account: OpenedAccount) -> SubmissionTask {
        let photo = subject.photo
        let shortURL = context.addresses.shortURL(photo.code)
        let captions = AccountCaption(account.settings, serviceRule: .unlimited)
        var outgoing = OutgoingPhoto(
            isVideo: photo.kind == .video, code: photo.code, owner: subject.owner, takenAt: photo.takenAt,
            createdAt: photo.createdAt, visibility: photo.visibility, position: post.position, labels: photo.labels)
        outgoing.takenOffset = photo.takenOffset
        return SubmissionTask(
            submission: job.submission, outboundKey: "pics-\(job.submission)",
            photo: outgoing,
            file: { () async throws(SubmissionError) in try await post.file() },
            address: { () async throws(SubmissionError) in try await post.address() },
            text: subject.thread.first ?? subject.text,
            caption: captions.text(
                of: subject.ownText ?? photo.caption, moment: photo.moment,
                timeZone: Zone(orUTC: subject.timeZone), shortURL: shortURL),
            altText: photo.altText, parts: Array(subject.thread.dropFirst()), companions: post.companions,
            shortURL: shortURL, account: account,
            isTaken: { post async throws(SubmissionError) in
                do throws(StoreError) {
                    return try await context.store.isTaken(post, besides: job.submission)
                } catch {
                    throw submissionError(error)
                }
            },
            journal: journal, transport: context.transport,
            progress: { sent, total in post.report(sent: sent, total: total) }, now: context.now)
    }

    // MARK: The outcome

    /// Writes what became of the attempt. Not a part of the cancellable task: a cancelled attempt has an outcome too.
    func settle(_ outcome: JobOutcome) async throws(StoreError) {
        switch outcome {
        case .finish(let state, let receipt, let report):
            if let parts = receipt?.parts, !parts.isEmpty {
                try await context.store.keep(threadPosts: parts, of: job.submission)
            }
            let isOurs = try await context.store.finish(
                job, state: state, remoteID: receipt?.remoteID, remoteURL: receipt?.url, text: receipt?.text,
                report: report)
            note(isOurs ? state.rawValue : "lease lost", report)
        case .release(let release):
            let state = try await context.store.release(job, release)
            note(state?.rawValue ?? "lease lost", release.report)
        case .park(let isArmed, let report):
            let state = try await context.store.park(job, isArmed: isArmed, report: report)
            note(state?.rawValue ?? "lease lost", report)
        case .nothing:
            context.logger.notice("submission left to another worker", ["submission": job.submission])
        }
    }

    private func note(_ state: String, _ report: AttemptReport?) {
        guard let report else {
            context.logger.debug("submission given back", ["submission": job.submission, "state": state])
            return
        }
        context.logger.info(
            "submission tried",
            [
                "submission": job.submission, "connection": job.connection, "kind": job.kind.rawValue, "state": state,
                "outcome": report.outcome,
                "attempt": job.failures + 1,
                "status": report.status, "problem": report.problem?.code.rawValue, "detail": report.detail,
            ])
    }
}
