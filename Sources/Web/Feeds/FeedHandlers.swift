internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store

/// The formats in which a gallery tells what is new.
enum FeedFormat: String, CaseIterable {
    case rss
    case atom
    case json

    var mediaType: String {
        switch self {
        case .rss: "application/rss+xml"
        case .atom: "application/atom+xml"
        case .json: "application/feed+json"
        }
    }

    var name: String {
        switch self {
        case .rss: "RSS"
        case .atom: "Atom"
        case .json: "JSON Feed"
        }
    }

    /// The last part of its address.
    var file: String { "feed.\(rawValue)" }
}

extension PageHandlers {
    /// The newest photos that a feed tells.
    private static let feedLength = 30
    /// Of the captions of a feed together, in UTF-8 bytes; the feed ends with the photo that goes beyond it.
    private static let feedTextBytes = 256 << 10

    /// `GET /u/{name}/feed.…`, of one album with `?album=`, of a hashtag with `?tag=`.
    func feed(_ format: FeedFormat, _ request: HTTPRequest) async throws -> HTTPResponse {
        let gallery = try await store.gallery(named: request.parameters["name"] ?? "")
        let place = GalleryAddress(gallery.name)
        let part = try Self.part(request)
        let photos = try await store.galleryPhotos(
            of: gallery.owner, part, limit: Self.feedLength, as: gallery.freshness)
        if part != .all, photos.isEmpty { throw StoreError.notFound }
        let feed = feed(of: gallery, part, photos, place, format)
        let bytes: [UInt8] =
            switch format {
            case .rss: Array(feed.rss.markup.utf8)
            case .atom: Array(feed.atom.markup.utf8)
            case .json: feed.json
            }
        // No Last-Modified: a photo that is gone or private now leaves no time behind.
        return .representation(
            of: request,
            fields: [
                "Content-Type": format == .json ? format.mediaType : "\(format.mediaType); charset=utf-8",
                "Cache-Control": Self.checkedEachTime, "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'; sandbox", "Access-Control-Allow-Origin": "*",
            ], etag: EntityTag(ContentHash.of(bytes)), body: .bytes(bytes))
    }

    private func feed(
        of gallery: Gallery, _ part: GalleryPart, _ photos: [PhotoView], _ place: GalleryAddress, _ format: FeedFormat
    ) -> Feed {
        var textBytes = 0
        let shown = photos.prefix { view in
            defer { textBytes += view.photo.caption.utf8.count + view.photo.altText.utf8.count }
            return textBytes <= Self.feedTextBytes
        }
        let base = addresses.base
        let items = shown.map { FeedItem($0.photo, addresses) }
        let author = gallery.person.displayName
        let (title, page): (String, String) =
            switch part {
            case .all: ("\(author) · Pics", place.photos)
            case .album(let name): ("\(name) · \(author) · Pics", place.album(name))
            case .tag(let tag): ("#\(tag) · \(author) · Pics", place.tag(tag))
            }
        return Feed(
            id: "urn:uuid:\(gallery.owner)", language: Language(of: shown.map(\.photo.caption)), title: title,
            author: author, page: base + page,
            home: base + place.photos, address: base + place.feed(format, of: part),
            updated: items.map(\.updated).max() ?? Date(timeIntervalSince1970: 0), items: items)
    }

    /// Which photos a path or a query asks for.
    ///
    /// - Throws: `.notFound` for what is no hashtag.
    static func part(_ request: HTTPRequest) throws(StoreError) -> GalleryPart {
        if let text = request.parameters["tag"] ?? request.query["tag"] {
            guard let tag = CaptionEntity.hashtag(text) else { throw .notFound }
            return .tag(tag)
        }
        guard let album = request.query["album"], !album.isEmpty else { return .all }
        return .album(album)
    }
}
