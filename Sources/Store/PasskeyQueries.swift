package import Domain
package import FoundationEssentials
internal import Postgres

/// A passkey as its user sees it in the list.
package struct PasskeyRecord: Sendable, Equatable {
    package let id: PasskeyID
    package let name: String
    package let createdAt: Date
    package let lastUsedAt: Date?
    /// The identifier that its authenticator knows.
    package let credentialID: [UInt8]
}

/// A passkey that signs somebody in.
package struct PasskeyMatch: Sendable {
    package let id: PasskeyID
    package let user: User
    /// As its authenticator has written it.
    package let publicKey: [UInt8]
    package let signCount: UInt32
    package let isBackupEligible: Bool
}

/// A passkey that is added.
package struct NewPasskey: Sendable {
    package let id: PasskeyID
    package let user: UserID
    package let credentialID: [UInt8]
    package let publicKey: [UInt8]
    package let signCount: UInt32
    package let isBackupEligible: Bool
    package let name: String

    package init(
        id: PasskeyID, user: UserID, credentialID: [UInt8], publicKey: [UInt8], signCount: UInt32,
        isBackupEligible: Bool, name: String
    ) {
        self.id = id
        self.user = user
        self.credentialID = credentialID
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.name = name
    }
}

extension Query where Row == PasskeyRecord {
    fileprivate static func passkeys(of user: UserID) -> Self {
        Query(
            "passkeys",
            """
            SELECT id, name, created_at, last_used_at, credential_id FROM passkeys
             WHERE user_id = $1 ORDER BY created_at, id
            """, [user.uuid]
        ) { row throws(PostgresError) in
            PasskeyRecord(
                id: try row.id("id"), name: try row.get("name"), createdAt: try row.get("created_at"),
                lastUsedAt: try row.get("last_used_at"), credentialID: try row.get("credential_id"))
        }
    }
}

extension Query where Row == PasskeyMatch {
    fileprivate static func passkey(credentialID: [UInt8]) -> Self {
        Query(
            "passkey_by_credential",
            """
            SELECT p.id, p.public_key, p.sign_count, p.backup_eligible, u.id AS user_id, u.name, u.is_admin, u.created_at
              FROM passkeys p JOIN users u ON u.id = p.user_id
             WHERE p.credential_id = $1 AND u.deleted_at IS NULL
            """, [credentialID]
        ) { row throws(PostgresError) in
            let user = User(
                id: try row.id("user_id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
                createdAt: try row.get("created_at"))
            let count: Int64 = try row.get("sign_count")
            return PasskeyMatch(
                id: try row.id("id"), user: user, publicKey: try row.get("public_key"),
                signCount: UInt32(clamping: count), isBackupEligible: try row.get("backup_eligible"))
        }
    }
}

extension Query where Row == Void {
    /// Nothing where the user is gone, or has `limit` already.
    fileprivate static func insertPasskey(_ new: NewPasskey, limit: Int) -> Self {
        Query(
            "insert_passkey",
            """
            INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, name)
            SELECT $1, id, $3, $4, $5, $6, $7 FROM users
             WHERE id = $2 AND deleted_at IS NULL AND (SELECT count(*) FROM passkeys WHERE user_id = $2) < $8::int
            """,
            [
                new.id.uuid, new.user.uuid, new.credentialID, new.publicKey, Int64(new.signCount),
                new.isBackupEligible, new.name, Int32(limit),
            ])
    }

    /// The counter goes up, or stays 0 where the authenticator has none.
    fileprivate static func usePasskey(_ id: PasskeyID, signCount: UInt32) -> Self {
        Query(
            "use_passkey",
            """
            UPDATE passkeys SET sign_count = $2, last_used_at = now()
             WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0))
            """, [id.uuid, Int64(signCount)])
    }

    fileprivate static func spendChallenge(_ hash: [UInt8]) -> Self {
        Query(
            "spend_challenge",
            """
            INSERT INTO spent_challenges (hash) VALUES ($1)
            ON CONFLICT ON CONSTRAINT spent_challenges_pkey DO NOTHING
            """, [hash])
    }

    fileprivate static func pruneChallenges() -> Self {
        Query(
            "prune_spent_challenges", "DELETE FROM spent_challenges WHERE spent_at < now() - interval '1 hour'")
    }
}

extension PicsStore {
    /// Passkeys that a user may have.
    package static let mostPasskeys = 50

    /// A user's passkeys, oldest first.
    package func passkeys(of user: UserID) async throws(StoreError) -> [PasskeyRecord] {
        try await rows(.passkeys(of: user))
    }

    /// The passkey that an authenticator knows by `credentialID`; nil for none, and for that of somebody who is gone.
    package func passkey(credentialID: [UInt8]) async throws(StoreError) -> PasskeyMatch? {
        try await first(.passkey(credentialID: credentialID))
    }

    /// Adds a passkey. False when the user has too many.
    ///
    /// - Throws: `.conflict("passkeys_credential_key")` when somebody has it already.
    package func add(_ passkey: NewPasskey) async throws(StoreError) -> Bool {
        try await execute(
            .insertPasskey(passkey, limit: Self.mostPasskeys),
            audited: AuditEntry(.passkeyAdded, to: passkey.user)) == 1
    }

    /// Notes that a passkey has signed somebody in. False when it is gone, or its counter has not gone up.
    package func use(_ passkey: PasskeyID, signCount: UInt32) async throws(StoreError) -> Bool {
        try await execute(.usePasskey(passkey, signCount: signCount)) == 1
    }

    /// Removes a passkey. False when it is the last way that the user has to sign in, or is not theirs.
    ///
    /// `issuer` is the one that people sign in by, without a slash at its end.
    package func deletePasskey(_ id: PasskeyID, of user: UserID, issuer: String?) async throws(StoreError) -> Bool {
        try await remove(.passkey, id.uuid, of: user, issuer: issuer, noting: AuditEntry(.passkeyRemoved, to: user))
    }

    /// Marks a challenge, by its SHA-256, as answered. False when it was.
    package func spendChallenge(_ hash: [UInt8]) async throws(StoreError) -> Bool {
        try await execute(.pruneChallenges())
        return try await execute(.spendChallenge(hash)) == 1
    }
}
