/// The name-value pairs of a query or of an `application/x-www-form-urlencoded` body, in order.
///
/// Source: WHATWG URL standard, section 5.
package struct FormFields: Sendable, Equatable {
    /// One pair, decoded.
    package struct Pair: Sendable, Equatable {
        /// Decoded; may be empty.
        package let name: String
        /// Decoded; empty when there was no `=`.
        package let value: String
    }

    /// Every pair in order; a name may come more than once.
    package private(set) var pairs: [Pair] = []

    /// Makes an empty list.
    package init() {}

    /// Parses a query without its `?`, or a form body; nil for a bad escape, text that is not UTF-8, or too many pairs.
    ///
    /// - Parameters:
    ///   - text: `a=1&b=two+words`; a pair without `=` has an empty value.
    ///   - limit: The greatest number of pairs.
    package init?(_ text: String, limit: Int = 1000) {
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map(Substring.init)
            guard pairs.count < limit,
                let name = PercentEncoding.decode(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decode(parts.count == 2 ? parts[1] : "", plusIsSpace: true)
            else { return nil }
            pairs.append(Pair(name: name, value: value))
        }
    }

    /// Parses the bytes of a form body, as `init(_: String)` does.
    package init?(_ body: [UInt8], limit: Int = 1000) {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        self.init(text, limit: limit)
    }

    /// The first value of a name, or nil.
    package subscript(name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }

    /// Every value of a name.
    package func values(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.map(\.value)
    }

    /// Appends a pair.
    package mutating func add(_ name: String, _ value: String) {
        pairs.append(Pair(name: name, value: value))
    }

    /// The pairs as a query or a form body; a space is `%20`, which every decoder of either form reads.
    package var encoded: String {
        pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// An address with these pairs behind the parameters that it has; it has no fragment.
    package func added(to address: String) -> String {
        pairs.isEmpty ? address : "\(address)\(address.contains("?") ? "&" : "?")\(encoded)"
    }
}

extension FormFields: ExpressibleByDictionaryLiteral {
    /// Adds the pairs in their order.
    package init(dictionaryLiteral pairs: (String, String)...) {
        for (name, value) in pairs { add(name, value) }
    }
}
