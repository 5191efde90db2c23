internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

extension Web {
    static let gallerySettingsPath = "/settings/gallery"

    var gallerySettingsRoutes: [Route] {
        [
            page(Self.gallerySettingsPath, .gallerySettings) { request, person in
                try await gallerySettingsPage(person, request.query["done"] != nil)
            },
            form("\(Self.gallerySettingsPath)/open", .setGallery) { request, form, person in
                let isOpen = form["open"] == "yes"
                try await store.setGallery(of: person.user.id, isOpen)
                logger.notice(
                    isOpen ? "gallery opened" : "gallery closed", ["user": person.user.name, "request": request.id])
                return .seeOther("\(Self.gallerySettingsPath)?done=yes")
            },
            back("\(Self.gallerySettingsPath)/open", to: Self.gallerySettingsPath),
        ]
    }

    private func gallerySettingsPage(_ person: SignedIn, _ wasChanged: Bool) async throws -> Response {
        let language = person.language
        let isOpen = try await store.hasGallery(person.user.id)
        let path = GalleryAddress(person.user.name).photos
        let state: Phrase = isOpen ? .galleryIsOpen : .galleryIsClosed
        let link: HTML = isOpen ? "<p><a href=\"\(path)\">\(addresses.base)\(path)</a></p>\n" : .nothing
        return settingsPage(
            Self.gallerySettingsPath, person, notice: wasChanged ? .done(state) : nil,
            """
            \(wasChanged ? .nothing : "<p>\(language(state))</p>\n")\(link)<form class="form" method="post" action="\(Self.gallerySettingsPath)/open">
            \(person.formInput)<input type="hidden" name="open" value="\(isOpen ? "no" : "yes")">
            <button>\(language(isOpen ? .closeTheGallery : .openTheGallery))</button>
            <small>\(language(.whatAGalleryShows))</small>
            </form>

            """)
    }
}
