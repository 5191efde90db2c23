package import EventLoops
internal import Glibc
package import HTTP
package import Logging
internal import System

/// A server of HTTP/1.1 and HTTP/2 on event loops.
///
/// Every loop has a listener of its own and keeps the connections that it accepts; a request, its handler and its response stay
/// on that loop. Nothing is shared between loops but the count of connections.
package final class Server: Sendable {
    private let configuration: ServerConfiguration
    private let servers: [LoopServer]
    private let budget: DescriptorBudget
    private let logger: Logger
    /// The files of unix sockets that are there and have to be removed.
    private let socketFiles = Lock<[String]>([])
    private let sockets = Lock<[[Int32]]>([])

    /// Takes all that a server needs; nothing happens before `start`.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen, and limits.
    ///   - loops: At least one; they stay the caller's.
    ///   - router: The routing table.
    ///   - logger: Gets a line for each request at level `info`, and every failure.
    ///   - problem: Turns what a handler has thrown into what the client sees. Problems of status 500 and above are logged with
    ///     the error, whose description must be safe to be logged.
    package init(
        configuration: ServerConfiguration, loops: [EventLoop], router: Router, logger: Logger,
        problem: @escaping @Sendable (any Error, HTTPRequest) -> ProblemDetails
    ) {
        self.configuration = configuration
        self.logger = logger
        budget = DescriptorBudget(
            wanted: configuration.limits.connections, descriptors: DescriptorBudget.softLimit,
            reserve: configuration.descriptorReserve)
        let admission = Admission(limits: configuration.limits, connections: budget.connections)
        let responder = Responder(problem: problem, logger: logger)
        servers = loops.map { loop in
            LoopServer(
                LoopContext(
                    loop: loop, router: router, configuration: configuration, admission: admission, logger: logger,
                    responder: responder))
        }
    }

    /// The `problem` of a program without errors of its own: 500, which says nothing.
    package static let unknownProblem: @Sendable (any Error, HTTPRequest) -> ProblemDetails = { _, _ in
        RequestFault.internal.problem
    }

    /// Listens, calls `bound` with the addresses, and only then accepts connections. Ignores SIGPIPE from then on, because sendfile(2)
    /// cannot be told to.
    ///
    /// - Returns: The address of each listener, with the port that was chosen.
    @discardableResult
    package func start(_ bound: ([BoundAddress]) -> Void = { _ in }) async throws(ServerStartError) -> [BoundAddress] {
        signal(SIGPIPE, SIG_IGN)
        budget.report(to: logger)
        do throws(ServerStartError) {
            let opened = try configuration.listeners.map { listener throws(ServerStartError) in
                (listener, try open(listener))
            }
            let addresses = opened.map(\.1.address)
            bound(addresses)
            for (listener, (descriptors, _)) in opened { try await accept(descriptors, listener) }
            return addresses
        } catch {
            await stop(within: .zero)
            throw error
        }
    }

    private func open(
        _ listener: ListenerConfiguration
    ) throws(ServerStartError) -> (descriptors: [Int32], address: BoundAddress) {
        let (descriptors, address) = try ListeningSocket.open(
            listener, backlog: configuration.backlog, count: servers.count)
        if address.port == nil, listener.inherited.isEmpty { socketFiles.withLock { $0.append(listener.address) } }
        sockets.withLock { $0.append(descriptors) }
        return (descriptors, address)
    }

    private func accept(_ descriptors: [Int32], _ listener: ListenerConfiguration) async throws(ServerStartError) {
        // One unix socket serves every loop, each through a descriptor of its own; so do sockets that were handed over when
        // they are fewer than the loops.
        let missing = max(0, servers.count - descriptors.count)
        let all = descriptors + (0..<missing).map { dup(descriptors[$0 % descriptors.count]) }
        for (index, descriptor) in all.enumerated() {
            do throws(EventLoopError) {
                try await servers[index % servers.count].listen(descriptor, listener)
            } catch {
                for descriptor in all[index...] { close(descriptor) }
                throw .failed(call: error.call, code: error.code)
            }
        }
    }

    /// The listening sockets of each listener, for a successor: it inherits them before this server drains, so that no
    /// connection finds the door closed.
    package var listeningSockets: [[Int32]] { sockets.withLock { $0 } }

    /// Accepts no more connections and closes idle ones; running requests end, and each connection closes after its response.
    ///
    /// With `idle`, connections of HTTP/1.1 that wait for a request may send one until then. Its response says `Connection: close`, so
    /// that a client need not find out by itself (RFC 9112, section 9.6).
    package func beginDraining(closingIdleAfter idle: Duration = .zero) {
        for server in servers {
            server.context.loop.execute { server.assumeIsolated { $0.drain(closingIdleAfter: idle) } }
        }
        removeSocketFiles()
    }

    /// Drains, waits until every request has ended, and cuts what has not after `limit`.
    package func stop(within limit: Duration) async {
        removeSocketFiles()
        await withTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { await server.stop(within: limit) } }
        }
    }

    /// Counts since the start, of all loops.
    package func metrics() async -> ServerMetrics {
        var sum = ServerMetrics()
        for server in servers { sum.add(await server.metrics()) }
        return sum
    }

    private func removeSocketFiles() {
        let files = socketFiles.withLock { files in
            defer { files = [] }
            return files
        }
        for file in files { unlink(file) }
    }
}
