internal import HTTP
internal import HTTPServer

/// The operations of pages behind short links, and of files for programs.
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
