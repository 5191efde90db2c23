internal import Glibc

/// A point of the clock that loops measure deadlines with: nanoseconds since boot, suspended time included.
package struct Moment: Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// CLOCK_BOOTTIME (clock_gettime(2)).
    package static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Later by `duration`; stops at the end of time instead of overflowing.
    package static func + (moment: Moment, duration: Duration) -> Moment {
        let (seconds, attoseconds) = duration.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return Moment(nanoseconds: .max) }
        let (sum, tooLate) = moment.nanoseconds.addingReportingOverflow(scaled + attoseconds / 1_000_000_000)
        return Moment(nanoseconds: tooLate ? .max : sum)
    }

    /// The time from `earlier` to `later`; negative when the order is the other way round.
    package static func - (later: Moment, earlier: Moment) -> Duration {
        .nanoseconds(later.nanoseconds - earlier.nanoseconds)
    }

    package static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }
}
