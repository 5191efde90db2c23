package import Domain
package import FoundationEssentials
import Postgres

/// A connected account with its sealed credentials.
package struct SealedAccount: Sendable {
    package let connection: AccountID
    package let service: String
    package let remoteID: String
    package let name: String
    /// Sealed.
    package let credentials: [UInt8]
    /// Grows whenever the credentials are replaced.
    package let credentialsNo: Int32
    /// A JSON object.
    package let settings: String
    package let settingsReadAt: Date
}

extension SealedAccount {
    /// Of `connections`, as `c`.
    static let columns = """
        c.id AS connection_id, c.service, c.remote_id, c.account, c.credentials, c.credentials_no, c.settings,
        c.settings_read_at
        """

    init(_ row: borrowing ResultRow) throws(PostgresError) {
        connection = try row.id("connection_id")
        service = try row.get("service")
        remoteID = try row.get("remote_id")
        name = try row.get("account")
        credentials = try row.get("credentials")
        credentialsNo = try row.get("credentials_no")
        settings = try row.get("settings")
        settingsReadAt = try row.get("settings_read_at")
    }
}

extension Query where Row == SealedAccount {
    /// No row for a disconnected account, and for another owner's.
    static func account(_ connection: AccountID, owner: UserID) -> Self {
        Query(
            "account",
            """
            SELECT \(SealedAccount.columns) FROM connections c
             WHERE c.id = $1 AND c.owner_id = $2 AND c.state <> 'disabled'
            """, [connection.uuid, owner.uuid]
        ) { row throws(PostgresError) in try SealedAccount(row) }
    }

    /// No row for one that the owner has not connected, or has disconnected.
    static func account(_ service: String, remoteID: String, owner: UserID) -> Self {
        Query(
            "account_by_identity",
            """
            SELECT \(SealedAccount.columns) FROM connections c
             WHERE c.owner_id = $1 AND c.service = $2 AND c.remote_id = $3 AND c.state <> 'disabled'
            """, [owner.uuid, service, remoteID]
        ) { row throws(PostgresError) in try SealedAccount(row) }
    }
}

extension Query where Row == UUID {
    /// Stores the owner's choices for an account; they say nothing of its service's limits.
    static func chooseSettings(_ settings: String, of connection: AccountID, owner: UserID) -> Self {
        Query(
            "choose_settings",
            """
            UPDATE connections SET settings = settings || $3::text::jsonb
             WHERE id = $1 AND owner_id = $2 AND state <> 'disabled' RETURNING id
            """, [connection.uuid, owner.uuid, settings]
        ) { row throws(PostgresError) in try row.get("id") }
    }
}

extension Query where Row == Int32? {
    static func disconnect(_ connection: AccountID, owner: UserID) -> Self {
        Query(
            "disconnect_account", "SELECT disconnect_account($1, $2) AS cancelled", [connection.uuid, owner.uuid]
        ) { row throws(PostgresError) in try row.get("cancelled") }
    }

    static func sweepDisconnected() -> Self {
        Query("sweep_disconnected", "SELECT sweep_disconnected() AS ended") { row throws(PostgresError) in
            try row.get("ended")
        }
    }
}
