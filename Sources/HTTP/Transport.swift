/// Sends requests to other servers.
package protocol Transport: Sendable {
    /// Sends one request and reads its whole response, whatever its status.
    ///
    /// Cancelling the task ends the exchange with `.cancelled`.
    func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse

    /// Opens a WebSocket, unless the server answers otherwise.
    ///
    /// Cancelling the task ends it with `.cancelled`.
    func open(_ request: WebSocketRequest) async throws(TransportError) -> WebSocketAnswer

    /// Connects to a mail server and logs in, unless it answers otherwise.
    ///
    /// Cancelling the task ends it with `.cancelled`.
    func connect(to server: MailServer) async throws(TransportError) -> MailAnswer
}

/// Why no response came, sorted by what the other server may have done. Descriptions are safe for a log.
package enum TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Resolving, connecting or TLS failed: the server cannot have acted.
    case notSent(String)
    /// Bytes left and no whole response came: the server may have acted.
    case unanswered(String)
    /// The request asked for public addresses only and the host has another one.
    case refusedAddress(String)
    /// The response was longer than the request allows; the server has acted.
    case responseTooLarge(limit: Int)
    /// The task was cancelled; the server may have acted.
    case cancelled

    /// Whether the server gave no sign of life.
    package var isUnreachable: Bool {
        switch self {
        case .notSent, .unanswered: true
        case .refusedAddress, .responseTooLarge, .cancelled: false
        }
    }

    package var description: String {
        switch self {
        case .notSent(let reason): "the request was not sent: \(reason)"
        case .unanswered(let reason): "the request was not answered: \(reason)"
        case .refusedAddress(let host): "\(host) is not at a public address"
        case .responseTooLarge(let limit): "the answer has more than \(limit) bytes"
        case .cancelled: "the request was cancelled"
        }
    }
}

/// A response with its whole body.
package struct IncomingResponse: Sendable {
    /// The status of the last response, after redirects.
    package let status: HTTPStatus
    /// Those of the last response, and behind its body (RFC 9110, section 6.5).
    package let fields: HTTPFields
    /// Decoded; at most the request's `maxResponseBytes`.
    package let body: [UInt8]

    /// Takes the parts of a response.
    package init(status: HTTPStatus, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Which servers users may name.
package enum ServerPolicy: Sendable {
    /// Only `https` servers at public addresses.
    case publicOnly
    /// Also `http`, and servers of the operator's own network.
    case any

    /// Whether the scheme of a web address is one that requests to such a server may have.
    package func allowsScheme(of url: String) -> Bool { self == .any || url.hasPrefix("https://") }

    /// The addresses that a request to a server of a user's choice may connect to.
    package var addresses: AddressPolicy {
        switch self {
        case .publicOnly: .publicOnly
        case .any: .any
        }
    }
}
