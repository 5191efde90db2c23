internal import Glibc

/// A value behind a POSIX mutex, which makes it safe to share.
///
/// `Synchronization.Mutex` would do, but the thread sanitizer does not see into it and reports a race wherever one thread
/// hands something to another.
package final class Lock<Value: ~Copyable>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Takes the value; its giver keeps no reference to it.
    package init(_ value: consuming Value) {
        self.value = value
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "no mutex: \(status)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` alone with the value.
    ///
    /// - Throws: The error of `body`.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
