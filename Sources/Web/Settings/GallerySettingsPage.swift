internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    static let gallerySettingsPath = "/settings/gallery"
    /// More are edited from their own pages.
    private static let listedAlbums = 100

    func showGallerySettings(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await gallerySettingsPage(caller, request.query["done"] != nil)
    }

    func setGallery(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let isOpen = form["open"] == "yes"
        try await users.setGallery(of: caller.user, isOpen: isOpen, requestID: request.id)
        return .seeOther("\(Self.gallerySettingsPath)?done=yes")
    }

    private func gallerySettingsPage(_ caller: SignedInUser, _ wasChanged: Bool) async throws -> HTTPResponse {
        let language = caller.language
        let isOpen = try await store.hasGallery(caller.user.id)
        let path = GalleryAddress(caller.user.name).photos
        let state: Phrase = isOpen ? .galleryIsOpen : .galleryIsClosed
        let link: HTML = isOpen ? "<p><a href=\"\(path)\">\(addresses.base)\(path)</a></p>\n" : .nothing
        return settingsPage(
            Self.gallerySettingsPath, caller, notice: wasChanged ? .done(state) : nil,
            """
            \(wasChanged ? .nothing : "<p>\(language(state))</p>\n")\(link)<form class="form" method="post" action="\(Self.gallerySettingsPath)/open">
            \(caller.formInput)<input type="hidden" name="open" value="\(isOpen ? "no" : "yes")">
            <button>\(language(isOpen ? .closeTheGallery : .openTheGallery))</button>
            <small>\(language(.whatAGalleryShows))</small>
            </form>
            \(try await albumList(caller))
            """)
    }

    /// The ways to what can be said of each album.
    private func albumList(_ caller: SignedInUser) async throws -> HTML {
        let albums = try await store.albums(of: caller.user.id, after: nil, limit: Self.listedAlbums)
        guard !albums.isEmpty else { return .nothing }
        let say = caller.language
        let items = albums.map { name -> HTML in
            """
            <li><div class="name" dir="auto">\(name)</div>
            <a class="button quiet" href="\(Self.path(toEdit: name))">\(say(.editAlbum))<span class="quietly"> \(name)</span></a></li>

            """
        }
        return "<h2>\(say(.albums))</h2>\n<ul class=\"rows\">\n\(HTML.join(items))</ul>\n"
    }
}
