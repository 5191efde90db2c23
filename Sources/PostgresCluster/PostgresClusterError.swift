/// Why there is no running cluster. Every description says what a person can do about it.
package enum PostgresClusterError: Error, Equatable, CustomStringConvertible {
    /// No PostgreSQL server that is new enough was found; the text names what was.
    case notInstalled(String)
    /// The cluster was made by a major version that is not installed.
    case otherVersion(cluster: Int, folder: String)
    /// A folder, a user or a missing tool stands in the way.
    case refused(String)
    /// initdb or the server ended with an error; `log` holds its last lines.
    case failed(String, log: [String])
    /// Nothing is wrong yet, but the wait was too long. Asking again goes on waiting.
    case notReady(String)
    /// The task that asked was cancelled.
    case cancelled

    package var description: String {
        switch self {
        case .notInstalled(let found):
            "PostgreSQL \(Installation.oldestMajor) or newer is needed (on Debian: apt-get install postgresql); \(found)"
        case .otherVersion(let cluster, let folder):
            """
            \(folder) was made by PostgreSQL \(cluster), which is not installed: install postgresql-\(cluster), \
            or move the data to a newer version with pg_upgrade
            """
        case .refused(let reason): reason
        case .failed(let what, let log):
            log.isEmpty ? what : "\(what); the end of its log:\n  \(log.joined(separator: "\n  "))"
        case .notReady(let reason): reason
        case .cancelled: "cancelled while waiting for PostgreSQL"
        }
    }
}
