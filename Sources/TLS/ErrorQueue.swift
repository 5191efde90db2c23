internal import CTLS
internal import Glibc

/// OpenSSL's queue of errors, one for each thread (OpenSSL 3 manual, ERR_get_error).
///
/// It is cleared before a call whose result `SSL_get_error` shall judge, and read at once when the call has failed, on the
/// same thread: between the two nothing suspends.
enum ErrorQueue {
    /// One error.
    struct Entry {
        fileprivate let code: UInt

        /// One line of OpenSSL's or the system's own words, never a client's.
        var reason: String {
            if library == ERR_LIB_SYS { return String(cString: strerror(number)) }
            return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
        }

        func `is`(_ number: Int32, of library: Int32) -> Bool { self.number == number && self.library == library }

        private var library: Int32 { ERR_GET_LIB(code) }
        private var number: Int32 { ERR_GET_REASON(code) }
    }

    /// Forgets what earlier calls on this thread left.
    static func clear() { ERR_clear_error() }

    /// The oldest error, which is the cause of those after it; the queue is empty then.
    static func take() -> Entry? {
        let code = ERR_get_error()
        ERR_clear_error()
        return code == 0 ? nil : Entry(code: code)
    }
}
