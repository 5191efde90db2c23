internal import Domain
package import FoundationEssentials
import Postgres

/// What a user's sign-in asks for beside the password.
package struct SecondFactorRecord: Sendable, Equatable {
    /// The secret of the authenticator app.
    package let sealed: [UInt8]
    package let createdAt: Date
    /// The recovery codes that still work.
    package let codesLeft: Int
}

extension Query where Row == SecondFactorRecord {
    static func secondFactor(of user: UserID) -> Self {
        Query(
            "second_factor",
            """
            SELECT sealed, created_at, (SELECT count(*) FROM recovery_codes c WHERE c.user_id = f.user_id) AS codes_left
              FROM second_factors f WHERE user_id = $1
            """, [user.uuid]
        ) { row throws(PostgresError) in
            let left: Int64 = try row.get("codes_left")
            return SecondFactorRecord(
                sealed: try row.get("sealed"), createdAt: try row.get("created_at"), codesLeft: Int(left))
        }
    }
}

extension Query where Row == Void {
    /// Nothing where there is one already.
    static func insertSecondFactor(of user: UserID, sealed: [UInt8], step: Int64) -> Self {
        Query(
            "insert_second_factor",
            """
            INSERT INTO second_factors (user_id, sealed, last_step)
            SELECT id, $2, $3 FROM users WHERE id = $1 AND deleted_at IS NULL
            ON CONFLICT ON CONSTRAINT second_factors_pkey DO NOTHING
            """, [user.uuid, sealed, step])
    }

    /// Of many requests with one code, one changes a row.
    static func acceptStep(_ step: Int64, of user: UserID, sealed: [UInt8]) -> Self {
        Query(
            "accept_step",
            "UPDATE second_factors SET last_step = $2 WHERE user_id = $1 AND last_step < $2 AND sealed = $3",
            [user.uuid, step, sealed])
    }

    static func useRecoveryCode(_ hash: [UInt8], of user: UserID) -> Self {
        Query(
            "use_recovery_code", "DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2", [user.uuid, hash])
    }

    static func lockSecondFactor(of user: UserID) -> Self {
        Query("lock_second_factor", "SELECT FROM second_factors WHERE user_id = $1 FOR UPDATE", [user.uuid])
    }

    static func deleteRecoveryCodes(of user: UserID) -> Self {
        Query("delete_recovery_codes", "DELETE FROM recovery_codes WHERE user_id = $1", [user.uuid])
    }

    /// `hashes` are 32 bytes each, one after the other.
    static func insertRecoveryCodes(_ hashes: [UInt8], of user: UserID) -> Self {
        Query(
            "insert_recovery_codes",
            """
            INSERT INTO recovery_codes (user_id, hash)
            SELECT $1::uuid, substring($2::bytea FROM 32 * n + 1 FOR 32)
              FROM generate_series(0, octet_length($2::bytea) / 32 - 1) n
            """, [user.uuid, hashes])
    }

    static func deleteSecondFactor(of user: UserID) -> Self {
        Query("delete_second_factor", "DELETE FROM second_factors WHERE user_id = $1", [user.uuid])
    }
}
