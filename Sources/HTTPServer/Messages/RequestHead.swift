internal import HTTP

/// The head of a request: a copy of its bytes, and where its parts are. Nothing is taken apart before somebody asks.
struct RequestHead: Sendable {
    let bytes: [UInt8]
    let layout: RequestLayout

    /// Takes the head that `layout` found in `bytes`.
    init(copying bytes: Span<UInt8>, _ layout: RequestLayout) {
        self.bytes = bytes.extracting(layout.start..<layout.length).withUnsafeBufferPointer { Array($0) }
        self.layout = layout.rebased
    }

    /// Takes the bytes of a head and what was found in them.
    init(_ bytes: [UInt8], _ layout: RequestLayout) {
        self.bytes = bytes
        self.layout = layout
    }

    /// The client's name for the request, if it is sane.
    var sentID: String? {
        let range = layout.requestID
        return RequestIDs.isSane(bytes.span.extracting(range)) ? text(range) : nil
    }

    var method: HTTPMethod { isMethod("GET") ? .get : HTTPMethod(rawValue: text(layout.method)) }

    /// Compares with a name that stands in capitals; methods are case-sensitive (RFC 9110, section 9.1).
    func isMethod(_ name: StaticString) -> Bool { bytes.span.holds(name, in: layout.method) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The field lines alone.
    @inline(__always) var lines: HeaderLines {
        HeaderLines(bytes: bytes, start: layout.fieldsStart, mentions: layout.mentions)
    }

    /// Calls `line` with every field line in order until it returns false.
    func forEachLine(_ line: (_ name: Range<Int>, _ value: Range<Int>) -> Bool) { lines.forEachLine(line) }

    /// The first line's value whose name is `name`, which is given in any case.
    func firstValue(_ name: String) -> Range<Int>? { lines.firstValue(name) }

    func isName(_ range: Range<Int>, _ name: String) -> Bool { lines.isName(range, name) }
}

extension RequestTarget {
    /// Resolves the target of a head; refuses a query that could not be decoded when it is asked for.
    init(_ head: RequestHead) throws(RequestFault) {
        try self.init(head.bytes.span, head.layout.target, isOptions: head.isMethod("OPTIONS"))
        guard query.isEmpty || FormFields(head.text(query)) != nil else { throw .malformed("The query is malformed.") }
    }
}

/// `method SP target SP HTTP/1.x` (RFC 9112, section 3), with exactly one space between the parts.
struct RequestLine {
    let method: Range<Int>
    let target: Range<Int>
    let minorVersion: Int

    init(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFault) {
        var index = line.lowerBound
        while index < line.upperBound, bytes[index].isToken { index += 1 }
        method = line.lowerBound..<index
        guard !method.isEmpty, index < line.upperBound, bytes[index] == .space else {
            throw .malformed("The request line does not begin with a method and a space.")
        }
        let start = index + 1
        index = start
        while index < line.upperBound, bytes[index].isTarget { index += 1 }
        target = start..<index
        guard !target.isEmpty, index < line.upperBound, bytes[index] == .space else {
            throw .malformed("The request target is empty, holds a character that has to be encoded, or stands last.")
        }
        minorVersion = try Self.version(bytes, (index + 1)..<line.upperBound)
    }

    /// RFC 9110, section 2.5: any HTTP/1.x is understood as the highest minor version we know.
    private static func version(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFault) -> Int {
        let start = range.lowerBound
        guard range.count == 8, bytes[start] == UInt8(ascii: "H"), bytes[start + 1] == UInt8(ascii: "T"),
            bytes[start + 2] == UInt8(ascii: "T"), bytes[start + 3] == UInt8(ascii: "P"),
            bytes[start + 4] == UInt8(ascii: "/"), bytes[start + 5].isDigit, bytes[start + 6] == UInt8(ascii: "."),
            bytes[start + 7].isDigit
        else { throw .malformed("The request line does not end with HTTP/1.1.") }
        guard bytes[start + 5] == UInt8(ascii: "1") else { throw .versionNotSupported }
        return bytes[start + 7] == UInt8(ascii: "0") ? 0 : 1
    }
}
