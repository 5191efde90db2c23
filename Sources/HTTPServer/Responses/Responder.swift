internal import HTTP
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
