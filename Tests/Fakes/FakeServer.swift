internal import Crypto
package import EventLoops
internal import HTTP
internal import HTTPServer
internal import Logging

/// A fake that listens on 127.0.0.1.
package final class FakeServer: Sendable {
    /// The service that it serves.
    package let host: FakeHost
    /// `http://127.0.0.1:9101`: what an account's `base_url` is.
    package let url: String
    /// The same of its controls, which a mail server has elsewhere.
    package let controls: String

    /// Of a request; the largest video that a service takes.
    private static let greatestBody = 520 << 20

    private let server: Server
    /// Of a service that has WebSockets.
    private let front: FakeFront?
    private let mailFront: FakeMailFront?

    /// Listens; port 0 takes a free one.
    package init(_ host: FakeHost, port: UInt16 = 0, on loop: EventLoop) async throws {
        self.host = host
        // The first digest of a process makes OpenSSL read its configuration, which an event loop may not.
        _ = SHA256Digest(of: "")
        var configuration = ServerConfiguration()
        let sockets = host.service as? any FakeSocketService
        let isMail = host.service is FakeMail
        configuration.port = sockets == nil && !isMail ? port : 0
        configuration.accessLog = false
        configuration.limits.body = Int64(Self.greatestBody)
        // A slow answer waits for its test.
        configuration.limits.handlerTime = nil
        let overHTTP = isMail ? [] : host.service.routes.filter { sockets?.isMessage($0) != true }
        let routes = (overHTTP.map(\.name) + FakeHost.controlRoutes).enumerated().map { index, name in
            let parts = name.split(separator: " ").map(String.init)
            return Route(
                HTTPMethod(rawValue: parts[0]), parts[1], operation: Operation("call\(index)", name, responses: [])
            ) { request in
                try await Self.response(to: request, from: host)
            }
        }
        server = Server(
            configuration: configuration, loops: [loop], router: try Router(routes), logger: .silent,
            problem: Server.unknownProblem)
        let address = try await server.start()[0]
        if isMail {
            let (front, bound) = try await FakeMailFront.start(host, port: port, on: loop)
            (self.front, mailFront, url) = (nil, front, "smtp+insecure://127.0.0.1:\(bound)")
            controls = "http://\(address)"
            return
        }
        mailFront = nil
        guard let sockets else {
            (front, url, controls) = (nil, "http://\(address)", "http://\(address)")
            return
        }
        let backend = "\(address)".split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let (front, bound) = try await FakeFront.start(host, sockets, backend: backend, port: port, on: loop)
        (self.front, url) = (front, "http://127.0.0.1:\(bound)")
        controls = url
    }

    /// Ends at once.
    package func stop() async {
        host.stopHolding()
        await front?.stop()
        await mailFront?.stop()
        await server.stop(within: .zero)
    }

    private static func response(to request: HTTPRequest, from host: FakeHost) async throws -> HTTPResponse {
        let target = request.rawTarget.split(separator: "?", maxSplits: 1).map(String.init)
        let outcome = await host.handle(
            FakeRequest(
                method: request.method, origin: "http://\(request.authority ?? "")", path: target[0],
                query: target.count == 2 ? target[1] : "", fields: request.fields.all,
                body: try await request.body.collect(upTo: greatestBody)))
        switch outcome {
        case .response(let response):
            return HTTPResponse(
                response.status, fields: response.fields, body: .bytes(response.body), trailers: response.trailers)
        case .slow(let response) where response.status == .noContent:
            // It has no body that could come in halves.
            await host.hold()
            return HTTPResponse(response.status, fields: response.fields)
        case .slow(let response):
            return HTTPResponse(
                response.status, fields: response.fields,
                body: .stream(length: Int64(response.body.count)) { writer in
                    let middle = response.body.count / 2
                    try await writer.write(response.body[..<middle])
                    await host.hold()
                    try await writer.write(response.body[middle...])
                }, trailers: response.trailers)
        case .reset:
            return HTTPResponse(
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
