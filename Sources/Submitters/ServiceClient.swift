internal import Foundation
internal import HTTP

/// Sends requests to one service and sorts what goes wrong, the same way for every service.
///
/// A service's own table of errors comes first and falls back on `failure(_:_:)`.
struct ServiceClient: Sendable {
    /// As people write it; begins most sentences of a problem.
    let service: String
    let transport: any Transport
    let now: @Sendable () -> Date

    /// Sends a request and returns whatever answer comes.
    ///
    /// - Throws: Why there is none: for a publishing request `.unknownOutcome` as soon as the service may have acted.
    func answer(
        to request: OutgoingRequest, _ role: RequestRole = .preparing
    ) async throws(SubmissionError) -> IncomingResponse {
        do throws(TransportError) {
            return try await transport.send(request)
        } catch {
            throw failure(error, role)
        }
    }

    /// Reads a JSON answer; one that makes no sense is an unclear outcome.
    func json(_ answer: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: answer.body)
        } catch {
            throw malformed(answer, role)
        }
    }

    /// What an answer without the members that were promised means.
    func malformed(_ answer: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        unclear(problem("\(service) gave an answer that Pics does not understand.", answer), role)
    }

    /// What an answer that was to bring secrets means when it cannot be read. Nothing of it is kept: it may hold them.
    var unreadable: SubmissionError {
        .temporary("\(service) gave an answer that Pics does not understand.")
    }

    /// What no answer means.
    func failure(_ error: TransportError, _ role: RequestRole) -> SubmissionError {
        switch error {
        case .notSent:
            .temporary(problem("\(service) cannot be reached.", error), retryAfter: nil)
        case .unanswered where role == .preparing:
            // In the words of a refused connection: nobody learns here which ports of a server are open.
            .temporary(problem("\(service) cannot be reached.", error), retryAfter: nil)
        case .unanswered:
            unclear(problem("\(service) did not answer.", error), role)
        case .responseTooLarge:
            unclear(problem("\(service) gave a far too long answer.", error), role)
        case .refusedAddress:
            .rejected(problem("\(service) is not at a public address, and Pics may not reach others.", error))
        case .cancelled:
            role == .publishing
                ? .unknownOutcome(
                    problem("The request to \(service) was stopped before its answer came.", error), retryAfter: nil)
                : .cancelled
        }
    }

    /// What an answer's status means where the service does not say otherwise (RFC 9110, section 15; RFC 6585).
    func failure(_ answer: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        switch answer.status.code {
        case 200..<300:
            malformed(answer, role)
        case 300..<400:
            .rejected(problem("\(service) sends the request elsewhere; the account's address may be wrong.", answer))
        case 401:
            refusedCredentials(answer)
        case 403 where answer.isPage:
            turnedAway(answer, role)
        case 403:
            .unauthorized(
                problem(
                    "\(service) does not let this account do that; connect it again.",
                    whenConnecting: "\(service) does not let these credentials do what Pics needs.", answer))
        case 404, 410:
            .gone(
                problem(
                    "\(service) no longer has what the account needs.",
                    whenConnecting: "\(service) has nothing for Pics at this address.", answer))
        case 408, 500...:
            unclear(problem("\(service) has trouble of its own.", answer), role, retryAfter: answer.pause(now()))
        case 409:
            unclear(
                problem("\(service) says that the same request is being worked on.", answer), role,
                retryAfter: answer.pause(now()))
        case 413:
            .rejected(problem("\(service) refuses a file of this size.", answer))
        case 415:
            .rejected(problem("\(service) refuses this kind of file.", answer))
        case 425:
            .temporary(problem("\(service) asks to try again.", answer), retryAfter: answer.pause(now()))
        case 429:
            limited(
                "\(service) allows this account no more requests for now", .account, until: answer.limitEnd(now()),
                answer)
        default:
            .rejected(
                problem(
                    "\(service) refuses this photo or its text.",
                    whenConnecting: "\(service) does not accept what was entered.", answer))
        }
    }

    /// The service does not know the credentials, or knows them no more.
    func refusedCredentials(_ answer: IncomingResponse) -> SubmissionError {
        .unauthorized(
            problem(
                "\(service) refuses the credentials; connect the account again.",
                whenConnecting: "\(service) does not accept these credentials.", answer))
    }

    /// A 403 of whatever stands in front of the service, such as a CDN or a firewall: it says nothing of the account
    /// (pixelfed/pixelfed issue 5566).
    func turnedAway(_ answer: IncomingResponse, _ role: RequestRole) -> SubmissionError {
        unclear(problem("A guard in front of \(service) turned the request away.", answer), role)
    }

    /// Nothing was published, unless the request was to publish: then nobody knows.
    func unclear(_ problem: SubmissionProblem, _ role: RequestRole, retryAfter: Duration? = nil) -> SubmissionError {
        switch role {
        case .preparing: .temporary(problem, retryAfter: retryAfter)
        case .publishing: .unknownOutcome(problem, retryAfter: retryAfter)
        }
    }

    /// A limit is used up. People are told `what` it is, and when Pics goes on where the service says so.
    func limited(
        _ what: String, _ scope: LimitScope, until end: Date?, _ answer: IncomingResponse
    ) -> SubmissionError {
        let time = end.map { " after \(Self.minute(of: $0))" } ?? ""
        return .limited(
            problem(
                "\(what); Pics goes on by itself\(time).", whenConnecting: "\(what); try again later.", answer), scope,
            until: end)
    }

    /// `2026-11-21 19:42 UTC`.
    private static func minute(of time: Date) -> String {
        String(time.formatted(.iso8601).prefix(16)).replacing("T", with: " ") + " UTC"
    }

    /// A problem with what the service wrote, for operators. `whenConnecting` is for who is connecting an account, where `sentence`
    /// does not fit them.
    func problem(
        _ sentence: String, whenConnecting: String? = nil, _ answer: IncomingResponse
    ) -> SubmissionProblem {
        let detail = String(decoding: answer.body.prefix(SubmissionProblem.maximumDetailBytes), as: UTF8.self)
        return SubmissionProblem(
            sentence, whenConnecting: whenConnecting, status: answer.status.code,
            detail: detail.isEmpty ? nil : detail)
    }

    private func problem(_ sentence: String, _ error: TransportError) -> SubmissionProblem {
        SubmissionProblem(sentence, detail: error.description, isUnreachable: error.isUnreachable)
    }
}

extension ServiceClient {
    /// For requests that carry little.
    static let timeout = Duration.seconds(60)

    /// For a request that carries so many bytes: over a line of 64 KiB a second it still ends in time.
    static func timeout(uploading bytes: Int64) -> Duration { timeout + .seconds(bytes / (64 << 10)) }
}
