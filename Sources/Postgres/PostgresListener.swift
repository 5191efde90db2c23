internal import CPostgres
package import EventLoops
internal import Logging

/// Hears `NOTIFY` on a connection of its own, which it makes again for ever when it breaks.
package actor PostgresListener {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// An event of a listener.
    package enum Event: Equatable, Sendable {
        /// It listens, at first or again. Earlier notifications were missed: read the state afresh.
        case connected
        case notification(DatabaseNotification)
    }

    private let connector: Connector
    private var task: Task<Void, Never>?

    /// A listener that connects when it is asked to listen.
    package init(_ database: Database) {
        connector = database.connector
        loop = database.loop
    }

    /// Starts to listen, by the direct address if there is one; through a pooler it only tells `.connected`. Goes on until `stop()` or the end of the stream's only reader; ends an earlier stream.
    ///
    /// A slow reader misses the oldest of more than 1024 events: notifications are a hint, a poll is the net. A channel's
    /// name has at most 63 bytes.
    package func listen(to channels: [String]) -> AsyncStream<Event> {
        stop()
        let (events, sender) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1024))
        let task = Task { await run(channels, sender) }
        sender.onTermination = { _ in task.cancel() }
        self.task = task
        return events
    }

    /// Closes the connection and ends the stream.
    package func stop() {
        task?.cancel()
        task = nil
    }

    private func run(_ channels: [String], _ sender: AsyncStream<Event>.Continuation) async {
        var backoff = ReconnectDelays.reconnecting
        while !Task.isCancelled {
            do throws(PostgresError) {
                try await listenOnce(channels, sender) { backoff = .reconnecting }
            } catch {
                if !Task.isCancelled {
                    connector.logger.warning("listener lost its connection", ["reason": error.cause])
                }
            }
            await backoff.pause(on: loop)
        }
        sender.finish()
    }

    /// Returns only when the task is cancelled.
    private func listenOnce(
        _ channels: [String], _ sender: AsyncStream<Event>.Continuation, onConnected: () -> Void
    ) async throws(PostgresError) {
        let (end, endSender) = AsyncStream.makeStream(of: Void.self)
        let observer = ConnectionObserver(
            onNotification: { sender.yield(.notification($0)) }, onEnd: { endSender.finish() })
        let connection = try await connector.connect(on: loop, observer: observer) { $0.goDirect() }
        do throws(PostgresError) {
            try await listen(to: channels, on: connection)
        } catch {
            await connection.close()
            throw error
        }
        onConnected()
        sender.yield(.connected)
        for await _ in end {}
        await connection.close()
        if !Task.isCancelled { throw .disconnected(sent: false, reason: "the server hung up") }
    }

    private func listen(to channels: [String], on connection: PostgresConnection) async throws(PostgresError) {
        guard !connection.isPooled || connector.settings.directConnection != nil else {
            // A shared session would tell its next user.
            return connector.logger.notice(
                "the database is reached through a pooler: news of other processes is only polled for")
        }
        let commands = channels.map { "LISTEN \(quotedIdentifier($0))" }
        try await connection.script(commands.joined(separator: "; "), name: "listen")
    }
}

extension ReconnectDelays {
    fileprivate static var reconnecting: ReconnectDelays {
        ReconnectDelays(first: .milliseconds(100), most: .seconds(10))
    }
}

/// A notification by `NOTIFY` (PostgreSQL manual, NOTIFY).
package struct DatabaseNotification: Equatable, Sendable {
    package let channel: String
    package let payload: String

    package init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }

    /// Takes the next one that a connection has received; nil when there is none.
    init?(takenFrom connection: borrowing ConnectionHandle) {
        guard let notification = PQnotifies(connection.pointer) else { return nil }
        defer { PQfreemem(notification) }
        channel = String(cString: notification.pointee.relname)
        payload = String(cString: notification.pointee.extra)
    }
}
