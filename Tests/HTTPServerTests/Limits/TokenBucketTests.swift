import TestTools
import Testing

@testable import HTTPServer

struct TokenBucketTests {
    private let second: Int64 = 1_000_000_000

    @Test func `a full bucket gives its quota at once and no more`() {
        let shape = BucketShape(quota: 3, refill: 3, window: .seconds(60))
        var bucket = TokenBucket.full

        let taken = (0..<4).map { _ in bucket.take(1, shape, at: 0) }

        #expect(taken.map(\.isGranted) == [true, true, true, false])
        #expect(taken.map(\.left) == [2, 1, 0, 0])
        #expect(taken.map(\.wait) == [20, 20, 20, 20].map { $0 * second })
    }

    @Test func `tokens come back one by one`() {
        let shape = BucketShape(quota: 4, refill: 2, window: .seconds(60))
        var bucket = TokenBucket.full
        _ = bucket.take(4, shape, at: 0)

        let left = [0, 29, 30, 59, 60, 90, 119, 120, 1_000].map { bucket.outcome(shape, at: $0 * second).left }

        #expect(left == [0, 0, 1, 1, 2, 3, 3, 4, 4])
    }

    @Test func `a refusal takes nothing and tells when there is enough`() {
        let shape = BucketShape(quota: 10, refill: 10, window: .seconds(10))
        var bucket = TokenBucket.full
        _ = bucket.take(8, shape, at: 0)
        let before = bucket

        let refused = bucket.take(5, shape, at: 0)

        #expect(refused == TokenBucket.Outcome(isGranted: false, left: 2, wait: 3 * second))
        #expect(bucket == before)
        #expect(!bucket.take(5, shape, at: 3 * second - 1).isGranted)
        #expect(bucket.take(5, shape, at: 3 * second).isGranted)
    }

    @Test func `nothing is missing from a full bucket, so nothing is waited for`() {
        let shape = BucketShape(quota: 5, refill: 1, window: .seconds(1))

        #expect(TokenBucket.full.outcome(shape, at: 0) == .init(isGranted: true, left: 5, wait: 0))
    }

    @Test func `more tokens than a bucket holds are all that it holds`() {
        let shape = BucketShape(quota: 5, refill: 5, window: .seconds(5))
        var bucket = TokenBucket.full

        #expect(bucket.take(1_000, shape, at: 0) == .init(isGranted: true, left: 0, wait: second))
        #expect(!bucket.take(1_000, shape, at: 4 * second).isGranted)
        #expect(bucket.take(1_000, shape, at: 5 * second).isGranted)
    }

    @Test func `what was used without being there has to come back first, up to a second quota`() {
        let shape = BucketShape(quota: 2, refill: 2, window: .seconds(2))
        var bucket = TokenBucket.full
        for _ in 0..<100 { bucket.takeAnyway(1, shape, at: 0) }

        #expect(!bucket.outcome(shape, at: 3 * second - 1).isGranted)
        #expect(bucket.outcome(shape, at: 3 * second).isGranted)
    }

    @Test func `tokens that are put back are there again`() {
        let shape = BucketShape(quota: 5, refill: 5, window: .seconds(5))
        var bucket = TokenBucket.full
        _ = bucket.take(3, shape, at: 0)

        #expect(bucket.putBack(2, shape, at: 0).left == 4)
        #expect(bucket.putBack(100, shape, at: 0).left == 5)
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `whatever the times and costs, no more gets through than quota and refill allow`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        let quota = Int.random(in: 1...50, using: &numbers)
        let refill = Int.random(in: 1...50, using: &numbers)
        let window = Int64.random(in: 1...100_000, using: &numbers)
        let shape = BucketShape(quota: quota, refill: refill, window: .nanoseconds(window))
        var bucket = TokenBucket.full
        var granted: [(time: Int64, tokens: Int64)] = []
        var now: Int64 = 0
        for _ in 0..<120 {
            // Now and then a thread that was held up comes with a moment that is over.
            now += Int64.random(in: -window / 50...window / 10, using: &numbers)
            let tokens = Int64.random(in: 1...Int64(quota), using: &numbers)
            if bucket.take(tokens, shape, at: now).isGranted { granted.append((now, tokens)) }
        }

        var worst = Int64.min
        for first in granted.indices {
            var (sum, earliest, latest): (Int64, Int64, Int64) = (0, .max, .min)
            for taken in granted[first...] {
                sum += taken.tokens
                (earliest, latest) = (min(earliest, taken.time), max(latest, taken.time))
                worst = max(worst, (sum - Int64(quota)) * window - (latest - earliest) * Int64(refill))
            }
        }

        #expect(worst <= 0)
        #expect(!granted.isEmpty)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `who waits as long as told gets what was asked for, and not a nanosecond earlier`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        let quota = Int.random(in: 1...1_000, using: &numbers)
        let shape = BucketShape(
            quota: quota, refill: Int.random(in: 1...1_000, using: &numbers),
            window: .nanoseconds(Int64.random(in: 1_000...100_000_000_000, using: &numbers)))
        var bucket = TokenBucket.full
        let now = Int64.random(in: 0...Int64.max / 4, using: &numbers)
        _ = bucket.take(Int64(quota), shape, at: now)
        let tokens = Int64.random(in: 1...Int64(quota), using: &numbers)

        let wait = bucket.take(tokens, shape, at: now).wait

        #expect(!bucket.take(tokens, shape, at: now + wait - 1).isGranted)
        #expect(bucket.take(tokens, shape, at: now + wait).isGranted)
    }

    @Test(arguments: [
        (1, 1, Duration.seconds(Int64.max)), (Int.max, 1, .seconds(86_400 * 365)), (Int.max, Int.max, .nanoseconds(1)),
        (Int.min, Int.min, .seconds(-5)), (1, Int.max, .zero), (1_000_000_000, 1, .seconds(1 << 40)),
    ])
    func `no setting makes a bucket overflow`(quota: Int, refill: Int, window: Duration) {
        let shape = BucketShape(quota: quota, refill: refill, window: window)
        for now in [0, 1, Int64.max / 4] {
            var bucket = TokenBucket.full
            for _ in 0..<5 {
                _ = bucket.take(.max, shape, at: now)
                bucket.takeAnyway(.max, shape, at: now)
                _ = bucket.putBack(.max, shape, at: now)
            }

            let outcome = bucket.outcome(shape, at: now)

            #expect(outcome.left >= 0 && outcome.left <= shape.quota && outcome.wait >= 0)
        }
        #expect(shape.secondsToFill > 0)
    }
}
