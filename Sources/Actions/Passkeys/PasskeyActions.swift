package import Crypto
package import Domain
package import FoundationEssentials
package import Logging
package import Store

/// Passkeys of people: added, used to sign in, removed. Why they are as they are: `docs/decisions/passkeys.md`.
package struct PasskeyActions: Sendable {
    /// How long a challenge may be answered.
    package static let challengeAge = Duration.seconds(600)
    private static let context = "passkey challenge"
    private static let (timeCount, randomCount) = (8, 16)

    private let store: PicsStore
    private let keys: KeyRing
    private let addresses: Addresses
    private let logger: Logger

    package init(store: PicsStore, keys: KeyRing, addresses: Addresses, logger: Logger) {
        self.store = store
        self.keys = keys
        self.addresses = addresses
        self.logger = logger
    }

    /// Nil where browsers have no passkeys for this Pics.
    package var site: WebAuthnSite? { WebAuthnSite(base: addresses.base) }

    /// What a challenge is for: it is answered by the same browser.
    package enum Ceremony: Sendable {
        /// In the session of who adds a passkey.
        case registration(SessionID)
        /// In the browser whose forms are bound to this cookie.
        case signIn(visit: String)

        fileprivate var text: String {
            switch self {
            case .registration(let session): "registration \(session)"
            case .signIn(let visit): "sign-in \(visit)"
            }
        }
    }

    // MARK: Challenges

    /// A challenge, which nothing is stored of before it is answered: time, 16 random bytes, and a code that only Pics can make.
    package func challenge(for ceremony: Ceremony, now: Date = Date()) -> [UInt8] {
        let time = withUnsafeBytes(of: Int64(now.timeIntervalSince1970).bigEndian) { Array($0) }
        let head = time + randomBytes(count: Self.randomCount)
        return head + keys.authenticationCode(of: head + Array(ceremony.text.utf8), context: Self.context)
    }

    private func isOwn(_ challenge: [UInt8], for ceremony: Ceremony, now: Date) -> Bool {
        let headCount = Self.timeCount + Self.randomCount
        guard challenge.count == headCount + 32 else { return false }
        let head = Array(challenge.prefix(headCount))
        let made = head.prefix(Self.timeCount).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let age = now.timeIntervalSince1970 - Double(made)
        return age < Double(Self.challengeAge.components.seconds)
            && keys.isAuthenticationCode(
                challenge.suffix(32), of: head + Array(ceremony.text.utf8), context: Self.context)
    }

    private func spend(_ challenge: [UInt8]) async throws -> Bool {
        try await store.spendChallenge(SHA256Digest(of: challenge).bytes)
    }

    // MARK: Adding and removing

    /// What a browser sends of a new passkey, in base64url.
    package struct Registration: Sendable {
        let clientData: String
        let attestationObject: String

        package init(clientData: String, attestationObject: String) {
            (self.clientData, self.attestationObject) = (clientData, attestationObject)
        }
    }

    /// The outcome of adding a passkey.
    package enum Addition: Sendable, Equatable {
        case added
        case refused(WebAuthnFault)
        /// The authenticator has a passkey here already.
        case known
        case tooMany
    }

    package func passkeys(of user: UserID) async throws(StoreError) -> [PasskeyRecord] {
        try await store.passkeys(of: user)
    }

    /// Adds the passkey that a browser has made.
    ///
    /// - Parameters:
    ///   - registration: As the browser sends it.
    ///   - name: 1 to 64 characters.
    ///   - user: Whose.
    ///   - session: Where the challenge was given.
    ///   - requestID: For the log.
    /// - Returns: Whether it was added.
    /// - Throws: `StoreError`.
    package func add(
        _ registration: Registration, named name: String, of user: User, in session: SessionID, requestID: String
    ) async throws -> Addition {
        guard let site else { return .refused(.otherSite) }
        let answer: WebAuthnRegistration
        do throws(WebAuthnFault) {
            guard let clientData = Base64URL.decode(registration.clientData),
                let object = Base64URL.decode(registration.attestationObject)
            else { throw .malformed }
            answer = try WebAuthnRegistration(clientData: clientData, attestationObject: object, at: site)
            guard isOwn(answer.challenge, for: .registration(session), now: Date()) else { throw .otherChallenge }
            guard answer.isVerified else { throw .notVerified }
        } catch {
            return .refused(error)
        }
        guard try await spend(answer.challenge) else { return .refused(.otherChallenge) }
        do throws(StoreError) {
            let passkey = NewPasskey(
                id: .make(), user: user.id, credentialID: answer.credentialID, publicKey: answer.publicKey,
                signCount: answer.signCount, isBackupEligible: answer.isBackupEligible, name: name)
            guard try await store.add(passkey) else { return .tooMany }
        } catch {
            guard error.isConflict(of: "passkeys_credential_key") else { throw error }
            return .known
        }
        logger.notice("passkey added", ["user": user.name, "request": requestID])
        return .added
    }

    /// Removes a passkey. False when it is the last way that the user has to sign in, or is not theirs.
    ///
    /// `issuer` is the one that people sign in by. Throws `StoreError`.
    package func remove(
        _ id: PasskeyID, of user: User, issuer: String?, requestID: String
    ) async throws(StoreError) -> Bool {
        guard try await store.deletePasskey(id, of: user.id, issuer: issuer) else { return false }
        logger.notice("passkey removed", ["user": user.name, "request": requestID])
        return true
    }

    // MARK: Signing in

    /// What a browser sends of a sign-in, in base64url.
    package struct Assertion: Sendable {
        let credentialID: String
        let clientData: String
        let authenticatorData: String
        let signature: String
        let userHandle: String

        package init(
            credentialID: String, clientData: String, authenticatorData: String, signature: String, userHandle: String
        ) {
            self.credentialID = credentialID
            self.clientData = clientData
            self.authenticatorData = authenticatorData
            self.signature = signature
            self.userHandle = userHandle
        }
    }

    /// What authenticators know a user by: it says nothing of them.
    package static func userHandle(of user: UserID) -> [UInt8] { withUnsafeBytes(of: user.uuid.uuid) { Array($0) } }

    /// Finds who signs in with a passkey.
    ///
    /// - Parameters:
    ///   - assertion: As the browser sends it.
    ///   - visit: The cookie that its forms are bound to.
    /// - Returns: The user and their passkey.
    /// - Throws: `WebAuthnFault` when it does not count; `StoreError`.
    package func prove(_ assertion: Assertion, visit: String) async throws -> (user: User, passkey: PasskeyID) {
        guard let site else { throw WebAuthnFault.otherSite }
        guard let id = Base64URL.decode(assertion.credentialID), 1...1023 ~= id.count,
            let clientData = Base64URL.decode(assertion.clientData),
            let authenticatorData = Base64URL.decode(assertion.authenticatorData),
            let signature = Base64URL.decode(assertion.signature),
            let handle = Base64URL.decode(assertion.userHandle)
        else { throw WebAuthnFault.malformed }
        let answer = try WebAuthnAssertion(
            clientData: clientData, authenticatorData: authenticatorData, signature: signature, at: site)
        guard isOwn(answer.challenge, for: .signIn(visit: visit), now: Date()) else {
            throw WebAuthnFault.otherChallenge
        }
        guard answer.isVerified else { throw WebAuthnFault.notVerified }
        guard let known = try await store.passkey(credentialID: id),
            handle == Self.userHandle(of: known.user.id), known.isBackupEligible == answer.isBackupEligible
        else { throw WebAuthnFault.otherPasskey }
        guard try answer.isSigned(by: known.publicKey) else { throw WebAuthnFault.wrongSignature }
        guard try await spend(answer.challenge) else { throw WebAuthnFault.otherChallenge }
        guard try await store.use(known.id, signCount: answer.signCount) else {
            logger.warning("counter of a passkey has not gone up", ["user": known.user.name])
            throw WebAuthnFault.usedCounter
        }
        return (known.user, known.id)
    }
}
