package import HTTP
internal import Logging

/// Turns whatever a handler did not answer into problem details.
struct Responder: Sendable {
    let problem: @Sendable (any Error, HTTPRequest) -> ProblemDetails
    let logger: Logger

    func response(to error: any Error, of request: HTTPRequest) -> HTTPResponse {
        switch error {
        case let error as RateLimitExceeded: return error.response
        case BodyError.tooLarge: return HTTPResponse(.bodyTooLarge)
        case BodyError.incomplete: return HTTPResponse(.bodyIncomplete)
        case BodyError.malformed: return HTTPResponse(.bodyMalformed)
        case BodyError.tooSlow: return HTTPResponse(.tooSlow)
        case BodyError.cancelled, is CancellationError: return HTTPResponse(.handlerTooSlow)
        default:
            let problem = problem(error, request)
            if problem.status.code >= 500 {
                logger.error(
                    "request failed", ["request": request.id, "path": request.path, "error": logText(of: error)])
            }
            return .problem(problem)
        }
    }
}

extension RequestFault {
    var problem: ProblemDetails {
        ProblemDetails(type: "/problems/\(slug)", status: HTTPStatus(code: status), title: title, detail: detail)
    }
}

extension HTTPResponse {
    init(_ fault: RequestFault, fields: HTTPFields = [:]) {
        self = .problem(fault.problem)
        for field in fields { self.fields.add(field.name, field.value) }
    }
}

/// Pages for people who open an address in a browser, where programs get problem details.
///
/// A client that likes HTML better than JSON gets one. A refusal before the fields were read stays as it is.
package struct ProblemPages: Sendable {
    /// Below this path everybody is a program: `/v1`.
    let programs: String
    let page: @Sendable (HTTPStatus, _ acceptLanguage: String?) -> HTTPResponse

    /// Takes the path of programs, without a slash at its end, and what makes the page for a status and the reader's
    /// `Accept-Language`. Fields of the problem that the page does not have, such as `Allow`, are added to it.
    package init(
        except programs: String, page: @escaping @Sendable (HTTPStatus, _ acceptLanguage: String?) -> HTTPResponse
    ) {
        self.programs = programs
        self.page = page
    }

    /// The response that the reader of a problem gets.
    func response(_ problem: HTTPResponse, _ exchange: Exchange) -> HTTPResponse {
        guard !exchange.path.isWithin(programs) else { return problem }
        var problem = problem
        problem.fields.vary(by: "Accept")
        guard let negotiationFields = exchange.negotiationFields, negotiationFields.mentions.contains(.accept),
            AcceptedTypes(negotiationFields["Accept"]).best(of: [.json, .problemJSON, .html]) == .html
        else { return problem }
        var page = page(problem.status, negotiationFields["Accept-Language"])
        page.fields.addMissing(problem.fields)
        return page
    }
}

/// Problems that the server tells itself, in the form of a protocol that has one of its own below a path.
package struct ProblemForm: Sendable {
    let path: String
    let response: @Sendable (_ problem: HTTPResponse) -> HTTPResponse

    /// Takes the path, without a slash at its end, and what makes the response of a problem. Fields of the problem that the response does not
    /// have, such as `Allow`, are added to it.
    package init(below path: String, _ response: @escaping @Sendable (_ problem: HTTPResponse) -> HTTPResponse) {
        (self.path, self.response) = (path, response)
    }
}

extension String {
    /// Whether this path is `other`, or goes on behind it with a slash.
    func isWithin(_ other: String) -> Bool {
        hasPrefix(other)
            && (utf8.count == other.utf8.count || utf8.dropFirst(other.utf8.count).first == UInt8(ascii: "/"))
    }
}

extension LoopContext {
    /// The response that goes out: a problem in the form that the client prefers.
    func presented(_ response: HTTPResponse, _ exchange: Exchange) -> HTTPResponse {
        guard response.status.code >= 400, response.fields["Content-Type"] == MediaType.problemJSON.description else {
            return response
        }
        if let form = problemForms.first(where: { exchange.path.isWithin($0.path) }) {
            var told = form.response(response)
            told.fields.addMissing(response.fields)
            return told
        }
        return problemPages?.response(response, exchange) ?? response
    }
}

/// The server's additions to a handler's response, decided once, before the head is written.
struct ResponseDecorations {
    /// The body in gzip, which is sent instead of the handler's.
    var gzipped: [UInt8]?
    /// Whether the strong tag is that of the copy in gzip (RFC 9110, section 8.8.3.3).
    var hasCodedTag = false
    /// The fields that `Vary` has to name beside those of the handler.
    var variation: Variation = []
    /// Whole lines for pages of other origins.
    var corsLines: [UInt8] = []

    struct Variation: OptionSet {
        let rawValue: UInt8
        static let coding = Variation(rawValue: 1)
        static let origin = Variation(rawValue: 2)
    }
}

extension LoopContext {
    /// Decides what the server adds to a response. Nothing is looked for that the request did not bring.
    func decorations(to response: HTTPResponse, _ exchange: Exchange) -> ResponseDecorations {
        var decorations = ResponseDecorations()
        for cors in cors { cors.add(to: &decorations, exchange) }
        switch response.body {
        case _ where response.status.code == 304: codeNotModified(response, exchange, &decorations)
        case .bytes(let bytes) where bytes.count >= Compression.sizes.lowerBound:
            code(bytes, of: response, exchange, &decorations)
        default: break
        }
        return decorations
    }

    private func code(
        _ bytes: [UInt8], of response: HTTPResponse, _ exchange: Exchange, _ decorations: inout ResponseDecorations
    ) {
        // A part is one of the uncoded bytes.
        guard response.allowsBody, response.status != .partialContent, Compression.isOffered(response) else { return }
        decorations.variation.insert(.coding)
        guard exchange.prefersGzip else { return }
        func encode() -> [UInt8]? { gzip?.encode(bytes) }
        decorations.gzipped = response.gzipped.map { $0.bytes(encode) } ?? encode()
        decorations.hasCodedTag = decorations.gzipped != nil
    }

    /// 304 says what 200 would have said (RFC 9110, section 15.4.5), and names a copy that the client has.
    private func codeNotModified(
        _ response: HTTPResponse, _ exchange: Exchange, _ decorations: inout ResponseDecorations
    ) {
        // A handler that has made no body may have meant any that its fields allow.
        var isOffered = Compression.isOffered(response)
        if case .empty = response.body { isOffered = Compression.isOffered(response.fields, type: true) }
        guard isOffered else { return }
        decorations.variation.insert(.coding)
        guard exchange.prefersGzip else { return }
        let known = exchange.negotiationFields?["If-None-Match"]
        let tag = response.fields["ETag"].flatMap { EntityTag(parsing: $0) }
        // By a date alone it is the copy that 200 would have had; of a body that nobody knows, the one that has no coding.
        guard let known, let tag, known != "*" else { return decorations.hasCodedTag = Compression.isOffered(response) }
        decorations.hasCodedTag = Preconditions.names(known, tag.coded(.gzip))
    }
}

extension Exchange {
    /// Whether the client likes gzip better than the bytes as they are.
    fileprivate var prefersGzip: Bool {
        guard let negotiationFields, negotiationFields.mentions.contains(.acceptEncoding) else { return false }
        return AcceptedCodings(negotiationFields["Accept-Encoding"]).preferred == .gzip
    }
}
