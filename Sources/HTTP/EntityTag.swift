/// A validator of a representation (RFC 9110, section 8.8.3).
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotes.
    package let opaque: String
    /// Whether equal tags promise only equal meaning, not equal bytes.
    package let isWeak: Bool

    /// Takes visible ASCII without quotes, such as a hash in hex.
    package init(_ opaque: String, weak isWeak: Bool = false) {
        assert(opaque.utf8.allSatisfy(Self.isTagByte), "not an entity tag: \(opaque)")
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// Parses one entity tag; nil if it does not follow the grammar.
    package init?(parsing fieldValue: String) {
        var scanner = FieldScanner(fieldValue)
        self.init(from: &scanner)
        guard scanner.isAtEnd else { return nil }
    }

    init?(from scanner: inout FieldScanner) {
        var isWeak = false
        if scanner.skip("W") {
            guard scanner.skip("/") else { return nil }
            isWeak = true
        }
        guard scanner.skip("\"") else { return nil }
        let opaque = scanner.run(while: Self.isTagByte) ?? ""
        guard scanner.skip("\"") else { return nil }
        self.init(opaque, weak: isWeak)
    }

    /// Equal and both strong: for `If-Match` and `If-Range`.
    package func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Equal whether weak or not: for `If-None-Match`.
    package func matchesWeakly(_ other: EntityTag) -> Bool {
        opaque == other.opaque
    }

    /// The tag of the same representation in `coding`: other bytes need another strong tag (RFC 9110, section 8.8.3.3), which
    /// has the coding's name behind a hyphen. A weak tag stands for every coding.
    package func coded(_ coding: ContentCoding) -> EntityTag {
        isWeak || coding == .identity ? self : EntityTag("\(opaque)-\(coding.rawValue)")
    }

    package var description: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }

    private static func isTagByte(_ byte: UInt8) -> Bool {
        byte == 0x21 || (0x23...0x7E) ~= byte || byte >= 0x80
    }
}
