internal import CLinux

/// What a descriptor is ready for, or what one waits for (epoll_ctl(2), "struct epoll_event").
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
