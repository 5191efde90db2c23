internal import Crypto
internal import Foundation

/// Says who sends a request without sending the key (WSSE UsernameToken, as AtomPub services took it).
///
/// Source: developer.hatena.ne.jp, "WSSE"; read 2026-11-21. The raw bytes of the nonce are hashed, not their base64.
struct WSSE: Sendable {
    let username: String
    let key: String

    /// The value of `X-WSSE`; `nonce` differs at every call.
    func header(nonce: [UInt8], at time: Date) -> String {
        let created = time.formatted(.iso8601)
        let digest = Base64.encode(HashAlgorithm.sha1.hash(of: nonce + Array(created.utf8) + Array(key.utf8)))
        let name = username.filter { $0 != "\"" && $0 != "\\" }
        return """
            UsernameToken Username="\(name)", PasswordDigest="\(digest)", Nonce="\(Base64.encode(nonce))", \
            Created="\(created)"
            """
    }
}
