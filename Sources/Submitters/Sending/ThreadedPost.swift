internal import Domain
internal import FoundationEssentials
internal import HTTP

/// Posts a task with its parts: the first post as any other, then each part as an answer to the one before.
///
/// Every post is written down at once, and every part has steps, a key and an open outcome of its own, so that a break in the midst goes on where
/// it stopped. As soon as the first post is there, no error says that nothing was published.
package struct ThreadedPost: Sendable {
    /// One post of a thread that is there.
    private struct Sent: Sendable {
        let id: String
        let url: String?
        /// As sent, where it differs from the plan.
        let text: String?
        let at: Date

        init(_ receipt: Receipt, at: Date) {
            (id, url, text, self.at) = (receipt.remoteID, receipt.url, receipt.text, at)
        }

        init?(_ json: JSONValue) {
            guard let id = json["id"]?.string, let at = json["at"]?.double else { return nil }
            (self.id, url, text) = (id, json["url"]?.string, json["text"]?.string)
            self.at = Date(timeIntervalSince1970: at)
        }

        var json: JSONValue {
            [
                "id": .string(id), "url": JSONValue(url), "text": JSONValue(text),
                "at": .double(at.timeIntervalSince1970),
            ]
        }
    }

    /// The end of a part.
    private enum PartEnd {
        case sent(Receipt)
        /// It will not be posted.
        case refused(SubmissionProblem)
        /// The service does not tell.
        case unclear
    }

    private let task: SubmissionTask
    private let submitter: any Submitter

    // MARK: What the queue asks for

    /// Publishes, as `Submitter.submit`; goes on with a thread of which the journal knows posts. The receipt tells whether it is whole.
    package static func submit(
        _ task: SubmissionTask, with submitter: any Submitter
    ) async throws(SubmissionError) -> Receipt {
        guard !task.parts.isEmpty else { return try await submitter.submit(task) }
        let thread = ThreadedPost(task: task, submitter: submitter)
        var posts = await thread.recorded()
        if posts.isEmpty { posts = [Sent(try await submitter.submit(thread.first), at: task.now())] }
        do throws(SubmissionError) {
            if let receipt = try await thread.finished(posts) { return receipt }
        } catch {
            throw afterFirst(error, at: task.now())
        }
        throw .unknownOutcome(
            SubmissionProblem(
                Problem(.unconfirmed, ProblemParameters(service: submitter.description.name))), retryAfter: nil)
    }

    /// Looks what became of a thread, as `Submitter.reconcile`, and posts what is missing of one whose first post is there. Errors mean what they mean
    /// to a look: the outcome stays open, and an owner who has to connect again is asked to.
    package static func reconcile(
        _ task: SubmissionTask, with submitter: any Submitter
    ) async throws(SubmissionError) -> Reconciliation {
        guard !task.parts.isEmpty else { return try await submitter.reconcile(task) }
        let thread = ThreadedPost(task: task, submitter: submitter)
        var posts = await thread.recorded()
        if posts.isEmpty {
            let look = try await submitter.reconcile(thread.first)
            guard case .found(let receipt) = look else { return look }
            posts = [Sent(receipt, at: task.now())]
        }
        return try await thread.finished(posts).map { .found($0) } ?? .cannotTell
    }

    /// An error after the first post, for who must not hear that nothing was published.
    private static func afterFirst(_ error: SubmissionError, at now: Date) -> SubmissionError {
        switch error {
        case .temporary(let problem, let pause), .unknownOutcome(let problem, let pause):
            .unknownOutcome(problem, retryAfter: pause)
        case .notYet(let pause):
            .unknownOutcome(SubmissionProblem(Problem(.stillProcessing)), retryAfter: pause)
        case .limited(let problem, _, let end):
            .unknownOutcome(problem, retryAfter: end.map { .seconds(max(0, $0.timeIntervalSince(now))) })
        // Asked again, a look meets it too, and may say so.
        case .unauthorized(let problem), .rejected(let problem), .gone(let problem), .fileUnavailable(let problem):
            .unknownOutcome(problem, retryAfter: nil)
        case .cancelled:
            .unknownOutcome(SubmissionProblem(Problem(.interrupted)), retryAfter: nil)
        case .leaseLost:
            .leaseLost
        }
    }

    // MARK: The posts

    private func recorded() async -> [Sent] {
        (await task.journal.value(JournalKey.thread)?.array ?? []).compactMap(Sent.init)
    }

    private func record(_ posts: [Sent]) async throws(SubmissionError) {
        try await task.journal.record(JournalKey.thread, JSONValue(posts.map(\.json)))
    }

    /// Posts what is missing behind `posts`; nil where only a person can tell whether a part is there.
    private func finished(_ posts: [Sent]) async throws(SubmissionError) -> Receipt? {
        var posts = posts
        if await recorded().isEmpty { try await record(posts) }
        while posts.count <= task.parts.count {
            switch try await end(of: part(posts.count + 1, behind: posts)) {
            case .sent(let receipt):
                posts.append(Sent(receipt, at: task.now()))
                try await record(posts)
            case .refused(let problem): return receipt(posts, problem)
            case .unclear: return nil
            }
        }
        return receipt(posts, nil)
    }

    /// Posts a part, or finds it.
    private func end(of part: SubmissionTask) async throws(SubmissionError) -> PartEnd {
        guard (submitter as? any ThreadingSubmitter)?.canThread(task.account.settings) == true else {
            return .refused(
                SubmissionProblem(
                    Problem(.changeUnsupported, ProblemParameters(service: submitter.description.name))))
        }
        if await isOpen(part) {
            do throws(SubmissionError) {
                switch try await submitter.reconcile(part) {
                case .found(let receipt): return .sent(receipt)
                case .cannotTell: return .unclear
                case .absent, .repeatable: break
                }
            } catch {
                // What it answers is gone, or is not shown: it may be there.
                switch error {
                case .gone, .rejected: return .unclear
                default: throw error
                }
            }
        }
        let mayBeThere = await isOpen(part)
        do throws(SubmissionError) {
            return .sent(try await submitter.submit(part))
        } catch {
            switch error {
            case .rejected(let problem), .gone(let problem):
                // This request did nothing; an earlier one may have.
                guard await isOpen(part) else { return .refused(problem) }
                throw .unknownOutcome(problem, retryAfter: nil)
            case .cancelled where !Task.isCancelled:
                // Somebody has asked for the end, or made the photo private: this request has not left. What is there is told.
                return mayBeThere ? .unclear : .refused(SubmissionProblem(Problem(.interrupted)))
            default:
                throw error
            }
        }
    }

    private func isOpen(_ part: SubmissionTask) async -> Bool { await OpenOutcome.recorded(in: part.journal) != nil }

    // MARK: Tasks and receipts

    /// The first post alone. Should the service take less than it was planned for, it is cut itself: the rest of the caption follows.
    private var first: SubmissionTask {
        SubmissionTask(
            submission: task.submission, outboundKey: task.outboundKey, photo: task.photo, file: task.file,
            address: task.address, text: task.text, caption: task.text, altText: task.altText,
            companions: task.companions, shortURL: task.shortURL, account: task.account, isTaken: task.isTaken,
            journal: task.journal, transport: task.transport, progress: task.progress, now: task.now)
    }

    /// The task of a part, from 2 on.
    private func part(_ number: Int, behind posts: [Sent]) -> SubmissionTask {
        let noFile = SubmissionError.temporary(Problem(.internalError))
        let (text, own) = (task.parts[number - 2], Set(posts.map(\.id)))
        let place = ThreadPlace(
            root: posts[0].id, parent: posts[number - 2].id, parentAt: posts[number - 2].at)
        return SubmissionTask(
            submission: task.submission, outboundKey: "\(task.outboundKey).\(number)", photo: task.photo,
            file: { () async throws(SubmissionError) in throw noFile },
            address: { () async throws(SubmissionError) in throw noFile }, text: text, caption: text, altText: "",
            answering: place, shortURL: task.shortURL, account: task.account,
            isTaken: { [isTaken = task.isTaken] id async throws(SubmissionError) in
                if own.contains(id) { return true }
                return try await isTaken(id)
            },
            journal: PartJournal(number: number, journal: task.journal), transport: task.transport,
            progress: { _, _ in }, now: task.now)
    }

    /// The text of the receipt is all that was sent, with an empty line between two posts, where that is not what was planned.
    private func receipt(_ posts: [Sent], _ problem: SubmissionProblem?) -> Receipt {
        let planned = [task.text] + task.parts
        let sent = zip(planned, posts).map { $1.text ?? $0 }
        return Receipt(
            remoteID: posts[0].id, url: posts[0].url,
            text: sent == planned ? nil : sent.joined(separator: "\n\n"), parts: posts.dropFirst().map(\.id),
            problem: problem)
    }
}

/// The journal of a part, in that of its thread.
private struct PartJournal: Journal {
    let number: Int
    let journal: any Journal

    private func name(_ key: String) -> String { JournalKey.part(number) + key }

    func value(_ key: String) async -> JSONValue? { await journal.value(name(key)) }

    func record(_ key: String, _ value: JSONValue?) async throws(SubmissionError) {
        try await journal.record(name(key), value)
    }

    func arm(recording steps: JSONObject) async throws(SubmissionError) {
        var named = JSONObject()
        for step in steps { named[name(step.name)] = step.value }
        try await journal.arm(recording: named)
    }
}
