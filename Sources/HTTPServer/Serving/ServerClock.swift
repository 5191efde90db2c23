package import EventLoops
internal import Glibc

/// The time that a server goes by: every deadline, duration and rate, and the field `Date`.
///
/// A server has one. Tests give it one that stands still until they move it.
package protocol ServerClock: Sendable {
    /// The present moment; never earlier than a moment before.
    var now: Moment { get }
    /// The time of day in whole seconds since 1970, UTC.
    var secondsSince1970: Int64 { get }

    /// Calls `action` on `loop` once `delay` has passed, never early, unless cancelled before; on the loop only.
    func schedule(after delay: Duration, on loop: EventLoop, _ action: @escaping () -> Void) -> any ServerTimer
}

/// A call that a clock makes later. Confined to the loop that it is made on.
package protocol ServerTimer: AnyObject {
    /// The call is not made. Does nothing when it was made already.
    func cancel()
}

extension LoopTimer: ServerTimer {}

/// The machine's own clocks: CLOCK_BOOTTIME, and CLOCK_REALTIME_COARSE for the time of day (clock_gettime(2)).
package struct SystemClock: ServerClock {
    package init() {}

    package var now: Moment { .now }

    package var secondsSince1970: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec)
    }

    package func schedule(
        after delay: Duration, on loop: EventLoop, _ action: @escaping () -> Void
    ) -> any ServerTimer {
        loop.schedule(after: delay, action)
    }
}
