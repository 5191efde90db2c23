/// Why a loop cannot watch: the system call that failed and its `errno`.
package struct EventLoopError: Error, Equatable, CustomStringConvertible {
    /// The name of the system call, such as `epoll_ctl`.
    package let call: String
    /// Its `errno`, such as `EMFILE`.
    package let code: Int32

    package var description: String { "\(call) failed with errno \(code)" }
}
