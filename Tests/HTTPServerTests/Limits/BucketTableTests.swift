import TestTools
import Testing

@testable import HTTPServer

struct BucketTableTests {
    private func key(_ number: Int) -> BucketKey { BucketKey(policy: 0, high: 0, low: UInt64(number)) }

    private func set(_ table: inout BucketTable, _ number: Int, fullAt: Int64, now: Int64 = 0) {
        table.update(key(number), at: now) { $0 = TokenBucket(fullAt: fullAt) }
    }

    @Test func `a bucket that nobody has used is full and takes no place`() {
        var table = BucketTable(capacity: 4)

        let isFull = table.update(key(1), at: 5) { $0.isFull(at: 5) }

        #expect(isFull)
        #expect(table.count == 0)
    }

    @Test func `there are never more buckets than fit`() {
        var table = BucketTable(capacity: 10)

        for number in 0..<1_000 { set(&table, number, fullAt: 1_000_000) }

        #expect(table.count == 10)
    }

    @Test func `full buckets go first, two for each that comes`() {
        var table = BucketTable(capacity: 4)
        for number in 1...4 { set(&table, number, fullAt: number == 3 ? 100 : 10) }

        set(&table, 5, fullAt: 100, now: 50)

        #expect(table.count == 3)
        #expect(table.bucket(key(3)).fullAt == 100)
        #expect(table.bucket(key(5)).fullAt == 100)
    }

    @Test func `when all are in use the one goes that would be full soonest`() {
        var table = BucketTable(capacity: 3)
        for (number, fullAt) in [(1, 300), (2, 100), (3, 200)] as [(Int, Int64)] { set(&table, number, fullAt: fullAt) }

        set(&table, 4, fullAt: 400)

        #expect([1, 2, 3, 4].map { table.bucket(key($0)).fullAt } == [300, .min, 200, 400])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a table that is large enough remembers everything`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var table = BucketTable(capacity: 100)
        var model: [Int: Int64] = [:]
        for _ in 0..<2_000 {
            let number = Int.random(in: 0..<100, using: &numbers)
            let fullAt = Int64.random(in: 1...1_000, using: &numbers)
            set(&table, number, fullAt: fullAt)
            model[number] = fullAt
        }

        #expect(model.allSatisfy { table.bucket(key($0.key)).fullAt == $0.value })
        #expect(table.count == model.count)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `what is remembered is what a list that is searched each time would remember`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var table = BucketTable(capacity: 30)
        var model: [Int: Int64] = [:]
        var now: Int64 = 0
        for _ in 0..<1_500 {
            now += Int64.random(in: 0...300_000, using: &numbers)
            let number = Int.random(in: 0..<60, using: &numbers)
            // Sooner than before, as when tokens are put back, or later; never two at the same moment.
            let fullAt = now + Int64.random(in: 1...9_000_000, using: &numbers)
            if model[number] == nil {
                for _ in 0..<2 { removeFirst(of: &model) { $0 <= now } }
                if model.count >= 30 { removeFirst(of: &model) { _ in true } }
            }
            model[number] = fullAt
            set(&table, number, fullAt: fullAt, now: now)
        }

        let remembered = (0..<60).filter { table.bucket(key($0)) != .full }
        #expect(remembered == model.keys.sorted())
        #expect(model.allSatisfy { table.bucket(key($0.key)).fullAt == $0.value })
    }

    private func removeFirst(of model: inout [Int: Int64], if isMeant: (Int64) -> Bool) {
        guard let first = model.min(by: { $0.value < $1.value }), isMeant(first.value) else { return }
        model[first.key] = nil
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a table that is too small remembers those that miss most`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var table = BucketTable(capacity: 20)
        var moments = Array(1...500 as ClosedRange<Int64>)
        moments.shuffle(using: &numbers)

        for moment in moments { set(&table, Int(moment), fullAt: moment) }

        // The newest is always remembered, whatever it misses.
        let remembered = Set((1...500).filter { table.bucket(key($0)) != .full })
        #expect(remembered.count == 20)
        #expect(remembered.isSuperset(of: 482...500))
    }
}
