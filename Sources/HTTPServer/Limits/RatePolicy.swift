package import HTTP

/// How much somebody may take of the server in a time: a bucket of tokens that fills again.
///
/// A request takes tokens out of its sender's bucket; `quota` tokens fit in, and `refill` of them come back in every `window`,
/// one by one. So in a time `t` nobody gets more than `quota + refill · t / window` tokens, however the requests are spread.
package struct RatePolicy: Sendable {
    /// The name of a policy: for clients in `RateLimit-Policy`, for routes and for handlers.
    package struct Name: Hashable, Sendable {
        package let text: String

        /// A name of letters, digits and `-`, which needs no escape in a structured field (RFC 9651, section 3.3.3).
        package init(_ text: String) {
            precondition(isToken(text), "not a policy's name: \(text)")
            self.text = text
        }
    }

    /// The owner of the bucket that a request takes from.
    package enum Key: Sendable {
        /// The client's address: of IPv6 the first 64 bits, because a household or a server has at least those to itself
        /// (RFC 6177). Clients of a unix socket have no address and are not limited.
        case address
        /// A subject that a handler names, such as the user who asks or whose password is tried; no request by itself is limited.
        case subject
    }

    package let name: Name
    /// The tokens of a full bucket. 0 switches the policy off.
    package let quota: Int
    package let key: Key
    /// Whether every request takes one token, whatever its route and whether there is any.
    package let countsEveryRequest: Bool
    let shape: BucketShape

    /// A policy.
    ///
    /// - Parameters:
    ///   - name: Unique among the policies of a limiter.
    ///   - quota: The tokens that may be taken at once, up to a thousand millions. 0 switches the policy off.
    ///   - refill: The tokens that come back in a window; nil means `quota`. 0 switches the policy off.
    ///   - window: Longer than nothing, at most a year.
    ///   - key: Whose bucket is meant.
    ///   - countsEveryRequest: Whether every request takes one token; else those of the routes that say so.
    package init(
        _ name: Name, quota: Int, refill: Int? = nil, per window: Duration, of key: Key,
        countsEveryRequest: Bool = false
    ) {
        let refill = refill ?? quota
        self.name = name
        self.quota = refill > 0 ? max(0, quota) : 0
        self.key = key
        self.countsEveryRequest = countsEveryRequest
        shape = BucketShape(quota: max(1, quota), refill: max(1, refill), window: window)
    }

    /// Whether it limits anything.
    package var isOn: Bool { quota > 0 }

    /// The seconds that bring one token back.
    package var secondsForToken: Double { Double(shape.tokenTime) / 1_000_000_000 }

    /// The refusal of somebody whose bucket, kept elsewhere, is full after so long, and has no token before.
    package func refusal(secondsUntilFull: Double) -> RateLimitExceeded {
        let missing = Int64(min(max(0, secondsUntilFull * 1_000_000_000), Double(shape.fillTime)))
        let outcome = TokenBucket.Outcome(
            isGranted: false, left: 0, wait: max(1, missing + shape.tokenTime - shape.fillTime))
        return RateLimitExceeded(
            rateLimit: RateLimitState(
                entries: [RateLimitState.Entry(name: name.text, item: item, shape: shape, outcome: outcome)]))
    }

    /// The item of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, section 3): how many tokens the bucket holds, and
    /// in how many seconds it fills. So the rate is told exactly, and what is left is never more than the quota.
    var item: String { "\"\(name.text)\";q=\(shape.quota);w=\(shape.secondsToFill)" }
}

/// The price of a request of a route for its sender, beyond that of every request.
package struct RouteCost: Sendable {
    /// One policy's share: so many tokens of its bucket.
    struct Charge: Sendable {
        let policy: RatePolicy.Name
        let tokens: Int
    }

    let charges: [Charge]
    /// Whether clients on this machine are spared the policies that count by address.
    let isFreeOnThisMachine: Bool

    /// For the log: `token, uploads`; empty for an ordinary request.
    package var summary: String {
        let charges = charges.map { $0.tokens == 1 ? $0.policy.text : "\($0.tokens) \($0.policy.text)" }
        return (isFreeOnThisMachine ? ["free on this machine"] : charges).joined(separator: ", ")
    }

    /// Nothing beyond what every request costs.
    package static let ordinary = RouteCost(charges: [], isFreeOnThisMachine: false)

    /// As `ordinary`, and nothing at all for clients on this machine: a supervisor or a scraper must not be refused.
    package static let probe = RouteCost(charges: [], isFreeOnThisMachine: true)

    /// One token of each of these policies. Those that the server does not have, because they are switched off, cost nothing.
    ///
    /// The responses tell in `RateLimit` what is left.
    package static func charging(_ policies: RatePolicy.Name...) -> RouteCost {
        RouteCost(charges: policies.map { Charge(policy: $0, tokens: 1) }, isFreeOnThisMachine: false)
    }

    /// So many tokens of each of these policies; more than a bucket holds counts as a full bucket.
    package static func charging(_ charges: KeyValuePairs<RatePolicy.Name, Int>) -> RouteCost {
        RouteCost(
            charges: charges.map { Charge(policy: $0.key, tokens: max(0, $0.value)) }, isFreeOnThisMachine: false)
    }
}

/// A route's cost in the terms of one limiter, computed when the server is made.
struct RoutePlan: Sendable {
    struct Charge: Sendable {
        /// The index of the policy in its limiter.
        let policy: Int
        let tokens: Int64
    }

    /// Empty for a route that costs nothing: then nothing is done.
    let charges: [Charge]
    /// Whether the responses tell what is left. Those of routes without a cost of their own do not: they may be cached, and a
    /// shared cache would tell everybody what was left to one.
    let isAnnounced: Bool
    let isFreeOnThisMachine: Bool

    static let free = RoutePlan(charges: [], isAnnounced: false, isFreeOnThisMachine: false)
}

/// How a sender stands after a request, for the fields `RateLimit-Policy` and `RateLimit` of the response
/// (draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4).
package struct RateLimitState: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// The policy's name.
        let name: String
        /// The policy's item of `RateLimit-Policy`.
        let item: String
        let shape: BucketShape
        let outcome: TokenBucket.Outcome
    }

    let entries: [Entry]

    /// The policy that has the fewest tokens left: how many its bucket holds, how many are left, and the seconds until it is full.
    package var tightest: (quota: Int, left: Int, secondsUntilFull: Int64)? {
        guard let entry = entries.min(by: { $0.outcome.left < $1.outcome.left }) else { return nil }
        let missing = (entry.shape.quota - entry.outcome.left) * entry.shape.tokenTime
        return (Int(entry.shape.quota), Int(entry.outcome.left), BucketShape.wholeSeconds(missing))
    }

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
    /// How the sender stands.
    package let rateLimit: RateLimitState

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
