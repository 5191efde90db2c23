package import EventLoops
internal import HTTP
internal import HTTPServer
internal import Logging

/// A fake that listens on 127.0.0.1.
package final class FakeServer: Sendable {
    /// What it runs.
    package let host: FakeHost
    /// `http://127.0.0.1:9101`: what an account's `base_url` is.
    package let url: String

    /// Of a request; the largest video that a service takes.
    private static let greatestBody = 520 << 20

    private let server: HTTPServer

    /// Listens; port 0 takes a free one.
    package init(_ host: FakeHost, port: UInt16 = 0, on loop: EventLoop) async throws {
        self.host = host
        var configuration = ServerConfiguration()
        configuration.port = port
        configuration.accessLog = false
        configuration.limits.body = Int64(Self.greatestBody)
        // A slow answer waits for its test.
        configuration.limits.handlerTime = nil
        let routes = (host.service.routes.map(\.name) + FakeHost.controlRoutes).enumerated().map { index, name in
            let parts = name.split(separator: " ").map(String.init)
            return Route(
                HTTPMethod(rawValue: parts[0]), parts[1], operation: Operation("call\(index)", name, answers: [])
            ) { request in
                try await Self.response(to: request, from: host)
            }
        }
        server = HTTPServer(
            configuration: configuration, loops: [loop], router: try Router(routes), logger: .silent,
            problem: HTTPServer.unknownProblem)
        url = "http://\(try await server.start()[0])"
    }

    /// Ends at once.
    package func stop() async {
        host.stopHolding()
        await server.stop(within: .zero)
    }

    private static func response(to request: Request, from host: FakeHost) async throws -> Response {
        let target = request.rawTarget.split(separator: "?", maxSplits: 1).map(String.init)
        let outcome = host.handle(
            FakeRequest(
                method: request.method, origin: "http://\(request.authority ?? "")", path: target[0],
                query: target.count == 2 ? target[1] : "", fields: request.fields.all,
                body: try await request.body.collect(upTo: greatestBody)))
        switch outcome {
        case .answer(let answer):
            return Response(
                answer.status, fields: answer.fields, body: .bytes(answer.body), trailers: answer.trailers)
        case .slow(let answer):
            return Response(
                answer.status, fields: answer.fields,
                body: .stream(length: Int64(answer.body.count)) { writer in
                    let middle = answer.body.count / 2
                    try await writer.write(answer.body[..<middle])
                    await host.hold()
                    try await writer.write(answer.body[middle...])
                }, trailers: answer.trailers)
        case .reset:
            return Response(
                .ok,
                body: .stream(length: 1) { writer in
                    // Once the head has left, an error cuts the connection.
                    try await writer.flush()
                    throw Reset()
                })
        }
    }

    private struct Reset: Error {}
}
