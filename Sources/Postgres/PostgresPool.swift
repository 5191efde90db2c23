package import EventLoops
internal import Logging

/// The connections of one event loop, opened when needed and lent to one caller at a time.
package actor PostgresPool: Queryable {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let connector: Connector
    /// The one used last comes first: its caches are warm.
    private var idle: [PostgresConnection] = []
    private var lentCount = 0
    /// Opens connections.
    private var connecting: [Int: Task<Void, Never>] = [:]
    private var lastConnecting = 0
    /// Callers without a connection, the one that waits longest first.
    private var waiters: [Waiter] = []
    private var lastTicket = 0
    /// Why the last attempt to connect failed; nil once one succeeded.
    private var connectFailure: PostgresError?
    private var isClosed = false

    init(connector: Connector, loop: EventLoop) {
        self.connector = connector
        self.loop = loop
    }

    /// The activity of the pool.
    var statistics: PoolStatistics {
        PoolStatistics(
            lent: lentCount, idle: idle.count, connecting: connecting.count, waiting: waiters.count,
            limit: connector.settings.connectionsPerLoop)
    }

    package func perform(_ steps: [Step]) async throws(PostgresError) {
        let connection = try await acquire()
        do throws(PostgresError) {
            defer { release(connection) }
            return try await connection.perform(steps)
        } catch .disconnected(sent: false, _) {
            // The connection was found dead and the server knows nothing of the statement.
            let fresh = try await acquire()
            defer { release(fresh) }
            try await fresh.perform(steps)
        }
    }

    // MARK: Lending

    /// Lends a connection; give it back with `release`.
    ///
    /// - Throws: `.poolExhausted`, or the reason why no connection can be made, after `waitLimit`.
    func acquire() async throws(PostgresError) -> PostgresConnection {
        guard !isClosed else { throw .closed }
        if let connection = takeIdle() {
            lentCount += 1
            return connection
        }
        return try await wait()
    }

    /// Takes a connection back.
    func release(_ connection: PostgresConnection) {
        lentCount -= 1
        offer(connection)
    }

    /// Closes what is idle now and what is lent when it comes back; waiting and further callers get `.closed`. Returns
    /// when no connection is being made any more.
    func close() async {
        isClosed = true
        closeIdle()
        while let waiter = waiters.first { serve(waiter.ticket, .failure(.closed)) }
        let tasks = Array(connecting.values)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func closeIdle() {
        for connection in idle { connection.assumeIsolated { $0.close() } }
        idle = []
    }

    private func takeIdle() -> PostgresConnection? {
        while let connection = idle.popLast() {
            if connection.assumeIsolated({ $0.isUsable }) { return connection }
            connection.assumeIsolated { $0.close() }
        }
        return nil
    }

    /// Lends the connection on, or keeps it.
    private func offer(_ connection: PostgresConnection) {
        guard !isClosed, connection.assumeIsolated({ $0.isAtRest }) else {
            if connection.assumeIsolated({ $0.foundReadOnly }) {
                connector.logger.warning("the database takes no changes, connecting anew", ["idle": idle.count])
                // They lead to the same server.
                closeIdle()
            }
            connection.assumeIsolated { $0.close() }
            return grow()
        }
        if waiters.isEmpty { idle.append(connection) } else { lend(connection) }
    }

    /// Gives the connection to the caller that waits longest.
    private func lend(_ connection: PostgresConnection) {
        guard let waiter = waiters.first else { return }
        lentCount += 1
        serve(waiter.ticket, .success(connection))
    }

    // MARK: Waiting

    private struct Waiter {
        let ticket: Int
        let continuation: CheckedContinuation<Result<PostgresConnection, PostgresError>, Never>
        let timer: LoopTimer
    }

    private func wait() async throws(PostgresError) -> PostgresConnection {
        guard waiters.count < connector.settings.waitersPerLoop else { throw .poolExhausted }
        lastTicket += 1
        let ticket = lastTicket
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let timer = loop.schedule(after: connector.settings.waitLimit) { [self] in
                    serve(ticket, .failure(connectFailure ?? .poolExhausted))
                }
                waiters.append(Waiter(ticket: ticket, continuation: continuation, timer: timer))
                // Both may have happened just before it began to wait.
                if Task.isCancelled { return serve(ticket, .failure(.cancelled)) }
                if let connection = takeIdle() { return lend(connection) }
                grow()
            }
        } onCancel: {
            loop.execute { [self] in assumeIsolated { $0.serve(ticket, .failure(.cancelled)) } }
        }
        return try result.get()
    }

    /// Ends a caller's waiting, unless it has ended already.
    private func serve(_ ticket: Int, _ result: Result<PostgresConnection, PostgresError>) {
        guard let place = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
        let waiter = waiters.remove(at: place)
        waiter.timer.cancel()
        waiter.continuation.resume(returning: result)
    }

    // MARK: Connecting

    /// Opens a connection for each caller that waits, as far as the limit allows.
    private func grow() {
        while !isClosed, connecting.count < waiters.count,
            lentCount + idle.count + connecting.count < connector.settings.connectionsPerLoop
        {
            lastConnecting += 1
            let number = lastConnecting
            connecting[number] = Task { await connect(number) }
        }
    }

    private func connect(_ number: Int) async {
        let connection = await freshConnection()
        connecting[number] = nil
        if let connection { offer(connection) } else { grow() }
    }

    /// Tries again and again while somebody waits.
    private func freshConnection() async -> PostgresConnection? {
        var backoff = ReconnectDelays(first: .milliseconds(50), most: .seconds(1))
        while !isClosed, !waiters.isEmpty {
            do throws(PostgresError) {
                let connection = try await connector.connect(on: loop)
                note(nil)
                return connection
            } catch {
                note(error)
            }
            await backoff.pause(on: loop)
        }
        return nil
    }

    private func note(_ failure: PostgresError?) {
        if let failure, connectFailure == nil {
            connector.logger.warning("database cannot be reached", ["reason": failure.cause])
        } else if failure == nil, connectFailure != nil {
            connector.logger.notice("database can be reached again")
        }
        connectFailure = failure
    }
}

/// How busy a pool is, or several together.
package struct PoolStatistics: Sendable, Equatable {
    /// Connections that run somebody's statements.
    package var lent = 0
    /// Connections that wait for work.
    package var idle = 0
    /// Connections that are being made.
    package var connecting = 0
    /// Callers that wait for a connection.
    package var waiting = 0
    /// The most connections there may be.
    package var limit = 0
}
