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
        // What weighs nothing is refused (RFC 9110, section 12.4.2).
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
