internal import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer

extension PageHandlers {
    /// `GET /robots.txt` (RFC 9309): pages and pictures may be read, what is for people and programs of ours need not be.
    /// Whether a photo may be listed, its own page says.
    package func robotsText(_ request: HTTPRequest) -> HTTPResponse {
        .text(
            """
            User-agent: *
            Disallow: /v1/
            Disallow: /settings
            Disallow: /login
            Disallow: /join
            Disallow: /auth/

            """, fields: ["Cache-Control": "public, max-age=3600"])
    }

    /// `GET /.well-known/security.txt` (RFC 9116); 404 without a contact.
    package func securityText(_ request: HTTPRequest) -> HTTPResponse {
        guard let contact else { return .text("The operator has named no contact.\n", status: .notFound) }
        // Less than a year ahead (section 2.5.5), and the same all day, so that a copy stays fresh.
        let day = (Date().timeIntervalSince1970 / 86_400).rounded(.down) + 180
        let expires = Date(timeIntervalSince1970: day * 86_400)
        return .text(
            """
            Contact: \(contact)
            Expires: \(expires.formatted(.iso8601))
            Preferred-Languages: en, ja
            Canonical: \(addresses.base)/.well-known/security.txt

            """, fields: ["Cache-Control": "public, max-age=3600"])
    }

    /// `GET /favicon.ico`: a PNG, which every browser takes by that name too.
    package func favicon(_ request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                "Content-Type": "image/png", "Cache-Control": "public, max-age=86400",
                "X-Content-Type-Options": "nosniff",
            ], body: .bytes(Icon.png))
    }
}
