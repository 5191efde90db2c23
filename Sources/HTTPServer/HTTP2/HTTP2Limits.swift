internal import EventLoops

/// The bounds of one HTTP/2 connection, beside `Limits`.
package struct HTTP2Limits: Sendable {
    /// Requests at a time, those that the client has given up but whose handlers have not ended included.
    package var streams = 100
    /// The bytes of a body that may come before its handler has taken them.
    package var streamWindow: Int32 = 64 << 10
    /// The same for all bodies of a connection.
    package var connectionWindow: Int32 = 256 << 10
    /// The bytes of a streamed response that may wait; its producer waits for the rest.
    package var streamBacklog = 64 << 10
    /// The same for all streamed responses of a connection.
    package var connectionBacklog = 1 << 20
    /// How many requests a client may give up at once; more end the connection ("rapid reset", CVE-2023-44487).
    package var resets = 200
    /// The same for a second, later.
    package var resetsPerSecond = 20
    /// How many frames may come at once that neither begin a request nor bring a part of one; more end the connection. What is
    /// sent to the client earns it as many as it may have to answer with.
    package var controlFrames = 1_000
    /// The same for a second, later.
    package var controlFramesPerSecond = 200

    /// The defaults above.
    package init() {}
}

/// Lets a burst pass, and then so many a second.
struct FrameAllowance {
    private let burst: Double
    private let perNanosecond: Double
    private var tokens: Double
    private var filledAt: Moment

    init(burst: Int, perSecond: Int, at now: Moment) {
        self.burst = Double(burst)
        perNanosecond = Double(perSecond) / 1e9
        tokens = Double(burst)
        filledAt = now
    }

    /// Whether there was a token left.
    mutating func take(at now: Moment) -> Bool {
        give(Double(now.nanoseconds - filledAt.nanoseconds) * perNanosecond)
        filledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Adds what was earned.
    mutating func give(_ count: Double) { tokens = min(burst, tokens + count) }
}
