package import HTTP

/// How a sender stands after a request, for the fields `RateLimit-Policy` and `RateLimit` of the response
/// (draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4).
package struct RateLimitState: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// The policy's name.
        let name: String
        /// The policy's item of `RateLimit-Policy`.
        let item: String
        let outcome: TokenBucket.Outcome
    }

    let entries: [Entry]

    var isRefused: Bool { entries.contains { !$0.outcome.isGranted } }

    /// `"name";q=quota;w=seconds`, for each policy.
    var policyField: String { entries.map(\.item).joined(separator: ", ") }

    /// `"name";r=left;t=seconds until more comes`, for each policy; without `t` when nothing is missing.
    var field: String {
        entries.map { entry in
            let rest = "\"\(entry.name)\";r=\(entry.outcome.left)"
            return entry.outcome.wait > 0 ? "\(rest);t=\(BucketShape.wholeSeconds(entry.outcome.wait))" : rest
        }.joined(separator: ", ")
    }

    /// A response's fields with these two behind its own.
    package func announced(in fields: HTTPFields) -> HTTPFields {
        var fields = fields
        fields.add("RateLimit-Policy", policyField)
        fields.add("RateLimit", field)
        return fields
    }

    /// The seconds after which the same request has a chance.
    var secondsToWait: Int64 {
        let waits = entries.filter { !$0.outcome.isGranted }.map { BucketShape.wholeSeconds($0.outcome.wait) }
        return max(1, waits.max() ?? 1)
    }

    /// The problem type `quota-exceeded` (draft-ietf-httpapi-ratelimit-headers-11, section 5.1).
    var problem: ProblemDetails {
        let names = entries.filter { !$0.outcome.isGranted }.map(\.name)
        return ProblemDetails(
            type: "https://iana.org/assignments/http-problem-types#quota-exceeded", status: .tooManyRequests,
            title: "Request cannot be satisfied as assigned quota has been exceeded",
            detail: "Wait for the seconds that Retry-After tells, then go on more slowly.",
            extensions: ["violated-policies": JSONValue(names)], retryAfter: .seconds(secondsToWait))
    }
}

/// A policy's bucket has not enough tokens left: 429.
///
/// A handler lets it pass: the server answers it with the problem and the fields that tell how the sender stands.
package struct RateLimitExceeded: Error, Equatable, CustomStringConvertible {
    let rateLimit: RateLimitState

    /// The problem details of the response, with the pause for `Retry-After`.
    package var problem: ProblemDetails { rateLimit.problem }

    /// The whole response.
    package var response: HTTPResponse {
        var response = HTTPResponse.problem(problem)
        response.fields = rateLimit.announced(in: response.fields)
        return response
    }

    package var description: String { "too many requests: \(rateLimit.field)" }
}
