internal import EventLoops
internal import Logging
internal import System

/// Makes connections and cancels statements, both on threads of its own: libpq blocks for name resolution, TLS and the
/// thousands of hash rounds of a password.
final class Connector: Sendable {
    let settings: DatabaseSettings
    let logger: Logger
    private let threads = BlockingThreads(name: "pg-connect", count: 4)

    init(_ settings: DatabaseSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    deinit { threads.stop() }

    /// Makes one attempt, with `settings` as `adjust` changes them.
    func connect(
        on loop: EventLoop, observer: ConnectionObserver = ConnectionObserver(),
        adjust: (inout DatabaseSettings) -> Void = { _ in }
    ) async throws(PostgresError) -> PostgresConnection {
        if let beforeConnect = settings.beforeConnect {
            do {
                try await beforeConnect()
            } catch {
                throw .disconnected(sent: false, reason: "\(error)")
            }
        }
        var settings = settings
        adjust(&settings)
        let fresh = try await threads.run { [settings] () throws(PostgresError) in
            FreshConnection(try ConnectionHandle(connecting: settings))
        }
        let connection = PostgresConnection(try fresh.take(), connector: self, loop: loop, observer: observer)
        try await connection.start()
        return connection
    }

    /// Sends a cancel request some time soon.
    func send(_ request: CancelHandle) {
        Task {
            let problem = await threads.run { request.send() }
            if let problem { logger.warning("a statement could not be cancelled", ["reason": problem]) }
        }
    }
}

/// Carries a connection from the thread that made it to the loop that uses it.
private final class FreshConnection: Sendable {
    private let handle: Lock<ConnectionHandle?>

    init(_ handle: consuming sending ConnectionHandle) { self.handle = Lock(consume handle) }

    func take() throws(PostgresError) -> sending ConnectionHandle {
        guard let taken = handle.withLock({ $0.take() }) else { throw .misuse("a connection was taken twice") }
        return taken
    }
}

/// Pauses that double from `first` to `most`, each between half and all of that, so that callers spread out.
struct ReconnectDelays {
    private let most: Duration
    private var next: Duration

    init(first: Duration, most: Duration) {
        self.most = most
        next = first
    }

    /// Waits; shorter when the task is cancelled, which the caller finds out by itself.
    mutating func pause(on loop: EventLoop) async {
        let pause = next * Double.random(in: 0.5...1)
        next = min(next * 2, most)
        do { try await loop.sleep(for: pause) } catch {}
    }
}
