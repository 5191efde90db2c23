/// The fields that decide where a request ends and how its connection goes on, gathered while the lines come.
struct CollectedFields {
    private var hostCount = 0
    private var host = 0..<0
    private var requestID = 0..<0
    private var length: Int64?
    private var codingCount = 0
    private var coding = 0..<0
    private var wantsClose = false
    private var wantsPersistence = false
    private var expectation = RequestLayout.Expectation.none
    private var mentions = FieldMentions()

    mutating func take(_ line: FieldLine, in bytes: Span<UInt8>) throws(RequestFault) {
        // The length tells most names apart without a comparison.
        switch line.name.count {
        case 4 where bytes.equals("host", in: line.name):
            hostCount += 1
            host = line.value
        case 6 where bytes.equals("expect", in: line.name):
            bytes.forEachElement(of: line.value) { element in
                let isContinuation = bytes.equals("100-continue", in: element) && expectation != .unknown
                expectation = isContinuation ? .continuation : .unknown
            }
        case 10 where bytes.equals("connection", in: line.name):
            bytes.forEachElement(of: line.value) { element in
                if bytes.equals("close", in: element) { wantsClose = true }
                if bytes.equals("keep-alive", in: element) { wantsPersistence = true }
            }
        case 12 where bytes.equals("x-request-id", in: line.name):
            requestID = line.value
        case 14 where bytes.equals("content-length", in: line.name):
            guard length == nil else { throw .malformed("There is more than one Content-Length.") }
            length = try Self.length(bytes, line.value)
        case 17 where bytes.equals("transfer-encoding", in: line.name):
            codingCount += 1
            coding = line.value
        default:
            mentions.note(line.name, in: bytes)
        }
    }

    /// Decides, when the last line was there.
    func finish(_ bytes: Span<UInt8>, _ head: inout RequestLayout) throws(RequestFault) {
        guard hostCount == 1 || hostCount == 0 && head.minorVersion == 0 else {
            throw .malformed("There has to be exactly one Host.")
        }
        guard hostCount == 0 || HostSyntax.isValid(bytes, host) else { throw .malformed("Host is not valid.") }
        head.host = host
        head.requestID = requestID
        head.mentions = mentions
        head.framing = try framing(bytes, isHTTP10: head.minorVersion == 0)
        head.persists = !wantsClose && (head.minorVersion > 0 || wantsPersistence)
        // A client of HTTP/1.0 gets no 1xx response, and its expectation is ignored (RFC 9110, section 10.1.1).
        head.expectation = head.minorVersion > 0 ? expectation : .none
    }

    /// RFC 9112, section 6: two framings in one message are an attack, not a message.
    private func framing(_ bytes: Span<UInt8>, isHTTP10: Bool) throws(RequestFault) -> RequestLayout.Framing {
        guard codingCount > 0 else {
            guard let length, length > 0 else { return .none }
            return .sized(length)
        }
        guard length == nil else { throw .malformed("There are both Content-Length and Transfer-Encoding.") }
        guard !isHTTP10 else { throw .malformed("HTTP/1.0 knows no Transfer-Encoding.") }
        guard codingCount == 1 else { throw .malformed("There is more than one Transfer-Encoding.") }
        if bytes.equals("chunked", in: coding) { return .chunked }
        var count = 0
        var chunkedCount = 0
        var endsChunked = false
        bytes.forEachElement(of: coding) { element in
            count += 1
            endsChunked = bytes.equals("chunked", in: element)
            if endsChunked { chunkedCount += 1 }
        }
        guard endsChunked, chunkedCount == 1, count > 1 else {
            throw .malformed("The transfer coding has to be chunked, once.")
        }
        throw .codingNotImplemented
    }

    /// Digits alone; a list is refused even if its members agree. A number beyond `Int64` becomes the greatest of them, which
    /// is over every limit.
    private static func length(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFault) -> Int64 {
        guard !range.isEmpty else { throw .malformed("Content-Length is not a number.") }
        var length: Int64 = 0
        for index in range {
            guard bytes[index].isDigit else { throw .malformed("Content-Length is not a number.") }
            length = length > (.max - 9) / 10 ? .max : length * 10 + Int64(bytes[index] - 0x30)
        }
        return length
    }
}
