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

/// The conditional fields of a request (RFC 9110, section 13).
package enum Preconditions {
    /// The decision of the conditions.
    package enum Outcome: Sendable, Equatable {
        /// Perform the method.
        case proceed
        /// Answer 304 without a body.
        case notModified
        /// Answer 412 and change nothing.
        case failed
    }

    /// Evaluates the conditions in the order of section 13.2.2; what concerns ranges is `allowsRange`.
    ///
    /// A tag of the gzip coding of the representation (`EntityTag.coded`) counts as the representation's own in `If-Match`, and
    /// in `If-None-Match` of a client that still accepts gzip.
    ///
    /// - Returns: The decision; `.notModified` only for GET and HEAD.
    /// - Parameters:
    ///   - method: The request's.
    ///   - fields: Those of the request.
    ///   - etag: The present tag, nil if the resource has none.
    ///   - lastModified: When the representation changed last, nil if that is not known.
    ///   - exists: Whether the resource has a present representation; decides `*`.
    package static func evaluate(
        method: HTTPMethod, fields: HTTPFields, etag: EntityTag?, lastModified: HTTPDate? = nil, exists: Bool = true
    ) -> Outcome {
        if let value = fields["If-Match"] {
            let isKnown = matches(value, exists: exists) { candidate in
                etag.map { candidate.matchesStrongly($0) || candidate.matchesStrongly($0.coded(.gzip)) } ?? false
            }
            if !isKnown { return .failed }
        } else if let date = fields["If-Unmodified-Since"].flatMap({ HTTPDate($0) }), let lastModified {
            if lastModified > date { return .failed }
        }
        let reads = method == .get || method == .head
        if let value = fields["If-None-Match"] {
            lazy var takesGzip = !reads || AcceptedCodings(fields["Accept-Encoding"]).preferred == .gzip
            let isKnown = matches(value, exists: exists) { candidate in
                guard let etag else { return false }
                return candidate.matchesWeakly(etag) || candidate.matchesWeakly(etag.coded(.gzip)) && takesGzip
            }
            if isKnown { return reads ? .notModified : .failed }
        } else if reads, let date = fields["If-Modified-Since"].flatMap({ HTTPDate($0) }), let lastModified {
            if lastModified <= date { return .notModified }
        }
        return .proceed
    }

    /// Whether `Range` may be honoured: no `If-Range`, or one that still holds (section 13.1.5).
    ///
    /// A date must be equal to the present one; a weak tag never matches, nor does that of a coding, whose bytes are others.
    package static func allowsRange(fields: HTTPFields, etag: EntityTag?, lastModified: HTTPDate? = nil) -> Bool {
        guard let value = fields["If-Range"] else { return true }
        if let date = HTTPDate(value) { return date == lastModified }
        guard let wanted = EntityTag(parsing: value), let etag else { return false }
        return wanted.matchesStrongly(etag)
    }

    /// Whether a list of tags has this one in it, weak or strong (section 8.8.3.2); `*` names none.
    package static func names(_ fieldValue: String, _ etag: EntityTag) -> Bool {
        var scanner = FieldScanner(fieldValue)
        return holds(&scanner) { $0.matchesWeakly(etag) }
    }

    private static func matches(_ fieldValue: String, exists: Bool, by fits: (EntityTag) -> Bool) -> Bool {
        var scanner = FieldScanner(fieldValue)
        if scanner.skip("*") { return exists && scanner.isAtEnd }
        return exists && holds(&scanner, fits)
    }

    /// Whether one tag of a list fits; what is no tag is skipped.
    private static func holds(_ scanner: inout FieldScanner, _ fits: (EntityTag) -> Bool) -> Bool {
        while !scanner.isAtEnd {
            if let candidate = EntityTag(from: &scanner), fits(candidate) { return true }
            scanner.skipElement()
        }
        return false
    }
}
