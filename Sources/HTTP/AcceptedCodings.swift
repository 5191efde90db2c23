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
