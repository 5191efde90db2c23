internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters
internal import System

/// What those post whom the owner's accounts follow.
extension PageHandlers {
    static let timelinePath = "/timeline"
    /// Posts on a page.
    private static let timelinePage = 20

    /// `GET /timeline`: newest first; with `media=photos` posts with pictures alone.
    func showTimeline(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let say = caller.language
        let photosOnly = request.query["media"] == "photos"
        _ = try rates.charge(.charging(.outgoing), subject: caller.user.id.description)
        let home = try await timeline.home(
            of: caller.user, before: request.query["before"].flatMap { TimelinePostID($0) }, photosOnly: photosOnly,
            limit: Self.timelinePage)
        let zone = try await photos.timeZone(of: caller.user)
        let filter = photosOnly ? "media=photos" : ""
        let page = filter.isEmpty ? Self.timelinePath : "\(Self.timelinePath)?\(filter)"
        let rows = home.items.map { item -> HTML in
            switch item {
            case .post(let post, let done):
                TimelineRow(
                    post: post, service: registry.name(of: post.service), zone: zone, page: page, done: done,
                    possible: interactions.interactions(with: .post(post.id), at: post.service), caller: caller
                ).html
            case .gap(let gap):
                gapRow(gap, home.problems[gap.connection], page, caller)
            }
        }
        let problems = home.problems.values.map { "<p class=\"notice failed\">\(say.marked(Phrase($0)))</p>\n" as HTML }
        let older = home.next.map { "\(Self.timelinePath)?\(filter.isEmpty ? "" : "\(filter)&")before=\($0)" }
        let list: HTML =
            rows.isEmpty
            ? "<p class=\"facts\">\(say(.noPosts))</p>\n"
            : "<ul class=\"rows timeline\">\n\(HTML.join(rows))</ul>\n"
        return Page(
            language: say, title: "\(say(.following)) · Pics", bar: Bar(caller, at: .activity),
            content: """
                <h1>\(say(.following))</h1>
                \(Tabs.activity(at: Self.timelinePath).html(say))<p class="facts">\(say(.followingExplained))</p>
                \(choice(photosOnly, say))\(HTML.join(problems))\(list)<nav class="pages" aria-label="\(say(.pages))">
                \(PageLinks.button("next", older, say(.olderPosts)))</nav>

                """
        ).personal()
    }

    private func choice(_ photosOnly: Bool, _ say: Language) -> HTML {
        let photos = "\(Self.timelinePath)?media=photos"
        return Tabs(
            .following, [Tab(Self.timelinePath, .allResponses), Tab(photos, .photosAlone)],
            at: photosOnly ? photos : Self.timelinePath
        ).html(say)
    }

    private func gapRow(_ gap: TimelineGap, _ problem: Problem?, _ page: String, _ caller: SignedInUser) -> HTML {
        let say = caller.language
        let reason: HTML = (gap.problem ?? problem).map { " \(say.marked(Phrase($0)))" } ?? .nothing
        return """
            <li class="gap"><p>\(say(.missingPosts(at: registry.name(of: gap.service))))\(reason)</p>
            <div class="actions"><form method="post" action="\(Self.timelinePath)/gaps/\(gap.id.description)">\(caller.formInput)\
            <button class="quiet">\(say(.loadMissing))</button></form></div></li>

            """
    }

    /// `POST /timeline/gaps/{id}`.
    func fillGap(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let gap: TimelinePostID = try request.identifier()
        _ = try rates.charge(.charging(.outgoing), subject: caller.user.id.description)
        try await timeline.fill(gap, of: caller.user)
        return .seeOther("\(Self.timelinePath)?before=\(gap)")
    }

    /// `GET /timeline/{id}/media/{place}`: a picture of a post, read from where it is and made anew, so that the reader's browser asks no
    /// other server for it.
    func showTimelinePicture(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let post = try await store.timelinePosts([try request.identifier()], of: caller.user.id).first
        guard let post, let place = request.parameters["place"].flatMap({ Int($0) }),
            post.media.indices.contains(place)
        else { throw StoreError.notFound }
        let media = post.media[place]
        guard let address = media.previewURL ?? (media.kind == .picture ? media.url : nil) else {
            throw StoreError.notFound
        }
        let bytes = try await timelinePictures.picture(at: address, for: caller.user.id)
        return HTTPResponse(
            .ok,
            fields: [
                "Content-Type": "image/webp", "Cache-Control": "private, max-age=86400, immutable",
                "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
            ], body: .bytes(bytes))
    }
}

/// A post of somebody else's.
private struct TimelineRow {
    let post: TimelinePost
    let service: String
    let zone: Zone
    let page: String
    let done: [Interaction]
    let possible: Set<Interaction.Kind>
    let caller: SignedInUser

    private var say: Language { caller.language }

    var html: HTML {
        let author = post.author
        let name: HTML = "<bdi>\(author.shownName)</bdi>"
        let person: HTML =
            author.url.map { "<a href=\"\($0)\" rel=\"nofollow ugc noopener noreferrer\">\(name)</a>" } ?? name
        let handle: HTML = author.handle.map { " <bdi class=\"facts\">\(HTML.shown($0))</bdi>" } ?? .nothing
        let reposter: HTML =
            post.reposter.map { "<p class=\"facts\">\(say(.repostedBy($0.shownName)))</p>\n" } ?? .nothing
        let time: HTML = """
            <time datetime="\(Timestamp(post.saidAt).description)">\(say.moment(post.saidAt, in: zone))</time>
            """
        let place: HTML =
            post.url.map { "<a href=\"\($0)\" rel=\"nofollow ugc noopener noreferrer\">\(time)</a>" } ?? time
        return """
            <li id="t-\(post.id.description)">\(Avatar(author).html(" small"))<div>\(reposter)<p>\(person)\(handle)</p>
            \(covered)<p class="facts">\(service) · \(place)</p></div>
            <div class="actions">\(forms)</div></li>

            """
    }

    /// Words and pictures, below their warning where there is one.
    private var covered: HTML {
        let text: HTML =
            post.text.isEmpty
            ? .nothing
            : "<div dir=\"auto\">\(CaptionMarkup(places: EntityLinks([]) { _ in nil }).html(post.text))</div>\n"
        let content = HTML.join([text, pictures])
        guard !post.warning.isEmpty || post.isSensitive && !post.media.isEmpty else { return content }
        let warning = post.warning.isEmpty ? say(.sensitiveContent) : HTML.shown(post.warning)
        return "<details><summary><bdi>\(warning)</bdi></summary>\n\(content)</details>\n"
    }

    private var pictures: HTML {
        let items = post.media.enumerated().map { place, media -> HTML in
            let isShown = media.previewURL != nil || media.kind == .picture
            guard isShown else { return MediaLinks([media], say).html }
            let size: HTML =
                if let width = media.width, let height = media.height {
                    " width=\"\(width)\" height=\"\(height)\""
                } else {
                    .nothing
                }
            let picture: HTML = """
                <img src="\(PageHandlers.timelinePath)/\(post.id.description)/media/\(place.description)" loading="lazy" alt="\(HTML.shown(media.altText))"\(size)>
                """
            return "<a href=\"\(post.url ?? media.url)\" rel=\"nofollow ugc noopener noreferrer\">\(picture)</a>\n"
        }
        return items.isEmpty ? .nothing : "<div class=\"pictures\">\n\(HTML.join(items))</div>\n"
    }

    private var forms: HTML {
        InteractionForms(
            path: "\(PageHandlers.timelinePath)/\(post.id)", page: page, possible: possible, done: done,
            isFavourited: post.isFavourited, isReposted: post.isReposted, caller: caller
        ).html
    }
}
