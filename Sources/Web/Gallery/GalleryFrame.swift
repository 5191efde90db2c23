internal import Domain
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
    let addresses: Addresses
    let address: GalleryAddress
    /// A reader who has signed in.
    let reader: SignedInUser?
    /// The part above the content; nil: the same as on other pages.
    var banner: HTML?

    init(_ gallery: Gallery, _ language: Language, _ addresses: Addresses, reader: SignedInUser? = nil) {
        (self.gallery, self.language, self.addresses, self.reader) = (gallery, language, addresses, reader)
        address = GalleryAddress(gallery.name)
    }

    var base: String { addresses.base }

    /// Whether the reader is whose gallery it is.
    var isOwner: Bool { reader?.user.id == gallery.owner }

    /// A page that shows `title`, beside whose it is; `path` is its own, for bookmarks, `part` what its feeds
    /// tell, and `links` lead to the pages before and after it. The first page has `facts`; `scripts` load more.
    func page(
        _ title: String?, at path: String, on tab: Tab?, _ part: GalleryPart = .all, facts: GalleryFacts? = nil,
        links: [HTML] = [], scripts: HTML = .nothing, content: HTML
    ) -> Page {
        let whose = language(.galleryOf(gallery.person.displayName))
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
            \(scripts)
            """
        return Page(
            language: language, title: "\(name) · Pics", layout: .wide, head: head,
            mediaOrigin: addresses.mediaOrigin, bar: reader.map { Bar($0) },
            banner: banner, content: "\(GalleryHeader(frame: self, tab: tab, facts: facts).html)\(content)",
            footer: footer(part))
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
            of: request,
            fields: fields(cache: bar == nil ? PageHandlers.checkedEachTime : "private, no-cache"),
            etag: EntityTag(ContentHash.of(bytes)),
            body: .bytes(bytes))
    }
}
