internal import EventLoops

/// Lets a burst pass, and then so many a second.
struct FrameAllowance {
    private let burst: Double
    private let perNanosecond: Double
    private var tokens: Double
    private var filledAt: Moment

    init(burst: Int, perSecond: Int) {
        self.burst = Double(burst)
        perNanosecond = Double(perSecond) / 1e9
        tokens = Double(burst)
        filledAt = .now
    }

    /// Whether there was a token left.
    mutating func take() -> Bool {
        let now = Moment.now
        give(Double(now.nanoseconds - filledAt.nanoseconds) * perNanosecond)
        filledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Adds what was earned.
    mutating func give(_ count: Double) { tokens = min(burst, tokens + count) }
}
