internal import CLinux

/// A descriptor that a loop watches, until cancelled. Confined to its loop.
package final class Watch {
    let descriptor: Int32
    fileprivate(set) var token: UInt64 = 0
    private(set) var interest: Readiness
    /// Let go with the watch's end, since it may hold what holds the watch.
    fileprivate(set) var handler: (Readiness) -> Void
    private unowned let loop: EventLoop

    init(descriptor: Int32, interest: Readiness, loop: EventLoop, handler: @escaping (Readiness) -> Void) {
        self.descriptor = descriptor
        self.interest = interest
        self.loop = loop
        self.handler = handler
    }

    /// Waits for something else from now on; an empty set still reports hangup and failure.
    package func update(_ interest: Readiness) {
        guard interest != self.interest else { return }
        self.interest = interest
        loop.update(self)
    }

    /// Calls the handler no more. A second call does nothing.
    package func cancel() { loop.remove(self) }
}

/// The watches of a loop by token. A token is a place in the table and how often that place was used, so that an event
/// of a closed descriptor, still in the batch, does not reach the next owner of its place.
struct WatchTable {
    private var slots: [Watch?] = []
    private var uses: [UInt32] = []
    private var free: [Int] = []

    subscript(token: UInt64) -> Watch? {
        let slot = Int(token & 0xFFFF_FFFF)
        guard slot < slots.count, uses[slot] == UInt32(token >> 32) else { return nil }
        return slots[slot]
    }

    mutating func insert(_ watch: Watch) {
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            // Stays below the tokens that `Poller` keeps for itself.
            uses[slot] = (uses[slot] + 1) & 0x7FFF_FFFF
            slots[slot] = watch
        } else {
            slot = slots.count
            slots.append(watch)
            uses.append(0)
        }
        watch.token = UInt64(uses[slot]) << 32 | UInt64(slot)
    }

    @discardableResult
    mutating func remove(_ watch: Watch) -> Bool {
        guard self[watch.token] === watch else { return false }
        let slot = Int(watch.token & 0xFFFF_FFFF)
        slots[slot] = nil
        free.append(slot)
        watch.handler = { _ in }
        return true
    }

    /// Forgets all, and returns what they watched.
    mutating func removeAll() -> [Int32] {
        let watches = slots.compactMap(\.self)
        for watch in watches { watch.handler = { _ in } }
        self = WatchTable()
        return watches.map(\.descriptor)
    }
}

/// The events of a descriptor, reported or waited for (epoll_ctl(2), "struct epoll_event").
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes, a connection, or the end of the stream can be read.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// Bytes can be written.
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// Both directions are closed; always reported.
    package static let hangup = Readiness(rawValue: EPOLLHUP.rawValue)
    /// The descriptor has an error; always reported.
    package static let failure = Readiness(rawValue: EPOLLERR.rawValue)
}
