package import Domain
internal import Postgres

extension PicsStore {
    // MARK: Passwords

    /// The user of this name with what is kept of their password; nil when there is none.
    package func password(ofUserNamed name: String) async throws(StoreError) -> PasswordRecord? {
        try await first(.password(ofUserNamed: name))
    }

    /// A user with what is kept of their password; nil for one who is gone.
    package func password(of user: UserID) async throws(StoreError) -> PasswordRecord? {
        try await first(.password(of: user))
    }

    /// Gives a user another password, the text of a `PasswordHash`, and ends their sessions, but for the one where it was
    /// changed; if so chosen, their tokens too. `.notFound` when there is no such user.
    package func changePassword(
        of user: UserID, to password: String, keeping session: SessionID?, revokingTokens: Bool = false
    ) async throws(StoreError) {
        let changed = try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                // First the user's row: a sign-in that is under way holds it, and its session is seen by what comes second.
                let changed = try await transaction.execute(.setPassword(of: user, password))
                try await transaction.execute(.deleteSessions(of: user, except: session))
                try await transaction.execute(.endResets(of: user))
                if revokingTokens { try await transaction.execute(.revokeTokens(of: user)) }
                if changed == 1 {
                    let isOwn = Initiator.current.user == user
                    try await transaction.execute(
                        .audit(
                            AuditEntry(
                                isOwn ? .passwordChanged : .passwordSet, to: user,
                                revokingTokens ? ["tokens_revoked": "yes"] : [:])))
                }
                return changed
            }
        }
        guard changed == 1 else { throw .notFound }
    }

    /// Keeps the same password under a hash of another cost, unless it was changed meanwhile.
    package func replacePassword(of user: UserID, _ old: String, by new: String) async throws(StoreError) {
        try await execute(.replacePassword(of: user, old, by: new))
    }

    // MARK: Sessions

    /// Sessions of a user that last; the oldest end when there are more, so that sign-ins do not fill the disk.
    package static let mostSessions = 100

    /// Begins a session, and forgets those that are too old or too many. False when `proof` does not hold any more, or is not enough.
    package func begin(
        _ new: NewSession, by proof: SignInProof, _ life: SessionLifetime
    ) async throws(StoreError) -> Bool {
        try await execute(.deleteOldSessions(life))
        let insertion: Query<Void> =
            switch proof {
            case .password(let password, let hasCode): .insertSession(new, password: password, hasCode: hasCode)
            case .passkey(let id): .insertSession(new, passkey: id)
            case .identity(let id, let hasCode): .insertSession(new, identity: id, hasCode: hasCode)
            }
        let added =
            new.isOfNewDevice
            ? try await execute(
                insertion, audited: AuditEntry(.deviceSignedIn, to: new.user, by: new.user, ["browser": new.browser]))
            : try await execute(insertion)
        guard added == 1 else { return false }
        try await execute(.deleteSurplusSessions(of: new.user, keeping: Self.mostSessions))
        return true
    }

    /// Finds whose browser it is, by the SHA-256 of the session's token as received; nil for one that is unknown, ended or
    /// too old. `isEqual` compares the stored hash with it in constant time.
    package func session(
        hash: [UInt8], _ life: SessionLifetime, isEqual: @Sendable ([UInt8], [UInt8]) -> Bool
    ) async throws(StoreError) -> (id: SessionID, user: User, isFresh: Bool, hasPassword: Bool)? {
        guard let match = try await first(.session(hash: hash, life)), isEqual(match.hash, hash) else { return nil }
        if match.isStale { try await execute(.noteSessionUse(match.id)) }
        return (match.id, match.user, match.isFresh, match.hasPassword)
    }

    /// The sessions of a user that are still good, last seen first.
    package func sessions(of user: UserID, _ life: SessionLifetime) async throws(StoreError) -> [SessionRecord] {
        try await rows(.sessions(of: user, life))
    }

    /// Ends a session. `.notFound` when it is not the user's or has ended.
    package func endSession(_ id: SessionID, of user: UserID) async throws(StoreError) {
        guard try await execute(.deleteSession(id, of: user)) == 1 else { throw .notFound }
    }

    /// Ends all sessions of a user, or all but one.
    package func endSessions(of user: UserID, except kept: SessionID? = nil) async throws(StoreError) {
        try await execute(.deleteSessions(of: user, except: kept), audited: AuditEntry(.sessionsEnded, to: user))
    }

    // MARK: Invitations

    /// Keeps an invitation, and forgets those that are too old.
    package func addInvitation(_ new: NewInvitation) async throws(StoreError) {
        try await execute(.deleteOldInvitations())
        try await execute(
            .insertInvitation(new),
            audited: AuditEntry(
                .userInvited, .init(.invitation, new.id, name: new.userName), new.isAdmin ? ["admin": "yes"] : [:]))
    }

    /// The invitation with a token of this SHA-256; nil when there is none, or it is used or too old.
    package func invitation(hash: [UInt8]) async throws(StoreError) -> InvitationRecord? {
        try await first(.invitation(hash: hash))
    }

    /// Uses an invitation up and adds the user.
    ///
    /// - Throws: `.notFound` when it is not good any more; `.conflict("users_name_key")` when the name is taken, which
    ///   leaves the invitation as it was.
    package func accept(invitation hash: [UInt8], _ invited: InvitedUser) async throws(StoreError) -> User {
        let user = try await first(
            .acceptInvitation(hash: hash, as: .make(), invited),
            audited: { AuditEntry(.userJoined, to: $0.id, by: $0.id, $0.isAdmin ? ["admin": "yes"] : [:]) })
        guard let user else { throw .notFound }
        return user
    }

    /// The invitations that are still good, newest first.
    package func invitations() async throws(StoreError) -> [InvitationRecord] { try await rows(.invitations()) }

    /// Takes an invitation back. `.notFound` when there is none or it is used.
    package func deleteInvitation(_ id: InvitationID) async throws(StoreError) {
        let deleted = try await first(
            .deleteInvitation(id),
            audited: { AuditEntry(.invitationDeleted, .init(.invitation, id, name: $0)) })
        if deleted == nil { throw .notFound }
    }

    // MARK: People

    /// Everybody, by name.
    package func userRecords(issuer: String? = nil) async throws(StoreError) -> [UserRecord] {
        try await rows(.userRecords(issuer: issuer))
    }

    /// Counts a user's days in another zone, an IANA name; the caller has made sure that it is one. `.notFound` when there is
    /// no such user.
    package func setTimeZone(of user: UserID, to zone: String) async throws(StoreError) {
        guard try await execute(.setTimeZone(of: user, zone)) == 1 else { throw .notFound }
    }

    /// Ends a token. `.notFound` when it is not the user's or has ended already.
    package func revokeToken(_ id: TokenID, of user: UserID) async throws(StoreError) {
        let revoked = try await execute(
            .revokeToken(id, of: user), audited: AuditEntry(.tokenRevoked, .init(.token, id), of: user))
        guard revoked == 1 else { throw .notFound }
    }
}
