internal import Domain
internal import Foundation
internal import HTTP
internal import HTTPServer
internal import Store

/// The parts that all pages of a gallery share: owner, navigation, feeds.
struct GalleryFrame {
    enum Tab: CaseIterable {
        case photos
        case days
        case albums
    }

    let gallery: Gallery
    let language: Language
    let base: String
    let address: GalleryAddress
    /// Of a reader who has signed in.
    let bar: Bar?

    init(_ gallery: Gallery, _ language: Language, base: String, bar: Bar? = nil) {
        (self.gallery, self.language, self.base, self.bar) = (gallery, language, base, bar)
        address = GalleryAddress(gallery.name)
    }

    /// A page that shows `title`, beside whose it is; `path` is its own, for bookmarks, `part` what its feeds
    /// tell, and `links` lead to the pages before and after it.
    func page(
        _ title: String?, at path: String, on tab: Tab?, _ part: GalleryPart = .all, links: [HTML] = [],
        content: HTML
    ) -> Page {
        let whose = language(.galleryOf(gallery.name))
        let name = title.map { "\($0) · \(whose)" } ?? whose
        let feeds = FeedFormat.allCases.map { format -> HTML in
            """
            <link rel="alternate" type="\(format.mediaType)" title="\(format.name)" href="\(address.feed(format, of: part))">

            """
        }
        let head: HTML = """
            <link rel="canonical" href="\(base)\(path)">
            \(HTML.join(links))\(HTML.join(feeds))<meta property="og:title" content="\(name)">
            <meta property="og:type" content="website">
            <meta property="og:url" content="\(base)\(path)">

            """
        return Page(
            language: language, title: "\(name) · Pics", layout: .wide, head: head, bar: bar,
            content: "\(header(tab))\(content)", footer: footer(part))
    }

    private func header(_ tab: Tab?) -> HTML {
        let tabs = Tab.allCases.map { each -> HTML in
            let (path, phrase): (String, Phrase) =
                switch each {
                case .photos: (address.photos, .photos)
                case .days: (address.days, .days)
                case .albums: (address.albums, .albums)
                }
            let current: HTML = each == tab ? " aria-current=\"page\"" : .nothing
            return "<li><a href=\"\(path)\"\(current)>\(language(phrase))</a></li>\n"
        }
        return """
            <div class="whose">
            <p class="who"><a href="\(address.photos)">\(gallery.name)</a></p>
            <nav aria-label="\(language(.galleryParts))"><ul class="places">
            \(HTML.join(tabs))</ul></nav>
            </div>

            """
    }

    private func footer(_ part: GalleryPart) -> HTML {
        let links = FeedFormat.allCases.map { format -> HTML in
            "<a href=\"\(address.feed(format, of: part))\" type=\"\(format.mediaType)\">\(format.name)</a>\n"
        }
        return "<span>\(language(.feeds))</span>\n\(HTML.join(links))"
    }
}

extension Page {
    /// The response with a page that everybody may see, and keep if they ask each time whether it is still so; one with a bar is kept
    /// by its reader alone.
    func shared(with request: HTTPRequest) -> HTTPResponse {
        let bytes = Array(html.markup.utf8)
        return .representation(
            of: request, fields: Self.fields(cache: bar == nil ? PageHandlers.checkedEachTime : "private, no-cache"),
            etag: EntityTag(ContentHash.of(bytes)),
            body: .bytes(bytes))
    }
}
