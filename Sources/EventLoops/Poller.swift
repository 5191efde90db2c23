internal import CLinux
internal import Glibc

/// An epoll descriptor with an eventfd to wake it and a timerfd to time it.
final class Poller {
    static let signalToken = UInt64.max
    static let timerToken = UInt64.max - 1

    let descriptor: Int32
    private let signalDescriptor: Int32
    private let timerDescriptor: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>

    init() throws(EventLoopError) {
        events = .allocate(capacity: 256)
        events.initialize(repeating: epoll_event())
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        signalDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // CLOCK_BOOTTIME goes on while the machine sleeps, as leases elsewhere do.
        timerDescriptor = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0, signalDescriptor >= 0, timerDescriptor >= 0 else {
            let code = errno
            close()
            throw EventLoopError(call: "epoll_create1", code: code)
        }
        try add(signalDescriptor, .readable, token: Self.signalToken)
        try add(timerDescriptor, .readable, token: Self.timerToken)
    }

    deinit { events.deallocate() }

    func close() {
        for descriptor in [descriptor, signalDescriptor, timerDescriptor] where descriptor >= 0 {
            Glibc.close(descriptor)
        }
    }

    // MARK: Descriptors

    func add(_ watched: Int32, _ interest: Readiness, token: UInt64) throws(EventLoopError) {
        guard control(EPOLL_CTL_ADD, watched, interest, token) == 0 else {
            throw EventLoopError(call: "epoll_ctl", code: errno)
        }
    }

    func modify(_ watched: Int32, _ interest: Readiness, token: UInt64) {
        _ = control(EPOLL_CTL_MOD, watched, interest, token)
    }

    func remove(_ watched: Int32) {
        _ = control(EPOLL_CTL_DEL, watched, [], 0)
    }

    private func control(_ operation: Int32, _ watched: Int32, _ interest: Readiness, _ token: UInt64) -> Int32 {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
        return epoll_ctl(descriptor, operation, watched, &event)
    }

    // MARK: Events

    /// Collects what is ready now, without waiting: Dispatch does the waiting. Returns how many `event(_:)` can tell.
    func poll() -> Int {
        max(0, Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), 0)))
    }

    func event(_ index: Int) -> (token: UInt64, readiness: Readiness) {
        (events[index].data.u64, Readiness(rawValue: events[index].events))
    }

    // MARK: Waking

    func signal() { _ = eventfd_write(signalDescriptor, 1) }

    func acknowledgeSignal() {
        var value = eventfd_t()
        _ = eventfd_read(signalDescriptor, &value)
    }

    func setTimer(_ due: Moment) {
        var specification = itimerspec()
        // A zero would disarm the timer; a moment in the past fires at once.
        let nanoseconds = max(1, due.nanoseconds)
        specification.it_value = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        _ = timerfd_settime(timerDescriptor, Int32(TFD_TIMER_ABSTIME), &specification, nil)
    }

    func acknowledgeTimer() {
        var expirations: UInt64 = 0
        _ = read(timerDescriptor, &expirations, MemoryLayout<UInt64>.size)
    }
}
