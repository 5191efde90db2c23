package import Crypto
package import Domain
package import FoundationEssentials
package import HTTP
internal import Logging
package import Store
internal import System

/// Signing in by an issuer of OpenID Connect, and linking who somebody is there. Why it is as it is: `docs/decisions/openid-connect.md`.
package struct OpenIDActions: Sendable {
    package static let callbackPath = "/sign-in/openid/callback"
    /// How long somebody may stay at the issuer.
    package static let age = Duration.seconds(600)
    private static let context = "openid"
    private static let (secretCount, sessionCount) = (32, 16)
    private static let longestNext = 1000
    /// Names that are tried for somebody new.
    private static let mostNames = 20

    package let issuer: OpenIDIssuer
    private let users: UserActions
    private let keys: KeyRing
    private let addresses: Addresses

    package init(_ issuer: OpenIDIssuer, users: UserActions, keys: KeyRing, addresses: Addresses) {
        self.issuer = issuer
        self.users = users
        self.keys = keys
        self.addresses = addresses
    }

    private var store: PicsStore { users.store }
    private var logger: Logger { users.logger }
    private var redirectURI: String { addresses.base + Self.callbackPath }

    /// A browser that is sent to the issuer.
    package struct Begun: Sendable {
        /// The value of the cookie that the browser keeps meanwhile.
        package let ticket: String
        /// Where it is sent.
        package let url: String
    }

    /// The secret that all values of a sign-in are derived from, sealed in the browser's cookie.
    private struct Ticket {
        let secret: [UInt8]
        /// Of who links an identity; nil for a sign-in.
        let session: SessionID?

        private func derived(_ label: String) -> String {
            Base64URL.encode(HMAC.sha256(Array(label.utf8), key: secret))
        }

        var state: String { derived("state") }
        var nonce: String { derived("nonce") }
        /// 43 characters, as PKCE asks for at least (RFC 7636, section 4.1).
        var verifier: String { derived("verifier") }
        var challenge: String { Base64URL.encode(SHA256Digest(of: verifier).bytes) }
    }

    /// Begins a sign-in that leads to `next`, or links an identity for who has signed in in `session`.
    ///
    /// - Throws: `OpenIDFault`; `CryptoError`.
    package func begin(next: String?, linkingIn session: SessionID?, now: Date = Date()) async throws -> Begun {
        let ticket = Ticket(secret: randomBytes(count: Self.secretCount), session: session)
        let owner = session.map { withUnsafeBytes(of: $0.uuid.uuid) { Array($0) } }
        let content = ticket.secret + (owner ?? [UInt8](repeating: 0, count: Self.sessionCount))
        var state = ticket.state
        // The issuer need not learn where somebody goes here.
        if let next, next.utf8.count <= Self.longestNext {
            state += ".\(Base64URL.encode(try keys.seal(Array(next.utf8), context: "\(Self.context) \(ticket.state)")))"
        }
        let url = try await issuer.authorizationURL(
            state: state, nonce: ticket.nonce, challenge: ticket.challenge, redirectURI: redirectURI)
        return Begun(ticket: try keys.ticket(with: content, context: Self.context, at: now), url: url)
    }

    private func ticket(_ text: String, now: Date) -> Ticket? {
        guard let content = keys.content(ofTicket: text, context: Self.context, age: Self.age, at: now),
            content.count == Self.secretCount + Self.sessionCount
        else { return nil }
        var id = UUID().uuid
        let owner = content.suffix(Self.sessionCount)
        withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: owner) }
        let isLinking = owner.contains { $0 != 0 }
        return Ticket(
            secret: Array(content.prefix(Self.secretCount)),
            session: isLinking ? SessionID(UUID(uuid: id)) : nil)
    }

    /// The outcome of a way to the issuer and back.
    package enum Outcome: Sendable {
        case signsIn(User, IdentityID, next: String?)
        case linked
        /// Nobody here is linked with it, and nobody is registered.
        case unknown(String)
        /// It is linked with a user already.
        case taken
        /// The browser did not begin it, or too long ago, or another session did.
        case foreign
        /// The person said no, or the issuer did.
        case refused(isLinking: Bool)
    }

    /// Ends what a browser has begun that comes back from the issuer.
    ///
    /// - Parameters:
    ///   - query: As the issuer has made it.
    ///   - kept: What the browser has kept.
    ///   - caller: Who has signed in, with their session.
    ///   - requestID: For the log.
    ///   - now: The time.
    /// - Returns: What has come of it.
    /// - Throws: `OpenIDFault`; `StoreError`.
    package func end(
        _ query: FormFields, kept: String?, by caller: (user: User, session: SessionID)?, requestID: String,
        now: Date = Date()
    ) async throws -> Outcome {
        let parts = (query["state"] ?? "").split(separator: ".", maxSplits: 1)
        guard let ticket = kept.flatMap({ ticket($0, now: now) }), let state = parts.first,
            isEqualInConstantTime(state.utf8, ticket.state.utf8), query.values("state").count == 1
        else { return .foreign }
        guard try await issuer.hasAnswered(as: query.values("iss")) else { return .foreign }
        guard query["error"] == nil, let code = query["code"], code.utf8.count <= 4096 else {
            logger.notice(
                "refused by the issuer of OpenID Connect",
                ["error": OpenIDIssuer.known(query["error"]), "request": requestID])
            return .refused(isLinking: ticket.session != nil)
        }
        let next = parts.dropFirst().first.flatMap { Base64URL.decode(String($0)) }.flatMap {
            try? keys.open($0, context: "\(Self.context) \(ticket.state)")
        }.map { String(decoding: $0, as: UTF8.self) }
        if ticket.session != nil, ticket.session != caller?.session { return .foreign }
        let claims = try await issuer.claims(
            for: code, verifier: ticket.verifier, nonce: ticket.nonce, redirectURI: redirectURI)
        if ticket.session != nil, let caller {
            return try await link(claims, to: caller.user, requestID: requestID) ? .linked : .taken
        }
        if let known = try await known(claims) { return .signsIn(known.user, known.id, next: next) }
        guard issuer.configuration.registers else { return .unknown(claims.label) }
        let made = try await register(claims, requestID: requestID)
        return made.map { .signsIn($0.user, $0.id, next: next) } ?? .unknown(claims.label)
    }

    private func known(_ claims: OpenIDClaims) async throws(StoreError) -> (id: IdentityID, user: User)? {
        try await store.useIdentity(issuer: claims.issuer, subject: claims.subject, label: claims.label)
    }

    // MARK: Linking

    package func identities(of user: UserID) async throws(StoreError) -> [IdentityRecord] {
        try await store.identities(of: user)
    }

    /// False when it is linked with somebody already.
    private func link(_ claims: OpenIDClaims, to user: User, requestID: String) async throws -> Bool {
        let identity = NewIdentity(
            id: .make(), issuer: claims.issuer, subject: claims.subject, label: claims.label)
        do throws(StoreError) { try await store.link(identity, to: user.id) } catch {
            guard error.isConflict(of: "identities_subject_key") else { throw error }
            return false
        }
        logger.notice("identity linked", ["user": user.name, "issuer": claims.issuer, "request": requestID])
        return true
    }

    /// Unlinks an identity. False when it is the last way that the user has to sign in; identities of other issuers are none.
    ///
    /// - Throws: `StoreError`.
    package func unlink(_ id: IdentityID, of user: User, requestID: String) async throws(StoreError) -> Bool {
        guard try await store.unlink(id, of: user.id, issuer: issuer.configuration.issuer) else { return false }
        logger.notice("identity unlinked", ["user": user.name, "request": requestID])
        return true
    }

    // MARK: Registering

    /// Makes a user of somebody new. Nil when another request was faster with the identity, or no name is free.
    private func register(
        _ claims: OpenIDClaims, requestID: String
    ) async throws -> (id: IdentityID, user: User)? {
        for name in Self.names(from: claims.nameHint) {
            let user: User
            do { user = try await users.add(name, isAdmin: false, timeZone: .own) } catch ActionError.nameTaken {
                continue
            }
            guard try await link(claims, to: user, requestID: requestID) else {
                // The same person in another window.
                try await users.delete(user, requestID: requestID)
                return try await known(claims)
            }
            logger.notice("user registered", ["user": user.name, "issuer": claims.issuer, "request": requestID])
            return try await known(claims)
        }
        logger.warning("no user name is free for somebody new", ["request": requestID])
        return nil
    }

    /// Without accents, and with the letters of East Asian width in their usual one.
    private static func plain(_ text: String) -> String {
        let letters = text.decomposed.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }
        return String(String.UnicodeScalarView(letters.map(\.withUsualWidth)))
    }

    /// Names for a new user: what comes before the `@`, in the letters that names have, then with numbers that grow, at last with any.
    static func names(from hint: String) -> [String] {
        let local = plain(String(hint.prefix { $0 != "@" })).lowercased()
        let words = local.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
        let kept = String(words.joined(separator: "-").prefix(24))
        let base = kept.contains { $0.isLetter || $0.isNumber } ? kept : "user"
        return [base] + (2...mostNames).map { "\(base)-\($0)" }
            + (0..<5).map { _ in "\(base)-\(Int.random(in: 1000...999_999))" }
    }
}
