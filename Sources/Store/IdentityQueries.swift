package import Domain
package import FoundationEssentials
internal import Postgres

/// Who a user is at an issuer of OpenID Connect.
package struct IdentityRecord: Sendable, Equatable {
    package let id: IdentityID
    package let issuer: String
    /// The mail address or the name that people know it by.
    package let label: String
    package let createdAt: Date
    package let lastUsedAt: Date?
}

/// An identity that is linked to a user.
package struct NewIdentity: Sendable {
    package let id: IdentityID
    package let issuer: String
    package let subject: String
    package let label: String

    package init(id: IdentityID, issuer: String, subject: String, label: String) {
        self.id = id
        self.issuer = issuer
        self.subject = subject
        self.label = label
    }
}

extension Query where Row == IdentityRecord {
    fileprivate static func identities(of user: UserID) -> Self {
        Query(
            "identities",
            """
            SELECT id, issuer, label, created_at, last_used_at FROM identities
             WHERE user_id = $1 ORDER BY created_at, id
            """, [user.uuid]
        ) { row throws(PostgresError) in
            IdentityRecord(
                id: try row.id("id"), issuer: try row.get("issuer"), label: try row.get("label"),
                createdAt: try row.get("created_at"), lastUsedAt: try row.get("last_used_at"))
        }
    }
}

extension Query where Row == (id: IdentityID, user: User) {
    /// The identity of a subject, which was used now.
    fileprivate static func useIdentity(issuer: String, subject: String, label: String) -> Self {
        Query(
            "use_identity",
            """
            UPDATE identities i SET last_used_at = now(), label = $3
              FROM users u
             WHERE u.id = i.user_id AND u.deleted_at IS NULL AND i.issuer = $1 AND i.subject = $2
            RETURNING i.id AS identity_id, u.id, u.name, u.is_admin, u.created_at
            """, [issuer, subject, label]
        ) { row throws(PostgresError) in
            let user = User(
                id: try row.id("id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
                createdAt: try row.get("created_at"))
            return (id: try row.id("identity_id"), user: user)
        }
    }
}

extension Query where Row == Void {
    fileprivate static func insertIdentity(_ new: NewIdentity, of user: UserID) -> Self {
        Query(
            "insert_identity",
            """
            INSERT INTO identities (id, user_id, issuer, subject, label)
            SELECT $1, id, $3, $4, $5 FROM users WHERE id = $2 AND deleted_at IS NULL
            """, [new.id.uuid, user.uuid, new.issuer, new.subject, new.label])
    }
}

extension PicsStore {
    /// A user's identities, oldest first.
    package func identities(of user: UserID) async throws(StoreError) -> [IdentityRecord] {
        try await rows(.identities(of: user))
    }

    /// The user whom an issuer knows by `subject`, and that they came; nil for nobody.
    package func useIdentity(
        issuer: String, subject: String, label: String
    ) async throws(StoreError) -> (id: IdentityID, user: User)? {
        try await first(.useIdentity(issuer: issuer, subject: subject, label: label))
    }

    /// Links an identity to a user. `.notFound` when the user is gone.
    ///
    /// - Throws: `.conflict("identities_subject_key")` when it is somebody's already.
    package func link(_ identity: NewIdentity, to user: UserID) async throws(StoreError) {
        let count = try await execute(
            .insertIdentity(identity, of: user),
            audited: AuditEntry(.identityLinked, to: user, by: user))
        guard count == 1 else { throw .notFound }
    }

    /// Unlinks an identity. False when it is the last way that the user has to sign in, or is not theirs.
    ///
    /// `issuer` is the one that people sign in by, without a slash at its end.
    package func unlink(_ id: IdentityID, of user: UserID, issuer: String) async throws(StoreError) -> Bool {
        try await remove(
            .identity, id.uuid, of: user, issuer: issuer, noting: AuditEntry(.identityUnlinked, to: user))
    }
}
