package import FoundationEssentials
import Postgres

/// The last backups of a Pics.
package struct BackupRecord: Sendable, Equatable {
    package let id: String
    package let place: String
    package let begunAt: Date
    package let endedAt: Date?
    /// Why it failed.
    package let problem: String?
    package let files: Int64
    package let bytes: Int64
    package let faulty: Int64
}

extension Query where Row == String {
    fileprivate static func beginBackup(_ id: String, at place: String, every: Duration?) -> Self {
        Query(
            "begin_backup",
            """
            INSERT INTO backups (id, place)
            SELECT $1, $2 WHERE NOT EXISTS (
                       SELECT FROM backups WHERE ended_at IS NULL AND seen_at > now() - interval '5 minutes')
               AND ($3::float8 IS NULL OR NOT EXISTS (
                       SELECT FROM backups
                        WHERE (problem IS NULL AND ended_at IS NOT NULL AND begun_at > now() - make_interval(secs => $3))
                           OR begun_at > now() - interval '15 minutes'))
            ON CONFLICT (id) DO NOTHING RETURNING id
            """, [id, place, every.map { Double($0.components.seconds) }]
        ) { row throws(PostgresError) in try row.get("id") }
    }
}

extension Query where Row == Void {
    fileprivate static var lockBackups: Self {
        Query("lock_backups", "SELECT pg_advisory_xact_lock(hashtext('pics backups'))")
    }

    fileprivate static func noteBackup(_ id: String, files: Int, bytes: Int64) -> Self {
        Query(
            "note_backup", "UPDATE backups SET seen_at = now(), files = $2, bytes = $3 WHERE id = $1",
            [id, Int64(files), bytes])
    }

    fileprivate static func endBackup(_ id: String, problem: String?, faulty: Int) -> Self {
        Query(
            "end_backup",
            "UPDATE backups SET ended_at = now(), seen_at = now(), problem = left($2, 1000), faulty = $3 WHERE id = $1",
            [id, problem, Int64(faulty)])
    }

    fileprivate static func pruneBackups() -> Self {
        Query("prune_backups", "DELETE FROM backups WHERE begun_at < now() - interval '90 days'")
    }
}

extension Query where Row == BackupRecord {
    fileprivate static func lastBackups() -> Self {
        Query(
            "last_backups", "SELECT * FROM backups ORDER BY begun_at DESC LIMIT 100"
        ) { row throws(PostgresError) in
            BackupRecord(
                id: try row.get("id"), place: try row.get("place"), begunAt: try row.get("begun_at"),
                endedAt: try row.get("ended_at"), problem: try row.get("problem"), files: try row.get("files"),
                bytes: try row.get("bytes"), faulty: try row.get("faulty"))
        }
    }
}

extension PicsStore {
    /// Claims the making of a backup: one is made at a time.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - place: Where it is put, for people.
    ///   - every: Nil begins one now; else only when the last that is there was begun so long ago, and none has failed lately.
    /// - Returns: Whether it is this caller's.
    /// - Throws: `StoreError`.
    package func beginBackup(_ id: String, at place: String, every: Duration? = nil) async throws(StoreError) -> Bool {
        let begun = try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(.lockBackups)
                return try await transaction.first(.beginBackup(id, at: place, every: every))
            }
        }
        return begun != nil
    }

    /// Writes how far a backup is, which also says that it goes on: at least every few minutes.
    package func noteBackup(_ id: String, files: Int, bytes: Int64) async throws(StoreError) {
        try await execute(.noteBackup(id, files: files, bytes: bytes))
    }

    /// Writes that a backup is there, or why it is not, and forgets old ones.
    package func endBackup(_ id: String, problem: String?, faulty: Int = 0) async throws(StoreError) {
        try await execute(.endBackup(id, problem: problem, faulty: faulty))
        try await execute(.pruneBackups())
    }

    /// The backups of the last 90 days, the newest first; a hundred at most.
    package func backups() async throws(StoreError) -> [BackupRecord] { try await rows(.lastBackups()) }
}
