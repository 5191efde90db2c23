internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    private static let albumsPage = 60

    /// `GET /u/{name}/albums`: by name, each with its cover and how many photos it has; with `?after=` those behind a name.
    func albumsPage(_ request: HTTPRequest, _ frame: GalleryFrame) async throws -> HTTPResponse {
        let language = frame.language
        let after = request.query["after"]
        let albums = try await store.shownAlbums(of: frame.gallery.owner, after: after, limit: Self.albumsPage + 1)
        let shown = albums.prefix(Self.albumsPage)
        let next = albums.count > shown.count ? shown.last.map { Self.albumsPath(frame, after: $0.album.name) } : nil
        let items = shown.enumerated().map { index, album -> HTML in
            var cover = Thumbnail(album.cover.photo, isEager: index < 12, hasCaptionBeside: true)
            cover.kind = .nothing
            cover.base = addresses.mediaPrefix(of: album.cover.photo)
            let covered: HTML = album.cover.photo.labels.isSensitive ? " class=\"covered\"" : .nothing
            let count = language(.photos(album.count, isMore: album.count >= AlbumView.mostCounted))
            return """
                <li\(covered)><a href="\(frame.address.album(album.album.name))">\(cover.html)\
                <span class="name" dir="auto">\(album.album.name)</span> <small>\(count)</small></a></li>

                """
        }
        let empty: HTML = shown.isEmpty ? "<p class=\"facts\">\(language(.noAlbumsYet))</p>\n" : .nothing
        return frame.page(
            language(.albums), at: after.map { Self.albumsPath(frame, after: $0) } ?? frame.address.albums,
            on: .albums, links: [PageLinks.link("next", next)],
            content: """
                <h1 class="quietly">\(language(.albums))</h1>
                \(empty)<ul class="grid albums">
                \(HTML.join(items))</ul>
                <nav class="pages" aria-label="\(language(.pages))">
                \(PageLinks.button("next", next, language(.moreAlbums)))</nav>

                """
        ).shared(with: request)
    }

    private static func albumsPath(_ frame: GalleryFrame, after name: String) -> String {
        "\(frame.address.albums)?after=\(PercentEncoding.encode(name))"
    }
}
