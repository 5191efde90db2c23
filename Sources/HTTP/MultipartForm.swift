/// Builds a `multipart/form-data` body for an outgoing request (RFC 7578).
///
/// File parts are only named; whoever sends the body reads them.
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

    /// What the HTML standard does to names ("Multipart form data").
    private func escaped(_ name: String) -> String {
        PercentEncoding.encode(name, only: "\"\r\n")
    }
}
