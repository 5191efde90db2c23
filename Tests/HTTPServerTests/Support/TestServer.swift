import EventLoops
import HTTP
import HTTPServer
import Logging
import Testing

/// A server on a free port of the loopback interface.
struct TestServer {
    let server: Server
    let loops: [EventLoop]
    let address: BoundAddress
    let log: RecordingSink

    struct Refusal: Error {}

    static func start(
        _ routes: [Route], loops count: Int = 1, limits: Limits = .forManyTests, accessLog: Bool = false,
        clock: any ServerClock = SystemClock(), configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws -> TestServer {
        let loops = try (0..<count).map { try EventLoop(name: "server-\($0)") }
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.limits = limits
        configuration.accessLog = accessLog
        configuration.clock = clock
        configure(&configuration)
        let log = RecordingSink()
        let server = Server(
            configuration: configuration, loops: loops, router: try Router(routes),
            logger: Logger(threshold: .info, sink: log)
        ) { error, _ in
            error is Refusal
                ? ProblemDetails(type: "/problems/refused", status: 422, title: "Refused")
                : ProblemDetails(type: "/problems/internal", status: 500, title: "Something went wrong here")
        }
        let address = try await server.start()[0]
        return TestServer(server: server, loops: loops, address: address, log: log)
    }

    func client() throws -> Client { try Client(address) }

    /// Sends one message and gives all answers until the connection ends.
    func answers(to message: String) async throws -> [ReceivedResponse] {
        let client = try client()
        try await client.send(message)
        return try await client.answers()
    }

    func stop() async {
        await server.stop(within: .zero)
        for loop in loops { loop.stop() }
    }
}

/// Runs `test` with a server, and stops it.
func withServer(
    _ routes: [Route], loops: Int = 1, limits: Limits = .forManyTests, accessLog: Bool = false,
    clock: any ServerClock = SystemClock(), configure: (inout ServerConfiguration) -> Void = { _ in },
    _ test: (TestServer) async throws -> Void
) async throws {
    let server = try await TestServer.start(
        routes, loops: loops, limits: limits, accessLog: accessLog, clock: clock, configure: configure)
    do {
        try await test(server)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

extension Limits {
    /// The defaults, for tests that run at once and all come from one address.
    static let forManyTests = Limits.with { $0.connectionsPerAddress = 10_000 }
}

extension Route {
    /// A route without documentation.
    init(
        _ method: HTTPMethod, _ path: String, bodyLimit: Int64? = nil, costs cost: RouteCost = .ordinary,
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        self.init(method, path, operation: .undocumented, bodyLimit: bodyLimit, costs: cost, handler: handler)
    }
}

extension Operation {
    static let undocumented = Operation("test", "A test.", responses: [])
}
