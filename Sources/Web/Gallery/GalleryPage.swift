internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    /// Photos on a page.
    private static let galleryLength = 60

    /// `GET /u/{name}/days`: the newest year with photos, else the present one.
    func showDays(_ request: HTTPRequest, _ frame: GalleryFrame) async throws -> HTTPResponse {
        let present = GalleryYear.present(in: frame.gallery.timeZone)
        let newest = try await store.galleryYears(of: frame.gallery)?.last
        return HTTPResponse(
            .found, fields: ["Location": frame.address.days(of: newest ?? present), "Cache-Control": "no-cache"])
    }

    /// `GET /u/{name}/tags/{tag}`, and `GET /u/{name}`: with `?album=` one album, with `before` or `after` a photo's identifier what
    /// comes behind it in their order, or before it.
    func photosPage(_ request: HTTPRequest, _ frame: GalleryFrame) async throws -> HTTPResponse {
        try await galleryPage(request, frame, try Self.part(request), try Self.place(request))
    }

    /// The photos of a part of a gallery from a place on.
    func galleryPage(
        _ request: HTTPRequest, _ frame: GalleryFrame, _ part: GalleryPart, _ place: GalleryPlace
    ) async throws -> HTTPResponse {
        let owner = frame.gallery.owner
        var album: AlbumView?
        if case .album(let name) = part {
            album = try await store.shownAlbum(name, of: owner)
            guard album != nil else { throw StoreError.notFound }
        }
        // One more than the page tells that there is another one.
        var photos = try await store.galleryPhotos(
            of: owner, part, at: place, order: album?.album.order ?? .newest, limit: Self.galleryLength + 1,
            as: frame.gallery.freshness)
        let isFull = photos.count > Self.galleryLength
        var isFirst = place == .newest
        if case .after = place {
            if isFull { photos.removeFirst() }
            isFirst = !isFull
        } else if isFull {
            photos.removeLast()
        }
        if photos.isEmpty, part != .all || place != .newest { throw StoreError.notFound }
        let hasNext = if case .after = place { true } else { isFull }
        let previous =
            isFirst ? nil : photos.first.map { frame.address.page(part, Self.place(part, before: $0.photo.id)) }
        let next = hasNext ? photos.last.map { frame.address.page(part, .before($0.photo.id)) } : nil
        let facts =
            part == .all && place == .newest ? try await galleryFacts.facts(of: frame.gallery, in: store) : nil
        var response = GalleryPhotosPage(
            frame: frame, part: part, place: place, album: album, facts: facts, photos: photos, previous: previous,
            next: next, addresses: addresses
        ).page.shared(with: request)
        if part == .all, place == .newest { response.fields.add("Link", AppDiscovery(base: frame.base).field) }
        return response
    }

    /// The photos of a hashtag are found from the newest on alone.
    private static func place(_ part: GalleryPart, before photo: PhotoID) -> GalleryPlace {
        if case .tag = part { .newest } else { .after(photo) }
    }

    private static func place(_ request: HTTPRequest) throws(StoreError) -> GalleryPlace {
        let query = request.query
        func photo(_ text: String) throws(StoreError) -> PhotoID {
            guard let id = PhotoID(text) else { throw .notFound }
            return id
        }
        if let text = query["before"] { return .before(try photo(text)) }
        if let text = query["after"] { return .after(try photo(text)) }
        return .newest
    }
}

/// A page of photos of a gallery, an album or a hashtag.
private struct GalleryPhotosPage {
    let frame: GalleryFrame
    let part: GalleryPart
    let place: GalleryPlace
    let album: AlbumView?
    let facts: GalleryFacts?
    let photos: [PhotoView]
    /// The pages before and after it.
    let previous: String?
    let next: String?
    let addresses: Addresses

    private var say: Language { frame.language }

    var page: Page {
        let (name, tab): (String?, GalleryFrame.Tab) =
            switch part {
            case .all: (nil, .photos)
            case .album(let name): (name, .albums)
            case .tag(let tag): ("#\(tag)", .photos)
            }
        let path = frame.address.page(part, place)
        let (back, on, start) = words
        let beginning: HTML =
            previous == nil
            ? .nothing : "<a class=\"button quiet\" href=\"\(frame.address.part(part))\">\(say(start))</a>\n"
        let links: HTML = """
            \(PageLinks.button("prev", previous, say(back)))\(beginning)\(PageLinks.button("next", next, say(on)))
            """
        let title = name ?? say(.galleryOf(frame.gallery.person.displayName))
        let grid = PhotoGrid(frame, photos).html(title, at: path, isHeard: name == nil, facts: about, addresses)
        return frame.page(
            name, at: path, on: tab, part, facts: facts,
            links: [PageLinks.link("prev", previous), PageLinks.link("next", next)]
                + (part == .all && place == .newest ? AppDiscovery(base: frame.base).links : []),
            scripts: "<script src=\"\(StaticFile.photosScript.path)\" defer></script>\n",
            content: "\(grid)\(PageLinks.more(say, links))")
    }

    /// What leads to the page before, to the next one, and to the first.
    private var words: (back: Phrase, on: Phrase, start: Phrase) {
        switch album?.album.order ?? .newest {
        case .newest: (.newer, .older, .newest)
        case .oldest: (.older, .newer, .beginning)
        case .caption: (.previous, .next, .beginning)
        }
    }

    /// What stands below the heading.
    private var about: HTML {
        if photos.isEmpty { return "<p class=\"facts\">\(say(.noPhotosYet))</p>\n" }
        guard let album else { return .nothing }
        let count = say(.photos(album.count, isMore: album.count >= AlbumView.mostCounted))
        let words: HTML =
            album.album.about.map { "<p class=\"about p-summary\" dir=\"auto\">\($0)</p>\n" } ?? .nothing
        let edit: HTML =
            frame.isOwner
            ? """
            <p><a class="button quiet" href="\(PageHandlers.path(toEdit: album.album.name))">\(say(.editAlbum))</a></p>

            """ : .nothing
        return "<p class=\"facts\">\(count)</p>\n\(words)\(edit)"
    }
}

/// The ways to the pages before and after one.
enum PageLinks {
    static func link(_ relation: String, _ path: String?) -> HTML {
        path.map { "<link rel=\"\(relation)\" href=\"\($0)\">\n" } ?? .nothing
    }

    static func button(_ relation: String, _ path: String?, _ text: String) -> HTML {
        path.map { "<a class=\"button quiet\" rel=\"\(relation)\" href=\"\($0)\">\(text)</a>\n" } ?? .nothing
    }

    /// The links below photos of which a script loads more.
    static func more(_ say: Language, _ links: HTML) -> HTML {
        """
        <nav class="pages" aria-label="\(say(.pages))" data-more data-failed="\(say(.morePhotosFailed))" \
        data-retry="\(say(.retryLoading))">
        \(links)</nav>

        """
    }
}

/// Where apps find what they speak to, once they know the address of a person (IndieAuth, section 4.1; Micropub, section 5.3).
///
/// Some apps read the header, some nothing but `<link>` in the head, and older ones not the metadata, so all is said twice.
private struct AppDiscovery {
    /// Of all addresses.
    let base: String

    private static let endpoints = [
        ("indieauth-metadata", "/.well-known/oauth-authorization-server"),
        ("authorization_endpoint", "/oauth/authorize"), ("token_endpoint", "/oauth/token"), ("micropub", "/micropub"),
        ("webmention", PageHandlers.webmentionPath),
    ]

    var links: [HTML] {
        Self.endpoints.map { relation, path in "<link rel=\"\(relation)\" href=\"\(base)\(path)\">\n" }
    }

    /// The value of `Link` (RFC 8288).
    var field: String {
        Self.endpoints.map { relation, path in "<\(base)\(path)>; rel=\"\(relation)\"" }.joined(separator: ", ")
    }
}
