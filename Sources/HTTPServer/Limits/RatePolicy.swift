internal import HTTP

/// How much somebody may take of the server in a time: a bucket of tokens that fills again.
///
/// A request takes tokens out of its sender's bucket; `quota` tokens fit in, and `refill` of them come back in every `window`,
/// one by one. So in a time `t` nobody gets more than `quota + refill · t / window` tokens, however the requests are spread.
package struct RatePolicy: Sendable {
    /// The name of a policy: for clients in `RateLimit-Policy`, for routes and for handlers.
    package struct Name: Hashable, Sendable {
        let text: String

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

    var isOn: Bool { quota > 0 }

    /// The item of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, section 3): how many tokens the bucket holds, and
    /// in how many seconds it fills. So the rate is told exactly, and what is left is never more than the quota.
    var item: String { "\"\(name.text)\";q=\(shape.quota);w=\(shape.secondsToFill)" }
}
