package import Accounts
package import Domain
internal import FoundationEssentials
internal import HTTP
internal import Logging
package import Store
internal import Submitters

/// Brings about what owners want of others' words: replies, favourites and reposts, and their undoing.
///
/// Each is a wanted state with the state that its service has confirmed. A request that would make something twice leaves after
/// the row says so; whoever takes the row later looks at the service before it asks again.
package struct InteractionSender: Sendable {
    private let context: WorkerContext
    private let accounts: AccountReader
    private let backoff: Backoff

    /// Interactions that run at once, each of another account, and so often in one go.
    private static let (batch, batches) = (16, 20)
    /// Tries before one is given up: with their pauses about four hours, nine at most.
    private static let mostFailures = 12
    /// After a missing answer, until lists are believed that lack what was made.
    private static let lookPause = Duration.seconds(15)

    package init(context: WorkerContext, accounts: AccountReader, backoff: Backoff = Backoff()) {
        (self.context, self.accounts, self.backoff) = (context, accounts, backoff)
    }

    /// Does what is due; how many interactions were worked on.
    @discardableResult
    package func sendDue() async throws(StoreError) -> Int {
        try await context.store.work(batches: Self.batches) { store throws(StoreError) in
            try await store.claimInteractions(limit: Self.batch)
        } on: {
            await send($0)
        }
    }

    private func send(_ due: DueInteraction) async {
        do {
            do { try await perform(due) } catch let error as SubmissionError { try await settle(due, error) }
        } catch {
            // It comes again when its lease has ended.
            log(due, error)
        }
    }

    private func perform(_ due: DueInteraction) async throws {
        let stored = try await context.store.account(due.connection, owner: due.owner)
        guard let submitter = context.registry[stored.service] as? any InteractingSubmitter else {
            throw SubmissionError.rejected(.changeUnsupported)
        }
        let account = try await accounts.account(stored, for: submitter)
        let task = InteractionTask(
            outboundKey: due.id.description, kind: due.kind, isWanted: due.isWanted, targetID: due.target.remoteID,
            targetKey: due.target.key, postID: due.target.postID, handle: due.target.handle, text: due.text,
            remoteID: due.remoteID,
            mayHaveLeft: due.isArmed, createdAt: due.createdAt, account: account, transport: accounts.transport,
            isTaken: { [store = context.store] remoteID async throws(SubmissionError) in
                do throws(StoreError) { return try await store.isMade(remoteID, byOtherThan: due) } catch {
                    throw .temporary(Problem(.databaseUnavailable))
                }
            },
            arm: { [store = context.store] () async throws(SubmissionError) in
                let isArmed: Bool
                do throws(StoreError) { isArmed = try await store.arm(due) } catch {
                    throw .temporary(Problem(.databaseUnavailable))
                }
                guard isArmed else { throw .cancelled }
            }, now: context.now)
        let receipt = try await submitter.perform(task)
        if let response = receipt.response, let post = due.target.post {
            try await context.store.keep(response, to: post.photo, post: post.submission, source: stored.service)
        } else if !due.isWanted, due.kind == .reply, let post = due.target.post, let id = due.remoteID {
            try await context.store.responseIsGone(remoteID: id, post: post.submission)
        }
        try await context.store.confirm(due, remoteID: receipt.remoteID, url: receipt.url)
    }

    /// What was armed in this try has left only where the outcome is unknown; what was armed before may be there.
    private func settle(_ due: DueInteraction, _ error: SubmissionError) async throws(StoreError) {
        log(due, error)
        let isArmed = due.isArmed
        func again(_ problem: Problem, after retryAfter: Duration?, isArmed: Bool) async throws(StoreError) {
            guard due.failures + 1 < Self.mostFailures else {
                return try await context.store.refuse(due, problem: problem, isArmed: isArmed)
            }
            let pause = backoff.delay(
                afterFailures: due.failures + 1, retryAfter: retryAfter, fraction: context.random())
            try await context.store.postpone(
                due, by: isArmed ? max(pause, Self.lookPause) : pause, isArmed: isArmed, problem: problem)
        }
        switch error {
        case .temporary(let problem, let pause):
            try await again(problem.problem, after: pause, isArmed: isArmed)
        case .unknownOutcome(let problem, let pause):
            try await again(problem.problem, after: pause, isArmed: true)
        case .notYet(let pause):
            try await context.store.postpone(due, by: pause, isArmed: isArmed, problem: nil)
        case .limited(let problem, let scope, let end):
            let pause = Backoff.pause(until: end, now: context.now())
            try await context.store.postpone(due, by: pause, isArmed: isArmed, problem: problem.problem)
            try await context.store.holdInteractions(of: due.connection, wholeGate: scope == .app, for: pause)
        case .unauthorized(let problem), .rejected(let problem), .gone(let problem), .fileUnavailable(let problem):
            // What was sent before may be there all the same; the owner is told, and reading back shows it.
            try await context.store.refuse(due, problem: problem.problem, isArmed: isArmed)
        case .cancelled, .leaseLost:
            // It was changed while it ran, or is another's.
            try await context.store.postpone(due, by: .milliseconds(100), isArmed: isArmed, problem: nil)
        }
    }

    private func log(_ due: DueInteraction, _ error: any Error) {
        context.logger.info(
            "interaction not done",
            ["interaction": due.id, "kind": due.kind.rawValue, "error": logText(of: error)])
    }
}
