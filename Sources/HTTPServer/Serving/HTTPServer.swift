package import EventLoops
internal import Glibc
package import HTTP
package import Logging
internal import Synchronization

/// An HTTP/1.1 server on event loops.
///
/// Every loop has a listener of its own and keeps the connections that it accepts; a request, its handler and its answer stay
/// on that loop. Nothing is shared between loops but the count of connections.
package final class HTTPServer: Sendable {
    private let configuration: ServerConfiguration
    private let servers: [LoopServer]
    private let budget: DescriptorBudget
    private let logger: Logger
    /// Whether the file of a unix socket is there and has to be removed.
    private let hasSocketFile = Atomic(false)

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
        problem: @escaping @Sendable (any Error, Request) -> ProblemDetails
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

    /// What a program without errors of its own gives as `problem`: 500, which says nothing.
    package static let unknownProblem: @Sendable (any Error, Request) -> ProblemDetails = { _, _ in
        RequestFault.internal.problem
    }

    /// Listens. Ignores SIGPIPE from then on, because sendfile(2) cannot be told to.
    ///
    /// - Returns: The address, with the port that was chosen.
    package func start() async throws(ServerError) -> BoundAddress {
        signal(SIGPIPE, SIG_IGN)
        budget.report(to: logger)
        let (descriptors, address) = try ListeningSocket.open(configuration, count: servers.count)
        if address.port == nil { hasSocketFile.store(true, ordering: .releasing) }
        for (index, server) in servers.enumerated() {
            // One unix socket serves every loop, each through a descriptor of its own.
            let descriptor = index < descriptors.count ? descriptors[index] : dup(descriptors[0])
            do throws(EventLoopError) {
                try await server.listen(descriptor)
            } catch {
                for descriptor in descriptors[min(index, descriptors.count)...] { close(descriptor) }
                await stop(within: .zero)
                throw .failed(call: error.call, code: error.code)
            }
        }
        return address
    }

    /// Accepts no more connections and closes idle ones; running requests end, and each connection closes after its answer.
    package func beginDraining() {
        for server in servers { server.context.loop.execute { server.assumeIsolated { $0.drain() } } }
        removeSocket()
    }

    /// Drains, waits until every request has ended, and cuts what has not after `limit`.
    package func stop(within limit: Duration) async {
        removeSocket()
        await withTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { await server.stop(within: limit) } }
        }
    }

    /// What the server has done so far.
    package func metrics() async -> ServerMetrics {
        var sum = ServerMetrics()
        for server in servers { sum.add(await server.metrics()) }
        return sum
    }

    private func removeSocket() {
        if hasSocketFile.exchange(false, ordering: .acquiringAndReleasing) { unlink(configuration.address) }
    }
}
