internal import HTTPServer

/// A cookie that no script reads and no other site's form brings along.
///
/// Over https its name begins with `__Host-`: the browser then takes it from this host alone, for all paths, and never over
/// plain http (RFC 6265bis, section 4.1.3.2). What came over the other of the two is not looked at.
struct BrowserCookie {
    /// Whose browser it is.
    static let session = BrowserCookie(plainName: "pics_session")
    /// That a user has signed in there before; it opens nothing.
    static let device = BrowserCookie(plainName: "pics_device")
    /// That a password was right there, and a code is asked for.
    static let secondStep = BrowserCookie(plainName: "pics_second_step")
    /// What a sign-in by an issuer of OpenID Connect began with.
    static let openID = BrowserCookie(plainName: "pics_openid")
    /// The token that forms are bound to in a browser that has not signed in.
    static let visit = BrowserCookie(plainName: "pics_visit")

    /// The cookie of visitors who like without having signed in.
    static let visitor = BrowserCookie(plainName: "pics_visitor")

    private let plainName: String

    private func name(_ request: HTTPRequest) -> String { request.isSecure ? "__Host-\(plainName)" : plainName }

    /// The token that a request brought; nil for none, and for what cannot be a token of ours.
    func token(in request: HTTPRequest) -> String? {
        let start = "\(name(request))="
        for line in request.fields.values("Cookie") {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                guard pair.hasPrefix(start) else { continue }
                let token = pair.dropFirst(start.count)
                return (16...128).contains(token.utf8.count) && token.utf8.allSatisfy(Self.mayOccur)
                    ? String(token) : nil
            }
        }
        return nil
    }

    /// The field `Set-Cookie` that lets the browser keep a token: until it is closed, or for `age`.
    func field(_ token: String, age: Duration? = nil, for request: HTTPRequest) -> String {
        let life = age.map { "; Max-Age=\($0.components.seconds)" } ?? ""
        return "\(name(request))=\(token); Path=/\(life); HttpOnly; SameSite=Lax\(request.isSecure ? "; Secure" : "")"
    }

    /// The field `Set-Cookie` that lets the browser forget it.
    func removal(for request: HTTPRequest) -> String { field("", age: .zero, for: request) }

    private static func mayOccur(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
