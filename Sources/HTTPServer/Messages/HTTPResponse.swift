package import HTTP
internal import System

/// The response to a request.
///
/// The server adds `Date`, `X-Request-ID`, and what frames the body: `Content-Length`, `Transfer-Encoding` and `Connection` of
/// `fields` are not sent. To HEAD it sends the same head without the body.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var fields: HTTPFields
    package var body: ResponseBody { didSet { gzipped = nil } }
    /// The body in gzip, of a response that is sent again and again.
    private(set) var gzipped: GzippedBody?
    /// Fields behind the body (RFC 9110, section 6.5): sent over HTTP/2 alone, and then without a `Content-Length`. A client
    /// of HTTP/1.1, and one that gets no body, does without them.
    package var trailers: HTTPFields

    /// Takes the parts as they are.
    package init(
        _ status: HTTPStatus, fields: HTTPFields = [:], body: ResponseBody = .empty, trailers: HTTPFields = [:]
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.trailers = trailers
    }

    /// The same response, whose body is compressed once for all who get it, or a copy of it, in gzip. Whoever keeps it keeps both
    /// forms.
    package func keepingGzip() -> HTTPResponse {
        var response = self
        response.gzipped = GzippedBody()
        return response
    }
}

/// The body of a response in gzip, made when a client first takes it so.
final class GzippedBody: Sendable {
    private let bytes = Lock<[UInt8]?>(nil)

    /// The bytes, made by `encode` if need be; two loops at once may both make them.
    func bytes(_ encode: () -> [UInt8]?) -> [UInt8]? {
        if let bytes = bytes.withLock(\.self) { return bytes }
        // Without the room that the encoder asked for.
        guard let made = encode().map({ $0.withUnsafeBufferPointer { Array($0) } }) else { return nil }
        bytes.withLock { $0 = made }
        return made
    }
}

extension HTTPResponse {
    /// A JSON body (RFC 8259).
    package static func json(_ value: JSONValue, status: HTTPStatus = .ok, fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status, type: "application/json", fields, .bytes(value.serialized))
    }

    /// A plain text in UTF-8.
    package static func text(_ text: String, status: HTTPStatus = .ok, fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status, type: "text/plain; charset=utf-8", fields, .bytes(Array(text.utf8)))
    }

    /// An HTML page in UTF-8.
    package static func html(_ page: String, status: HTTPStatus = .ok, fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status, type: "text/html; charset=utf-8", fields, .bytes(Array(page.utf8)))
    }

    /// Problem details (RFC 9457), with `Retry-After` when the problem has a pause.
    package static func problem(_ problem: ProblemDetails) -> HTTPResponse {
        HTTPResponse(problem.status, fields: problem.fields, body: .bytes(problem.body))
    }

    /// Sends the client elsewhere; the caller has made sure that `location` is meant.
    package static func redirect(to location: String, status: HTTPStatus = .found) -> HTTPResponse {
        HTTPResponse(status, fields: ["Location": location])
    }

    /// A response without a body.
    package static let noContent = HTTPResponse(.noContent)

    private init(_ status: HTTPStatus, type: String, _ fields: HTTPFields, _ body: ResponseBody) {
        self.init(status, fields: fields, body: body)
        if !fields.contains("Content-Type") { self.fields.add("Content-Type", type) }
    }
}

/// The body of a response.
package enum ResponseBody: Sendable {
    /// No bytes.
    case empty
    /// These bytes.
    case bytes([UInt8])
    /// A part of a file.
    case file(FileBody)
    /// Several parts of memory and files, one after the other.
    case pieces([BodyPiece])
    /// The bytes that the closure writes, chunked unless `length` tells how many they are.
    ///
    /// When the closure throws before it has written, the error becomes problem details as a handler's does; later it
    /// cuts the connection, so that the client sees a broken response. Not called for HEAD.
    case stream(length: Int64?, @Sendable (BodyWriter) async throws -> Void)

    /// Streams a body whose length is not known.
    package static func stream(_ produce: @escaping @Sendable (BodyWriter) async throws -> Void) -> ResponseBody {
        .stream(length: nil, produce)
    }
}

/// One of the parts that a body consists of.
package enum BodyPiece: Sendable {
    /// These bytes.
    case bytes(ArraySlice<UInt8>)
    /// A part of a file.
    case file(FileBody)

    var length: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.length
        }
    }
}

extension ResponseBody {
    /// Calls `use` with each part in order. `gzipped` takes the place of bytes.
    func forEachPiece(orGzipped gzipped: [UInt8]?, _ use: (BodyPiece) -> Void) {
        switch self {
        case .empty, .stream: break
        case .bytes(let bytes): use(.bytes((gzipped ?? bytes)[...]))
        case .file(let file): use(.file(file))
        case .pieces(let pieces): for piece in pieces { use(piece) }
        }
    }

    /// The length, if any part of the body can be sent without the rest.
    var seekableLength: Int64? {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.length
        case .empty, .pieces, .stream: nil
        }
    }

    /// A part of a body that has a `seekableLength`, which the part is within. Nothing is copied.
    func piece(from offset: Int64, length: Int64) -> BodyPiece {
        switch self {
        case .bytes(let bytes): .bytes(bytes[Int(offset)..<Int(offset + length)])
        case .file(let file): .file(FileBody(file.file, offset: file.offset + offset, length: length))
        case .empty, .pieces, .stream: .bytes([])
        }
    }
}

/// The writer of a streamed response, for its producer.
///
/// `write` returns when the kernel has taken every byte, so a slow client slows the producer down and no more than one
/// piece is in memory. On HTTP/2, where many responses share a connection, up to `HTTP2Limits.streamBacklog` bytes may wait.
package struct BodyWriter: Sendable {
    private let sink: any BodySink
    private let exchange: UInt64

    init(sink: any BodySink, exchange: UInt64) {
        self.sink = sink
        self.exchange = exchange
    }

    /// Sends `bytes`; the first call sends the head along.
    ///
    /// - Throws: When nobody reads any more. A producer lets it pass and ends.
    package func write(_ bytes: [UInt8]) async throws(BodyWriteError) {
        try await sink.write(bytes[...], of: exchange)
    }

    /// Sends `bytes`, as `write(_: [UInt8])` does.
    package func write(_ bytes: ArraySlice<UInt8>) async throws(BodyWriteError) {
        try await sink.write(bytes, of: exchange)
    }

    /// Sends text as UTF-8, as `write(_: [UInt8])` does.
    package func write(_ text: String) async throws(BodyWriteError) {
        try await sink.write(Array(text.utf8)[...], of: exchange)
    }

    /// Sends the head now, for a client that waits for it before the first bytes exist.
    package func flush() async throws(BodyWriteError) {
        try await sink.write([], of: exchange)
    }
}

/// Why a streamed response cannot go on.
package enum BodyWriteError: Error, Equatable, CustomStringConvertible {
    /// The client went away, took nothing for too long, or the server stops.
    case disconnected
    /// More than the declared length was written: a defect of the producer.
    case tooLong

    package var description: String {
        switch self {
        case .disconnected: "nobody reads the response any more"
        case .tooLong: "the response is longer than it was declared"
        }
    }
}

/// Where streamed responses go: a connection, which may have gone on to another exchange meanwhile.
protocol BodySink: Sendable {
    func write(_ bytes: ArraySlice<UInt8>, of exchange: UInt64) async throws(BodyWriteError)
}
