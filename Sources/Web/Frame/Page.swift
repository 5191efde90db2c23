internal import HTTP
internal import HTTPServer

/// A whole page: the frame around what it shows.
struct Page {
    /// How the content is laid out.
    enum Layout: String {
        /// A column of text.
        case article
        /// As wide as the window; the page arranges it.
        case wide
        /// A table or two.
        case sheet
        /// The settings.
        case settings
        /// A photo or video with its caption.
        case photo
        /// A picture with the fields that edit it.
        case editor
    }

    var language = Language.english
    let title: String
    var layout = Layout.article
    /// The part of `<head>` after title and stylesheet. Scripts only as files of `StaticFile`: the policy lets no
    /// others run.
    var head: HTML = .nothing
    /// Whether a script shows pictures that somebody has chosen and not sent yet.
    var showsChosenFiles = false
    /// The origin of pictures beside the page's own.
    var mediaOrigin: String?
    /// Whether people do something on it, though it has no bar.
    var isOfApp = false
    /// The bar of somebody who has signed in.
    var bar: Bar?
    /// The part above the content on every page of a kind; nil shows where the visitor is.
    var banner: HTML?
    /// The content of `<main>`.
    let content: HTML
    /// The part below the content.
    var footer: HTML = .nothing

    /// A page that strangers look at is light.
    private var hasAppStyles: Bool { isOfApp || bar != nil || showsChosenFiles || layout == .sheet }

    private static let appStyles: HTML = "<link rel=\"stylesheet\" href=\"\(StaticFile.appStylesheet.path)\">\n"

    var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="\(language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(CaptionDocument.cut(title, at: 200))</title>
        <link rel="stylesheet" href="\(StaticFile.stylesheet.path)">
        \(hasAppStyles ? Self.appStyles : .nothing)<link rel="icon" href="\(Icon.address)">
        \(bar == nil ? .nothing : Self.app)\(head)</head>
        <body>
        <a class="skip" href="#main">\(language(.skipToContent))</a>
        <header class="site">\(banner ?? "<a href=\"/\">Pics</a>")\(bar?.html ?? .nothing)</header>
        <main id="main" class="\(layout.rawValue)" tabindex="-1">
        \(content)</main>
        <footer class="site">\(footer)</footer>
        </body>
        </html>

        """
    }

    /// What makes the pages of those who have signed in an app.
    static let app: HTML = """
        <link rel="manifest" href="/manifest.webmanifest">
        <link rel="apple-touch-icon" href="\(StaticFile.appleIcon.path)">
        <script src="\(StaticFile.outboxScript.path)" defer></script>
        <script src="\(StaticFile.appScript.path)" defer></script>

        """

    /// Nothing but what the page's own origin serves is loaded, no script or style stands in a page, and nobody frames it.
    /// `data:` is for pictures of a few bytes that stand for others until those have come.
    static let policy =
        "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'self'; script-src 'self'; "
        + "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        // No text becomes markup or a script's address, but the address of the service worker (Trusted Types, section 4.4).
        + "require-trusted-types-for 'script'; trusted-types pics-worker"

    private var policy: String {
        var policy = Self.policy
        for directive in ["img-src 'self'", "media-src 'self'"] {
            if let mediaOrigin { policy.replace(directive, with: "\(directive) \(mediaOrigin)") }
        }
        if showsChosenFiles { policy.replace("img-src 'self'", with: "img-src 'self' blob:") }
        return policy
    }

    /// The fields of its response.
    func fields(cache: String) -> HTTPFields {
        [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": cache,
            "Vary": "Accept, Accept-Language, Cookie",
            "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "strict-origin-when-cross-origin",
        ]
    }

    /// The response with this page.
    func response(_ status: HTTPStatus = .ok, cache: String) -> HTTPResponse {
        HTTPResponse(status, fields: fields(cache: cache), body: .bytes(Array(html.markup.utf8)))
    }
}
