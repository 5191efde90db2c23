/// The price of a request of a route for its sender, beyond that of every request.
package struct RouteCost: Sendable {
    /// One policy's share: so many tokens of its bucket.
    struct Charge: Sendable {
        let policy: RatePolicy.Name
        let tokens: Int
    }

    let charges: [Charge]
    /// Whether who asks from this machine itself is spared the policies that count by address.
    let isFreeOnThisMachine: Bool

    /// For the log: `token, uploads`; empty for an ordinary request.
    package var summary: String {
        let charges = charges.map { $0.tokens == 1 ? $0.policy.text : "\($0.tokens) \($0.policy.text)" }
        return (isFreeOnThisMachine ? ["free on this machine"] : charges).joined(separator: ", ")
    }

    /// Nothing beyond what every request costs.
    package static let ordinary = RouteCost(charges: [], isFreeOnThisMachine: false)

    /// As `ordinary`, and nothing at all for who asks from this machine: a supervisor or a scraper must not be refused.
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
