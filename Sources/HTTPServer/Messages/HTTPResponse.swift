package import HTTP

/// The response to a request.
///
/// The server adds `Date`, `X-HTTPRequest-ID`, and what frames the body: `Content-Length`, `Transfer-Encoding` and `ServedConnection` of
/// `fields` are not sent. To HEAD it sends the same head without the body.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var fields: HTTPFields
    package var body: ResponseBody
    /// Fields behind the body (RFC 9110, section 6.5): sent over HTTP/2 alone, and then without a `Content-Length`. A client
    /// of HTTP/1.1, and one that gets no body, does without them.
    package var trailers: HTTPFields

    /// Takes the parts as they are.
    package init(
        _ status: HTTPStatus, fields: HTTPFields = [:], body: ResponseBody = .empty, trailers: HTTPFields = [:]
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.trailers = trailers
    }
}

extension HTTPResponse {
    /// A JSON body (RFC 8259).
    package static func json(_ value: JSONValue, status: HTTPStatus = .ok, fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status, type: "application/json", fields, .bytes(value.serialized))
    }

    /// A plain text in UTF-8.
    package static func text(_ text: String, status: HTTPStatus = .ok, fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status, type: "text/plain; charset=utf-8", fields, .bytes(Array(text.utf8)))
    }

    /// An HTML page in UTF-8.
    package static func html(_ page: String, status: HTTPStatus = .ok, fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status, type: "text/html; charset=utf-8", fields, .bytes(Array(page.utf8)))
    }

    /// Problem details (RFC 9457), with `Retry-After` when the problem has a pause.
    package static func problem(_ problem: ProblemDetails) -> HTTPResponse {
        HTTPResponse(problem.status, fields: problem.fields, body: .bytes(problem.body))
    }

    /// Sends the client elsewhere; the caller has made sure that `location` is meant.
    package static func redirect(to location: String, status: HTTPStatus = .found) -> HTTPResponse {
        HTTPResponse(status, fields: ["Location": location])
    }

    /// A response without a body.
    package static let noContent = HTTPResponse(.noContent)

    private init(_ status: HTTPStatus, type: String, _ fields: HTTPFields, _ body: ResponseBody) {
        self.init(status, fields: fields, body: body)
        if !fields.contains("Content-Type") { self.fields.add("Content-Type", type) }
    }
}
