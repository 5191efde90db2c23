internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    /// Photos on a page: full rows of 2, 3, 4, 5 and 6.
    private static let galleryPage = 60

    /// `GET /u/{name}/days`.
    func showDays(_ request: HTTPRequest, _ frame: GalleryFrame) async throws -> HTTPResponse {
        let year = GalleryYear.present(in: frame.gallery.timeZone)
        return HTTPResponse(
            .found, fields: ["Location": frame.address.days(of: year), "Cache-Control": "no-cache"])
    }

    /// `GET /u/{name}/tags/{tag}`, and `GET /u/{name}`: with `?album=` one album, with `before` or `after` a photo's identifier what is older or newer.
    func photosPage(_ request: HTTPRequest, _ frame: GalleryFrame) async throws -> HTTPResponse {
        let part = try Self.part(request)
        let place = try Self.place(request)
        let owner = frame.gallery.owner
        // One more than the page tells that there is another one.
        var photos = try await store.galleryPhotos(of: owner, part, at: place, limit: Self.galleryPage + 1)
        let isFull = photos.count > Self.galleryPage
        var isNewest = place == .newest
        if case .after = place {
            if isFull { photos.removeFirst() }
            isNewest = !isFull
        } else if isFull {
            photos.removeLast()
        }
        if photos.isEmpty, part != .all || place != .newest { throw StoreError.notFound }
        let hasOlder = if case .after = place { true } else { isFull }
        let newer = isNewest ? nil : photos.first.map { frame.address.page(part, Self.newer(part, than: $0.photo.id)) }
        let older = hasOlder ? photos.last.map { frame.address.page(part, .before($0.photo.id)) } : nil
        return galleryPage(request, frame, part, place, photos, newer: newer, older: older)
    }

    /// The photos of a hashtag are found from the newest on alone.
    private static func newer(_ part: GalleryPart, than photo: PhotoID) -> GalleryPlace {
        if case .tag = part { .newest } else { .after(photo) }
    }

    private func galleryPage(
        _ request: HTTPRequest, _ frame: GalleryFrame, _ part: GalleryPart, _ place: GalleryPlace,
        _ photos: [PhotoView],
        newer: String?, older: String?
    ) -> HTTPResponse {
        let language = frame.language
        let (name, tab): (String?, GalleryFrame.Tab) =
            switch part {
            case .all: (nil, .photos)
            case .album(let name): (name, .albums)
            case .tag(let tag): ("#\(tag)", .photos)
            }
        let empty: HTML = photos.isEmpty ? "<p class=\"facts\">\(language(.noPhotosYet))</p>\n" : .nothing
        let newest: HTML =
            newer == nil
            ? .nothing : "<a class=\"button quiet\" href=\"\(frame.address.part(part))\">\(language(.newest))</a>\n"
        let path = frame.address.page(part, place)
        let title = name ?? language(.galleryOf(frame.gallery.name))
        return frame.page(
            name, at: path, on: tab, part,
            links: [PageLinks.link("prev", newer), PageLinks.link("next", older)],
            content: """
                \(PhotoGrid(frame, photos).html(title, at: path, facts: empty, addresses))\
                <nav class="pages" aria-label="\(language(.pages))">
                \(PageLinks.button("prev", newer, language(.newer)))\(newest)\(PageLinks.button("next", older, language(.older)))\
                </nav>

                """
        ).shared(with: request)
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

/// The ways to the pages before and after one.
enum PageLinks {
    static func link(_ relation: String, _ path: String?) -> HTML {
        path.map { "<link rel=\"\(relation)\" href=\"\($0)\">\n" } ?? .nothing
    }

    static func button(_ relation: String, _ path: String?, _ text: String) -> HTML {
        path.map { "<a class=\"button quiet\" rel=\"\(relation)\" href=\"\($0)\">\(text)</a>\n" } ?? .nothing
    }
}
