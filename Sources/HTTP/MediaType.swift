/// A media type such as `multipart/form-data; boundary=x` (RFC 9110, section 8.3.1).
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// The part before the slash, in small letters.
    package let type: String
    /// The part after the slash, in small letters.
    package let subtype: String
    /// In the order they were written.
    package let parameters: [FieldParameter]

    /// Takes the parts as they are; `type` and `subtype` in small letters.
    package init(type: String, subtype: String, parameters: [FieldParameter] = []) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
    }

    /// Parses a `Content-Type`; nil if it does not follow the grammar.
    package init?(_ fieldValue: String) {
        var scanner = FieldScanner(fieldValue)
        self.init(from: &scanner)
        guard scanner.isAtEnd else { return nil }
    }

    init?(from scanner: inout FieldScanner) {
        guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token(),
            let parameters = scanner.parameters()
        else { return nil }
        self.init(type: type.lowercased(), subtype: subtype.lowercased(), parameters: parameters)
    }

    /// `type/subtype` without parameters.
    package var essence: String { "\(type)/\(subtype)" }

    /// The value of a parameter named in small letters, or nil.
    package func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    package var description: String {
        parameters.isEmpty ? essence : essence + parameters.map { "; \($0.serialized)" }.joined()
    }

    package static let json = MediaType(type: "application", subtype: "json")
    package static let problemJSON = MediaType(type: "application", subtype: "problem+json")
    package static let html = MediaType(
        type: "text", subtype: "html", parameters: [FieldParameter(name: "charset", value: "utf-8")])
    package static let plainText = MediaType(
        type: "text", subtype: "plain", parameters: [FieldParameter(name: "charset", value: "utf-8")])
    package static let form = MediaType(type: "application", subtype: "x-www-form-urlencoded")
    package static let octetStream = MediaType(type: "application", subtype: "octet-stream")
    package static let eventStream = MediaType(type: "text", subtype: "event-stream")
}
