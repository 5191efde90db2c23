/// One range of bytes of a representation (RFC 9110, section 14).
package struct ByteRange: Sendable, Equatable {
    /// The first byte, counted from 0.
    package let offset: Int64
    /// At least 1.
    package let length: Int64
    /// The length of the whole representation.
    package let total: Int64

    /// The value of `Content-Range` for 206 (RFC 9110, section 14.4).
    package var contentRange: String { "bytes \(offset)-\(end - 1)/\(total)" }

    /// The value of `Content-Range` for 416 (RFC 9110, section 14.4).
    package static func unsatisfied(total: Int64) -> String { "bytes */\(total)" }

    /// The ranges that a `Range` field asks for.
    package enum Request: Sendable, Equatable {
        /// Answer 200 with everything: no field, another unit, bad syntax, or more ranges than `limit`.
        case whole
        /// Answer 206 with these: at least one, apart from each other, in the order they were asked for.
        case parts([ByteRange])
        /// Answer 416.
        case unsatisfiable
    }

    /// The most ranges that one request may ask for; a request for more gets the whole (RFC 9110, section 17.15).
    package static let limit = 16

    /// Reads a `Range` field for a representation of `total` bytes (RFC 9110, sections 14.1.2 and 14.2).
    ///
    /// Ranges that overlap or touch become one (section 15.3.7.2), so that no byte is sent twice. Those beyond the end are
    /// left out while another can be satisfied.
    package static func request(_ fieldValue: String?, total: Int64) -> Request {
        guard let fieldValue, let equals = fieldValue.firstIndex(of: "="),
            equalsIgnoringCase(String(fieldValue[..<equals]), "bytes")
        else { return .whole }
        var parts: [ByteRange] = []
        var count = 0
        for element in fieldValue[equals...].dropFirst().utf8.split(separator: UInt8(ascii: ",")) {
            let element = trimmed(element)
            if element.isEmpty { continue }
            count += 1
            guard count <= limit, let specified = Specified(element) else { return .whole }
            switch specified.resolved(total: total) {
            case .part(let range): range.join(&parts)
            case .beyond: break
            case .everything: return .whole
            }
        }
        if count == 0 { return .whole }
        return parts.isEmpty ? .unsatisfiable : .parts(parts)
    }

    private var end: Int64 { offset + length }

    /// Adds this range; with those that it overlaps or touches it becomes one, in the place of their first.
    private func join(_ parts: inout [ByteRange]) {
        let touching = parts.filter { $0.offset <= self.end && offset <= $0.end }
        guard let place = parts.firstIndex(where: touching.contains) else { return parts.append(self) }
        let start = touching.reduce(offset) { min($0, $1.offset) }
        let end = touching.reduce(self.end) { max($0, $1.end) }
        parts.removeAll(where: touching.contains)
        parts.insert(ByteRange(offset: start, length: end - start, total: total), at: place)
    }

    /// One `range-spec` as it was written.
    private enum Specified {
        case from(Int64, through: Int64?)
        case last(Int64)

        /// Nil if it does not follow the grammar.
        init?(_ text: Substring.UTF8View) {
            guard let hyphen = text.firstIndex(of: UInt8(ascii: "-")),
                let first = Self.position(text[..<hyphen]), let last = Self.position(text[hyphen...].dropFirst())
            else { return nil }
            switch (first, last) {
            case (.none, .none): return nil
            case (.none, .some(let length)): self = .last(length)
            case (.some(let start), let end):
                guard start <= end ?? .max else { return nil }
                self = .from(start, through: end)
            }
        }

        enum Resolved {
            case part(ByteRange)
            /// Nothing of it exists.
            case beyond
            /// It stands for a whole that is empty, which no `Content-Range` can say.
            case everything
        }

        func resolved(total: Int64) -> Resolved {
            switch self {
            case .last(0): return .beyond
            case .last where total == 0: return .everything
            case .last(let length):
                let length = min(length, total)
                return .part(ByteRange(offset: total - length, length: length, total: total))
            case .from(let start, _) where start >= total: return .beyond
            case .from(let start, let last):
                let end = last.map { $0 < total ? $0 + 1 : total } ?? total
                return .part(ByteRange(offset: start, length: end - start, total: total))
            }
        }

        /// Digits, or nothing at all; a position beyond `Int64` is beyond every file. Nil for anything else.
        private static func position(_ digits: Substring.UTF8View) -> Int64?? {
            guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
            return .some(digits.isEmpty ? nil : Int64(Substring(digits)) ?? .max)
        }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}
