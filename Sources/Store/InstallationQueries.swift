internal import Domain
package import FoundationEssentials
import Postgres

extension Query where Row == UUID {
    static func installation() -> Self {
        Query("installation", "SELECT id FROM installation", []) { row throws(PostgresError) in try row.get("id") }
    }
}

extension Query where Row == [UInt8] {
    static func sealingKey() -> Self {
        Query("sealing_key", "SELECT key_id FROM installation WHERE key_id IS NOT NULL", []) {
            row throws(PostgresError) in try row.get("key_id")
        }
    }

    static func pairSealingKey(_ id: [UInt8]) -> Self {
        Query(
            "pair_sealing_key",
            "UPDATE installation SET key_id = coalesce(key_id, $1) RETURNING key_id", [id]
        ) { row throws(PostgresError) in try row.get("key_id") }
    }
}

extension Query where Row == Void {
    static func insertInstallation(_ id: UUID) -> Self {
        Query("insert_installation", "INSERT INTO installation (id) VALUES ($1) ON CONFLICT DO NOTHING", [id])
    }
}

extension PicsStore {
    /// The identifier of the installation that the database belongs to, nil when none was written yet.
    package func installation() async throws(StoreError) -> UUID? { try await first(.installation()) }

    /// The identifier of the sealing key that the database belongs to, 4 bytes; nil when none was written yet.
    package func sealingKey() async throws(StoreError) -> [UInt8]? { try await first(.sealingKey()) }

    /// Writes the identifier of a sealing key, unless there is one.
    ///
    /// - Returns: The one that the database has now; nil before it belongs to an installation.
    package func pairSealingKey(_ id: [UInt8]) async throws(StoreError) -> [UInt8]? {
        try await first(.pairSealingKey(id))
    }

    /// Writes the identifier of the key that seals from now on.
    package func setSealingKey(_ id: [UInt8]) async throws(StoreError) {
        _ = try await first(.setSealingKey(id), audited: { $0 ? AuditEntry(.sealingKeyRotated) : nil })
    }

    /// Writes the identifier, unless there is one.
    ///
    /// - Returns: The one that the database has now.
    package func setInstallation(_ id: UUID) async throws(StoreError) -> UUID {
        try await execute(.insertInstallation(id))
        guard let kept = try await installation() else { throw .unavailable }
        return kept
    }
}

extension Query where Row == Bool {
    /// Whether another key was there before.
    static func setSealingKey(_ id: [UInt8]) -> Self {
        Query(
            "set_sealing_key",
            """
            WITH former AS (SELECT id, key_id FROM installation FOR UPDATE)
            UPDATE installation i SET key_id = $1 FROM former f WHERE f.id = i.id
            RETURNING f.key_id IS NOT NULL AND f.key_id <> $1 AS is_other
            """, [id]
        ) { row throws(PostgresError) in try row.get("is_other") }
    }
}
