internal import Actions
internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTPServer

/// The first of two steps, passed: the browser in which somebody's password was right, or whom an issuer knows, keeps this, and is asked for a code.
///
/// It opens nothing by itself. It holds the user, the time and a digest of what was kept of the password, sealed together: after a change of the
/// password it is worth nothing.
struct SecondStepCookie: Sendable {
    /// The first step of a sign-in.
    struct FirstStep: Equatable, Sendable {
        let user: UserID
        /// The SHA-256 of what was kept of the password, or of who they are at an issuer.
        let bond: [UInt8]
    }

    /// How long a code may take.
    static let age = Duration.seconds(600)
    private static let context = "second step"
    private static let (idCount, digestCount) = (16, 32)

    let keys: KeyRing

    /// The field `Set-Cookie` after the first step.
    ///
    /// - Throws: When it cannot be sealed.
    func field(
        for user: UserID, bound bond: String, _ request: HTTPRequest, now: Date = Date()
    ) throws(CryptoError) -> String {
        let id = withUnsafeBytes(of: user.uuid.uuid) { Array($0) }
        let token = try keys.ticket(with: id + SHA256Digest(of: bond).bytes, context: Self.context, at: now)
        return BrowserCookie.secondStep.field(token, age: Self.age, for: request)
    }

    /// The first step that was passed in the browser of a request; nil for none, and one that is too old.
    func firstStep(_ request: HTTPRequest, now: Date = Date()) -> FirstStep? {
        guard let ticket = BrowserCookie.secondStep.token(in: request),
            let content = keys.content(ofTicket: ticket, context: Self.context, age: Self.age, at: now),
            content.count == Self.idCount + Self.digestCount
        else { return nil }
        var id = UUID().uuid
        withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: content.prefix(Self.idCount)) }
        return FirstStep(user: UserID(UUID(uuid: id)), bond: Array(content.suffix(Self.digestCount)))
    }
}
