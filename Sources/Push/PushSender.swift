package import Domain
package import EventLoops
internal import HTTP
package import Logging
internal import Store

/// Tells browsers what needs their person, until stopped. Any number of senders, in any number of processes, share a database.
///
/// A browser is sent to in turns. During a turn its row is leased, so that two processes do not tell the same twice; after one
/// there is a pause, in which what happens is gathered.
package actor PushSender {
    /// The sender's times and bounds.
    package struct Configuration: Sendable {
        /// Between two looks.
        package var pause = Duration.milliseconds(500)
        /// Browsers that are sent to at once.
        package var concurrency = mostAtOnce
        /// How many that are as a rule.
        package static let mostAtOnce = 16
        /// Between two turns of a browser that was told something.
        package var rest = Duration.seconds(60)
        package var backoff = Backoff()
        /// A browser whose messages are refused so often in a row is given up.
        package var refusals = 5
        /// A browser whose push service has failed for so long is given up.
        package var giveUpAfter = Duration.seconds(7 * 86_400)
        /// What has waited longer is not told any more.
        package var age = Duration.seconds(3 * 86_400)

        package init() {}
    }

    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let push: PushDelivery
    private let configuration: Configuration
    private let logger: Logger
    /// By their number: a browser whose lease was lost may be in a second one.
    private var turns: [Int: Task<Void, Never>] = [:]
    private var lastTurn = 0
    private var looking: Task<Void, Never>?
    private var rest: Task<Void, Never>?
    private var isStopping = false

    package init(_ configuration: Configuration, push: PushDelivery, loop: EventLoop, logger: Logger) {
        self.configuration = configuration
        self.push = push
        self.loop = loop
        self.logger = logger
    }

    /// A process that was silent for so long has lost its turn: longer than one message takes.
    private var lease: Duration { push.timeout + .seconds(5) }

    // MARK: The loop

    /// Sends until `stop`.
    package func run() async {
        guard !isStopping else { return }
        let looking = Task(executorPreference: loop) { await self.look() }
        self.looking = looking
        await looking.value
        for turn in turns.values { await turn.value }
    }

    /// Begins no more turns, lets messages under way end within `grace`, and gives up the rest: they are sent again, in place of
    /// themselves.
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
                let taken = free > 0 ? try await push.store.claimPushes(limit: free, lease: lease) : []
                for turn in taken { begin(turn) }
            } catch {
                logger.warning("browsers to tell not looked for", ["error": logText(of: error)])
            }
            guard !isStopping else { return }
            let rest = Task(executorPreference: loop) { [loop, configuration] in
                do throws(CancellationError) { try await loop.sleep(for: configuration.pause) } catch {}
            }
            self.rest = rest
            await rest.value
        }
    }

    private func begin(_ turn: PushTurn) {
        lastTurn += 1
        let number = lastTurn
        turns[number] = Task(executorPreference: loop) {
            await self.serve(turn)
            await self.end(number)
        }
    }

    private func end(_ number: Int) { turns[number] = nil }

    // MARK: A turn

    private func serve(_ turn: PushTurn) async {
        do {
            try await send(turn)
        } catch {
            if error is CancellationError || error as? StoreError == .cancelled { return await release(turn) }
            // The lease ends by itself.
            logger.warning("a browser's turn ended", ["subscription": turn.target.id, "error": logText(of: error)])
        }
    }

    private func send(_ turn: PushTurn) async throws {
        let messages = try await push.store.pushMessages(for: turn, age: configuration.age)
        let batch = try await PushBatch(messages, of: turn.target.owner, store: push.store)
        if !batch.moot.isEmpty {
            guard try await push.store.acknowledge(turn, batch.moot, wasSent: false, lease: lease) else { return }
        }
        for item in batch.items {
            try Task.checkCancellation()
            let (problem, pause) = try await push.send(item.notice, subject: item.subject, to: turn.target)
            if let problem { return try await fail(turn, problem, retryAfter: pause) }
            guard try await push.store.acknowledge(turn, item.messages, wasSent: true, lease: lease) else { return }
            guard !isStopping else { break }
        }
        try await push.store.end(turn, pause: batch.items.isEmpty ? .zero : configuration.rest)
    }

    private func fail(_ turn: PushTurn, _ problem: PushProblem, retryAfter: Duration?) async throws {
        // The address may hold a secret.
        if problem.isGone {
            try await push.store.drop(turn)
            logger.info("a browser takes no messages any more", ["subscription": turn.target.id])
            return
        }
        let delay = configuration.backoff.delay(
            afterFailures: turn.failures + 1, retryAfter: retryAfter, fraction: .random(in: 0..<1))
        let isGivenUp = try await push.store.fail(
            turn, problem, after: delay, bound: problem.isRefusal ? configuration.refusals : Int(Int32.max),
            timeout: configuration.giveUpAfter)
        logger.info(
            "a browser was not told", ["subscription": turn.target.id, "problem": problem.word])
        if isGivenUp {
            logger.notice(
                "a browser was given up", ["subscription": turn.target.id, "problem": problem.word])
        }
    }

    /// So that nobody waits for the lease; in a task of its own, because this one was cancelled.
    private func release(_ turn: PushTurn) async {
        await Task(executorPreference: loop) { [push, logger] in
            do {
                try await push.store.end(turn, pause: .zero)
            } catch {
                logger.warning(
                    "a browser was not given back", ["subscription": turn.target.id, "error": logText(of: error)])
            }
        }.value
    }
}
