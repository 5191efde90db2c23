package import Crypto
package import Domain
package import FoundationEssentials
package import Logging
package import Store

/// The second factor of people who sign in: codes of an authenticator app, and recovery codes.
///
/// What is asked of whom, and why: `docs/decisions/second-factor.md`.
package struct SecondFactorActions: Sendable {
    private static let codeCount = 10
    /// How long a page with a new secret is good for.
    private static let setupAge = Duration.seconds(1800)

    private let store: PicsStore
    private let keys: KeyRing
    private let logger: Logger

    package init(store: PicsStore, keys: KeyRing, logger: Logger) {
        self.store = store
        self.keys = keys
        self.logger = logger
    }

    /// A secret that an app is given, before a code has shown that it has it. Nothing of it is stored: `ticket` holds it, sealed for the
    /// session.
    package struct Setup: Sendable {
        package let secret: Secret<[UInt8]>
        package let ticket: String
    }

    /// What has counted as the second factor.
    package enum Proof: Sendable, Equatable {
        case code
        case recoveryCode
    }

    /// Nil where a user's password is enough.
    package func record(of user: UserID) async throws(StoreError) -> SecondFactorRecord? {
        try await store.secondFactor(of: user)
    }

    // MARK: Turning it on and off

    /// A new secret for the app of who has signed in.
    package func begin(in session: SessionID, now: Date = Date()) throws(CryptoError) -> Setup {
        let secret = randomBytes(count: TOTP.secretCount)
        let ticket = try keys.ticket(with: secret, context: Self.context(ofSetupIn: session), at: now)
        return Setup(secret: Secret(secret), ticket: ticket)
    }

    /// The secret of a page that this session was given; nil for any other, and one that is too old.
    package func setup(_ ticket: String, in session: SessionID, now: Date = Date()) -> Setup? {
        guard ticket.utf8.count <= 256,
            let secret = keys.content(
                ofTicket: ticket, context: Self.context(ofSetupIn: session), age: Self.setupAge, at: now),
            secret.count == TOTP.secretCount
        else { return nil }
        return Setup(secret: Secret(secret), ticket: ticket)
    }

    /// Turns the second factor on if `code` is one of the app's.
    ///
    /// - Returns: The recovery codes, of which only hashes are stored; nil for a wrong code, and where it is on already.
    /// - Throws: `StoreError`; `CryptoError`.
    package func turnOn(
        _ setup: Setup, code: String, of user: User, requestID: String
    ) async throws -> [Secret<String>]? {
        guard let step = TOTP(secret: setup.secret).step(of: Self.digits(of: code), at: Date()) else { return nil }
        let sealed = try keys.seal(setup.secret.reveal(), context: Self.context(of: user.id.description))
        let codes = Self.makeCodes()
        guard
            try await store.addSecondFactor(
                of: user.id, sealed: sealed, step: step, codes: codes.map { Self.hash(of: $0.reveal()) })
        else { return nil }
        logger.notice("second factor turned on", ["user": user.name, "request": requestID])
        return codes
    }

    /// New recovery codes; the former ones end.
    ///
    /// - Throws: `StoreError.notFound` when there is no second factor.
    package func renewCodes(of user: User, requestID: String) async throws(StoreError) -> [Secret<String>] {
        let codes = Self.makeCodes()
        try await store.replaceRecoveryCodes(of: user.id, by: codes.map { Self.hash(of: $0.reveal()) })
        logger.notice("recovery codes renewed", ["user": user.name, "request": requestID])
        return codes
    }

    /// Turns the second factor off; `admin` is the name of the admin who does, if it is not the user.
    ///
    /// - Throws: `StoreError.notFound` when there is none.
    package func turnOff(of user: User, by admin: String? = nil, requestID: String? = nil) async throws(StoreError) {
        try await store.deleteSecondFactor(of: user.id)
        logger.notice("second factor turned off", ["user": user.name, "by": admin, "request": requestID])
    }

    // MARK: Codes

    /// Compares a code, of the app or for recovery, and uses it up.
    ///
    /// - Returns: What has counted; nil for a wrong code, one that was used, and a user without a second factor.
    /// - Throws: `StoreError`; `CryptoError` when the secret cannot be opened.
    package func accept(
        _ entered: String, of user: User, now: Date = Date(), requestID: String
    ) async throws -> Proof? {
        let digits = Self.digits(of: entered)
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            guard let code = Self.recoveryCode(entered),
                try await store.useRecoveryCode(Self.hash(of: code), of: user.id)
            else { return nil }
            logger.notice("recovery code used", ["user": user.name, "request": requestID])
            return .recoveryCode
        }
        guard let record = try await store.secondFactor(of: user.id) else { return nil }
        let secret = Secret(try keys.open(record.sealed, context: Self.context(of: user.id.description)))
        guard let step = TOTP(secret: secret).step(of: digits, at: now),
            try await store.accept(step: step, of: user.id, sealed: record.sealed)
        else { return nil }
        return .code
    }

    /// The context that the secret of a user's app is sealed for.
    static func context(of user: String) -> String { "second_factors/\(user)/sealed" }

    private static func context(ofSetupIn session: SessionID) -> String { "second factor in \(session)" }

    /// Apps show a space between the digits.
    private static func digits(of entered: String) -> String { String(entered.prefix(64).filter { !$0.isWhitespace }) }

    /// A code as it was made; nil for what cannot be one.
    private static func recoveryCode(_ entered: String) -> String? {
        let code = entered.prefix(64).lowercased().filter { !$0.isWhitespace && $0 != "-" }
        return code.utf8.count == 16 && Base32.isText(code) ? code : nil
    }

    private static func makeCodes() -> [Secret<String>] {
        (0..<codeCount).map { _ in Secret(Base32.encode(randomBytes(count: 10))) }
    }

    private static func hash(of code: String) -> [UInt8] { SHA256Digest(of: code).bytes }
}
