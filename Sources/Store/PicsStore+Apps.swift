package import Domain
import Postgres

extension PicsStore {
    /// The app of this `client_id`.
    package func app(clientID: String) async throws(StoreError) -> AppRecord? {
        try await first(.app(clientID: clientID))
    }

    package func app(_ id: AppID) async throws(StoreError) -> AppRecord? { try await first(.app(id)) }

    /// Adds an app.
    ///
    /// - Returns: Nil when `most` apps are there that nobody has let in.
    package func addApp(_ app: App, secretHash: [UInt8]?, most: Int) async throws(StoreError) -> AppRecord? {
        try await first(.insertApp(app, secretHash: secretHash, most: most))
    }

    /// Keeps what the address of an app says of it.
    ///
    /// - Returns: Nil when an app has registered this address as its name.
    package func keepSite(_ app: App) async throws(StoreError) -> AppRecord? { try await first(.updateSite(app)) }

    /// A user's consent to an app, which may fetch a token with a code whose SHA-256 is `code`.
    package func allow(
        _ app: AppID, _ scopes: AppScopes, by user: UserID, code: [UInt8], redirectURI: String, challenge: [UInt8]?
    ) async throws(StoreError) {
        let grant = AppGrantID.make()
        _ = try await mappingErrors { () async throws(PostgresError) in
            try await database.execute([
                .insertGrant(grant, to: app, by: user, scopes), .noteAllowed(app),
                .insertCode(code, for: grant, redirectURI: redirectURI, challenge: challenge),
                .audit(AuditEntry(.appAllowed, .init(.app, app), of: user, ["scopes": scopes.description])),
            ])
        }
    }

    /// Uses a code once; `issue` decides what it gives. A code that comes a second time, too late, or from somebody who gets nothing for it
    /// ends the access that its user has given.
    ///
    /// - Returns: Nil when it gives nothing.
    package func redeemCode(
        _ hash: [UInt8], _ issue: @Sendable (RedeemedGrant) -> NewAppTokens?
    ) async throws(StoreError) -> RedeemedGrant? {
        try await redeem(.lockCode(hash), using: .useCode(hash), issue)
    }

    /// The same for a refresh token.
    package func redeemRefreshToken(
        _ hash: [UInt8], _ issue: @Sendable (RedeemedGrant) -> NewAppTokens?
    ) async throws(StoreError) -> RedeemedGrant? {
        try await redeem(.lockRefreshToken(hash), using: .useRefreshToken(hash), issue)
    }

    private func redeem(
        _ lock: Query<(RedeemedGrant, isGood: Bool)>, using use: Query<Void>,
        _ issue: @Sendable (RedeemedGrant) -> NewAppTokens?
    ) async throws(StoreError) -> RedeemedGrant? {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                guard let (grant, isGood) = try await transaction.run(lock).first else { return nil }
                guard isGood, let tokens = issue(grant) else {
                    // Somebody has brought again what is good once.
                    try await transaction.execute([
                        .deleteGrant(grant.grant),
                        .audit(AuditEntry(.appRevoked, .init(.app, grant.app), of: grant.user.id, ["reason": "reuse"])),
                    ])
                    return nil
                }
                var commands = [use, .openGrant(grant.grant), .insertAccessToken(tokens, for: grant)]
                if let refresh = tokens.refresh { commands.append(.insertRefreshToken(refresh, for: grant.grant)) }
                try await transaction.execute(commands)
                return grant
            }
        }
    }

    /// Uses a code for nothing but to learn who its user is.
    package func redeemCodeForProfile(
        _ hash: [UInt8], _ isRight: @Sendable (RedeemedGrant) -> Bool
    ) async throws(StoreError) -> RedeemedGrant? {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                guard let (grant, isGood) = try await transaction.run(.lockCode(hash)).first else { return nil }
                try await transaction.execute(.deleteGrant(grant.grant))
                return isGood && isRight(grant) ? grant : nil
            }
        }
    }

    /// The apps that a user has let in, newest first.
    package func grants(of user: UserID) async throws(StoreError) -> [AppGrant] { try await rows(.grants(of: user)) }

    /// Ends an app's access to a user's photos. `.notFound` when there is none.
    package func endGrant(_ grant: AppGrantID, of user: UserID) async throws(StoreError) {
        let app = try await first(
            .deleteGrant(grant, of: user), audited: { AuditEntry(.appRevoked, .init(.app, $0), of: user) })
        if app == nil { throw .notFound }
    }

    /// Ends an app's access.
    package func endGrant(_ grant: AppGrantID) async throws(StoreError) {
        _ = try await first(
            .endGrant(grant),
            audited: { AuditEntry(.appRevoked, .init(.app, $0.app), of: $0.user, ["reason": "app"]) })
    }

    /// The access or refresh token of an app with this hash; nil for any other, and for one that is not good.
    package func appToken(_ hash: [UInt8]) async throws(StoreError) -> FoundAppToken? {
        try await first(.appToken(hash))
    }

    /// Adds a token of an app for itself.
    package func addOwnToken(_ hash: [UInt8], of app: AppID) async throws(StoreError) {
        try await execute(.insertOwnToken(hash, of: app))
    }

    /// The app whose own token this is.
    package func app(ofToken hash: [UInt8]) async throws(StoreError) -> App? {
        try await first(.app(ofToken: hash))?.app
    }

    /// Ends a token of an app for itself; whether there was one.
    package func endOwnToken(_ hash: [UInt8], of app: AppID) async throws(StoreError) -> Bool {
        try await execute(.deleteOwnToken(hash, of: app)) == 1
    }

    /// Deletes what is left of codes nobody fetched a token with, of apps nobody let in, and of tokens that ended.
    package func sweepApps() async throws(StoreError) {
        for sweep in [
            Query<Void>.deleteUnopenedGrants(), .deleteUnusedApps(), .deleteEndedAccessTokens(),
            .deleteOldRefreshTokens(),
        ] {
            try await execute(sweep)
        }
    }
}
