import EventLoops
import HTTP
import Testing

@testable import HTTPServer

struct RateLimiterTests {
    private let clock = ManualClock()

    private func limiter(_ policies: RatePolicy..., buckets: Int = 1_000) -> RateLimiter {
        RateLimiter(policies, buckets: buckets, clock: clock)
    }

    private func plan(_ limiter: RateLimiter, _ cost: RouteCost = .ordinary) throws -> RoutePlan {
        let route = Route(.get, "/", operation: .undocumented, costs: cost) { _ in .noContent }
        return try #require(limiter.plans(for: [route]).first)
    }

    /// How many of `count` requests pass.
    private func passing(
        _ limiter: RateLimiter, _ plan: RoutePlan, _ client: PeerAddress, of count: Int
    ) -> Int {
        (0..<count).count { _ in limiter.check(plan, client)?.isRefused != true }
    }

    @Test func `a policy that is switched off costs nothing`() throws {
        let limiter = limiter(
            RatePolicy(.init("a"), quota: 0, per: .seconds(60), of: .address, countsEveryRequest: true),
            RatePolicy(.init("b"), quota: 5, refill: 0, per: .seconds(60), of: .address))

        let plan = try plan(limiter, .charging(.init("b"), .init("unknown")))

        #expect(plan.charges.isEmpty && !plan.isAnnounced)
    }

    @Test func `every client has a bucket of its own, and an IPv6 client its first 64 bits`() throws {
        let limiter = limiter(
            RatePolicy(.init("a"), quota: 2, per: .seconds(60), of: .address, countsEveryRequest: true))
        let plan = try plan(limiter)
        let clients = [
            "192.0.2.1", "192.0.2.2", "::ffff:192.0.2.1", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "::c000:201",
        ]

        let passed = try clients.map { passing(limiter, plan, try PeerAddress($0), of: 3) }

        #expect(passed == [2, 2, 0, 2, 0, 2, 2])
    }

    @Test func `clients of a unix socket are not limited, and those a proxy does not tell share one bucket`() throws {
        let limiter = limiter(
            RatePolicy(.init("a"), quota: 2, per: .seconds(60), of: .address, countsEveryRequest: true))
        let plan = try plan(limiter)

        #expect(passing(limiter, plan, .unix, of: 9) == 9)
        #expect(passing(limiter, plan, .untold("_a"), of: 9) == 2)
        #expect(passing(limiter, plan, .untold("unknown"), of: 9) == 0)
    }

    @Test func `a subject has one bucket for each policy, and a refusal takes from none`() throws {
        let limiter = limiter(
            RatePolicy(.init("wide"), quota: 3, per: .seconds(60), of: .subject),
            RatePolicy(.init("narrow"), quota: 1, per: .seconds(60), of: .subject),
            RatePolicy(.init("address"), quota: 1, per: .seconds(60), of: .address))
        let (cheap, dear) = (
            RouteCost.charging(.init("wide"), .init("address")), RouteCost.charging(.init("wide"), .init("narrow"))
        )

        let first = try limiter.charge(dear, subject: "one")
        #expect(throws: RateLimitExceeded.self) { try limiter.charge(dear, subject: "one") }
        let second = try limiter.charge(cheap, subject: "one")
        let other = try limiter.charge(dear, subject: "two")

        #expect(first?.field == "\"wide\";r=2;t=20, \"narrow\";r=0;t=60")
        #expect(second?.field == "\"wide\";r=1;t=20")
        #expect(other == first)
        #expect(try limiter.charge(.charging(.init("address")), subject: "one") == nil)
    }

    @Test func `a request that one policy refuses is charged to none`() throws {
        let limiter = limiter(
            RatePolicy(.init("wide"), quota: 10, per: .seconds(10), of: .address, countsEveryRequest: true),
            RatePolicy(.init("narrow"), quota: 1, per: .seconds(100), of: .address))
        let client = try PeerAddress("192.0.2.1")
        let plan = try plan(limiter, .charging(.init("narrow")))
        #expect(limiter.check(plan, client)?.field == "\"wide\";r=9;t=1, \"narrow\";r=0;t=100")

        let refused = try #require(limiter.check(plan, client))

        #expect(refused.isRefused)
        #expect(refused.policyField == "\"wide\";q=10;w=10, \"narrow\";q=1;w=100")
        #expect(refused.field == "\"wide\";r=9;t=1, \"narrow\";r=0;t=100")
        #expect(refused.problem.extensions["violated-policies"] == ["narrow"])
        #expect(refused.secondsToWait == 100)
    }

    @Test func `a policy with a larger burst tells the time in which all of it comes back`() {
        let policy = RatePolicy(.init("a"), quota: 1_200, refill: 600, per: .seconds(60), of: .address)

        #expect(policy.item == "\"a\";q=1200;w=120")
    }

    @Test func `a route may cost more than one token`() throws {
        let limiter = limiter(RatePolicy(.init("t"), quota: 10, per: .seconds(60), of: .address))
        let plan = try plan(limiter, .charging([.init("t"): 4]))

        #expect(passing(limiter, plan, try PeerAddress("192.0.2.1"), of: 5) == 2)
    }

    @Test func `nobody is refused because too many are remembered`() throws {
        let limiter = limiter(
            RatePolicy(.init("a"), quota: 1, per: .seconds(60), of: .address, countsEveryRequest: true), buckets: 50)
        let plan = try plan(limiter)

        let passed = (0..<5_000).count { number in
            limiter.check(plan, PeerAddress(IPAddress(v4: UInt32(number))))?.isRefused != true
        }

        #expect(passed == 5_000)
        #expect(limiter.bucketCount <= 50)
    }

    @Test func `what a flood has left behind is forgotten by and by`() throws {
        let limiter = limiter(
            RatePolicy(.init("a"), quota: 1, per: .seconds(60), of: .address, countsEveryRequest: true), buckets: 2_000)
        let plan = try plan(limiter)
        for number in 0..<1_000 { _ = limiter.check(plan, PeerAddress(IPAddress(v4: UInt32(number)))) }
        clock.advance(by: .seconds(60))

        for number in 2_000..<3_000 { _ = limiter.check(plan, PeerAddress(IPAddress(v4: UInt32(number)))) }

        #expect(limiter.bucketCount < 1_200)
    }

    @Test func `a limit is exact though many threads ask at once`() async throws {
        let limiter = limiter(
            RatePolicy(.init("a"), quota: 700, per: .seconds(60), of: .address, countsEveryRequest: true))
        let plan = try plan(limiter)
        let client = try PeerAddress("192.0.2.1")

        let passed = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<200).count { _ in limiter.check(plan, client)?.isRefused != true } }
            }
            return await group.reduce(0, +)
        }

        #expect(passed == 700)
    }
}
