internal import CPostgres
package import EventLoops
internal import Glibc
internal import Logging

/// One session with a server, on an event loop: never blocks, and runs one round trip at a time.
///
/// It stays in libpq's pipeline mode, so that preparing a statement, `BEGIN` and several statements share a round trip.
/// After a cancelled statement it is closed, not used again: a late cancel request would hit the next statement.
package actor PostgresConnection: Queryable {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// How many round trips were made.
    private(set) var roundTrips = 0
    /// The transaction that runs.
    var transaction = TransactionState()

    private let connector: Connector
    private let notices: NoticeSink
    private let observer: ConnectionObserver
    private var handle: ConnectionHandle
    private var watch: Watch?
    private var buffer = ParameterBuffer()
    /// Whether each transaction may run in another session of the server: nothing is kept in one then, neither prepared
    /// statements nor variables.
    nonisolated let isPooled: Bool

    /// SQL text by name of what the server has prepared.
    private var prepared: [String: String] = [:]
    /// Whether a caller has its turn, and the callers after it: several tasks may share a transaction.
    private var isTaken = false
    private var turns: [CheckedContinuation<Void, Never>] = []
    /// The round trip under way, the caller that waits for its end, and how the last one ended.
    private var roundTrip: RoundTrip?
    private var waiter: CheckedContinuation<PostgresError?, Never>?
    private var lastFailure: PostgresError?
    /// Why the connection was closed.
    private var end: PostgresError?
    /// Whether it was closed because the server takes no changes.
    private(set) var foundReadOnly = false

    init(
        _ handle: consuming sending ConnectionHandle, connector: Connector, loop: EventLoop,
        observer: ConnectionObserver
    ) {
        self.loop = loop
        self.connector = connector
        self.observer = observer
        isPooled = handle.isPooled
        self.handle = handle
        notices = NoticeSink(logger: connector.logger)
    }

    /// Begins to watch the socket.
    func start() throws(PostgresError) {
        notices.attach(to: handle)
        do throws(EventLoopError) {
            watch = try loop.watch(PQsocket(handle.pointer), for: .readable) { [self] _ in receive() }
        } catch {
            finish(.disconnected(sent: false, reason: error.description))
            throw .disconnected(sent: false, reason: error.description)
        }
    }

    /// Ends the session. A round trip under way fails; a second call does nothing.
    package func close() { finish(.closed) }

    /// Whether the session is open and outside a transaction, as far as is known.
    var isAtRest: Bool { end == nil && PQtransactionStatus(handle.pointer) == PQTRANS_IDLE }

    /// Whether a transaction is open and was not refused (PostgreSQL manual, `PQtransactionStatus`).
    var isInTransaction: Bool { PQtransactionStatus(handle.pointer) == PQTRANS_INTRANS }

    /// Whether the next statement may run here: at rest, and the server has not hung up meanwhile.
    ///
    /// An idle connection has nothing to read, so one look at the socket tells.
    var isUsable: Bool {
        for _ in 0..<16 {
            guard isAtRest else { return false }
            var byte: UInt8 = 0
            if recv(PQsocket(handle.pointer), &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 {
                return errno == EAGAIN || errno == EINTR
            }
            // A notice, a changed setting, a farewell, or the end of the stream.
            receive()
        }
        return false
    }

    // MARK: A round trip

    package func perform(_ steps: [Step]) async throws(PostgresError) {
        guard !transaction.isActive else { throw .misuse("statements go through the open transaction") }
        try await exchange(opening + steps)
    }

    /// The first statement of each transaction: where sessions are shared, the variables that would else be the session's.
    var opening: [Step] {
        isPooled ? [Step(.setVariables(connector.settings.variables), into: Received())] : []
    }

    /// Runs `steps` in one round trip: they are one transaction unless one is open. `COMMIT` and `ROLLBACK` are not
    /// cancellable.
    func exchange(_ steps: [Step], isCancellable: Bool = true) async throws(PostgresError) {
        for step in steps { try step.validate() }
        try await inTurn(isCancellable) { () throws(PostgresError) in try send(steps) }
    }

    /// Runs SQL of several statements, without parameters and rows, as the simple protocol does: one transaction unless
    /// the text says otherwise or one is open.
    func script(_ sql: String, name: String) async throws(PostgresError) {
        guard !sql.utf8.contains(0) else { throw .misuse("the text of \(name) contains a NUL") }
        try await inTurn(true) { () throws(PostgresError) in
            guard PQexitPipelineMode(handle.pointer) == 1, PQsendQuery(handle.pointer, sql) == 1 else {
                throw finish(.disconnected(sent: false, reason: handle.reason))
            }
            return RoundTrip(answers: [.script(name: name)])
        }
    }

    private func inTurn(
        _ isCancellable: Bool, _ send: () throws(PostgresError) -> RoundTrip
    ) async throws(PostgresError) {
        await takeTurn()
        defer { passTurn() }
        if let end { throw end.beforeSending }
        if isCancellable, Task.isCancelled { throw .cancelled }
        roundTrips += 1
        roundTrip = try send()
        flush()
        guard let failure = await outcome(isCancellable) else { return }
        foundReadOnly = failure.isReadOnly
        // A prepared statement no longer fits its tables, or is gone; or the server takes no changes any more, and
        // the address may lead to one that does: start afresh.
        if foundReadOnly || ["0A000", "26000"].contains(failure.sqlState) {
            finish(.disconnected(sent: false, reason: failure.detail))
        }
        throw failure
    }

    private func outcome(_ isCancellable: Bool) async -> PostgresError? {
        guard isCancellable else { return await withCheckedContinuation { wait($0) } }
        let number = roundTrips
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            loop.execute { [self] in assumeIsolated { $0.cancel(number) } }
        }
    }

    private func wait(_ continuation: CheckedContinuation<PostgresError?, Never>) {
        if roundTrip == nil { continuation.resume(returning: lastFailure) } else { waiter = continuation }
    }

    private func takeTurn() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { continuation in
            if isTaken {
                turns.append(continuation)
            } else {
                isTaken = true
                continuation.resume()
            }
        }
    }

    /// Hands the turn to the caller that has waited longest; `isTaken` stays true then.
    private func passTurn() {
        if turns.isEmpty { isTaken = false } else { turns.removeFirst().resume() }
    }

    /// Gives up a round trip: its caller is told at once, the server soon.
    private func cancel(_ number: Int) {
        guard number == roundTrips, roundTrip != nil else { return }
        if let request = CancelHandle(handle) { connector.send(request) }
        finish(.cancelled)
    }

    private func send(_ steps: [Step]) throws(PostgresError) -> RoundTrip {
        var answers: [RoundTrip.Reply] = []
        for step in steps {
            let (name, sql) = (step.statement.name, step.statement.sql)
            if isPooled {
                guard sendUnnamed(sql, step.parameters) else {
                    throw finish(.disconnected(sent: !answers.isEmpty, reason: handle.reason))
                }
                answers.append(.result(step))
                continue
            }
            let known = prepared[name]
            guard known == nil || known == sql else { throw finish(.misuse("two statements have the name \(name)")) }
            var isSent = true
            if known == nil {
                prepared[name] = sql
                answers.append(.preparation(step.statement))
                isSent = PQsendPrepare(handle.pointer, name, sql, 0, nil) == 1
            }
            isSent = isSent && send(name, step.parameters)
            // Before its buffer is full libpq sends nothing.
            guard isSent else { throw finish(.disconnected(sent: !answers.isEmpty, reason: handle.reason)) }
            answers.append(.result(step))
        }
        guard PQpipelineSync(handle.pointer) == 1 else {
            throw finish(.disconnected(sent: true, reason: handle.reason))
        }
        answers.append(.synchronisation)
        return RoundTrip(answers: answers)
    }

    private func send(_ name: String, _ parameters: [PostgresParameter]) -> Bool {
        buffer.lend(parameters) { values, lengths, formats in
            PQsendQueryPrepared(handle.pointer, name, Int32(parameters.count), values, lengths, formats, 1) == 1
        }
    }

    /// Has a statement parsed, planned and run without a name, of which a shared session would know nothing the next time.
    private func sendUnnamed(_ sql: String, _ parameters: [PostgresParameter]) -> Bool {
        buffer.lend(parameters) { values, lengths, formats in
            PQsendQueryParams(handle.pointer, sql, Int32(parameters.count), nil, values, lengths, formats, 1) == 1
        }
    }

    // MARK: The socket

    /// Writes what is left, and waits to write only after a partial write.
    private func flush() {
        watch?.update(PQflush(handle.pointer) == 1 ? [.readable, .writable] : .readable)
    }

    /// Reads what came, up to the last result that is complete.
    private func receive() {
        let isOpen = PQconsumeInput(handle.pointer) == 1
        if isOpen { flush() }
        // This also parses what came, notifications and notices included.
        while PQisBusy(handle.pointer) == 0, roundTrip != nil { accept(PQgetResult(handle.pointer)) }
        while let notification = DatabaseNotification(takenFrom: handle) { observer.onNotification(notification) }
        if !isOpen { finish(.disconnected(sent: roundTrip != nil, reason: handle.reason)) }
    }

    /// Takes the next answer, or the null pointer that ends a script and separates the results of a pipeline.
    private func accept(_ pointer: OpaquePointer?) {
        guard let answer = roundTrip?.next else { return complete() }
        guard let pointer else {
            if case .script = answer { return complete() }
            if roundTrip?.cameNull == true {
                finish(.disconnected(sent: true, reason: "the server gave no result"))
            }
            roundTrip?.cameNull = true
            return
        }
        do throws(PostgresError) {
            let result = try ResultHandle(owning: pointer, statement: answer.name)
            switch answer {
            case .preparation(let statement): if !result.isSuccess { prepared[statement.name] = nil }
            case .result(let step): if roundTrip?.failure == nil { try step.receive(result) }
            case .synchronisation, .script: break
            }
        } catch {
            if case .preparation(let statement) = answer { prepared[statement.name] = nil }
            roundTrip?.fail(error)
            // The session is over, or in a state (COPY) that it cannot leave.
            if error.endsSession { finish(error) }
        }
        roundTrip?.advance()
        if roundTrip?.next == nil { complete() }
    }

    /// Tells the caller that all answers came.
    private func complete() {
        guard let done = roundTrip else { return }
        roundTrip = nil
        if case .script = done.answers.first, PQenterPipelineMode(handle.pointer) == 0 {
            finish(.disconnected(sent: true, reason: handle.reason))
        }
        lastFailure = done.failure
        waiter?.resume(returning: done.failure)
        waiter = nil
    }

    /// Closes the connection, for the first reason that is given, and tells the caller that waits.
    @discardableResult
    private func finish(_ reason: PostgresError) -> PostgresError {
        guard end == nil else { return reason }
        end = reason
        watch?.cancel()
        watch = nil
        handle.close()
        roundTrip?.fail(reason)
        complete()
        observer.onEnd()
        return reason
    }
}

extension PostgresError {
    /// The error of a statement that finds its connection closed for this reason.
    fileprivate var beforeSending: PostgresError {
        switch self {
        case .closed: .closed
        case .disconnected(_, let reason): .disconnected(sent: false, reason: reason)
        default: .disconnected(sent: false, reason: detail)
        }
    }

    fileprivate var endsSession: Bool {
        switch self {
        case .disconnected, .misuse: true
        default: false
        }
    }
}

extension Query where Row == Void {
    /// Sets variables until the end of the transaction.
    fileprivate static func setVariables(_ variables: [(name: String, value: String)]) -> Self {
        // A plan for the values at hand is as good as any that is made each time.
        let kept = variables.filter { $0.name != "plan_cache_mode" }
        let calls = kept.indices.map { "set_config($\(2 * $0 + 1), $\(2 * $0 + 2), true)" }
        return Query(
            "set_variables", "SELECT \(calls.joined(separator: ", "))", kept.flatMap { [$0.name, $0.value] })
    }
}

/// The observer of events outside round trips; called on the connection's loop.
struct ConnectionObserver: Sendable {
    var onNotification: @Sendable (DatabaseNotification) -> Void = { _ in }
    var onEnd: @Sendable () -> Void = {}
}
