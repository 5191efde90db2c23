package import HTTP
package import System

/// The body of a request, read piece by piece.
///
/// Nothing is received from the socket before it is asked for, beyond what came along with the head: a handler that reads
/// slowly, or not at all, slows the client down and costs no memory. Asking for the first piece answers
/// `Expect: 100-continue`. One piece at a time: a second reader while one waits is a defect of the program.
package struct RequestBody: Sendable {
    /// `Content-Length`; 0 without a body, nil when the body is chunked.
    package let declaredLength: Int64?
    private let source: (any BodySource)?
    private let exchange: UInt64

    init(declaredLength: Int64?, source: any BodySource, exchange: UInt64) {
        self.declaredLength = declaredLength
        self.source = source
        self.exchange = exchange
    }

    /// A body without bytes.
    package static let empty = RequestBody(declaredLength: 0)

    private init(declaredLength: Int64?) {
        self.declaredLength = declaredLength
        source = nil
        exchange = 0
    }

    /// The next bytes, never an empty piece, at most 64 KiB; nil after the last.
    ///
    /// The slice shares the memory it was received into.
    package func next() async throws(BodyError) -> ArraySlice<UInt8>? {
        try await source?.nextPiece(of: exchange)
    }

    /// Calls `use` with each piece in order; from receiving it to the end of `use` it has one of `places`.
    ///
    /// So there are no more pieces in memory than places, but for those that `use` keeps, however many bodies come at once: a reader that finds none leaves
    /// its bytes in the kernel. A client that is waited for takes no place, and `use` must not wait for any client.
    ///
    /// - Throws: `BodyError`, and the errors of `use`.
    package func forEach(
        within places: AsyncSemaphore, _ use: (ArraySlice<UInt8>) async throws -> Void
    ) async throws {
        guard let source else { return }
        while true {
            try await source.awaitNews(of: exchange)
            await places.wait()
            defer { places.signal() }
            switch try await source.presentPiece(of: exchange) {
            case .notYet: continue
            case .bytes(let piece): try await use(piece)
            case .end: return
            }
        }
    }

    /// Tells a client that still sends its body something before the final response (RFC 9110, section 15.2).
    ///
    /// Nothing is sent without a body, over HTTP/1.0, or once the final response has begun.
    package func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields) async {
        await source?.sendInterim(status, fields, of: exchange)
    }

    /// The whole body.
    ///
    /// - Throws: `BodyError.tooLarge` for more than `limit` bytes, at once when the declared length says so.
    package func collect(upTo limit: Int) async throws(BodyError) -> [UInt8] {
        if let declaredLength, declaredLength > limit { throw .tooLarge(limit: Int64(limit)) }
        guard let first = try await next() else { return [] }
        guard first.count <= limit else { throw .tooLarge(limit: Int64(limit)) }
        var whole = Array(first)
        if let declaredLength { whole.reserveCapacity(Int(declaredLength)) }
        while let piece = try await next() {
            guard whole.count + piece.count <= limit else { throw .tooLarge(limit: Int64(limit)) }
            whole += piece
        }
        return whole
    }
}

/// Where the bodies of requests come from: a connection, which may have gone on to another exchange meanwhile.
protocol BodySource: Sendable {
    /// The next piece; waits for it.
    func nextPiece(of exchange: UInt64) async throws(BodyError) -> ArraySlice<UInt8>?
    /// Waits until something has come, which may be too little for a piece.
    func awaitNews(of exchange: UInt64) async throws(BodyError)
    /// The next piece, if it is there now.
    func presentPiece(of exchange: UInt64) async throws(BodyError) -> PresentPiece
    func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields, of exchange: UInt64) async
}

/// The part of a body that is there without waiting for the client.
enum PresentPiece: Sendable {
    case notYet
    case bytes(ArraySlice<UInt8>)
    case end
}
