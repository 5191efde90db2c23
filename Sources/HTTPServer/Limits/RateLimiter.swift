internal import EventLoops
internal import System

/// Counts what every sender takes, and says when it is too much.
///
/// One limiter serves all loops, so a limit is exact however a client spreads its connections. Its buckets lie in shards, each
/// behind a lock that is held for some tens of nanoseconds; two loops meet only over senders of one shard. A route without a cost
/// does not come here.
///
/// Memory is bounded: see `BucketTable` for what is forgotten when it is full.
package final class RateLimiter: Sendable {
    let policies: [RatePolicy]
    private let clock: any ServerClock
    private let keys = RateKeys()
    private let shards: [Lock<BucketTable>]
    private static let shardCount = 16

    /// A limiter with full buckets.
    ///
    /// - Parameters:
    ///   - policies: Those that are switched off are left out.
    ///   - buckets: The most senders, of all policies together, that are remembered; a bucket takes about a hundred bytes.
    ///   - clock: The clock that the buckets fill by.
    package init(
        _ policies: [RatePolicy], buckets: Int = 100_000, clock: any ServerClock = SystemClock()
    ) {
        self.policies = policies.filter(\.isOn)
        self.clock = clock
        let count = min(max(1, buckets), Self.shardCount)
        shards = (0..<count).map { _ in Lock(BucketTable(capacity: buckets / count)) }
    }

    // MARK: For handlers

    /// Takes a token for something that only a handler knows to be costly.
    ///
    /// - Throws: When there is none. A policy that is switched off, or does not count this
    ///   request, never refuses.
    package func charge(_ policy: RatePolicy.Name, for request: HTTPRequest) throws(RateLimitExceeded) {
        try withBucket(policy, request) { bucket, shape, now in bucket.take(1, shape, at: now) }
    }

    /// Refuses when there is not a token left, and takes none: asked before something whose failure is what counts.
    package func demand(_ policy: RatePolicy.Name, for request: HTTPRequest) throws(RateLimitExceeded) {
        try withBucket(policy, request) { bucket, shape, now in bucket.outcome(shape, at: now) }
    }

    /// Takes a token for what has failed, whether or not one is left: requests that were let in together by `demand` all count.
    package func count(_ policy: RatePolicy.Name, for request: HTTPRequest) {
        guard let (index, key) = find(policy, request) else { return }
        let shape = policies[index].shape
        let now = clock.now.nanoseconds
        shard(key).withLock { table in
            table.update(key, at: now) { $0.takeAnyway(1, shape, at: now) }
        }
    }

    private func withBucket(
        _ policy: RatePolicy.Name, _ request: HTTPRequest,
        _ use: (inout TokenBucket, BucketShape, Int64) -> TokenBucket.Outcome
    ) throws(RateLimitExceeded) {
        guard let (index, key) = find(policy, request) else { return }
        let shape = policies[index].shape
        let now = clock.now.nanoseconds
        let outcome = shard(key).withLock { table in table.update(key, at: now) { use(&$0, shape, now) } }
        guard !outcome.isGranted else { return }
        throw RateLimitExceeded(rateLimit: RateLimitState(entries: [entry(index, outcome)]))
    }

    /// The bucket of a request's address; nil when the policy is switched off or does not count by address.
    private func find(_ name: RatePolicy.Name, _ request: HTTPRequest) -> (Int, BucketKey)? {
        guard let index = policies.firstIndex(where: { $0.name == name }), policies[index].key == .address else {
            return nil
        }
        return request.origin.client.group.map { (index, keys.key(index, $0)) }
    }

    /// Takes a route's cost from the buckets of `subject`, such as the user whose token came: all of it, or nothing. Policies that
    /// count by address are not meant.
    ///
    /// - Returns: How the subject stands then; nil when nothing counts.
    /// - Throws: When one policy has not enough tokens left.
    package func charge(_ cost: RouteCost, subject: String) throws(RateLimitExceeded) -> RateLimitState? {
        let now = clock.now.nanoseconds
        var taken: [Taken] = []
        for charge in cost.charges where charge.tokens > 0 {
            guard let index = policies.firstIndex(where: { $0.name == charge.policy }),
                policies[index].key == .subject
            else { continue }
            taken.append(
                take(.init(policy: index, tokens: Int64(charge.tokens)), keys.key(index, subject: subject), now))
        }
        guard taken.allSatisfy(\.outcome.isGranted) else {
            throw RateLimitExceeded(
                rateLimit: RateLimitState(entries: taken.map { entry($0.charge.policy, putBack($0, at: now)) }))
        }
        return taken.isEmpty ? nil : RateLimitState(entries: taken.map { entry($0.charge.policy, $0.outcome) })
    }

    private typealias Taken = (charge: RoutePlan.Charge, key: BucketKey, outcome: TokenBucket.Outcome)

    private func take(_ charge: RoutePlan.Charge, _ key: BucketKey, _ now: Int64) -> Taken {
        let shape = policies[charge.policy].shape
        let outcome = shard(key).withLock { table in
            table.update(key, at: now) { $0.take(charge.tokens, shape, at: now) }
        }
        return (charge, key, outcome)
    }

    // MARK: For connections

    /// The price of each route, in the table's order, and then that of a request without a route.
    func plans(for routes: [Route]) -> [RoutePlan] { routes.map { plan($0.cost) } + [plan(.ordinary)] }

    private func plan(_ cost: RouteCost) -> RoutePlan {
        var charges: [RoutePlan.Charge] = []
        for (index, policy) in policies.enumerated() where policy.countsEveryRequest {
            charges.append(RoutePlan.Charge(policy: index, tokens: 1))
        }
        let common = charges.count
        for charge in cost.charges where charge.tokens > 0 {
            guard let index = policies.firstIndex(where: { $0.name == charge.policy }), policies[index].key == .address
            else { continue }
            charges.append(RoutePlan.Charge(policy: index, tokens: Int64(charge.tokens)))
        }
        return RoutePlan(
            charges: charges, isAnnounced: charges.count > common, isFreeOnThisMachine: cost.isFreeOnThisMachine)
    }

    /// Takes what a request costs: all of it, or nothing when one policy refuses.
    ///
    /// - Returns: How the sender stands, if it was refused or the route tells; else nil.
    func check(_ plan: RoutePlan, _ client: PeerAddress) -> RateLimitState? {
        guard !plan.charges.isEmpty, let group = client.group, !(plan.isFreeOnThisMachine && client.isThisMachine)
        else {
            return nil
        }
        let now = clock.now.nanoseconds
        var taken: [Taken] = []
        for charge in plan.charges {
            let one = take(charge, keys.key(charge.policy, group), now)
            // Most requests cost one token of one policy, and nobody wants to know more.
            if plan.charges.count > 1 || plan.isAnnounced || !one.outcome.isGranted { taken.append(one) }
        }
        guard taken.allSatisfy(\.outcome.isGranted) else {
            return RateLimitState(entries: taken.map { entry($0.charge.policy, putBack($0, at: now)) })
        }
        return plan.isAnnounced && !taken.isEmpty
            ? RateLimitState(entries: taken.map { entry($0.charge.policy, $0.outcome) }) : nil
    }

    /// Undoes a charge of a request that another policy has refused.
    private func putBack(_ taken: Taken, at now: Int64) -> TokenBucket.Outcome {
        guard taken.outcome.isGranted else { return taken.outcome }
        let shape = policies[taken.charge.policy].shape
        return shard(taken.key).withLock { table in
            table.update(taken.key, at: now) { $0.putBack(taken.charge.tokens, shape, at: now) }
        }
    }

    /// The buckets that are remembered.
    var bucketCount: Int { shards.reduce(0) { $0 + $1.withLock(\.count) } }

    private func entry(_ policy: Int, _ outcome: TokenBucket.Outcome) -> RateLimitState.Entry {
        RateLimitState.Entry(
            name: policies[policy].name.text, item: policies[policy].item, shape: policies[policy].shape,
            outcome: outcome)
    }

    /// `hashValue` is keyed anew in every process, so that nobody outside can choose to meet others in a shard.
    private func shard(_ key: BucketKey) -> Lock<BucketTable> {
        shards[Int(UInt(bitPattern: key.hashValue) >> 56) % shards.count]
    }
}

/// Makes the names of buckets out of what a request is counted by. Nothing here leaves the process.
///
/// A subject is hashed with SipHash under a key of this process (`Hasher`), twice with different beginnings: 128 bits, so that
/// no two of them ever meet.
struct RateKeys: Sendable {
    private let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    /// The bucket of an address.
    func key(_ policy: Int, _ group: PeerAddress.Group) -> BucketKey {
        BucketKey(policy: policy, high: UInt64(group.kind.rawValue), low: group.bits)
    }

    /// The bucket of what a handler has named.
    func key(_ policy: Int, subject: String) -> BucketKey {
        func hash(_ seed: UInt64) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(seed)
            hasher.combine(subject)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return BucketKey(policy: policy, high: hash(seeds.0), low: hash(seeds.1))
    }
}
