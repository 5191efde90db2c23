package import Crypto
package import Domain
internal import FoundationEssentials
internal import HTTP
internal import Logging
package import Store

/// How an app says who it is.
package struct AppCredentials: Sendable {
    package let clientID: String
    package let secret: Secret<String>?

    package init(clientID: String, secret: Secret<String>?) { (self.clientID, self.secret) = (clientID, secret) }
}

/// Tokens as an app gets them, once.
package struct IssuedTokens: Sendable {
    package let app: App
    package let access: Secret<String>
    package let refresh: Secret<String>?
    package let life: Duration?
    package let scopes: AppScopes
    /// Nil for a token of the app for itself.
    package let user: User?
}

extension AppActions {
    /// The life of access tokens that are refreshed.
    private static let accessLife = Duration.seconds(2 * 3600)

    /// The app that a request comes from.
    ///
    /// - Throws: `OAuthError.wrongClient`; `StoreError`.
    package func authenticate(_ credentials: AppCredentials) async throws -> App {
        guard let record = try await store.app(clientID: credentials.clientID) else { throw OAuthError.wrongClient }
        if let expected = record.secretHash {
            guard let secret = credentials.secret,
                isEqualInConstantTime(SHA256Digest(of: secret.reveal()).bytes, expected)
            else { throw OAuthError.wrongClient }
        }
        return record.app
    }

    /// The tokens for a code (RFC 6749, section 4.1.3; RFC 7636, section 4.6).
    ///
    /// - Throws: `OAuthError`; `StoreError`.
    package func redeem(
        code: String, redirectURI: String, verifier: String?, by app: App
    ) async throws -> IssuedTokens {
        let new = Self.newTokens(for: app)
        let grant = try await store.redeemCode(SHA256Digest(of: code).bytes) { grant in
            guard Self.isFor(grant, app, redirectURI: redirectURI, verifier: verifier), !grant.scopes.isEmpty else {
                return nil
            }
            return new.hashes(for: grant.scopes)
        }
        guard let grant else { throw OAuthError.wrongGrant }
        return new.issued(to: app, grant)
    }

    /// The user behind a code, for an app that wants to know no more (IndieAuth, section 5.3.2).
    ///
    /// - Throws: `OAuthError`; `StoreError`.
    package func redeemForProfile(
        code: String, redirectURI: String, verifier: String?, by app: App
    ) async throws -> (user: User, scopes: AppScopes) {
        let grant = try await store.redeemCodeForProfile(SHA256Digest(of: code).bytes) { grant in
            Self.isFor(grant, app, redirectURI: redirectURI, verifier: verifier)
        }
        guard let grant else { throw OAuthError.wrongGrant }
        return (grant.user, grant.scopes)
    }

    private static func isFor(
        _ grant: RedeemedGrant, _ app: App, redirectURI: String, verifier: String?
    ) -> Bool {
        guard grant.app == app.id, grant.redirectURI.utf8.elementsEqual(redirectURI.utf8) else { return false }
        switch (grant.challenge, verifier) {
        case (nil, nil): return true
        case (let challenge?, let verifier?):
            return isVerifier(verifier) && isEqualInConstantTime(SHA256Digest(of: verifier).bytes, challenge)
        // A verifier for a code without a challenge: somebody has taken the challenge out of the request (RFC 9700, section 4.8.2).
        case (nil, _?), (_?, nil): return false
        }
    }

    /// RFC 7636, section 4.1: of the characters that are never percent-encoded.
    private static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && PercentEncoding.encode(text) == text
    }

    /// New tokens for a refresh token, which is good once; a second use ends the app's access (RFC 9700, section 4.14.2).
    ///
    /// `scopes` are fewer than before; nil: the same.
    ///
    /// - Throws: `OAuthError`; `StoreError`.
    package func refresh(_ token: String, scopes: AppScopes?, by app: App) async throws -> IssuedTokens {
        let new = Self.newTokens(for: app)
        let hash = SHA256Digest(of: token).bytes
        // A request for more is refused before the token is used up; one that is used up already ends the access below.
        if let scopes, let found = try await store.appToken(hash), found.isRefreshToken, found.app == app.id,
            !scopes.isWithin(found.scopes)
        {
            throw OAuthError.unknownScope
        }
        let grant = try await store.redeemRefreshToken(hash) { grant in
            guard grant.app == app.id, scopes?.isWithin(grant.scopes) ?? true else { return nil }
            return new.hashes(for: scopes ?? grant.scopes)
        }
        guard let grant else { throw OAuthError.wrongGrant }
        return new.issued(to: app, grant, scopes)
    }

    private static let ownTokenPrefix = "apptoken"

    /// A token of an app for itself, which is of nobody (RFC 6749, section 4.4).
    ///
    /// - Throws: `OAuthError`; `StoreError`.
    package func issueOwnToken(to app: App) async throws -> IssuedTokens {
        guard app.hasSecret else {
            throw OAuthError(.unauthorizedClient, "Only an app with a secret has tokens of its own.")
        }
        let token = makeToken(prefix: Self.ownTokenPrefix)
        try await store.addOwnToken(SHA256Digest(of: token.reveal()).bytes, of: app.id)
        return IssuedTokens(
            app: app, access: token, refresh: nil, life: nil, scopes: app.scopes, user: nil)
    }

    // MARK: Ending and asking

    /// Ends an app's access with one of its tokens (RFC 7009). A token that is unknown has ended already. `app` is nil where the token alone
    /// was sent, which is enough for an app without a secret.
    ///
    /// - Throws: `OAuthError` of `.unauthorizedClient` for another app's token, and without the app that must say who it is; `StoreError`.
    package func revoke(_ token: String, by app: App?, requestID: String) async throws {
        let hash = SHA256Digest(of: token).bytes
        if let app, try await store.endOwnToken(hash, of: app.id) { return }
        guard let found = try await store.appToken(hash) else { return }
        guard app != nil || !found.appHasSecret else {
            throw OAuthError(.unauthorizedClient, "The app must say who it is.")
        }
        guard app.map({ $0.id == found.app }) ?? true else {
            throw OAuthError(.unauthorizedClient, "The token is another app's.")
        }
        try await store.endGrant(found.grant)
        logger.notice("app's access ended", ["user": found.user, "by": "the app", "request": requestID])
    }

    /// Ends an app's access as its user wishes.
    ///
    /// - Throws: `StoreError.notFound`.
    package func end(_ grant: AppGrantID, of user: User, requestID: String) async throws(StoreError) {
        try await store.endGrant(grant, of: user.id)
        logger.notice("app's access ended", ["user": user.name, "by": user.name, "request": requestID])
    }

    /// A token that is good; nil for any other.
    package func token(_ token: String) async throws(StoreError) -> FoundAppToken? {
        try await store.appToken(SHA256Digest(of: token).bytes)
    }

    /// The app whose own token this is.
    package func app(ofOwnToken token: String) async throws(StoreError) -> App? {
        guard token.hasPrefix(Self.ownTokenPrefix) else { return nil }
        return try await store.app(ofToken: SHA256Digest(of: token).bytes)
    }

    // MARK: Making tokens

    private struct NewTokens: Sendable {
        let access: Secret<String>
        let refresh: Secret<String>?
        let life: Duration?

        func hashes(for scopes: AppScopes) -> NewAppTokens {
            NewAppTokens(
                access: SHA256Digest(of: access.reveal()).bytes, life: life,
                refresh: refresh.map { SHA256Digest(of: $0.reveal()).bytes }, scopes: scopes.rights)
        }

        func issued(to app: App, _ grant: RedeemedGrant, _ scopes: AppScopes? = nil) -> IssuedTokens {
            IssuedTokens(
                app: app, access: access, refresh: refresh, life: life, scopes: scopes ?? grant.scopes, user: grant.user
            )
        }
    }

    private static func newTokens(for app: App) -> NewTokens {
        NewTokens(
            access: makeToken(prefix: "token"), refresh: app.refreshes ? makeToken(prefix: "refresh") : nil,
            life: app.refreshes ? accessLife : nil)
    }
}
