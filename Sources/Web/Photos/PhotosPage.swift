internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters
internal import System

extension PageHandlers {
    /// Photos on a page of one's own.
    private static let ownPage = 60

    /// `GET /`: one's own photos, newest first, as far as the filter lets them through; strangers see the public face.
    func showHome(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let caller = try await signedIn(request) else { return try await face(request) }
        let say = caller.language
        let query = PhotoQuery(request.query)
        let filter: PhotoFilter
        do {
            filter = try await photos.filter(query.fields, of: caller.user)
        } catch is InvalidField {
            // An old link, or one that somebody has typed in.
            throw PageProblem(.badRequest, .unreadableFilter, .filterAgain)
        }
        let before = query.before
        let found = try await store.photos(
            of: caller.user.id, filter, before: before, limit: Self.ownPage + 1)
        let shown = found.prefix(Self.ownPage)
        let submissions = try await store.submissions(of: shown.map(\.photo.id))
        let tiles = shown.enumerated().map { index, view in
            PhotoTile(
                view.photo, Photo.State(view.photo, submissions[view.photo.id] ?? [], at: Date()), isEager: index < 12,
                say
            ).html
        }
        let older = found.count > shown.count ? shown.last.map { query.page(before: $0.photo.id) } : nil
        let choices = try await choices(of: caller)
        let isEverything = filter == PhotoFilter() && before == nil
        let content: HTML
        if isEverything, shown.isEmpty {
            content = firstSteps(choices, caller)
        } else {
            let empty: HTML =
                shown.isEmpty
                ? "<p class=\"facts\">\(say(.noPhotoFound))</p>\n" : .nothing
            content = """
                \(try await galleryOffer(shown, caller, isEverything))\
                \(PhotoFilterForm(query: query, choices: choices, language: say).html)\(empty)<ul class="shots">
                \(HTML.join(tiles))</ul>
                \(PageLinks.more(say, PageLinks.button("next", older, say(.morePhotos))))\
                \(isEverything && choices.services.isEmpty ? firstSteps(choices, caller) : .nothing)
                """
        }
        return Page(
            language: say, title: "\(say(.photos)) · Pics", layout: .wide,
            head: "<script src=\"\(StaticFile.photosScript.path)\" defer></script>\n", showsChosenFiles: true,
            bar: Bar(caller, at: .photos),
            content: """
                <h1 class="quietly">\(say(.yourPhotos))</h1>
                \(homeNotice(request, caller))\(OutboxSection(say: say).html)\(content)
                """
        ).personal()
    }

    private func homeNotice(_ request: HTTPRequest, _ caller: SignedInUser) -> HTML {
        switch request.query["done"] {
        case "posted": Notice.done(.photoIsPosted).html(caller.language)
        case "stored": Notice.done(.photoIsStored).html(caller.language)
        case "draft": Notice.done(.draftIsSaved).html(caller.language)
        case "deleted": deletionNotice(request.query["photo"], caller)
        default: .nothing
        }
    }

    /// Offers to open a gallery to somebody who has public photos and none.
    private func galleryOffer(
        _ shown: ArraySlice<PhotoView>, _ caller: SignedInUser, _ isEverything: Bool
    ) async throws -> HTML {
        guard isEverything, shown.contains(where: { $0.photo.visibility == .public }),
            try await !store.hasGallery(caller.user.id)
        else { return .nothing }
        let say = caller.language
        return """
            <p class="facts offer">\(say(.galleryOffer)) <a href="\(Self.gallerySettingsPath)">\(say(.openYourGallery))</a></p>

            """
    }

    /// What the filters can choose from.
    private func choices(of caller: SignedInUser) async throws -> PhotoChoices {
        let accounts = try await store.connections(of: caller.user.id)
        var services: [(id: String, name: String)] = []
        for service in Set(accounts.map(\.connection.service)).sorted() {
            guard let description = registry[service]?.description, !description.isOwnArchive else { continue }
            services.append((service, description.name))
        }
        return PhotoChoices(
            albums: try await store.albums(of: caller.user.id, after: nil, limit: 100), services: services,
            years: try await store.years(of: caller.user.id, in: photos.timeZone(of: caller.user)))
    }

    /// What somebody does first, as far as it is not done.
    private func firstSteps(_ choices: PhotoChoices, _ caller: SignedInUser) -> HTML {
        let say = caller.language
        func step(_ title: Phrase, _ text: Phrase, _ path: String) -> HTML {
            "<li><a href=\"\(path)\">\(say(title))</a><p class=\"facts\">\(say(text))</p></li>\n"
        }
        let connect: HTML =
            choices.services.isEmpty ? step(.connectAnAccount, .whyConnect, "/settings/connections") : .nothing
        let post: HTML = choices.years == nil ? step(.postAPhoto, .whyPost, "/new") : .nothing
        return """
            <section class="steps">
            <h2>\(say(choices.years == nil ? .noPhotoPosted : .firstSteps))</h2>
            <ol>
            \(connect)\(post)<li><strong>\(say(.putOnHomeScreen))</strong><p class="facts">\(say(.whyInstall))</p>
            \(SecureContextHint(isAdmin: caller.user.isAdmin, say: say).html)\
            <button type="button" class="quiet" data-install hidden>\(say(.install))</button></li>
            </ol>
            </section>

            """
    }
}

/// One photo among one's own, in its own shape.
private struct PhotoTile {
    let photo: Photo
    let state: Photo.State
    let isEager: Bool
    let say: Language

    init(_ photo: Photo, _ state: Photo.State, isEager: Bool, _ say: Language) {
        (self.photo, self.state, self.isEager, self.say) = (photo, state, isEager, say)
    }

    var html: HTML {
        let name: HTML =
            photo.altText.isEmpty && photo.caption.isEmpty
            ? "<span class=\"quietly\">\(say.day(photo.moment, in: photo.clock(or: .utc)))</span>"
            : .nothing
        let picture = ShapedPicture(photo: photo, isEager: isEager)
        return """
            <li class="r\(picture.shape)"><a href="/\(photo.code.description)">\(picture.html)\(name)</a>\(marks)</li>

            """
    }

    /// What sets it apart from a public photo that is out.
    private var marks: HTML {
        let kind: HTML = photo.kind == .video ? mark("video", .video) : .nothing
        let planned = photo.plan?.visibility ?? photo.visibility
        let visibility: HTML = planned == .public ? .nothing : mark(planned.rawValue, .visibility(planned))
        let state: HTML =
            switch state {
            case .sent, .stored: .nothing
            case .draft, .attention, .failed, .sending, .scheduled: mark(state.rawValue, .state(state))
            }
        let count: HTML =
            photo.companions.isEmpty ? .nothing : mark("several", .photosOfPost(photo.companions.count + 1))
        let all = HTML.join([kind, count, visibility, state])
        return all.markup.isEmpty ? .nothing : "<p class=\"marks\">\(all)</p>"
    }

    private func mark(_ name: String, _ phrase: Phrase) -> HTML { "<span class=\"mark \(name)\">\(say(phrase))</span>" }
}
