internal import CPostgres

/// One `PGcancel`, freed exactly once: asks the server to stop what a connection runs at the moment.
///
/// `@unchecked Sendable`: the object is a copy of the connection's address and key that nothing changes, and `PQcancel`
/// may be called from any thread, even while the connection is in use elsewhere (PostgreSQL manual, "Canceling Queries
/// in Progress").
final class CancelHandle: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Nil when the connection is closed already.
    init?(_ connection: borrowing ConnectionHandle) {
        guard let pointer = PQgetCancel(connection.pointer) else { return nil }
        self.pointer = pointer
    }

    deinit { PQfreeCancel(pointer) }

    /// Blocks until the server has taken the request; returns why that failed.
    func send() -> String? {
        var reason = [CChar](repeating: 0, count: 256)
        guard PQcancel(pointer, &reason, Int32(reason.count)) == 0 else { return nil }
        return String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
