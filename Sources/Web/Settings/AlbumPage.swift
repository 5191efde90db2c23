internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

/// What an owner says of an album of theirs.
extension PageHandlers {
    private static let albumPath = "/settings/gallery/album"
    /// The newest public photos of an album that can be its cover at a glance.
    private static let coverChoices = 23

    static func path(toEdit album: String) -> String { "\(albumPath)?album=\(PercentEncoding.encode(album))" }

    func showAlbum(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let album = try await store.album(request.query["album"] ?? "", of: caller.user.id)
        return try await albumPage(
            album.name, album, caller, notice: request.query["done"] == nil ? nil : .done(.albumIsSaved))
    }

    func saveAlbum(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let name = form["album"] ?? ""
        var album = try await store.album(name, of: caller.user.id)
        func refuse(_ mistake: Phrase) async throws -> HTTPResponse {
            try await albumPage(name, album, caller, notice: .failed(mistake), status: .unprocessableContent)
        }
        // What was entered is shown again.
        album.about = form["about"]
        album.order = form["order"].flatMap { PhotoAlbum.Order(rawValue: $0) } ?? .newest
        album.name = form["name"] ?? name
        guard let renamed = Self.albumName(form["name"] ?? name) else { return try await refuse(.albumNameMistake) }
        album.name = renamed
        do throws(ShortWords.Mistake) { album.about = try ShortWords.read(form["about"] ?? "") } catch {
            return try await refuse(.aboutMistake)
        }
        switch try await cover(form["cover"] ?? "", of: name, caller) {
        case .newest: album.cover = nil
        case .photo(let photo): album.cover = photo
        case .mistaken: return try await refuse(.coverMistake)
        }
        do throws(StoreError) { try await store.edit(name, to: album, of: caller.user.id) } catch {
            guard case .conflict = error else { throw error }
            return try await refuse(.albumNameTaken)
        }
        return .seeOther("\(Self.path(toEdit: album.name))&done=yes")
    }

    /// One line of 1 to 100 characters.
    private static func albumName(_ text: String) -> String? {
        let name = text.trimmed
        let isLine = !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return (1...100).contains(name.unicodeScalars.count) && isLine ? name : nil
    }

    /// The cover that a form names.
    private enum Cover {
        case newest
        case photo(PhotoID)
        case mistaken
    }

    private func cover(_ text: String, of album: String, _ caller: SignedInUser) async throws(StoreError) -> Cover {
        if text.isEmpty { return .newest }
        guard let code = ShortCode(text) else { return .mistaken }
        do throws(StoreError) {
            let photo = try await store.photo(code: code, viewer: caller.user.id).photo
            let isOfAlbum = photo.owner == caller.user.id && photo.album == album && photo.visibility == .public
            return isOfAlbum ? .photo(photo.id) : .mistaken
        } catch {
            switch error {
            case .notFound, .gone: return .mistaken
            default: throw error
            }
        }
    }

    private func albumPage(
        _ name: String, _ album: PhotoAlbum, _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        var photos = try await store.galleryPhotos(of: caller.user.id, .album(name), limit: Self.coverChoices).map(
            \.photo)
        // One that was chosen long ago is not among the newest.
        let shown = try await store.shownAlbum(name, of: caller.user.id)?.cover.photo
        if let shown, shown.id == album.cover, !photos.contains(where: { $0.id == shown.id }) {
            photos.insert(shown, at: 0)
        }
        let orders = PhotoAlbum.Order.allCases.map { order -> HTML in
            let selected: HTML = order == album.order ? " selected" : .nothing
            return "<option value=\"\(order.rawValue)\"\(selected)>\(say(.order(order)))</option>\n"
        }
        let isOpen = try await store.hasGallery(caller.user.id)
        let link: HTML =
            isOpen && !photos.isEmpty
            ? "<p><a href=\"\(GalleryAddress(caller.user.name).album(name))\"><bdi>\(name)</bdi></a></p>\n" : .nothing
        return settingsPage(
            Self.gallerySettingsPath, caller, title: .editAlbum, notice: notice, status: status,
            """
            \(link)<form class="form covers" method="post" action="\(Self.albumPath)">
            \(caller.formInput)<input type="hidden" name="album" value="\(name)">
            \(HTML.field(
                say(.albumName), name: "name", "value=\"\(album.name)\" required maxlength=\"100\" autocomplete=\"off\" dir=\"auto\"",
                hint: say(.albumNameHint)))<label>\(say(.albumAbout))
            <textarea name="about" rows="4" maxlength="500" dir="auto">\n\(album.about ?? "")</textarea>
            <small>\(say(.aboutHint))</small></label>
            <label>\(say(.albumOrder))
            <select name="order">
            \(HTML.join(orders))</select></label>
            \(covers(album, photos, say))<button>\(say(.keep))</button>
            </form>

            """)
    }

    private func covers(_ album: PhotoAlbum, _ photos: [Photo], _ say: Language) -> HTML {
        guard !photos.isEmpty else { return .nothing }
        let newest = PictureChoice(
            name: "cover", value: "", isChosen: !photos.contains { $0.id == album.cover }, label: say(.newestPhoto),
            picture: "<span class=\"automatic\" aria-hidden=\"true\">\(say(.newestPhoto))</span>")
        let choices = photos.map { PictureChoice($0, name: "cover", isChosen: $0.id == album.cover, say).html }
        return """
            <fieldset class="choices"><legend>\(say(.albumCover))</legend>
            \(newest.html)\(HTML.join(choices))</fieldset>

            """
    }
}
