/// One range of bytes of a representation (RFC 9110, section 14).
package struct ByteRange: Sendable, Equatable {
    /// The first byte, counted from 0.
    package let offset: Int64
    /// At least 1.
    package let length: Int64
    /// The length of the whole representation.
    package let total: Int64

    /// The value of `Content-Range` for 206.
    package var contentRange: String { "bytes \(offset)-\(offset + length - 1)/\(total)" }

    /// The value of `Content-Range` for 416.
    package static func unsatisfied(total: Int64) -> String { "bytes */\(total)" }

    /// What a `Range` field asks for.
    package enum Request: Sendable, Equatable {
        /// Answer 200 with everything: no field, another unit, several ranges, or bad syntax.
        case whole
        /// Answer 206 with this part.
        case part(ByteRange)
        /// Answer 416.
        case unsatisfiable
    }

    /// Reads a `Range` field for a representation of `total` bytes.
    ///
    /// Several ranges are answered with the whole, which a server may always do (section 14.2).
    package static func request(_ fieldValue: String?, total: Int64) -> Request {
        guard let fieldValue, let equals = fieldValue.firstIndex(of: "="),
            equalsIgnoringCase(String(fieldValue[..<equals]), "bytes")
        else { return .whole }
        let ends = fieldValue[fieldValue.index(after: equals)...]
            .split(separator: "-", omittingEmptySubsequences: false).map { $0.filter { $0 != " " && $0 != "\t" } }
        guard ends.count == 2, ends.allSatisfy(isDigits) else { return .whole }
        switch (position(ends[0]), position(ends[1])) {
        case (nil, nil):
            return .whole
        case (nil, let suffix?):
            let length = min(suffix, total)
            return length == 0 ? .unsatisfiable : part(from: total - length, to: total, total)
        case (let first?, nil):
            return part(from: first, to: total, total)
        case (let first?, let last?):
            return first > last ? .whole : part(from: first, to: last < total ? last + 1 : total, total)
        }
    }

    private static func part(from start: Int64, to end: Int64, _ total: Int64) -> Request {
        start < total ? .part(ByteRange(offset: start, length: end - start, total: total)) : .unsatisfiable
    }

    private static func isDigits(_ text: String) -> Bool {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// A position beyond `Int64` is beyond every file, and nil stands for an omitted one.
    private static func position(_ digits: String) -> Int64? {
        digits.isEmpty ? nil : Int64(digits) ?? .max
    }
}
