package import Domain
internal import FoundationEssentials
internal import Postgres

extension PicsStore {
    /// Adds a user.
    ///
    /// - Throws: `.conflict("users_name_key")` when the name is taken, `.conflict("users_name_form")` when it is none.
    package func addUser(
        _ name: String, isAdmin: Bool = false, timeZone: String = "UTC"
    ) async throws(StoreError) -> User {
        let added = try await first(
            .insertUser(.make(), name: name, isAdmin: isAdmin, timeZone: timeZone),
            audited: { AuditEntry(.userCreated, to: $0.id, isAdmin ? ["admin": "yes"] : [:]) })
        guard let added else { throw .unavailable }
        return added
    }

    /// The user of this name.
    package func user(named name: String) async throws(StoreError) -> User {
        guard let user = try await first(.userNamed(name)) else { throw .notFound }
        return user
    }

    /// A user. `.notFound` when there is none.
    package func user(_ id: UserID) async throws(StoreError) -> User {
        guard let user = try await first(.user(id)) else { throw .notFound }
        return user
    }

    /// Makes a user an admin, or an admin a user. Whoever is none any more loses their tokens of the scope `admin` and the
    /// open invitations of admins that they have made.
    ///
    /// - Throws: `.notFound` when there is no such user; `.changed` when no admin would be left.
    package func setAdmin(_ isAdmin: Bool, of user: UserID) async throws(StoreError) {
        _ = try await self.user(user)
        let isDone = try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(.lockAdmins())
                guard try await !transaction.run(.setAdmin(user, isAdmin)).isEmpty else { return false }
                if !isAdmin {
                    try await transaction.execute([.revokeAdminTokens(of: user), .deleteAdminInvitations(by: user)])
                }
                try await transaction.execute(.audit(AuditEntry(isAdmin ? .adminGranted : .adminRemoved, to: user)))
                return true
            }
        }
        // They may have been deleted a moment ago; then it is not found.
        if !isDone {
            _ = try await self.user(user)
            throw .changed
        }
    }

    /// Everybody, by name.
    package func users() async throws(StoreError) -> [User] { try await rows(.users()) }

    /// The IANA name of the zone in which the user's days are counted.
    package func timeZone(of user: UserID) async throws(StoreError) -> String {
        guard let zone = try await first(.timeZone(of: user)) else { throw .notFound }
        return zone
    }

    /// Whether the pages of the user's photos say with which camera they were taken.
    package func showsCamera(_ user: UserID) async throws(StoreError) -> Bool {
        guard let shows = try await first(.showsCamera(user)) else { throw .notFound }
        return shows
    }

    /// Decides whether they do.
    package func setShowsCamera(_ shows: Bool, of user: UserID) async throws(StoreError) {
        try await execute(.setShowsCamera(shows, of: user))
    }

    /// The name that the user's pictures are signed with; nil when they are not.
    package func signature(of user: UserID) async throws(StoreError) -> String? {
        guard let signature = try await first(.signature(of: user)) else { throw .notFound }
        return signature
    }

    /// Decides with which name they are; 1 to 100 characters.
    package func setSignature(_ signature: String?, of user: UserID) async throws(StoreError) {
        try await execute(.setSignature(signature, of: user))
    }

    /// Keeps the hash of a new token: its SHA-256, 32 bytes. `name` is what the person calls it, for the list; without a `life` it has no
    /// end.
    ///
    /// - Throws: `.conflict("tokens_per_user")` when the user has `limit` tokens; those that were revoked within a day count.
    package func addToken(
        of user: UserID, hash: [UInt8], name: String, scopes: [Scope], life: Duration? = nil, limit: Int = .max
    ) async throws(StoreError) -> TokenID {
        let id = TokenID.make()
        let isAdded = try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                let (_, added) = try await transaction.run(
                    .lockTokens(of: user),
                    .insertToken(id, of: user, hash: hash, name: name, scopes: scopes, life: life, limit: limit))
                guard !added.isEmpty else { return false }
                let scopes = scopes.map(\.rawValue).joined(separator: " ")
                try await transaction.execute(
                    .audit(AuditEntry(.tokenCreated, .init(.token, id, name: name), of: user, ["scopes": scopes])))
                return true
            }
        }
        guard isAdded else { throw .conflict(constraint: "tokens_per_user") }
        return id
    }

    /// All tokens, or those of one user, revoked ones too, without those of apps.
    package func tokens(of user: UserID? = nil) async throws(StoreError) -> [TokenRecord] {
        try await rows(.tokens(of: user))
    }

    /// Ends a token. `.notFound` when there is none or it has ended already.
    package func revokeToken(_ id: TokenID) async throws(StoreError) {
        let owner = try await first(
            .revokeToken(id), audited: { AuditEntry(.tokenRevoked, .init(.token, id), of: $0) })
        if owner == nil { throw .notFound }
    }

    /// Finds who sends a request, by the SHA-256 of the token as received; nil for an unknown, revoked or expired one.
    /// `isEqual` compares the stored hash with it in constant time.
    package func caller(
        tokenHash hash: [UInt8], isEqual: @Sendable ([UInt8], [UInt8]) -> Bool
    ) async throws(StoreError) -> Caller? {
        guard let match = try await tokens.value(for: hash), isEqual(match.hash, hash) else { return nil }
        if match.isStale { try await execute(.noteTokenUse(match.caller.token)) }
        return match.caller
    }
}
