import Domain
import Foundation
import Postgres

extension Query where Row == User {
    static func insertUser(_ id: UserID, name: String, isAdmin: Bool, timeZone: String) -> Self {
        Query(
            "insert_user",
            """
            INSERT INTO users (id, name, is_admin, time_zone) VALUES ($1, $2, $3, $4)
            RETURNING id, name, is_admin, created_at
            """, [id.uuid, name, isAdmin, timeZone], decode: user)
    }

    static func userNamed(_ name: String) -> Self {
        Query(
            "user_named", "SELECT id, name, is_admin, created_at FROM users WHERE name = $1 AND deleted_at IS NULL",
            [name], decode: user)
    }

    static func user(_ id: UserID) -> Self {
        Query(
            "user_by_id", "SELECT id, name, is_admin, created_at FROM users WHERE id = $1 AND deleted_at IS NULL",
            [id.uuid], decode: user)
    }

    static func users() -> Self {
        Query(
            "users",
            "SELECT id, name, is_admin, created_at FROM users WHERE deleted_at IS NULL ORDER BY name", decode: user)
    }

    private static func user(_ row: borrowing ResultRow) throws(PostgresError) -> User {
        User(
            id: try row.id("id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
            createdAt: try row.get("created_at"))
    }
}

extension Query where Row == String {
    /// The IANA name of the zone in which a user's days are counted.
    static func timeZone(of user: UserID) -> Self {
        Query("user_time_zone", "SELECT time_zone FROM users WHERE id = $1", [user.uuid]) {
            row throws(PostgresError) in try row.get("time_zone")
        }
    }
}
