internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

extension PageHandlers {
    private static let newestLength = 60

    /// The newest public photos of all open galleries, with those who took them; nil while there are none.
    func newestPage(_ request: HTTPRequest, before: PhotoID?) async throws -> HTTPResponse? {
        let say = Language(request)
        let found = try await store.newestPhotos(before: before, limit: Self.newestLength + 1, as: .recent)
        let shown = found.prefix(Self.newestLength)
        guard !shown.isEmpty else { return nil }
        func path(_ photo: PhotoID?) -> String { photo.map { "/?before=\($0)" } ?? "/" }
        let older = found.count > shown.count ? shown.last.map { path($0.photo.id) } : nil
        let items = shown.enumerated().map { index, view in
            GalleryTile(view, isEager: index < 12, zone: .utc, addresses, say, withAuthor: true).html
        }
        let newest: HTML =
            before == nil ? .nothing : "<a class=\"button quiet\" href=\"/\">\(say(.newest))</a>\n"
        return Page(
            language: say, title: "\(say(.newestPhotos)) · Pics", layout: .wide,
            head: """
                <link rel="canonical" href="\(addresses.base)\(path(before))">
                \(PageLinks.link("next", older))<script src="\(StaticFile.photosScript.path)" defer></script>

                """,
            mediaOrigin: addresses.mediaOrigin, banner: Self.banner(say),
            content: """
                <div class="h-feed">
                <h1 class="p-name">\(say(.newestPhotos))</h1>
                <data class="u-url" value="\(addresses.base)\(path(before))"></data>
                <ul class="shots">
                \(HTML.join(items))</ul>
                </div>
                \(PageLinks.more(say, "\(newest)\(PageLinks.button("next", older, say(.morePhotos)))"))
                """, footer: Self.imprint(say)
        ).shared(with: request)
    }
}
