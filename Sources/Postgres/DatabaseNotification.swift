internal import CPostgres

/// What `NOTIFY` told (PostgreSQL manual, NOTIFY).
package struct DatabaseNotification: Equatable, Sendable {
    package let channel: String
    package let payload: String

    package init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }

    /// Takes the next one that a connection has received; nil when there is none.
    init?(takenFrom connection: borrowing ConnectionHandle) {
        guard let notification = PQnotifies(connection.pointer) else { return nil }
        defer { PQfreemem(notification) }
        channel = String(cString: notification.pointee.relname)
        payload = String(cString: notification.pointee.extra)
    }
}
