package import FoundationEssentials

/// When a failed try is repeated: exponential with full jitter, so that many that failed together do not come back
/// together (AWS Architecture Blog, "Exponential Backoff And Jitter").
package struct Backoff: Sendable {
    /// The longest wait after the first failure.
    package var base: Duration
    /// The longest wait of all.
    package var cap: Duration

    package init(base: Duration = .seconds(15), cap: Duration = .seconds(6 * 3600)) {
        self.base = base
        self.cap = cap
    }

    /// The wait after `failures` (from 1) failed attempts, of which `fraction` is the random part, in 0..<1. What the service
    /// asked for, `retryAfter`, wins when it is longer, up to a day.
    package func delay(afterFailures failures: Int, retryAfter: Duration?, fraction: Double) -> Duration {
        let doublings = min(max(failures, 1) - 1, 30)
        let longest = min(cap, base * (1 << doublings))
        // Not below a tenth of a second: an attempt that failed at once must not fail a hundred times at once.
        let jittered = max(.milliseconds(100), longest * fraction)
        return max(jittered, min(retryAfter ?? .zero, Self.longestPause))
    }

    /// How long a service is not asked whose limit ends at `end`: a second to a day, and `otherwise` where it does not say.
    package static func pause(
        until end: Date?, now: Date, otherwise: Duration = .seconds(900)
    ) -> Duration {
        guard let end else { return otherwise }
        // In this order a time that is no number becomes a second.
        return .seconds(min(max(1, end.timeIntervalSince(now)), Double(longestPause.components.seconds)))
    }

    /// The longest that a service may hold work back: one that is wrong about the time must not stop an account for ever.
    package static let longestPause = Duration.seconds(24 * 3600)
}
