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
