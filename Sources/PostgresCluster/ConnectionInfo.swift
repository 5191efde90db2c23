/// Where the cluster listens, as libpq wants to hear it.
package struct ConnectionInfo: Sendable, Equatable, CustomStringConvertible {
    /// Keywords and values like `host=/var/lib/pics/run port=5432 user=pics dbname=pics`.
    ///
    /// Nothing in it needs quotes: a socket folder has a plain path. Source: PostgreSQL 15 manual, section 34.1.1.
    package let conninfo: String

    init(socketFolder: String, port: Int) {
        conninfo = "host=\(socketFolder) port=\(port) user=\(ClusterCreation.name) dbname=\(ClusterCreation.name)"
    }

    package var description: String { conninfo }
}
