internal import HTTP
package import HTTPServer

extension PageHandlers {
    /// The pages behind short links beside `/{code}` itself, and what sites have for programs that read them.
    package var captionRoutes: [Route] {
        [
            likeRoute(true), likeRoute(false),
            // Where a refused form has left its address in the bar.
            Route(.get, "/{code}/like", operation: .backToPage) { request in Self.backToPage(request) },
            Route(.get, "/{code}/unlike", operation: .backToPage) { request in Self.backToPage(request) },
            Route(.get, "/{code}/qr.svg", operation: .qrPicture) { request in
                try await response(request) { request in try await qrPicture(request) }
            },
            page("/{code}/visits", .visitsPage, visitsPage),
            Route(.get, "/oembed", operation: .oEmbed) { request in try await oEmbed(request) },
            Route(.get, "/robots.txt", operation: .robotsText, response: robotsText),
            Route(.get, "/.well-known/security.txt", operation: .securityText, response: securityText),
            Route(.get, "/favicon.ico", operation: .favicon, response: favicon),
        ]
    }

    private static func backToPage(_ request: HTTPRequest) -> HTTPResponse {
        .seeOther("/\(PercentEncoding.encode(request.parameters["code"] ?? ""))")
    }
}

extension Operation {
    static let likePage = page("likePage", "Likes a photo as the visitor of its page.", .seeOther)
    static let unlikePage = page("unlikePage", "Takes a visitor's like back.", .seeOther)
    static let backToPage = page("backToPage", "The page of a form.", .seeOther)
    static let qrPicture = page("qrPicture", "A short link as a QR code.")
    static let visitsPage = page("visitsPage", "How often a photo's page was opened, for its owner.")
    static let oEmbed = page("oEmbed", "What another site needs to show a photo (oEmbed 1.0).")
    static let robotsText = page("robotsText", "What crawlers need not read.")
    static let securityText = page("securityText", "Where to tell of security problems.")
    static let favicon = page("favicon", "The icon.")

    private static func page(_ id: String, _ summary: String, _ status: HTTPStatus = .ok) -> Operation {
        Operation(id, summary, tags: ["pages"], responses: [Response(status, summary)])
    }
}
