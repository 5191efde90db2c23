package import Domain
package import FoundationEssentials
package import HTTP

/// Why an attempt did not publish, sorted by what the queue does next.
package enum SubmissionError: Error, Sendable, Equatable {
    /// Trouble that passes; nothing was published. Tried again with backoff, or after `retryAfter` when that is longer.
    case temporary(SubmissionProblem, retryAfter: Duration?)
    /// All is well, the service is still working. Looked at again after the pause; does not count as an attempt.
    case notYet(checkAfter: Duration)
    /// The service's limit is used up; nothing was published. Holds the whole scope back; does not count as an attempt.
    case limited(SubmissionProblem, LimitScope, until: Date?)
    /// The credentials are refused; nothing was published. Parks the account until its owner connects again.
    case unauthorized(SubmissionProblem)
    /// The service will never take this photo with this text; nothing was published.
    case rejected(SubmissionProblem)
    /// The service or the account no longer exists.
    case gone(SubmissionProblem)
    /// The publishing request left and no clear answer came. Looked up with backoff, or after `retryAfter` when that is
    /// longer.
    case unknownOutcome(SubmissionProblem, retryAfter: Duration?)
    /// The photo's own file is missing or damaged here; nothing was published, and nobody else is to blame. Tried again after a
    /// while; does not count as an attempt.
    case fileUnavailable(SubmissionProblem)
    /// The person or the worker's stop asked for it.
    case cancelled
    /// Another worker owns the job now; this one must not write or send any more.
    case leaseLost
}

extension SubmissionError {
    /// Trouble that passes, without a response behind it; tried again with backoff alone.
    package static func temporary(_ problem: Problem) -> SubmissionError {
        .temporary(SubmissionProblem(problem), retryAfter: nil)
    }

    /// The same for what will not pass.
    package static func rejected(_ code: ProblemCode, _ parameters: ProblemParameters = ProblemParameters()) -> Self {
        .rejected(SubmissionProblem(Problem(code, parameters)))
    }
}

extension SubmissionError {
    /// The same for who is connecting an account.
    package var whenConnecting: SubmissionError {
        switch self {
        case .temporary(let problem, let pause): .temporary(problem.whenConnecting, retryAfter: pause)
        case .limited(let problem, let scope, let end): .limited(problem.whenConnecting, scope, until: end)
        case .unauthorized(let problem): .unauthorized(problem.whenConnecting)
        case .rejected(let problem): .rejected(problem.whenConnecting)
        case .gone(let problem): .gone(problem.whenConnecting)
        case .unknownOutcome(let problem, let pause): .unknownOutcome(problem.whenConnecting, retryAfter: pause)
        case .notYet, .fileUnavailable, .cancelled, .leaseLost: self
        }
    }
}

extension SubmissionError {
    /// For people.
    package var problem: Problem {
        switch self {
        case .temporary(let problem, _), .limited(let problem, _, _), .unauthorized(let problem),
            .rejected(let problem), .gone(let problem), .unknownOutcome(let problem, _), .fileUnavailable(let problem):
            problem.problem
        case .notYet, .cancelled, .leaseLost: Problem(.noResponse)
        }
    }

    /// The service's own text, for operators only; nil where it wrote nothing.
    package var detail: String? {
        switch self {
        case .temporary(let problem, _), .limited(let problem, _, _), .unauthorized(let problem),
            .rejected(let problem), .gone(let problem), .unknownOutcome(let problem, _), .fileUnavailable(let problem):
            problem.detail
        case .notYet, .cancelled, .leaseLost: nil
        }
    }
}

/// Whose limit is used up.
package enum LimitScope: String, Sendable, Equatable {
    case account, app
}

/// A problem, once for people and once for operators.
package struct SubmissionProblem: Sendable, Equatable {
    /// For the photo's owner.
    package let problem: Problem
    /// The HTTP status of the response, when there was one.
    package let status: Int?
    /// The service's own text, for operators only; at most 2 KiB, the rest is cut.
    package let detail: String?

    /// The service could not be reached, or did not answer.
    package let isUnreachable: Bool

    /// Whether the service itself is in trouble, whatever was asked of it: breakers count that.
    package var isServiceTrouble: Bool { isUnreachable || status == 408 || status ?? 0 >= 500 }

    fileprivate var whenConnecting: SubmissionProblem {
        SubmissionProblem(problem.whenConnecting, status: status, detail: detail, isUnreachable: isUnreachable)
    }

    package static let maximumDetailBytes = 2048

    /// - Parameters:
    ///   - problem: For the photo's owner.
    ///   - status: Of the response.
    ///   - detail: What the service wrote.
    ///   - isUnreachable: Whether the service could not be reached, or did not answer.
    package init(_ problem: Problem, status: Int? = nil, detail: String? = nil, isUnreachable: Bool = false) {
        self.problem = problem
        self.status = status
        self.isUnreachable = isUnreachable
        self.detail = detail.map { String(decoding: $0.utf8.prefix(Self.maximumDetailBytes), as: UTF8.self) }
    }
}

extension JSONValue {
    /// `{"code", "parameters", "text"}`, or null: the text is in English, its times in UTC.
    package init(_ problem: Problem?) {
        guard let problem else {
            self = .null
            return
        }
        let parameters = problem.parameters
        var members = JSONObject()
        func add(_ name: String, _ value: String?) {
            if let value { members[name] = .string(value) }
        }
        add("service", parameters.service)
        if let status = parameters.status { members["status"] = .int(Int64(status)) }
        add("until", parameters.until.map { Timestamp($0).description })
        add("scope", parameters.scope?.rawValue)
        add("reason", parameters.reason?.rawValue)
        add("field", parameters.field)
        add("label", parameters.label)
        add("example", parameters.example)
        add("scheme", parameters.scheme)
        add("cause", parameters.cause?.rawValue)
        if problem.code != .other { add("words", parameters.words) }
        add("phase", parameters.phase?.rawValue)
        self = [
            "code": .string(problem.code.rawValue), "parameters": .object(members), "text": .string(problem.text),
        ]
    }
}
