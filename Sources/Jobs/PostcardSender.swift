package import Accounts
internal import Blobs
internal import Crypto
package import Domain
package import EventLoops
internal import FoundationEssentials
internal import HTTP
internal import Logging
internal import Media
package import Store
internal import Submitters

/// Orders the cards that owners have confirmed, follows what becomes of them, and cancels those that are not wanted any more.
///
/// The request that orders leaves after the row says so. Whoever takes the row later looks at the service before it asks again: a card is paid for once.
package struct PostcardSender: Sendable {
    private let context: WorkerContext
    private let accounts: AccountReader
    private let backoff: Backoff
    private let loop: EventLoop

    /// Orders that run at once, each of another account, and so often in one go.
    private static let (batch, batches) = (8, 10)
    /// Tries before one that was never sent is given up: with their pauses about four hours, nine at most.
    private static let mostFailures = 12
    /// The longest that an order is looked for whose answer is missing.
    private static let longestLook: TimeInterval = 3 * 86_400
    /// After a missing answer, until lists are believed that lack what was ordered.
    private static let lookPause = Duration.seconds(15)
    /// How long a look is repeated that cannot tell yet whether there is something to cancel.
    private static let longestCancel: TimeInterval = 900
    /// Between two tries of an order whose key or file is missing.
    private static let missingPause = Duration.seconds(300)
    /// A request may have to carry the picture.
    private static let answerTime = Duration.seconds(120)

    /// Works on `loop`.
    package init(context: WorkerContext, accounts: AccountReader, backoff: Backoff = Backoff(), loop: EventLoop) {
        (self.context, self.accounts, self.backoff, self.loop) = (context, accounts, backoff, loop)
    }

    /// Does what is due; how many orders were worked on.
    @discardableResult
    package func sendDue() async throws(StoreError) -> Int {
        try await context.store.work(batches: Self.batches) { store throws(StoreError) in
            try await store.claimPostcards(limit: Self.batch)
        } on: {
            await work(on: $0)
        }
    }

    private func work(on due: DuePostcard) async {
        do {
            let journal = try PostcardJournal(due, store: context.store, loop: loop)
            do {
                let outcome =
                    due.state == .waiting ? try await order(due, journal) : try await follow(due)
                if let outcome { try await context.store.settle(due, outcome) }
            } catch let error as SubmissionError {
                log(due, error)
                try await due.state == .waiting ? settle(due, error, journal) : postpone(due, error)
            } catch let error as CryptoError {
                log(due, error)
                try await context.store.postpone(
                    due, by: Self.missingPause, isArmed: due.isArmed, problem: Problem(.keyMissing), counts: false)
            }
        } catch {
            // It comes again when its lease has ended.
            log(due, error)
        }
    }

    // MARK: Ordering

    /// The outcome of an order that its service has not confirmed; nil when that is for a later try.
    private func order(_ due: DuePostcard, _ journal: PostcardJournal) async throws -> PostcardOutcome? {
        if due.isCancelWanted, !due.isArmed { return PostcardOutcome(.cancelled) }
        let (submitter, account) = try await account(of: due)
        guard let photo = try await photo(of: due) else {
            return due.isArmed
                ? PostcardOutcome(.unknown, problem: .outcomeUnknown(.photoDeleted)) : PostcardOutcome(.cancelled)
        }
        let order = try opened(due)
        let copy = copy(of: photo, for: due, order, to: account, with: submitter)
        let result: Result<PostcardOutcome?, any Error>
        do {
            let task = task(for: due, photo, order, copy, journal, account)
            result = .success(try await submit(task, due, journal, with: submitter))
        } catch {
            result = .failure(error)
        }
        await copy.discard()
        return try result.get()
    }

    private func submit(
        _ task: SubmissionTask, _ due: DuePostcard, _ journal: PostcardJournal, with submitter: any PrintingSubmitter
    ) async throws -> PostcardOutcome? {
        let service = submitter.description.name
        if let armedAt = due.armedAt {
            switch try await submitter.reconcile(task) {
            case .found(let receipt): return try Self.ordered(receipt, at: service)
            case .cannotTell:
                return PostcardOutcome(.unknown, problem: .outcomeUnknown(.serviceCannotTell, at: service))
            case .absent: await journal.close()
            case .repeatable where due.isCancelWanted:
                guard context.now().timeIntervalSince(armedAt) < Self.longestCancel else {
                    return PostcardOutcome(.unknown, problem: .outcomeUnknown(.cancelled, at: service))
                }
                throw SubmissionError.notYet(checkAfter: .seconds(60))
            case .repeatable: break
            }
            if due.isCancelWanted { return PostcardOutcome(.cancelled) }
        }
        return try Self.ordered(try await submitter.submit(task), at: service)
    }

    private static func ordered(_ receipt: Receipt, at service: String) throws(SubmissionError) -> PostcardOutcome {
        var outcome = PostcardOutcome(.ordered)
        outcome.remoteID = try receipt.sanitized(from: service).remoteID
        // Until the service has said otherwise.
        outcome.facts.isCancellable = true
        outcome.pause = firstLook
        return outcome
    }

    private func account(of due: DuePostcard) async throws -> (any PrintingSubmitter, OpenedAccount) {
        let stored = try await context.store.account(due.connection, owner: due.owner)
        guard let submitter = context.registry[stored.service] as? any PrintingSubmitter else {
            throw SubmissionError.rejected(.serviceUnknown, ProblemParameters(service: stored.service))
        }
        return (submitter, try await accounts.account(stored, for: submitter))
    }

    private func photo(of due: DuePostcard) async throws(StoreError) -> Photo? {
        do throws(StoreError) { return try await context.store.photo(due.photo, viewer: due.owner).photo } catch {
            switch error {
            case .gone, .notFound: return nil
            default: throw error
            }
        }
    }

    private func opened(_ due: DuePostcard) throws -> PrintOrder {
        guard let sealed = due.sealed,
            let order = PrintOrder(
                try JSONValue(
                    parsing: try context.keys.open(sealed, context: Postcard.context(of: due.id.description))))
        else { throw SubmissionError.rejected(.internalError) }
        return order
    }

    /// The picture as it is printed: cut to the card, without a word of what is known of it.
    private func copy(
        of photo: Photo, for due: DuePostcard, _ order: PrintOrder, to account: OpenedAccount,
        with submitter: any PrintingSubmitter
    ) -> LazyCopy {
        let format = submitter.formats(account.settings).first { $0.id == order.format }
        let rule = submitter.mediaRule(account.settings)
        let service = submitter.description.name
        let digest = photo.blob.digest
        return LazyCopy(
            OutgoingCopy(
                photo: photo, original: context.blobs.path(of: digest),
                rule: format.map { rule.filling($0.surface) } ?? rule, tags: PictureTags(), keepsPosition: false,
                media: CopyShare(of: photo, in: context), threads: context.blobs.threads,
                destination: "\(context.copiesFolder)/\(due.id)-\(due.leaseNo)"),
            loop: loop,
            check: { [blobs = context.blobs] () async throws(SubmissionError) in
                try await OutgoingPost.check(digest, in: blobs)
            },
            publish: { [context] file async throws(SubmissionError) in
                try await OutgoingPost.address(of: file, of: photo.id, for: .order(due.id), at: service, in: context)
            })
    }

    private func task(
        for due: DuePostcard, _ photo: Photo, _ order: PrintOrder, _ copy: LazyCopy, _ journal: PostcardJournal,
        _ account: OpenedAccount
    ) -> SubmissionTask {
        SubmissionTask(
            submission: SubmissionID(due.id.uuid), outboundKey: "pics-\(due.id)",
            photo: OutgoingPhoto(
                isVideo: photo.kind == .video, code: photo.code, owner: "", takenAt: nil, createdAt: photo.createdAt,
                visibility: photo.visibility, position: nil),
            file: { () async throws(SubmissionError) in
                guard photo.hasPicture else {
                    throw .rejected(.mediaUnusable, ProblemParameters(reason: .unreadable))
                }
                return try await copy.file()
            },
            address: { () async throws(SubmissionError) in try await copy.fetchAddress() },
            text: "", caption: "", altText: "", shortURL: context.addresses.shortURL(photo.code), order: order,
            account: account, journal: journal,
            transport: BoundedTransport(context.transport, longest: Self.answerTime), progress: { _, _ in },
            now: context.now)
    }

    // MARK: Following

    /// After an order, until its state is read.
    private static let firstLook = Duration.seconds(300)
    private static let (secondLook, laterLooks): (TimeInterval, Duration) = (3600, .seconds(6 * 3600))
    /// How long an order is followed.
    private static let longestFollowed: TimeInterval = 60 * 86_400

    /// The outcome that its service tells of an order, after it was asked to cancel it where that is wanted.
    private func follow(_ due: DuePostcard) async throws -> PostcardOutcome {
        guard let remoteID = due.remoteID else { throw SubmissionError.rejected(.internalError) }
        let (submitter, account) = try await account(of: due)
        let post = PublishedPost(
            remoteID: remoteID, url: nil, account: account, transport: accounts.transport, now: context.now)
        var refusal: Problem?
        if due.isCancelWanted {
            do throws(SubmissionError) {
                try await submitter.delete(post)
                return PostcardOutcome(.cancelled)
            } catch {
                switch error {
                case .rejected(let problem), .gone(let problem): refusal = problem.problem
                default: throw error
                }
            }
        }
        var outcome: PostcardOutcome
        do throws(SubmissionError) { outcome = PostcardOutcome(try await submitter.state(of: post)) } catch {
            // That it is too late is told all the same.
            guard refusal != nil else { throw error }
            outcome = PostcardOutcome(due.state)
        }
        outcome.isCancelAnswered = refusal != nil
        if outcome.state != .cancelled { outcome.problem = outcome.problem ?? refusal }
        outcome.pause = outcome.state.isEnd ? nil : nextLook(due)
        return outcome
    }

    /// Until an order is looked at again; nil when it is followed no more.
    private func nextLook(_ due: DuePostcard) -> Duration? {
        let age = context.now().timeIntervalSince(due.orderedAt ?? context.now())
        if age >= Self.longestFollowed { return nil }
        return age < Self.secondLook ? .seconds(max(60, Self.secondLook - age)) : Self.laterLooks
    }

    /// The order stays as it is known.
    private func postpone(_ due: DuePostcard, _ error: SubmissionError) async throws(StoreError) {
        let pause =
            switch error {
            case .temporary(_, let after), .unknownOutcome(_, let after):
                backoff.delay(afterFailures: due.failures + 1, retryAfter: after, fraction: context.random())
            case .notYet(let pause): pause
            case .limited(_, _, let end): Backoff.pause(until: end, now: context.now())
            default: Self.laterLooks
            }
        try await context.store.postpone(due, by: pause, isArmed: false)
    }

    // MARK: What goes wrong

    /// What was armed in this try has left only where the outcome is unknown; what was armed before may be ordered.
    private func settle(
        _ due: DuePostcard, _ error: SubmissionError, _ journal: PostcardJournal
    ) async throws(StoreError) {
        let isOpen = await journal.isOpen
        switch error {
        case .temporary(let problem, let pause):
            try await again(due, problem.problem, after: pause, isArmed: isOpen)
        case .unknownOutcome(let problem, let pause):
            try await again(due, problem.problem, after: pause, isArmed: true)
        case .notYet(let pause):
            try await context.store.postpone(due, by: pause, isArmed: isOpen, counts: false)
        case .limited(let problem, _, let end):
            let pause = Backoff.pause(until: end, now: context.now())
            try await context.store.postpone(due, by: pause, isArmed: isOpen, problem: problem.problem, counts: false)
        case .fileUnavailable(let problem):
            try await again(due, problem.problem, after: Self.missingPause, isArmed: isOpen)
        case .rejected(let problem) where isOpen, .unauthorized(let problem) where isOpen:
            try await again(due, problem.problem, after: nil, isArmed: true)
        case .gone(let problem) where isOpen:
            try await context.store.settle(due, PostcardOutcome(.unknown, problem: problem.problem))
        case .rejected(let problem), .unauthorized(let problem), .gone(let problem):
            try await context.store.settle(due, PostcardOutcome(.rejected, problem: problem.problem))
        case .cancelled where await journal.isCancelled:
            try await context.store.settle(
                due,
                isOpen ? PostcardOutcome(.unknown, problem: .outcomeUnknown(.cancelled)) : PostcardOutcome(.cancelled))
        case .cancelled:
            try await context.store.postpone(
                due, by: .milliseconds(100), isArmed: await journal.isArmed, counts: false)
        case .leaseLost: break
        }
    }

    private func again(
        _ due: DuePostcard, _ problem: Problem, after retryAfter: Duration?, isArmed: Bool
    ) async throws(StoreError) {
        if isArmed, let armedAt = due.armedAt, context.now().timeIntervalSince(armedAt) >= Self.longestLook {
            try await context.store.settle(
                due, PostcardOutcome(.unknown, problem: .outcomeUnknown(.attemptsExhausted)))
            return
        }
        guard isArmed || due.failures + 1 < Self.mostFailures else {
            try await context.store.settle(due, PostcardOutcome(.rejected, problem: problem))
            return
        }
        let pause = backoff.delay(afterFailures: due.failures + 1, retryAfter: retryAfter, fraction: context.random())
        // An order that its service has, and only has no picture of yet, has not failed.
        try await context.store.postpone(
            due, by: isArmed ? max(pause, Self.lookPause) : pause, isArmed: isArmed, problem: problem,
            counts: problem.code != .stillProcessing)
    }

    private func log(_ due: DuePostcard, _ error: any Error) {
        context.logger.info(
            "postcard not done", ["postcard": due.id, "state": due.state.rawValue, "error": logText(of: error)])
    }
}

extension PostcardOutcome {
    fileprivate init(_ read: PrintState) {
        switch read.stage {
        case .ordered: self.init(.ordered, problem: read.problem)
        case .inProduction: self.init(.inProduction, problem: read.problem)
        case .mailed: self.init(.mailed, problem: read.problem)
        case .delivered: self.init(.delivered, problem: read.problem)
        case .returned: self.init(.returned, problem: read.problem)
        case .cancelled: self.init(.cancelled)
        case .failed(let problem): self.init(.failed, problem: problem)
        }
        facts.isCancellable = read.isCancellable
        facts.cancellableUntil = read.cancellableUntil
        facts.expectedOn = read.expectedDelivery.flatMap(Self.day)
        facts.trackingURL = read.trackingURL.flatMap(Self.address)
        facts.previewURL = read.previewURL.flatMap(Self.address)
        facts.actionURL = read.actionURL.flatMap(Self.address)
    }

    /// What the database can keep of an address.
    private static func address(_ text: String) -> String? { text.utf8.count <= 2048 ? text : nil }

    /// A day that exists.
    private static func day(_ text: String) -> String? {
        guard text.utf8.count == 10, Timestamp("\(text)T00:00:00Z") != nil else { return nil }
        return text
    }
}
