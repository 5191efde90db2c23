internal import CLoopGuard

/// The calls that may block and are made on an event loop all the same.
///
/// In debug builds any other ends the process: see `Sources/CLoopGuard`. Lines of the log, written to standard output or
/// standard error, are exempt there. The reasons: `docs/decisions/event-loops-and-actors.md`.
package enum BlockingCall {
    /// libcurl reads the system's certificates, once a day and transport.
    case certificates
    /// The key file is read after it was replaced.
    case replacedKeys
    /// A file's bytes that were found in the page cache a moment ago.
    case cachedPages

    /// Makes a call of this kind, also on a loop.
    package func permit<Value, Failure: Error>(_ call: () throws(Failure) -> Value) throws(Failure) -> Value {
        #if DEBUG
        pics_loop_guard_permit(1)
        defer { pics_loop_guard_permit(-1) }
        #endif
        return try call()
    }
}
