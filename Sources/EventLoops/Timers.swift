internal import CLinux
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

/// A call that a loop makes at a moment, unless cancelled before. Confined to its loop.
package final class LoopTimer {
    let due: Moment
    let action: () -> Void
    fileprivate var place: Int?
    private unowned let loop: EventLoop

    init(due: Moment, loop: EventLoop, action: @escaping () -> Void) {
        self.due = due
        self.loop = loop
        self.action = action
    }

    /// The call is not made. Does nothing when it was made already.
    package func cancel() { loop.remove(self) }
}

/// A binary heap, the earliest timer first, in which a timer knows its place so that cancelling it is cheap.
struct TimerHeap {
    private var timers: [LoopTimer] = []

    var earliest: Moment? { timers.first?.due }

    /// Returns whether the new timer is now the earliest.
    mutating func insert(_ timer: LoopTimer) -> Bool {
        timers.append(timer)
        timer.place = timers.count - 1
        rise(timers.count - 1)
        return timer.place == 0
    }

    mutating func popDue(at now: Moment) -> LoopTimer? {
        guard let first = timers.first, first.due <= now else { return nil }
        remove(first)
        return first
    }

    mutating func remove(_ timer: LoopTimer) {
        guard let place = timer.place else { return }
        timer.place = nil
        let last = timers.removeLast()
        guard place < timers.count else { return }
        timers[place] = last
        last.place = place
        rise(place)
        sink(last.place ?? place)
    }

    mutating func removeAll() {
        for timer in timers { timer.place = nil }
        timers = []
    }

    private mutating func rise(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard timers[child].due < timers[parent].due else { return }
            exchange(child, parent)
            child = parent
        }
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < timers.count && timers[child].due < timers[least].due {
                least = child
            }
            guard least != parent else { return }
            exchange(parent, least)
            parent = least
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        timers.swapAt(one, other)
        timers[one].place = one
        timers[other].place = other
    }
}
