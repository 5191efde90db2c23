import Blobs
import EventLoops
import Testing

struct DurabilityPaceTests {
    private let start = Moment(nanoseconds: 1_000_000_000)

    /// The decisions of a pace that begins with 100 bytes, for these bytes at these times.
    private func answers(_ steps: [(bytes: Int64, after: Duration)]) -> [Bool] {
        var pace = SyncInterval(from: 100, at: start)
        return steps.map { pace.isDue($0.bytes, at: start + $0.after) }
    }

    @Test func `a fast sender is told of each stride`() {
        let stride = 100 + SyncInterval.stride

        #expect(answers([(stride - 1, .zero), (stride, .zero), (stride + 1, .zero)]) == [false, true, false])
    }

    @Test func `a slow sender is told after each interval in which something came`() {
        let interval = SyncInterval.interval

        #expect(
            answers([
                (101, .milliseconds(1)), (100, interval), (101, interval), (102, interval + .milliseconds(1)),
                (102, interval * 2),
            ]) == [false, false, true, false, true])
    }
}
