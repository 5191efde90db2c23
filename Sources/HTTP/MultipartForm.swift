/// Builds a `multipart/form-data` body for an outgoing request (RFC 7578).
///
/// File parts are only named; the sender of the body reads them.
package struct MultipartForm: Sendable {
    /// Stands between the parts.
    package let boundary: String
    private var parts: [BodyPart] = []
    private var open: [UInt8] = []

    /// Begins an empty form; the boundary is random, so no file can hold it but by a miracle.
    package init() {
        self.init(
            boundary: "pics-" + String(UInt64.random(in: 0...(.max)), radix: 36)
                + String(UInt64.random(in: 0...(.max)), radix: 36))
    }

    /// Begins an empty form with a boundary that stands nowhere in the parts.
    package init(boundary: String) {
        self.boundary = boundary
    }

    /// Adds a field with a text.
    package mutating func add(_ name: String, _ value: String) {
        begin("form-data; name=\"\(escaped(name))\"", nil)
        open += value.utf8
        open += "\r\n".utf8
    }

    /// Adds a field that is no file, with a type of its own (RFC 7578, section 4.4).
    package mutating func add(_ name: String, mediaType: MediaType, _ content: [UInt8]) {
        begin("form-data; name=\"\(escaped(name))\"", mediaType)
        open += content
        open += "\r\n".utf8
    }

    /// Adds a field with a file's content.
    package mutating func add(_ name: String, filename: String, mediaType: MediaType, _ content: BodyPart) {
        begin("form-data; name=\"\(escaped(name))\"; filename=\"\(escaped(filename))\"", mediaType)
        switch content {
        case .bytes(let bytes):
            open += bytes
        case .file:
            parts += [.bytes(open), content]
            open = []
        }
        open += "\r\n".utf8
    }

    /// The value of `Content-Type`.
    package var mediaType: MediaType {
        MediaType(
            type: "multipart", subtype: "form-data", parameters: [FieldParameter(name: "boundary", value: boundary)])
    }

    /// The whole body.
    package var body: OutgoingBody {
        .parts(parts + [.bytes(open + Array("--\(boundary)--\r\n".utf8))])
    }

    private mutating func begin(_ disposition: String, _ mediaType: MediaType?) {
        open += "--\(boundary)\r\nContent-Disposition: \(disposition)\r\n".utf8
        if let mediaType { open += "Content-Type: \(mediaType)\r\n".utf8 }
        open += "\r\n".utf8
    }

    /// The escapes of the HTML standard for names ("Multipart form data").
    private func escaped(_ name: String) -> String {
        PercentEncoding.encode(name, only: "\"\r\n")
    }
}

/// The facts of a form's part in its header lines.
package struct PartHeaders: Sendable, Equatable {
    /// The form field.
    package let name: String
    /// The client's name of the file, without folders; nil for a plain field.
    package let filename: String?
    /// The media type that the client claims; not to be trusted. Nil if absent or malformed.
    package let mediaType: MediaType?
    /// Every header line of the part.
    package let fields: HTTPFields

    /// Parses header lines that end with an empty one.
    ///
    /// - Throws: `.malformedHeader`, `.missingName` or `.encodedPart`.
    init(parsing bytes: [UInt8]) throws(MultipartError) {
        var fields = HTTPFields()
        // Line ends are CR LF; with them gone, no control character but a tab may be left.
        let lines = bytes.dropLast(2).split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        for line in lines {
            guard line.last == 0x0D, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedHeader }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = line[(colon + 1)...].dropLast()
            guard isToken(name), value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .malformedHeader
            }
            fields.add(name, trimmed(value))
        }
        guard let value = fields["Content-Disposition"] else { throw .missingName }
        guard let disposition = ContentDisposition(value) else { throw .malformedHeader }
        guard disposition.kind == "form-data", let name = disposition.name else { throw .missingName }
        let encoding = fields["Content-Transfer-Encoding"]?.lowercased() ?? "binary"
        guard ["binary", "8bit", "7bit"].contains(encoding) else { throw .encodedPart }
        self.name = name
        self.filename = disposition.filename
        self.mediaType = fields["Content-Type"].flatMap { MediaType($0) }
        self.fields = fields
    }
}

/// Why a form's body cannot be read; the description is for the client.
package enum MultipartError: Error, Equatable, CustomStringConvertible {
    case badBoundary
    case malformedBoundary
    case malformedHeader
    case missingName
    /// A part is in base64 or the like, which RFC 7578 has done away with.
    case encodedPart
    case tooManyParts(limit: Int)
    case headersTooLarge(limit: Int)
    case incomplete

    package var description: String {
        switch self {
        case .badBoundary: "The Content-Type of the form needs a boundary of 1 to 70 allowed characters."
        case .malformedBoundary: "A boundary of the form is not followed by a line end."
        case .malformedHeader: "A part of the form has a header line that cannot be understood."
        case .missingName: "A part of the form has no Content-Disposition: form-data with a name."
        case .encodedPart: "A part of the form has a Content-Transfer-Encoding; send its bytes as they are."
        case .tooManyParts(let limit): "The form has more than \(limit) parts."
        case .headersTooLarge(let limit): "A part of the form has header lines of more than \(limit) bytes."
        case .incomplete: "The form ended before its closing boundary."
        }
    }
}

private func trimmed(_ value: ArraySlice<UInt8>) -> String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var value = value.drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    return String(decoding: value, as: UTF8.self)
}
