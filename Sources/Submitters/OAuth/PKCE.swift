internal import Crypto

/// Binds an authorization code to whoever asked for it (RFC 7636, method S256).
struct PKCE: Sendable, Equatable {
    /// 43 characters; goes with the code.
    let verifier: String

    /// A verifier of 256 random bits.
    init() {
        self.init(verifier: Base64URL.encode(randomBytes(count: 32)))
    }

    /// One that was kept.
    init(verifier: String) {
        self.verifier = verifier
    }

    /// Goes with the person.
    var challenge: String { Base64URL.encode(SHA256Digest(of: verifier).bytes) }
}
