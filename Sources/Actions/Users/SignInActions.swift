internal import Crypto
package import Domain
internal import Logging
package import Store

/// Signing in and out, passwords, and the sessions of browsers.
package struct SignInActions: Sendable {
    private let users: UserActions
    package let passwords: PasswordHasher
    /// The longest life of a session.
    package let life: SessionLifetime

    private var store: PicsStore { users.store }

    package init(_ users: UserActions, passwords: PasswordHasher, life: SessionLifetime) {
        self.users = users
        self.passwords = passwords
        self.life = life
    }

    // MARK: Passwords

    /// A user whose password was right just now.
    package struct Proven: Sendable {
        package let user: User
        /// The text of a `PasswordHash`, as it is stored now.
        package let password: String
    }

    /// The user of this name with the hash of their password; nil when there is none.
    ///
    /// - Throws: `StoreError`.
    package func passwordRecord(ofUserNamed name: String) async throws(StoreError) -> PasswordRecord? {
        User.isValidName(name) ? try await store.password(ofUserNamed: name) : nil
    }

    /// A user with the hash of their password; nil for one who is gone.
    ///
    /// - Throws: `StoreError`.
    package func passwordRecord(of user: UserID) async throws(StoreError) -> PasswordRecord? {
        try await store.password(of: user)
    }

    /// Compares a password, and stores a new hash of it if its cost is not today's.
    ///
    /// - Parameters:
    ///   - entered: The password as it was typed.
    ///   - record: The user; nil when there is none of the name that was entered.
    ///   - requester: The user or address whose share of the computations this takes.
    /// - Returns: Nil when it is wrong, or there is no such user, in the same time.
    /// - Throws: `ActionError.passwordsBusy`; `StoreError`; `CryptoError`.
    package func prove(
        _ entered: String, of record: PasswordRecord?, for requester: PasswordHasher.Requester
    ) async throws -> Proven? {
        guard let password = Password(entered) else { return nil }
        let finding = try await passwords.compare(password, with: record?.password, for: requester)
        guard let record, let stored = record.password, finding != .wrong else { return nil }
        guard finding == .outdated else { return Proven(user: record.user, password: stored) }
        let renewed = try await passwords.hash(password, for: requester)
        try await store.replacePassword(of: record.user.id, stored, by: renewed)
        return Proven(user: record.user, password: renewed)
    }

    /// Gives a user a new password. Their other sessions end; if so chosen, their tokens too.
    ///
    /// - Returns: The text of its `PasswordHash`.
    /// - Throws: `ActionError.passwordsBusy`; `StoreError`; `CryptoError`.
    package func changePassword(
        of user: User, to password: Password, keeping session: SessionID, revokingTokens: Bool, requestID: String
    ) async throws -> String {
        let hash = try await passwords.hash(password, for: .known(user.id))
        try await store.changePassword(of: user.id, to: hash, keeping: session, revokingTokens: revokingTokens)
        users.logger.notice(
            "password changed", ["user": user.name, "tokens_revoked": revokingTokens, "request": requestID])
        return hash
    }

    /// Sets the password of the user to whom a link was mailed, once. All their sessions end.
    ///
    /// - Returns: Nil when the link has ended.
    /// - Throws: `ActionError.passwordsBusy`; `StoreError`; `CryptoError`.
    package func resetPassword(
        _ token: String, of user: User, to password: Password, address: String, requestID: String
    ) async throws -> Proven? {
        let hash = try await passwords.hash(password, for: .anonymous(address))
        guard try await store.resetPassword(of: user.id, to: hash, reset: SHA256Digest(of: token).bytes) else {
            return nil
        }
        users.logger.notice("password reset by mail", ["user": user.name, "request": requestID])
        return Proven(user: user, password: hash)
    }

    /// Makes a user of an invitation, once.
    ///
    /// - Throws: `ActionError.invitationEnded`, `.nameTaken`, `.passwordsBusy`; `StoreError`; `CryptoError`.
    package func join(
        _ invitation: String, name: String, timeZone: String, password: Password, address: String, requestID: String
    ) async throws -> Proven {
        let hash = try await passwords.hash(password, for: .anonymous(address))
        let user = try await users.accept(
            invitation, as: InvitedUser(name: name, timeZone: timeZone, password: hash), requestID: requestID)
        return Proven(user: user, password: hash)
    }

    // MARK: Sessions

    /// A browser that has signed in.
    package struct Session: Sendable {
        package let id: SessionID
        package let user: User
        /// Whether it began within the last 15 minutes.
        package let isFresh: Bool
        /// Whether the user has a password.
        package let hasPassword: Bool
    }

    /// The session with this token; nil when there is none, or it has ended.
    ///
    /// - Throws: `StoreError`.
    package func session(_ token: String) async throws(StoreError) -> Session? {
        let hash = SHA256Digest(of: token).bytes
        let found = try await store.session(hash: hash, life, isEqual: isEqualInConstantTime)
        return found.map { Session(id: $0.id, user: $0.user, isFresh: $0.isFresh, hasPassword: $0.hasPassword) }
    }

    /// Begins a session, and ends the one that the browser had.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - proof: What has shown that it is them.
    ///   - browser: As it names itself; 300 characters of it are stored.
    ///   - address: Of the browser.
    ///   - isNewDevice: Whether the user has not signed in there before.
    ///   - former: The token of the session that the browser had.
    /// - Returns: The session's token, of which only a hash is stored; nil when the proof does not hold any more, such as a password that was
    ///   changed meanwhile.
    /// - Throws: `StoreError`.
    package func begin(
        _ user: UserID, by proof: SignInProof, browser: String, address: String, isNewDevice: Bool,
        replacing former: String?
    ) async throws(StoreError) -> String? {
        let token = makeToken(prefix: "session").reveal()
        let session = NewSession(
            id: .make(), user: user, hash: SHA256Digest(of: token).bytes,
            browser: String(browser.prefix(300)), address: address, isOfNewDevice: isNewDevice)
        guard try await store.begin(session, by: proof, life) else { return nil }
        if let former { try await end(former) }
        return token
    }

    /// Ends the session with this token, if there is one.
    ///
    /// - Throws: `StoreError`.
    package func end(_ token: String) async throws(StoreError) {
        guard let session = try await session(token) else { return }
        do {
            try await store.endSession(session.id, of: session.user.id)
        } catch {
            // Another request may have ended it meanwhile.
            guard error == .notFound else { throw error }
        }
    }
}
