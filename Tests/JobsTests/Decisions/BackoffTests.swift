internal import Domain
internal import Testing

struct BackoffTests {
    private let backoff = Backoff(base: .seconds(15), cap: .seconds(3600))

    @Test(arguments: [
        (1, 15), (2, 30), (3, 60), (4, 120), (8, 1920), (9, 3600), (12, 3600), (1000, 3600), (.max, 3600),
    ])
    func `the longest wait doubles with each failure up to the cap`(failures: Int, seconds: Int) {
        let longest = backoff.delay(afterFailures: failures, retryAfter: nil, fraction: 1)

        #expect(longest == .seconds(seconds))
    }

    @Test(arguments: [(0.25, 30), (0.5, 60), (0.75, 90)])
    func `a random part of the longest wait is waited`(fraction: Double, seconds: Int) {
        let delay = backoff.delay(afterFailures: 4, retryAfter: nil, fraction: fraction)

        #expect(delay == .seconds(seconds))
    }

    @Test(arguments: [1, 5, 1000])
    func `some wait is always left`(failures: Int) {
        let shortest = backoff.delay(afterFailures: failures, retryAfter: nil, fraction: 0)

        #expect(shortest == .milliseconds(100))
    }

    @Test(arguments: [0, -1, .min])
    func `no failure counts as one`(failures: Int) {
        #expect(backoff.delay(afterFailures: failures, retryAfter: nil, fraction: 1) == .seconds(15))
    }

    @Test(arguments: [(0, 15), (14, 15), (16, 16), (7200, 7200)])
    func `what the service asks for wins when it is longer`(seconds: Int, expected: Int) {
        let delay = backoff.delay(afterFailures: 1, retryAfter: .seconds(seconds), fraction: 1)

        #expect(delay == .seconds(expected))
    }

    @Test func `a service cannot ask for more than a day`() {
        let delay = backoff.delay(afterFailures: 1, retryAfter: .seconds(Int64.max), fraction: 1)

        #expect(delay == .seconds(86_400))
    }

    @Test func `a base above the cap is cut to it`() {
        let hasty = Backoff(base: .seconds(60), cap: .seconds(1))

        #expect(hasty.delay(afterFailures: 1, retryAfter: nil, fraction: 1) == .seconds(1))
    }
}
