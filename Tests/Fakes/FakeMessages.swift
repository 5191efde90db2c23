package import HTTP

/// A whole request, as a fake sees it.
package struct FakeRequest: Sendable {
    package let method: HTTPMethod
    /// `http://127.0.0.1:9101`: where the client believes to be.
    package let origin: String
    /// Percent-encoded, without the query.
    package let path: String
    /// Percent-encoded, without the `?`.
    package let query: String
    package let fields: HTTPFields
    package let body: [UInt8]

    package init(
        method: HTTPMethod, origin: String, path: String, query: String, fields: HTTPFields, body: [UInt8]
    ) {
        self.method = method
        self.origin = origin
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
    }

    /// Without parameters; nil when there is none.
    var contentType: String? { fields["Content-Type"].flatMap { MediaType($0) }?.essence }

    /// The body as JSON; nil when it is not sent as JSON, or is none.
    var json: JSONValue? {
        guard contentType == "application/json" else { return nil }
        return try? JSONValue(parsing: body)
    }

    /// The parts of a multipart form by name, of several of a name the last; nil when the body is none.
    var form: [String: FormPart]? {
        formParts.map { parts in Dictionary(parts.map { ($0.name, $0) }) { _, last in last } }
    }

    /// The parts of a multipart form in their order; nil when the body is none.
    var formParts: [FormPart]? {
        guard let type = fields["Content-Type"].flatMap({ MediaType($0) }), type.essence == "multipart/form-data",
            var parser = try? MultipartParser(mediaType: type), let events = try? parser.feed(body[...]),
            (try? parser.finish()) != nil
        else { return nil }
        var parts: [FormPart] = []
        var current = FormPart(name: "", filename: nil, mediaType: nil, bytes: [])
        for event in events {
            switch event {
            case .partBegin(let headers):
                current = FormPart(
                    name: headers.name, filename: headers.filename, mediaType: headers.mediaType?.essence, bytes: [])
            case .bytes(let bytes): current.bytes += bytes
            case .partEnd: parts.append(current)
            case .end: break
            }
        }
        return parts
    }
}

/// One part of a multipart form.
struct FormPart: Sendable {
    let name: String
    let filename: String?
    let mediaType: String?
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A whole answer.
package struct FakeAnswer: Sendable, Equatable {
    package var status: HTTPStatus
    package var fields: HTTPFields
    package var body: [UInt8]
    /// The trailer fields, sent after the body to HTTP/2 clients.
    package var trailers: HTTPFields

    package init(
        _ status: HTTPStatus, fields: HTTPFields = [:], body: [UInt8] = [], trailers: HTTPFields = [:]
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.trailers = trailers
    }

    package static func json(_ value: JSONValue, _ status: HTTPStatus = .ok) -> FakeAnswer {
        FakeAnswer(status, fields: ["Content-Type": "application/json; charset=utf-8"], body: value.serialized)
    }
}
