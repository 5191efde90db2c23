/// The media types a client accepts, with their weights (RFC 9110, section 12.5.1).
package struct AcceptedTypes: Sendable {
    private let ranges: [(type: MediaType, weight: Double)]

    /// Reads an `Accept` field; malformed elements are ignored, and no usable element means anything is accepted.
    package init(_ fieldValue: String?) {
        var ranges: [(MediaType, Double)] = []
        var scanner = FieldScanner(fieldValue ?? "")
        while !scanner.isAtEnd {
            if let range = MediaType(from: &scanner) {
                let weight = range.parameter("q").map(Self.weight) ?? 1
                let parameters = range.parameters.prefix { $0.name != "q" }
                ranges.append(
                    (
                        MediaType(type: range.type, subtype: range.subtype, parameters: Array(parameters)),
                        min(max(weight, 0), 1)
                    ))
            }
            scanner.skipElement()
        }
        self.ranges = ranges
    }

    /// The offered type with the greatest weight, the earlier one of equals; nil if none is acceptable (406).
    package func best(of offers: [MediaType]) -> MediaType? {
        var best: (type: MediaType, weight: Double)?
        for offer in offers {
            let weight = weight(of: offer)
            if weight > best?.weight ?? 0 { best = (offer, weight) }
        }
        return best?.type
    }

    /// The weight of one type from 0 (refused) to 1: the most specific range that matches decides.
    package func weight(of type: MediaType) -> Double {
        guard !ranges.isEmpty else { return 1 }
        let matches = ranges.compactMap { range in
            specificity(of: range.type, for: type).map { (specificity: $0, weight: range.weight) }
        }
        return matches.max { $0.specificity < $1.specificity }?.weight ?? 0
    }

    /// Digits with a dot among them; 0 for anything else, such as the "nan" that `Double` reads.
    private static func weight(_ text: String) -> Double {
        let isDecimal = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return isDecimal ? Double(text) ?? 0 : 0
    }

    private func specificity(of range: MediaType, for type: MediaType) -> Int? {
        if range.type == "*" { return range.subtype == "*" ? 0 : nil }
        guard range.type == type.type else { return nil }
        if range.subtype == "*" { return 1 }
        guard range.subtype == type.subtype,
            range.parameters.allSatisfy({ equalsIgnoringCase(type.parameter($0.name) ?? "", $0.value) })
        else { return nil }
        return 2 + range.parameters.count
    }
}

/// The languages a client's person reads, with their weights (RFC 9110, section 12.5.4).
package struct AcceptedLanguages: Sendable {
    private struct Range {
        /// Its subtags in small letters, such as `["ja", "jp"]`; `["*"]` is any language that no other range names.
        let subtags: [Substring]
        let weight: Double

        var isAny: Bool { subtags == ["*"] }

        /// Whether the range, shortened from its end, becomes the tag (RFC 4647, section 3.4).
        func leads(to tag: [Substring]) -> Bool { subtags.starts(with: tag) }
    }

    private static let rangeLimit = 32

    /// The heaviest first, as they came where they weigh the same.
    private let ranges: [Range]

    /// Reads an `Accept-Language` field. Malformed elements are ignored, as is what comes after 32 of them.
    package init(_ fieldValue: String?) {
        var ranges: [Range] = []
        var scanner = FieldScanner(fieldValue ?? "")
        while !scanner.isAtEnd, ranges.count < Self.rangeLimit {
            if let tag = scanner.token(), let parameters = scanner.parameters() {
                let weight = parameters.first { $0.name == "q" }.map { Self.weight($0.value) } ?? 1
                ranges.append(Range(subtags: Self.subtags(tag), weight: weight))
            }
            scanner.skipElement()
        }
        // An index breaks ties, since the sort of the standard library promises no order among equals.
        self.ranges = ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
    }

    /// The offered language that is looked up (RFC 4647, section 3.4): for the heaviest range the tag that remains when
    /// subtags are taken from its end, else for the next; nil when no range leads to one. Offers are language tags such as
    /// `en`; the earlier one is given for `*`.
    package func lookUp(_ offers: [String]) -> String? {
        let tags = offers.map(Self.subtags)
        // A weight of 0 means refused (RFC 9110, section 12.4.2).
        let refused = tags.map { tag in ranges.contains { $0.weight == 0 && $0.subtags == tag } }
        for range in ranges where range.weight > 0 {
            let found = tags.indices.filter { index in
                if refused[index] { return false }
                guard range.isAny else { return range.leads(to: tags[index]) }
                return !ranges.contains { !$0.isAny && $0.leads(to: tags[index]) }
            }
            // The longest tag has lost the fewest subtags.
            if let best = found.max(by: { (tags[$0].count, $1) < (tags[$1].count, $0) }) { return offers[best] }
        }
        return nil
    }

    private static func subtags(_ tag: String) -> [Substring] { tag.lowercased().split(separator: "-") }

    /// Three digits at most (section 12.4.2); what is none counts as a refusal.
    private static func weight(_ text: String) -> Double {
        guard text.utf8.count <= 5, let weight = Double(text), weight >= 0 else { return 0 }
        return min(weight, 1)
    }
}

/// How the bytes of a representation are coded (RFC 9110, section 8.4.1). The raw value is the name in the fields.
package enum ContentCoding: String, Sendable {
    /// As they are.
    case identity
    /// Compressed (RFC 1952).
    case gzip
}

/// The content codings a client accepts, with their weights (RFC 9110, section 12.5.3).
package struct AcceptedCodings: Sendable, Equatable {
    /// From 0 to 1; nil for what was not named.
    private var gzip: Double?
    private var identity: Double?
    private var others: Double?

    /// Reads an `Accept-Encoding` field. Without one, or when nothing in it can be read, only `identity` is accepted: the
    /// client may know nothing else.
    package init(_ fieldValue: String?) {
        var scanner = FieldScanner(fieldValue ?? "")
        while !scanner.isAtEnd {
            if let name = scanner.token(), let parameters = scanner.parameters() {
                let weight = parameters.first { $0.name == "q" }.map { Self.weight($0.value) } ?? 1
                switch name.lowercased() {
                // Section 8.4.1.3: the old name means the same.
                case "gzip", "x-gzip": gzip = weight
                case "identity": identity = weight
                case "*": others = weight
                default: break
                }
            }
            scanner.skipElement()
        }
    }

    /// Whether the client takes the coding. `identity` is accepted until it is refused by name or by `*`.
    package func accepts(_ coding: ContentCoding) -> Bool {
        switch coding {
        case .identity: identity ?? others ?? 1 > 0
        case .gzip: gzip ?? others ?? 0 > 0
        }
    }

    /// `gzip` if the client accepts it and does not like `identity` better; else `identity`, also when that was refused: the
    /// refusal is then disregarded (section 12.4.1).
    package var preferred: ContentCoding {
        accepts(.gzip) && gzip ?? others ?? 0 >= identity ?? others ?? 0 ? .gzip : .identity
    }

    /// A weight of three digits at most (section 12.4.2); what is none counts as a refusal.
    private static func weight(_ text: String) -> Double {
        guard text.utf8.count <= 5, let weight = Double(text), weight >= 0 else { return 0 }
        return min(weight, 1)
    }
}
