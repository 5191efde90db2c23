internal import Glibc

/// A value behind a POSIX mutex, which is what makes it safe to share.
///
/// `Synchronization.Mutex` would do, but the thread sanitizer does not see into it and reports a race wherever one thread
/// hands something to another.
package final class Lock<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Takes the value, which nobody else may keep.
    package init(_ value: Value) {
        self.value = value
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "no mutex: \(status)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` alone with the value.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
