package import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP
package import Logging
package import Store
internal import System

/// The key that tells push services who sends (RFC 8292). It is made once, and kept sealed in the database, so that every process
/// has the same: a browser takes messages of the key that it has subscribed with alone.
package final class ServerKey: Sendable {
    private struct State {
        var key: SigningKey?
        /// By the push service's origin.
        var tokens: [String: Token] = [:]
    }

    private struct Token {
        let text: String
        let renewAt: Date
    }

    /// A token is good for half a day, of the whole day that is allowed (RFC 8292, section 2), and sent for an hour.
    private static let (life, use): (TimeInterval, TimeInterval) = (12 * 3600, 3600)
    /// Tokens that are kept; there are few push services.
    private static let mostTokens = 64

    private let store: PicsStore
    private let keys: KeyRing
    private let logger: Logger
    private let state = Lock(State())

    package init(store: PicsStore, keys: KeyRing, logger: Logger) {
        self.store = store
        self.keys = keys
        self.logger = logger
    }

    /// The key; a new one where there is none that can be opened.
    ///
    /// - Throws: `StoreError`, `CryptoError`.
    package func key() async throws -> SigningKey {
        if let key = state.withLock({ $0.key }) { return key }
        let key = try await load()
        state.withLock { $0.key = key }
        return key
    }

    private func load() async throws -> SigningKey {
        let stored = try await store.pushKey()
        if let stored {
            do { return try open(stored) } catch {
                logger.warning(
                    "a new key for push services, as no key opens the former: browsers have to subscribe again",
                    ["error": logText(of: error)])
            }
        }
        let made = try SigningKey()
        let sealed = try keys.seal(Array(try made.pem.reveal().utf8), context: PushSubscription.keyContext)
        return try open(try await store.putPushKey(sealed, replacing: stored))
    }

    private func open(_ sealed: [UInt8]) throws(CryptoError) -> SigningKey {
        let pem = try keys.open(sealed, context: PushSubscription.keyContext)
        return try SigningKey(pem: Secret(String(decoding: pem, as: UTF8.self)))
    }

    /// The field `Authorization` for a push service at `origin`; `contact` is an address of the operator.
    func authorization(for origin: String, contact: String, at now: Date) async throws -> String {
        let key = try await key()
        let name = "\(origin) \(contact)"
        let token: String
        if let kept = state.withLock({ $0.tokens[name] }), now < kept.renewAt,
            now > kept.renewAt.addingTimeInterval(-Self.use)
        {
            token = kept.text
        } else {
            token = try Self.token(
                for: origin, contact: contact, expires: now.addingTimeInterval(Self.life), signedBy: key)
            state.withLock { state in
                if state.tokens.count >= Self.mostTokens { state.tokens = [:] }
                state.tokens[name] = Token(text: token, renewAt: now.addingTimeInterval(Self.use))
            }
        }
        return "vapid t=\(token), k=\(Base64URL.encode(key.publicPoint))"
    }

    /// A JSON web token that the sender has signed (RFC 8292, section 2).
    static func token(
        for origin: String, contact: String, expires: Date, signedBy key: SigningKey
    ) throws(CryptoError) -> String {
        let content = Self.content(for: origin, contact: contact, expires: expires)
        return "\(content).\(Base64URL.encode(try key.sign(content.utf8)))"
    }

    /// Its part that is signed.
    static func content(for origin: String, contact: String, expires: Date) -> String {
        let header: JSONValue = ["typ": "JWT", "alg": "ES256"]
        let claims: JSONValue = [
            "aud": .string(origin), "exp": .int(Int64(expires.timeIntervalSince1970)), "sub": .string(contact),
        ]
        return "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(claims.serialized))"
    }
}
