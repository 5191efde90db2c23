internal import Domain
internal import FoundationEssentials
internal import Postgres

/// Ways to sign in beside the password; the raw value is the table of each.
enum WayToSignIn: String {
    case passkey = "passkeys"
    case identity = "identities"
}

extension Query where Row == Void {
    /// The user's row, so that of two requests that remove the last ways to sign in one waits for the other.
    fileprivate static func lockSigningIn(of user: UserID) -> Self {
        Query("lock_signing_in", "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE", [user.uuid])
    }

    /// Deletes one of a user's ways to sign in, unless it is the last. Issuers may write a slash at their end.
    fileprivate static func delete(_ way: WayToSignIn, _ id: UUID, of user: UserID, issuer: String?) -> Self {
        Query(
            "delete_from_\(way.rawValue)",
            """
            DELETE FROM \(way.rawValue)
             WHERE id = $1 AND user_id = $2
               AND (EXISTS (SELECT FROM users u WHERE u.id = $2 AND u.password IS NOT NULL)
                    OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = $2 AND p.id <> $1)
                    OR EXISTS (SELECT FROM identities i
                                WHERE i.user_id = $2 AND i.id <> $1 AND rtrim(i.issuer, '/') = $3))
            """, [id, user.uuid, issuer])
    }
}

extension PicsStore {
    /// Removes one of a user's ways to sign in, and writes that into the audit log. False when it is the last one, or is not theirs.
    ///
    /// `issuer` is the one of OpenID Connect that people sign in by, without a slash at its end: identities of others are no way.
    func remove(
        _ way: WayToSignIn, _ id: UUID, of user: UserID, issuer: String?, noting entry: AuditEntry
    ) async throws(StoreError) -> Bool {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                _ = try await transaction.execute(.lockSigningIn(of: user))
                guard try await transaction.execute(.delete(way, id, of: user, issuer: issuer)) == 1 else {
                    return false
                }
                try await transaction.execute(.audit(entry))
                return true
            }
        }
    }
}
