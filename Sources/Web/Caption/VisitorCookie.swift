internal import Crypto
internal import Domain
internal import HTTPServer
internal import Store

/// Tells visitors from each other, for their likes: a random number, sealed in a cookie, so that nobody makes up another
/// visitor. It is set with the first like and says nothing about anybody.
struct VisitorCookie: Sendable {
    private static let context = "visitor"
    private static let bytes = 16
    /// As long as browsers keep one (RFC 6265bis, section 5.5).
    static let age: Duration = .seconds(400 * 86_400)

    let keys: KeyRing

    /// A new visitor, and what their cookie holds.
    func make() throws(CryptoError) -> (visitor: Visitor, token: String) {
        let number = randomBytes(count: Self.bytes)
        let sealed = try keys.seal(number, context: Self.context)
        guard let visitor = Visitor(number: number) else { fatalError("a SHA-256 has 32 bytes") }
        return (visitor, Base64URL.encode(sealed))
    }

    /// The visitor whose browser sends a request; nil for a first one, and for a cookie that is not ours.
    func visitor(_ request: HTTPRequest) -> Visitor? {
        guard let sealed = BrowserCookie.visitor.token(in: request).flatMap(Base64URL.decode),
            let number = try? keys.open(sealed, context: Self.context), number.count == Self.bytes
        else { return nil }
        return Visitor(number: number)
    }
}

extension Visitor {
    fileprivate init?(number: [UInt8]) { self.init(hash: SHA256Digest(of: number).bytes) }
}
