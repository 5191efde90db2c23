internal import Domain
internal import FoundationEssentials
internal import HTTP

/// Sends requests to one service and sorts what goes wrong, the same way for every service.
///
/// A service's own table of errors comes first and falls back on `failure(_:_:)`.
struct ServiceClient: Sendable {
    /// As people write it.
    let service: String
    let transport: any Transport
    let now: @Sendable () -> Date

    /// Sends a request and returns whatever answer comes.
    ///
    /// - Throws: Why there is none: for a publishing request `.unknownOutcome` as soon as the service may have acted.
    func response(
        to request: OutgoingRequest, _ role: RequestRole = .preparing
    ) async throws(SubmissionError) -> IncomingResponse {
        do throws(TransportError) {
            return try await transport.send(request)
        } catch {
            throw failure(error, role)
        }
    }

    /// Reads a JSON answer; one that makes no sense is an unclear outcome.
    func json(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: response.body)
        } catch {
            throw malformed(response, role)
        }
    }

    /// The error of a response without the documented members.
    func malformed(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        unclear(problem(.unreadableResponse, response), role)
    }

    /// The error for an unreadable response that should hold secrets. Nothing of it is stored.
    var unreadable: SubmissionError { unreadable(.preparing) }

    /// The same for a request of this role.
    func unreadable(_ role: RequestRole) -> SubmissionError {
        unclear(SubmissionProblem(problem(.unreadableResponse)), role)
    }

    /// The error of a missing response.
    func failure(_ error: TransportError, _ role: RequestRole) -> SubmissionError {
        switch error {
        case .notSent:
            .temporary(problem(.unreachable, error), retryAfter: nil)
        case .unanswered where role == .preparing:
            // In the words of a refused connection: nobody learns here which ports of a server are open.
            .temporary(problem(.unreachable, error), retryAfter: nil)
        case .unanswered:
            unclear(problem(.noResponse, error), role)
        case .responseTooLarge:
            unclear(problem(.unreadableResponse, error), role)
        case .refusedAddress:
            .rejected(problem(.addressUnusable, error, ProblemParameters(reason: .notPublic)))
        case .cancelled:
            role == .publishing ? .unknownOutcome(problem(.interrupted, error), retryAfter: nil) : .cancelled
        }
    }

    /// The error that a status means where the service does not say otherwise (RFC 9110, section 15; RFC 6585).
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        switch response.status.code {
        case 200..<300:
            malformed(response, role)
        case 300..<400:
            .rejected(problem(.addressUnusable, response, ProblemParameters(reason: .redirected)))
        case 401:
            refusedCredentials(response)
        case 403 where response.isPage:
            turnedAway(response, role)
        case 403:
            .unauthorized(problem(.permissionDenied, response))
        case 404, 410:
            .gone(problem(.notFound, response))
        case 408, 500...:
            serverError(response, role)
        case 409:
            unclear(problem(.busy, response), role, retryAfter: response.pause(now()))
        case 413:
            .rejected(problem(.fileTooLarge, response))
        case 415:
            .rejected(problem(.unsupportedType, response))
        case 425:
            .temporary(problem(.busy, response), retryAfter: response.pause(now()))
        case 429:
            limited(.rateLimited, .account, until: response.limitEnd(now()), response)
        default:
            refusedPost(response)
        }
    }

    /// The service does not know the credentials, or knows them no more.
    func refusedCredentials(_ response: IncomingResponse) -> SubmissionError {
        .unauthorized(problem(.credentialsRefused, response))
    }

    /// The service refuses the photo, its text, or what was entered to connect an account.
    func refusedPost(_ response: IncomingResponse) -> SubmissionError {
        .rejected(problem(.postRefused, response))
    }

    /// The service is in trouble, whatever was asked of it.
    func serverError(_ response: IncomingResponse, _ role: RequestRole) -> SubmissionError {
        unclear(
            problem(.serverError, response), role,
            retryAfter: response.pause(now()))
    }

    /// A 403 of whatever stands in front of the service, such as a CDN or a firewall: it says nothing of the account
    /// (pixelfed/pixelfed issue 5566).
    func turnedAway(_ response: IncomingResponse, _ role: RequestRole) -> SubmissionError {
        unclear(problem(.blockedByFirewall, response), role)
    }

    /// Nothing was published, unless the request was to publish: then nobody knows.
    func unclear(_ problem: SubmissionProblem, _ role: RequestRole, retryAfter: Duration? = nil) -> SubmissionError {
        switch role {
        case .preparing: .temporary(problem, retryAfter: retryAfter)
        case .publishing: .unknownOutcome(problem, retryAfter: retryAfter)
        }
    }

    /// A limit is used up. People are told when Pics goes on, where the service says so.
    func limited(
        _ code: ProblemCode, _ scope: LimitScope, until end: Date?, _ response: IncomingResponse
    ) -> SubmissionError {
        .limited(
            problem(code, response, ProblemParameters(until: end, scope: scope == .app ? .app : .account)), scope,
            until: end)
    }

    /// A problem with what the service wrote, for operators.
    func problem(
        _ code: ProblemCode, _ response: IncomingResponse, _ parameters: ProblemParameters = ProblemParameters()
    ) -> SubmissionProblem {
        var parameters = parameters
        // Some services say with 200 what went wrong.
        if [.serverError, .postRefused].contains(code), response.status.code >= 400 {
            parameters.status = response.status.code
        }
        let detail = String(decoding: response.body.prefix(SubmissionProblem.maximumDetailBytes), as: UTF8.self)
        return SubmissionProblem(
            problem(code, parameters), status: response.status.code, detail: detail.isEmpty ? nil : detail)
    }

    /// A problem with this service, without a response.
    func problem(_ code: ProblemCode, _ parameters: ProblemParameters = ProblemParameters()) -> Problem {
        var parameters = parameters
        parameters.service = service
        return Problem(code, parameters)
    }

    private func problem(
        _ code: ProblemCode, _ error: TransportError, _ parameters: ProblemParameters = ProblemParameters()
    ) -> SubmissionProblem {
        SubmissionProblem(
            problem(code, parameters), detail: error.description, isUnreachable: error.isUnreachable)
    }
}

extension ServiceClient {
    /// For requests that carry little.
    static let timeout = Duration.seconds(60)

    /// For a request that carries so many bytes.
    static func timeout(uploading bytes: Int64) -> Duration { OutgoingRequest.timeout(carrying: bytes) }
}

/// Whether a request may publish: it decides what a lost or unclear response means.
enum RequestRole: Sendable {
    /// Reads or prepares; sending it again does no harm.
    case preparing
    /// May make the photo public; sending it again may do so twice.
    case publishing
}
