internal import EventLoops
internal import HTTP
internal import HTTPServer
internal import Logging

/// The smallest server: fixed answers, no access log.
enum BenchServer {
    static func run(port: UInt16, loops count: Int) async throws {
        let loops = try (0..<count).map { try EventLoop(name: "bench-\($0)") }
        let answer = Response.text("Hello, World!")
        let router = try Router([
            Route(.get, "/livez", operation: Operation("livez", "Is alive.", answers: [])) { _ in answer },
            Route(
                .get, "/task", operation: Operation("task", "The same from a task.", answers: []),
                handler: { _ in answer }),
        ])
        var configuration = ServerConfiguration()
        configuration.port = port
        configuration.accessLog = false
        configuration.limits.requestsPerConnection = .max
        configuration.limits.connections = .max
        configuration.limits.connectionsPerAddress = .max
        let server = HTTPServer(
            configuration: configuration, loops: loops, router: router, logger: Logger(threshold: .warning),
            problem: HTTPServer.unknownProblem)
        print("listening on http://\(try await server.start()[0])")
        try await Task.sleep(for: .seconds(1 << 30))
    }
}
