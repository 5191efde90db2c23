/// The field lines of a request's head in its bytes, which the parser has checked.
struct HeaderLines: Sendable {
    let bytes: [UInt8]
    /// Where the first line begins.
    let start: Int
    let mentions: FieldMentions

    /// Calls `line` with every field line in order until it returns false.
    func forEachLine(_ line: (_ name: Range<Int>, _ value: Range<Int>) -> Bool) {
        let span = bytes.span
        var start = start
        // The parser has seen a colon in every line and a line end behind it; the last two bytes are the empty line.
        while start < bytes.count - 2 {
            var colon = start
            while span[colon] != UInt8(ascii: ":") { colon += 1 }
            var end = colon
            while span[end] != .cr { end += 1 }
            guard line(start..<colon, span.trimmed((colon + 1)..<end)) else { return }
            start = end + 2
        }
    }

    /// The first line's value whose name is `name`, which is given in any case.
    func firstValue(_ name: String) -> Range<Int>? {
        var found: Range<Int>?
        forEachLine { lineName, value in
            if isName(lineName, name) { found = value }
            return found == nil
        }
        return found
    }

    /// The values of `name` joined with ", " (RFC 9110, section 5.3), or nil if there is none.
    subscript(name: String) -> String? {
        var joined: String?
        forEachLine { lineName, value in
            if isName(lineName, name) { joined = joined.map { "\($0), \(text(value))" } ?? text(value) }
            return true
        }
        return joined
    }

    func isName(_ range: Range<Int>, _ name: String) -> Bool {
        guard range.count == name.utf8.count else { return false }
        var index = range.lowerBound
        for byte in name.utf8 {
            guard bytes[index].lowercased == byte.lowercased else { return false }
            index += 1
        }
        return true
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// `name: value` (RFC 9112, section 5): no space before the colon, no line folding, no control characters.
struct FieldLine {
    let name: Range<Int>
    /// Without the spaces around it.
    let value: Range<Int>

    init(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFault) {
        guard !bytes[line.lowerBound].isSpaceOrTab else {
            throw .malformed("A field line begins with a space: folded lines are obsolete.")
        }
        var index = line.lowerBound
        while index < line.upperBound, bytes[index].isToken { index += 1 }
        name = line.lowerBound..<index
        guard !name.isEmpty, index < line.upperBound, bytes[index] == UInt8(ascii: ":") else {
            throw .malformed("A field line has to begin with a name, directly followed by a colon.")
        }
        let rest = (index + 1)..<line.upperBound
        index = rest.lowerBound
        while index < rest.upperBound, bytes[index].isFieldValue { index += 1 }
        guard index == rest.upperBound else { throw .malformed("A field value holds a control character.") }
        value = bytes.trimmed(rest)
    }
}

/// Which of the fields have come that decide what the response looks like, and whom it is for.
///
/// Noted while the lines are read, so that nobody looks for a field that did not come.
struct FieldMentions: OptionSet, Sendable {
    let rawValue: UInt8

    /// `Accept-Encoding` (RFC 9110, section 12.5.3).
    static let acceptEncoding = FieldMentions(rawValue: 1)
    /// `Range` (RFC 9110, section 14.2).
    static let range = FieldMentions(rawValue: 2)
    /// `If-Match` and the other conditions (RFC 9110, section 13.1).
    static let condition = FieldMentions(rawValue: 4)
    /// `Origin` (Fetch, section 3.2).
    static let origin = FieldMentions(rawValue: 8)
    /// `Access-Control-Request-Method` (Fetch, section 3.3.2).
    static let requestMethod = FieldMentions(rawValue: 16)

    /// `Accept` (RFC 9110, section 12.5.1).
    static let accept = FieldMentions(rawValue: 32)
    /// `Forwarded` (RFC 7239) or `X-Forwarded-For`.
    static let forwarded = FieldMentions(rawValue: 64)

    mutating func note(_ name: Range<Int>, in bytes: Span<UInt8>) {
        switch name.count {
        case 5 where bytes.equals("range", in: name): insert(.range)
        case 6 where bytes.equals("accept", in: name): insert(.accept)
        case 6 where bytes.equals("origin", in: name): insert(.origin)
        case 8 where bytes.equals("if-match", in: name) || bytes.equals("if-range", in: name): insert(.condition)
        case 9 where bytes.equals("forwarded", in: name): insert(.forwarded)
        case 13 where bytes.equals("if-none-match", in: name): insert(.condition)
        case 15 where bytes.equals("accept-encoding", in: name): insert(.acceptEncoding)
        case 15 where bytes.equals("x-forwarded-for", in: name): insert(.forwarded)
        case 17 where bytes.equals("if-modified-since", in: name): insert(.condition)
        case 19 where bytes.equals("if-unmodified-since", in: name): insert(.condition)
        case 29 where bytes.equals("access-control-request-method", in: name): insert(.requestMethod)
        default: break
        }
    }
}
