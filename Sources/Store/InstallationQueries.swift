internal import Domain
package import Foundation
import Postgres

extension Query where Row == UUID {
    static func installation() -> Self {
        Query("installation", "SELECT id FROM installation", []) { row throws(PostgresError) in try row.get("id") }
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

    /// Writes the identifier, unless there is one.
    ///
    /// - Returns: The one that the database has now.
    package func setInstallation(_ id: UUID) async throws(StoreError) -> UUID {
        try await execute(.insertInstallation(id))
        guard let kept = try await installation() else { throw .unavailable }
        return kept
    }
}
