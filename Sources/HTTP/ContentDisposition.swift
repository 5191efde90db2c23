/// A `Content-Disposition` of a form's part or of a download (RFC 6266, RFC 7578 section 4.2).
package struct ContentDisposition: Sendable, Equatable, CustomStringConvertible {
    /// `form-data`, `attachment` or `inline`, in small letters.
    package let kind: String
    /// The form field's name.
    package let name: String?
    /// The file's own name without folders; what a client claims, fit for display only.
    package let filename: String?

    /// Takes the parts as they are.
    package init(kind: String, name: String? = nil, filename: String? = nil) {
        self.kind = kind
        self.name = name
        self.filename = filename
    }

    /// Parses a field value; nil if it does not follow the grammar.
    ///
    /// `filename*` wins over `filename` (RFC 6266, section 4.3); one in another charset than UTF-8 is ignored.
    package init?(_ fieldValue: String) {
        var scanner = FieldScanner(fieldValue)
        guard let kind = scanner.token(), let parameters = scanner.parameters(), scanner.isAtEnd else { return nil }
        let value = { (name: String) in parameters.first { $0.name == name }?.value }
        let filename = value("filename*").flatMap(Self.decodeExtended) ?? value("filename")
        self.init(
            kind: kind.lowercased(), name: value("name"), filename: filename.flatMap(Self.lastPathComponent))
    }

    /// The field value; a name that is not ASCII is written as RFC 8187 asks.
    package var description: String {
        var text = kind
        if let name { text += "; " + FieldParameter(name: "name", value: name).serialized }
        if let filename {
            if filename.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
                text += "; " + FieldParameter(name: "filename", value: filename).serialized
            } else {
                text += "; filename*=UTF-8''" + PercentEncoding.encode(filename)
            }
        }
        return text
    }

    /// `UTF-8'en'na%C3%AFve.jpg` (RFC 8187, section 3.2).
    private static func decodeExtended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, equalsIgnoringCase(String(parts[0]), "UTF-8") else { return nil }
        return PercentEncoding.decode(parts[2])
    }

    private static func lastPathComponent(_ name: String) -> String? {
        name.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last.map { String(Substring($0)) }
    }
}
