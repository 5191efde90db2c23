extension Link {
    /// The targets of a relation in the values of `Link` fields (RFC 8288, section 3), in their order; relative ones as they are written.
    package static func targets(in values: [String], rel relation: String) -> [String] {
        values.flatMap { value in
            var scanner = Scanner(bytes: Array(value.utf8)[...])
            var targets: [String] = []
            while scanner.skip(behind: UInt8(ascii: "<")) {
                guard let target = scanner.text(before: UInt8(ascii: ">")) else { break }
                let parameters = scanner.text(before: UInt8(ascii: "<"), keeping: true) ?? scanner.rest
                let isMeant = parameters.split(whereSeparator: { ";,".contains($0) }).contains { parameter in
                    let parts = parameter.split(separator: "=", maxSplits: 1)
                    guard parts.count == 2, trimmed(parts[0]).lowercased() == "rel" else { return false }
                    return names(relation, in: trimmed(parts[1]).filter { $0 != "\"" })
                }
                if isMeant { targets.append(target) }
            }
            return targets
        }
    }

    /// Whether a relation is among the words of `rel`, in letters of either case.
    package static func names(_ relation: String, in relations: some StringProtocol) -> Bool {
        relations.split(whereSeparator: \.isWhitespace).contains { $0.lowercased() == relation }
    }

    private static func trimmed(_ text: Substring) -> String { text.filter { !" \t".contains($0) } }
}

/// Reads a field byte by byte.
private struct Scanner {
    var bytes: ArraySlice<UInt8>

    var rest: String { String(decoding: bytes, as: UTF8.self) }

    /// Goes behind the next `byte`; false, and at the end, when there is none.
    mutating func skip(behind byte: UInt8) -> Bool {
        guard let index = bytes.firstIndex(of: byte) else {
            bytes = []
            return false
        }
        bytes = bytes[(index + 1)...]
        return true
    }

    /// The text in front of the next `byte`, and goes behind it, or to it; nil when there is none.
    mutating func text(before byte: UInt8, keeping: Bool = false) -> String? {
        guard let index = bytes.firstIndex(of: byte) else { return nil }
        defer { bytes = bytes[(keeping ? index : index + 1)...] }
        return String(decoding: bytes[..<index], as: UTF8.self)
    }
}
