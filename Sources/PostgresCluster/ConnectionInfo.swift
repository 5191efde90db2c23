/// Where the cluster listens, as libpq wants to hear it.
package struct ConnectionInfo: Sendable, Equatable, CustomStringConvertible {
    /// Keywords and values like `host=/var/lib/pics/run port=5432 user=pics dbname=pics`.
    ///
    /// Only a user's name needs quotes: a socket folder has a plain path. Source: PostgreSQL 15 manual, section 34.1.1.
    package let conninfo: String

    /// `user` is the system's name of the user that the server runs as, if that user has one: whoever else listens there gets
    /// nothing (`requirepeer`).
    init(socketFolder: String, port: Int, user: String? = nil) {
        let place = "host=\(socketFolder) port=\(port) user=\(ClusterCreation.name) dbname=\(ClusterCreation.name)"
        conninfo = place + (user.map { " requirepeer=\(Self.quoted($0))" } ?? "")
    }

    private static func quoted(_ value: String) -> String {
        "'\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }

    package var description: String { conninfo }
}
