package import Domain
package import EventLoops
internal import FoundationEssentials
package import HTTP
package import Logging
internal import Store

/// Tells receivers what has changed, until stopped. Any number of senders, in any number of processes, share a
/// database.
///
/// A webhook is sent for in turns. During a turn its row is leased, so that its messages go out one after the other;
/// other webhooks have turns of their own, so that a slow receiver delays nobody.
package actor WebhookSender {
    /// The sender's times and bounds.
    package struct Configuration: Sendable {
        /// Between two looks.
        package var pause = Duration.milliseconds(500)
        /// Receivers that are spoken to at once.
        package var concurrency = mostAtOnce
        /// How many that are as a rule.
        package static let mostAtOnce = 64
        /// A turn begins no other message after so long, when others may wait.
        package var turn = Duration.seconds(5)
        package var backoff = Backoff()
        /// A webhook that has failed for so long is given up.
        package var giveUpAfter: Duration

        package init(giveUpAfter: Duration = .seconds(3 * 86_400)) { self.giveUpAfter = giveUpAfter }
    }

    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let webhooks: WebhookDelivery
    private let configuration: Configuration
    private let logger: Logger
    private let write: @Sendable (Submission, inout JSONWriter) -> Void
    private let writeResponse: @Sendable (Response, inout JSONWriter) -> Void
    /// By their number: a webhook whose lease was lost may be in a second one.
    private var turns: [Int: Task<Void, Never>] = [:]
    private var lastTurn = 0
    private var looking: Task<Void, Never>?
    private var rest: Task<Void, Never>?
    private var isStopping = false

    /// Takes what it works with; `write` writes the members of a submission as the API shows it, and `writeResponse` those of a response.
    package init(
        _ configuration: Configuration, webhooks: WebhookDelivery, loop: EventLoop, logger: Logger,
        write: @escaping @Sendable (Submission, inout JSONWriter) -> Void,
        writeResponse: @escaping @Sendable (Response, inout JSONWriter) -> Void
    ) {
        self.configuration = configuration
        self.webhooks = webhooks
        self.loop = loop
        self.logger = logger
        self.write = write
        self.writeResponse = writeResponse
    }

    /// A process that was silent for so long has lost its turn: longer than one message takes.
    private var lease: Duration { webhooks.timeout + .seconds(5) }

    // MARK: The loop

    /// Sends until `stop`.
    package func run() async {
        guard !isStopping else { return }
        let looking = Task(executorPreference: loop) { await self.look() }
        self.looking = looking
        await looking.value
        for turn in turns.values { await turn.value }
    }

    /// Begins no more turns, lets messages under way end within `grace`, and gives up the rest: they are sent again.
    package func stop(within grace: Duration) async {
        isStopping = true
        // A look that is cut short would leave leases.
        rest?.cancel()
        await looking?.value
        let deadline = loop.schedule(after: grace) { for turn in self.turns.values { turn.cancel() } }
        for turn in turns.values { await turn.value }
        deadline.cancel()
    }

    private func look() async {
        while !isStopping {
            do {
                let free = configuration.concurrency - turns.count
                let taken = free > 0 ? try await webhooks.store.claimWebhooks(limit: free, lease: lease) : []
                for turn in taken { begin(turn) }
            } catch {
                logger.warning("webhooks not looked at", ["error": logText(of: error)])
            }
            guard !isStopping else { return }
            let rest = Task(executorPreference: loop) { [loop, configuration] in
                do throws(CancellationError) { try await loop.sleep(for: configuration.pause) } catch {}
            }
            self.rest = rest
            await rest.value
        }
    }

    private func begin(_ turn: WebhookTurn) {
        lastTurn += 1
        let number = lastTurn
        turns[number] = Task(executorPreference: loop) {
            await self.serve(turn)
            await self.end(number)
        }
    }

    private func end(_ number: Int) { turns[number] = nil }

    // MARK: A turn

    private func serve(_ turn: WebhookTurn) async {
        do {
            guard let key = webhooks.key(turn.secret, of: turn.id) else {
                return try await fail(turn, .lostSecret, after: turn.failures)
            }
            if try await send(turn, key) { try await webhooks.store.end(turn) }
        } catch {
            if error is CancellationError || error as? StoreError == .cancelled { return await release(turn) }
            // The lease ends by itself.
            logger.warning("a webhook's turn ended", ["webhook": turn.id, "error": logText(of: error)])
        }
    }

    /// Whether the turn ended with nothing wrong, and is still this process's.
    private func send(_ turn: WebhookTurn, _ key: [UInt8]) async throws -> Bool {
        let begun = Moment.now
        var cursor = turn.cursor
        var responses = turn.responses
        var failures = turn.failures
        while true {
            let changes = try await webhooks.store.changes(for: turn, after: cursor)
            let news = changes.isEmpty ? try await webhooks.store.responseChanges(for: turn, after: responses) : []
            guard !changes.isEmpty || !news.isEmpty else { return true }
            for change in changes.map(Change.submission) + news.map(Change.response) {
                try Task.checkCancellation()
                let (problem, pause) = try await webhooks.send(message(change), to: turn.url, key: key)
                if let problem {
                    try await fail(turn, problem, after: failures, retryAfter: pause)
                    return false
                }
                failures = 0
                switch change {
                case .submission(let told): cursor = WebhookCursor(changedAt: told.updatedAt, submission: told.id)
                case .response(let told): responses = ResponseCursor(changedAt: told.at, response: told.id)
                }
                guard try await webhooks.store.acknowledge(turn, cursor, responses, lease: lease) else { return false }
                guard !isStopping, Moment.now - begun < configuration.turn else { return true }
            }
        }
    }

    /// A change that a receiver is told.
    private enum Change {
        case submission(Submission)
        case response(ChangedResponse)
    }

    /// A repeated message has the same identifier, unless the submission or response has changed meanwhile. A response that is gone has its
    /// identifier alone.
    private func message(_ change: Change) -> WebhookMessage {
        func identifier(_ thing: some CustomStringConvertible, _ time: Date) -> String {
            "msg_\(thing)_\(Int64((time.timeIntervalSince1970 * 1e6).rounded()))"
        }
        switch change {
        case .submission(let changed):
            return WebhookMessage(
                id: identifier(changed.id, changed.updatedAt), type: "submission.changed", at: changed.updatedAt
            ) { json in write(changed, &json) }
        case .response(let changed):
            return WebhookMessage(
                id: identifier(changed.id, changed.at),
                type: changed.response == nil ? "response.deleted" : "response.changed", at: changed.at
            ) { json in
                if let response = changed.response {
                    writeResponse(response, &json)
                } else {
                    json.member("id", changed.id.description)
                }
            }
        }
    }

    private func fail(
        _ turn: WebhookTurn, _ problem: WebhookProblem, after failures: Int, retryAfter: Duration? = nil
    ) async throws {
        let delay = configuration.backoff.delay(
            afterFailures: failures + 1, retryAfter: retryAfter, fraction: .random(in: 0..<1))
        let isGivenUp = try await webhooks.store.fail(
            turn, problem, after: delay, timeout: configuration.giveUpAfter)
        // The address may hold a secret.
        logger.info("a webhook failed", ["webhook": turn.id, "problem": problem.word])
        if isGivenUp { logger.notice("a webhook was given up", ["webhook": turn.id, "problem": problem.word]) }
    }

    /// So that nobody waits for the lease; in a task of its own, because this one was cancelled.
    private func release(_ turn: WebhookTurn) async {
        await Task(executorPreference: loop) { [webhooks, logger] in
            do {
                try await webhooks.store.end(turn)
            } catch {
                logger.warning("a webhook was not given back", ["webhook": turn.id, "error": logText(of: error)])
            }
        }.value
    }
}
