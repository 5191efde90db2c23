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
