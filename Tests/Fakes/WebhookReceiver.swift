internal import Crypto
package import EventLoops
package import HTTP
internal import HTTPServer
internal import Logging
internal import System

/// Somebody who takes webhooks at 127.0.0.1: it keeps what comes, and answers what its test says.
package final class WebhookReceiver: Sendable {
    /// The deliveries that came, each once.
    package struct Delivery: Sendable {
        package let id: String
        package let timestamp: Int64?
        package let signature: String
        package let body: [UInt8]

        /// Of the body; null when it is none.
        package var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

        /// Whether it was signed with a secret as it was shown.
        package func isSigned(with secret: String) -> Bool {
            guard secret.hasPrefix("whsec_"), let key = Base64.decode(String(secret.dropFirst(6))), let timestamp
            else { return false }
            let code = HMAC.sha256(Array("\(id).\(timestamp).".utf8) + body, key: key)
            return signature == "v1,\(Base64.encode(code))"
        }
    }

    /// The answer to a delivery.
    package enum Reaction: Sendable {
        case response(Int, HTTPFields = [:], body: [UInt8] = [])
        /// Nothing is answered until the receiver stops.
        case silence
    }

    private struct State {
        var deliveries: [Delivery] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var silent: [CheckedContinuation<Void, Never>] = []
        var isStopped = false
    }

    /// Where it listens, with the path `/hook`.
    package let url: String

    private let server: Server
    private let state: Lock<State>

    /// Listens; `react` is told each delivery and how many came before.
    package init(
        on loop: EventLoop, _ react: @escaping @Sendable (Delivery, Int) -> Reaction = { _, _ in .response(204) }
    ) async throws {
        let state = Lock(State())
        self.state = state
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.accessLog = false
        configuration.limits.handlerTime = nil
        let routes = [HTTPMethod.post, .get].map { method in
            Route(method, "/{path}", operation: Operation("hook", "Takes one.", responses: [])) { request in
                let delivery = Delivery(
                    id: request.fields["webhook-id"] ?? "",
                    timestamp: request.fields["webhook-timestamp"].flatMap { Int64($0) },
                    signature: request.fields["webhook-signature"] ?? "",
                    body: try await request.body.collect(upTo: 1 << 20))
                switch react(delivery, Self.keep(delivery, in: state)) {
                case .response(let status, let fields, let body):
                    return HTTPResponse(HTTPStatus(code: status), fields: fields, body: .bytes(body))
                case .silence:
                    await withCheckedContinuation { continuation in
                        let isStopped = state.withLock { state in
                            if !state.isStopped { state.silent.append(continuation) }
                            return state.isStopped
                        }
                        if isStopped { continuation.resume() }
                    }
                    return HTTPResponse(.serviceUnavailable)
                }
            }
        }
        server = Server(
            configuration: configuration, loops: [loop], router: try Router(routes), logger: .silent,
            problem: Server.unknownProblem)
        url = "http://\(try await server.start()[0])/hook"
    }

    /// Keeps a delivery; how many came before.
    private static func keep(_ delivery: Delivery, in state: Lock<State>) -> Int {
        let (before, ready) = state.withLock { state in
            state.deliveries.append(delivery)
            let count = state.deliveries.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (count - 1, ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return before
    }

    /// The deliveries that have come until now.
    package var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    /// The deliveries, once there are so many; the test's time limit bounds the wait.
    package func deliveries(_ count: Int) async -> [Delivery] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.deliveries.count < count { state.waiters.append((count, continuation)) }
                return state.deliveries.count >= count
            }
            if isThere { continuation.resume() }
        }
        return deliveries
    }

    /// Ends at once.
    package func stop() async {
        let silent = state.withLock { state in
            state.isStopped = true
            defer { state.silent = [] }
            return state.silent
        }
        for continuation in silent { continuation.resume() }
        await server.stop(within: .zero)
    }
}
