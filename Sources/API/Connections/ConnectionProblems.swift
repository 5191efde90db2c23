internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Submitters

extension RequestProblem {
    static func unsupported(_ detail: String) -> RequestProblem {
        RequestProblem(
            details: ProblemDetails(
                type: "/problems/not-supported", status: .unprocessableContent, title: "The service cannot do that",
                detail: detail))
    }
}

extension ProblemDetails {
    /// The problem of a service while an account is connected or asked. Its own words stay in the log.
    init(_ error: SubmissionError) {
        switch error {
        case .rejected, .unauthorized, .gone:
            self.init(
                type: "/problems/service-refused", status: .unprocessableContent, title: "The service refuses this",
                detail: error.problem.whenAsking.text)
        case .temporary(_, let pause), .unknownOutcome(_, let pause):
            self.init(
                type: "/problems/service-trouble", status: .badGateway, title: "The service is in trouble",
                detail: error.problem.whenAsking.text, retryAfter: pause)
        case .notYet(let pause):
            self.init(
                type: "/problems/service-trouble", status: .serviceUnavailable, title: "The service is still working",
                detail: error.problem.whenAsking.text, retryAfter: pause)
        case .limited(_, _, let end):
            self.init(
                type: "/problems/service-limit", status: .serviceUnavailable, title: "The service's limit is used up",
                detail: error.problem.whenAsking.text,
                retryAfter: end.map { Backoff.pause(until: $0, now: Date()) })
        case .fileUnavailable, .cancelled, .leaseLost:
            self.init(type: "/problems/unavailable", status: .serviceUnavailable, title: "The request was ended")
        }
    }

    init(_ refusal: AuthorizationError) {
        self.init(
            type: "/problems/no-such-authorization", status: refusal == .unknown ? .notFound : .conflict,
            title: "This connection cannot be ended", detail: refusal.sentence)
    }

    init(_ refusal: AuthorizationStartError) {
        switch refusal {
        case .missingKeys(let names):
            self.init(
                type: "/problems/no-application-keys", status: .conflict, title: "Pics has no keys for this service",
                detail: "Its operator has to enter \(names.joined(separator: ", ")); see application in /v1/services.",
                extensions: ["missing": JSONValue(names)])
        case .tooMany:
            self.init(
                type: "/problems/too-many-begun", status: .tooManyRequests, title: "Too many connections are begun",
                detail: "End those that are open in the browser, or wait a few minutes.",
                retryAfter: AccountActions.timeout)
        }
    }
}
