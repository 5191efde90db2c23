internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

extension PageHandlers {
    static let gallerySettingsPath = "/settings/gallery"

    var gallerySettingsRoutes: [Route] {
        [
            page(Self.gallerySettingsPath, .gallerySettings) { request, caller in
                try await gallerySettingsPage(caller, request.query["done"] != nil)
            },
            form("\(Self.gallerySettingsPath)/open", .setGallery) { request, form, caller in
                let isOpen = form["open"] == "yes"
                try await store.setGallery(of: caller.user.id, isOpen)
                logger.notice(
                    isOpen ? "gallery opened" : "gallery closed", ["user": caller.user.name, "request": request.id])
                return .seeOther("\(Self.gallerySettingsPath)?done=yes")
            },
            back("\(Self.gallerySettingsPath)/open", to: Self.gallerySettingsPath),
        ]
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

            """)
    }
}
