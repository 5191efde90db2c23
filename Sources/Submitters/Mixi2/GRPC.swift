internal import Domain
internal import HTTP

/// Unary calls of gRPC, at one service.
///
/// Source: grpc/grpc, doc/PROTOCOL-HTTP2.md and doc/statuscodes.md; read 2026-11-22. A call is a POST by HTTP/2; what came
/// of it is a trailer of the response, or stands in its head when there is no message.
struct GRPC: Sendable {
    let client: ServiceClient
    /// `https://api.example.com/package.Service`; the name of the call is appended.
    let service: String
    /// Fields of every call, such as `Authorization`.
    let metadata: HTTPFields
    let addresses: AddressPolicy

    private static let mediaType = "application/grpc"

    /// Calls, and returns the message of a response that says yes.
    func call(
        _ name: String, _ message: ProtobufMessage, _ role: RequestRole = .preparing, maxResponseBytes: Int = 1 << 20
    ) async throws(SubmissionError) -> ProtobufMessage {
        var fields = metadata
        fields.add("Content-Type", Self.mediaType)
        fields.add("TE", "trailers")
        let response = try await client.response(
            to: OutgoingRequest(
                method: .post, url: "\(service)/\(name)", fields: fields, body: .bytes(Self.framed(message.serialized)),
                timeout: ServiceClient.timeout, maxResponseBytes: maxResponseBytes, addressPolicy: addresses,
                assumesHTTP2: true), role)
        guard let outcome = GRPCOutcome(response) else {
            // Something on the way has answered, or what it came to was lost.
            guard response.status.isSuccess else { throw client.failure(response, role) }
            throw client.unclear(
                client.problem(.unreadableResponse, response), role)
        }
        guard outcome.status == .ok else { throw failure(outcome, response, role) }
        guard response.fields["Content-Type"]?.hasPrefix(Self.mediaType) == true,
            let bytes = Self.unframed(response.body),
            let message = ProtobufMessage(parsing: bytes)
        else { throw client.malformed(response, role) }
        return message
    }

    // MARK: Framing

    /// A message that is not compressed, behind its length.
    static func framed(_ message: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(clamping: message.count).bigEndian) { [0] + $0 + message }
    }

    /// The one message of a body; nil when there is none, or more, or it is compressed, which nobody has asked for.
    static func unframed(_ body: [UInt8]) -> [UInt8]? {
        guard body.count >= 5, body[0] == 0, body[1..<5].reduce(0, { $0 << 8 | Int($1) }) == body.count - 5 else {
            return nil
        }
        return Array(body[5...])
    }

    // MARK: What went wrong

    /// The HTTP status of the same meaning.
    private func failure(_ outcome: GRPCOutcome, _ response: IncomingResponse, _ role: RequestRole) -> SubmissionError {
        let told = IncomingResponse(
            status: HTTPStatus(code: outcome.status.httpStatus), fields: response.fields,
            body: Array("gRPC \(outcome.status.rawValue) \(outcome.message)".utf8))
        return switch outcome.status {
        case .permissionDenied:
            .rejected(client.problem(.postingNotAllowed, told))
        case .unimplemented:
            .rejected(client.problem(.postRefused, told))
        default: client.failure(told, role)
        }
    }
}

/// The result of a call.
struct GRPCOutcome: Sendable, Equatable {
    let status: GRPCStatus
    /// For operators; empty when the server has said nothing.
    let message: String

    /// Reads the fields of a response, and those behind its body; nil when they do not tell.
    init?(_ response: IncomingResponse) {
        guard let code = response.fields["grpc-status"].flatMap({ UInt32($0) }) else { return nil }
        status = GRPCStatus(rawValue: code) ?? .unknown
        let message = response.fields["grpc-message"] ?? ""
        // A message that is encoded wrongly is better than none.
        self.message = PercentEncoding.decode(message) ?? message
    }
}

/// The statuses of gRPC.
enum GRPCStatus: UInt32, Sendable, CaseIterable {
    case ok = 0
    case cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists, permissionDenied
    case resourceExhausted, failedPrecondition, aborted, outOfRange, unimplemented, `internal`, unavailable, dataLoss
    case unauthenticated

    /// The status of HTTP that says the same (googleapis, google/rpc/code.proto); a call that somebody else has cancelled
    /// is trouble of the server's.
    var httpStatus: Int {
        switch self {
        case .ok: 200
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .resourceExhausted: 429
        case .cancelled, .unknown, .internal, .dataLoss: 500
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        }
    }
}
