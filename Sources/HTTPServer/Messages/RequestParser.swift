internal import Glibc

/// Reads the head of one request, line by line, from bytes that may come in any pieces (RFC 9112, sections 2 to 5).
///
/// A pure value: it keeps offsets into the bytes, never the bytes. The outcome does not depend on the pieces, and every
/// byte is looked at once. Anything that two readers could understand differently is refused.
struct RequestParser {
    /// The bounds of a head.
    struct Limits {
        /// The longest request line without its line end.
        var line = 8 << 10
        /// All field lines together, with their line ends.
        var fieldBytes = 32 << 10
        /// The number of field lines.
        var fieldCount = 100
        /// The empty lines that may come before a request line (RFC 9112, section 2.2).
        var blankLines = 4
    }

    private enum Stage { case start, fields }

    private var stage = Stage.start
    /// Where the line begins that is being received.
    private var lineStart = 0
    /// Up to here no line end was found since `lineStart`.
    private var scanned = 0
    private var blankLines = 0
    private var head = RequestLayout()
    private var collected = CollectedFields()

    /// Goes on reading; `bytes` are the same as in the call before, with more behind them.
    ///
    /// - Returns: Where things are, once the whole head is there. The parser has then to be replaced by a fresh one.
    mutating func parse(_ bytes: Span<UInt8>, _ limits: Limits) throws(RequestFault) -> RequestLayout? {
        if lineStart == 0, bytes.count > 0, !bytes[0].isToken, bytes[0] != .cr {
            throw .malformed("This is not HTTP/1.1.")
        }
        while let end = lineEnd(bytes) {
            try checkLength(bytes, upTo: end, limits)
            guard end > lineStart, bytes[end - 1] == .cr else {
                throw .malformed("Every line has to end with CR LF.")
            }
            let line = lineStart..<(end - 1)
            lineStart = end + 1
            switch stage {
            case .start:
                if line.isEmpty {
                    blankLines += 1
                    guard blankLines <= limits.blankLines else { throw .malformed("There are too many empty lines.") }
                } else {
                    head.setLine(try RequestLine(bytes, line), line)
                    head.fieldsStart = lineStart
                    stage = .fields
                }
            case .fields:
                if line.isEmpty {
                    head.length = lineStart
                    try collected.finish(bytes, &head)
                    return head
                }
                head.fieldCount += 1
                guard head.fieldCount <= limits.fieldCount else { throw .fieldsTooLarge }
                try collected.take(try FieldLine(bytes, line), in: bytes)
            }
        }
        try checkLength(bytes, upTo: bytes.count, limits)
        return nil
    }

    /// Whether the request line has come and says HEAD.
    func isHead(in bytes: Span<UInt8>) -> Bool { stage == .fields && bytes.holds("HEAD", in: head.method) }

    private mutating func lineEnd(_ bytes: Span<UInt8>) -> Int? {
        let start = scanned
        let found = bytes.withUnsafeBufferPointer { buffer -> Int? in
            guard let base = buffer.baseAddress, start < buffer.count else { return nil }
            return memchr(base + start, Int32(UInt8.lf), buffer.count - start).map {
                UnsafeRawPointer($0) - UnsafeRawPointer(base)
            }
        }
        scanned = found.map { $0 + 1 } ?? bytes.count
        return found
    }

    private func checkLength(_ bytes: Span<UInt8>, upTo end: Int, _ limits: Limits) throws(RequestFault) {
        switch stage {
        case .start:
            // One more for the CR of a line whose LF is still to come.
            guard end - lineStart > limits.line + 1 else { return }
            // RFC 9112, section 3: a method longer than any that is known is 501, a target 414.
            let start = lineStart..<(lineStart + limits.line)
            throw bytes.firstIndex(of: .space, in: start) == nil ? .methodNotImplemented : .lineTooLong
        // One more for the CR of the empty line.
        case .fields: if end - head.fieldsStart > limits.fieldBytes + 1 { throw .fieldsTooLarge }
        }
    }
}

/// Where the parts of a request's head are, and what its fields say about the message itself.
struct RequestLayout: Sendable {
    /// Leading empty lines are before it.
    private(set) var start = 0
    /// The end of the whole head: the body or the next request begins here.
    var length = 0
    private(set) var method = 0..<0
    private(set) var target = 0..<0
    /// 0 for HTTP/1.0, 1 for HTTP/1.1 and whatever else HTTP/1 may bring.
    private(set) var minorVersion = 1
    /// Whether the head came as HTTP/2 and was written down as HTTP/1.1.
    var isHTTP2 = false
    var fieldsStart = 0
    var fieldCount = 0
    /// The value of `Host`, empty if there is none.
    var host = 0..<0
    /// The value of `X-Request-ID`, empty if there is none.
    var requestID = 0..<0
    var framing = Framing.none
    /// Whether the connection may serve another request (RFC 9112, section 9.3).
    var persists = true
    var expectation = Expectation.none
    /// The fields among them that decide how the response looks.
    var mentions = FieldMentions()

    /// How the end of the body is found (RFC 9112, section 6.3).
    enum Framing: Equatable { case none, sized(Int64), chunked }

    enum Expectation { case none, continuation, unknown }

    mutating func setLine(_ line: RequestLine, _ range: Range<Int>) {
        (start, method, target, minorVersion) = (range.lowerBound, line.method, line.target, line.minorVersion)
    }

    /// The same with every offset counted from `start`: for a copy of just these bytes.
    var rebased: RequestLayout {
        guard start > 0 else { return self }
        var layout = self
        layout.method = method.shifted(by: start)
        layout.target = target.shifted(by: start)
        layout.host = host.isEmpty ? host : host.shifted(by: start)
        layout.requestID = requestID.isEmpty ? requestID : requestID.shifted(by: start)
        layout.fieldsStart -= start
        layout.length -= start
        layout.start = 0
        return layout
    }
}

extension Range<Int> {
    fileprivate func shifted(by offset: Int) -> Range<Int> { (lowerBound - offset)..<(upperBound - offset) }
}
