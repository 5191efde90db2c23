internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTPServer

/// Tells a browser in which a user has signed in before from strangers: its wrong passwords count in a bucket of its own, so
/// nobody who guesses from elsewhere keeps that user out.
///
/// The cookie opens nothing. It holds the user, a random number and a digest of what was kept of the password, sealed together.
/// Browsers from before a change of the password share one bucket, so that somebody who knew the former one has gathered no more
/// guesses than a single browser has.
///
/// Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
struct DeviceCookie: Sendable {
    /// A browser in which somebody has signed in.
    struct Device: Equatable, Sendable {
        let user: UserID
        /// 16 random bytes.
        let number: [UInt8]
        /// 8 bytes that change with the password.
        let password: [UInt8]
    }

    private static let context = "device"
    private static let (idCount, numberCount, passwordCount) = (16, 16, 8)

    let keys: KeyRing

    /// The field `Set-Cookie` that makes a browser known after a sign-in; one that is known already keeps its number.
    ///
    /// - Parameters:
    ///   - user: Who has signed in.
    ///   - kept: What is kept of their password now.
    ///   - request: From the browser.
    /// - Returns: The field's value.
    /// - Throws: When it cannot be sealed.
    func field(for user: UserID, password kept: String, _ request: HTTPRequest) throws(CryptoError) -> String {
        let known = device(request).flatMap { $0.user == user ? $0.number : nil }
        let id = withUnsafeBytes(of: user.uuid.uuid) { Array($0) }
        let content = id + (known ?? randomBytes(count: Self.numberCount)) + Self.digest(of: kept)
        let token = Base64URL.encode(try keys.seal(content, context: Self.context))
        return BrowserCookie.device.field(token, age: VisitorCookie.age, for: request)
    }

    /// The browser that sends a request; nil when nobody has signed in there, and for a cookie that is not ours.
    func device(_ request: HTTPRequest) -> Device? {
        guard let sealed = BrowserCookie.device.token(in: request).flatMap(Base64URL.decode),
            let content = try? keys.open(sealed, context: Self.context),
            content.count == Self.idCount + Self.numberCount + Self.passwordCount
        else { return nil }
        var id = UUID().uuid
        withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: content.prefix(Self.idCount)) }
        return Device(
            user: UserID(UUID(uuid: id)), number: Array(content.dropFirst(Self.idCount).prefix(Self.numberCount)),
            password: Array(content.suffix(Self.passwordCount)))
    }

    /// Whose wrong passwords count together when a browser enters one for a user.
    ///
    /// - Parameters:
    ///   - device: The browser.
    ///   - user: Who it says it is.
    ///   - kept: What is kept of their password now; nil when they have none.
    /// - Returns: The browser's own bucket, or that of all browsers from before the last change of the password; nil when the
    ///   browser is a stranger's.
    static func bucket(of device: Device?, guessing user: UserID, password kept: String?) -> String? {
        guard let device, device.user == user, let kept else { return nil }
        return device.password == digest(of: kept)
            ? "device \(Hex.encode(device.number))" : "former devices \(user)"
    }

    private static func digest(of kept: String) -> [UInt8] { Array(SHA256Digest(of: kept).bytes.prefix(passwordCount)) }
}
