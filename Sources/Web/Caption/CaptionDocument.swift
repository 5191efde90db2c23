internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store
internal import Submitters
internal import System

/// The page of one photo, in one language, as one reader sees it.
struct CaptionDocument {
    let shown: CaptionPageView
    let language: Language
    let isLiked: Bool
    let addresses: Addresses
    let serviceName: (String) -> String
    /// Whether the reader is the photo's owner.
    var isOwner = false
    /// Of a reader who has signed in.
    var bar: Bar?
    /// Of the owner.
    var tools: OwnerTools?
    /// Whether anybody can open the address of a post; only its owner is shown the others.
    var isOpen: (PublicPost) -> Bool = { _ in true }
    /// A service's pages for the entities of a caption.
    var entityPages: (String) -> EntityPages? = { _ in nil }

    var photo: Photo { shown.view.photo }
    var owner: String { shown.view.owner }
    /// The owner's name as they want it shown.
    var author: String { shown.view.author }
    var url: String { addresses.shortURL(photo.code) }

    var page: Page {
        Page(
            language: language, title: title, layout: .photo, head: CaptionHead(document: self).html,
            mediaOrigin: addresses.mediaOrigin, bar: bar, content: content, footer: report)
    }

    /// The first line of the caption, if there is one.
    var title: String {
        // It is told to other sites too, which put it among their own words.
        let lines = photo.caption.split(whereSeparator: \.isNewline).lazy.map { HTML.shown(String($0)) }
        let line = lines.first { !$0.isEmpty } ?? ""
        guard !line.isEmpty else { return language(photo.kind == .video ? .video(by: author) : .photo(by: author)) }
        return Self.cut(line, at: 70)
    }

    /// At most `limit` characters, and so many scalars that no pile of marks makes them long.
    static func cut(_ text: String, at limit: Int) -> String {
        guard text.unicodeScalars.count > limit else { return text }
        var scalars = String.UnicodeScalarView()
        var characters = 0
        for character in text {
            characters += 1
            guard characters < limit, scalars.count + character.unicodeScalars.count <= 4 * limit else { break }
            scalars.append(contentsOf: character.unicodeScalars)
        }
        let cut = String(scalars)
        return cut.unicodeScalars.count == text.unicodeScalars.count ? text : cut + "…"
    }

    // MARK: Content

    private var content: HTML {
        """
        <article class="h-entry">
        <h1 class="quietly">\(title)</h1>
        \(PictureMarkup(document: self).html)
        <div class="text">
        \(privacy)\(caption)<p class="facts"><span class="p-author h-card">\(face) \(card)</span>\(times)</p>
        \(fault)\(camera)\(likes)\(visits)\(posts)\(responses)\(sharing)\(tools?.html ?? .nothing)\(adjacentPhotos)</div>
        </article>
        """
    }

    private var privacy: HTML {
        guard photo.visibility == .private else { return .nothing }
        let words: Phrase = shown.posts.isEmpty ? .onlyYouSeeThis : .onlyYouSeeThisHere
        let reason: HTML = tools?.decision == .private ? "\(language(.adminMadePrivate)) " : .nothing
        return "<p class=\"notice\">\(reason)\(language(words))</p>\n"
    }

    private var caption: HTML {
        guard !photo.caption.isEmpty else { return .nothing }
        let html = CaptionMarkup(places: EntityLinks(shown.posts, gallery: gallery, entityPages)).html(photo.caption)
        let tag: HTML = photo.labels.language.map { " lang=\"\($0)\"" } ?? .nothing
        return "<div class=\"caption e-content\"\(tag) dir=\"auto\">\(html)</div>\n"
    }

    /// The owner's, where it is open and has this photo.
    private var gallery: GalleryAddress? {
        shown.context.hasGallery && photo.visibility == .public ? GalleryAddress(owner) : nil
    }

    private var face: HTML { Avatar(name: author, picture: shown.context.picture).html(" small") }

    /// Leads to the gallery where that is open.
    private var card: HTML {
        let name: HTML = "<bdi class=\"p-name\">\(author)</bdi>"
        guard shown.context.hasGallery else { return name }
        return "<a class=\"u-url\" href=\"\(addresses.base)\(GalleryAddress(owner).photos)\">\(name)</a>"
    }

    private var times: HTML {
        let zone = Zone(orUTC: shown.context.timeZone)
        let publishedAt = photo.publishedAt ?? photo.createdAt
        guard photo.plan == nil else { return " · \(language(.state(photo.isDraft ? .draft : .scheduled)))" }
        let posted: HTML = """
            <a class="u-url u-uid" href="\(url)">\(language(.posted)) \
            \(time(publishedAt, language.day(publishedAt, in: zone), "dt-published", zone))</a>
            """
        guard let taken = photo.takenAt else { return " · \(posted)" }
        let clock = photo.clock(or: zone)
        let moment = "\(language.moment(taken, in: clock)) (\(language.offset(taken, of: clock)))"
        return " · \(language(.taken)) \(time(taken, moment, "taken", clock)) · \(posted)"
    }

    private func time(_ date: Date, _ text: String, _ name: String, _ zone: Zone) -> HTML {
        "<time class=\"\(name)\" datetime=\"\(zone.timestamp(date))\">\(text)</time>"
    }

    private var camera: HTML {
        guard let line = shown.context.camera.flatMap(CameraLine.text) else { return .nothing }
        return "<p class=\"facts camera\"><bdi>\(line)</bdi></p>\n"
    }

    private var likes: HTML {
        guard photo.plan == nil else { return .nothing }
        let text = language(.likes(here: photo.likeCount, elsewhere: photo.networkLikeCount))
        return """
            <form class="like" id="likes" method="post" action="/\(photo.code.description)/\(isLiked ? "unlike" : "like")">
            <button aria-pressed="\(isLiked ? "true" : "false")"><svg viewBox="0 0 24 24" width="20" height="20" \
            aria-hidden="true"><path d="M12 20.5C5.5 15.5 3 12.3 3 8.9A4.9 4.9 0 0 1 12 6.2a4.9 4.9 0 0 1 9 2.7c0 3.4-2.5 \
            6.6-9 11.6Z"/></svg>\(language(.like))</button>
            <p role="status">\(text)</p>
            </form>

            """
    }

    private var fault: HTML {
        guard isOwner, photo.fileFault != nil else { return .nothing }
        return "<p class=\"notice failed\" role=\"alert\">\(language(.fileFault))</p>\n"
    }

    private var visits: HTML {
        guard isOwner, photo.plan == nil else { return .nothing }
        return "<p class=\"facts visits\"><a href=\"\(VisitsPage.path(of: photo.code))\">\(language(.visits))</a></p>\n"
    }

    private var posts: HTML {
        let posts = shown.posts.filter { isOwner || isOpen($0) }
        guard !posts.isEmpty else { return .nothing }
        let links = posts.map { post -> HTML in
            let likes: HTML = post.likes > 0 ? " <small>\(language(.likesThere(post.likes)))</small>" : .nothing
            return """
                <li><a class="u-syndication" rel="syndication noopener" href="\(post.url)">\
                \(serviceName(post.service))\(likes)</a></li>

                """
        }
        return """
            <section class="elsewhere">
            <h2>\(language(.alsoAt))</h2>
            <ul class="places">
            \(HTML.join(links))</ul>
            </section>

            """
    }

    private var responses: HTML {
        let zone = Zone(orUTC: shown.context.timeZone)
        let markup = ResponseMarkup(
            responses: shown.responses, language: language, zone: zone, caller: photo.plan == nil ? bar?.caller : nil,
            isOwner: isOwner, code: photo.code
        ) { [self] source in language.source(source, serviceName) }
        guard isOwner, shown.responses.pending > 0 else { return markup.html }
        let link: HTML = """
            <p class="notice"><a href="\(PageHandlers.responsesPath)?state=pending">\(language(.responsesPending(shown.responses.pending)))</a></p>

            """
        return HTML.join([link, markup.html])
    }

    /// A field to copy the link from; the buttons are shown by the script, which alone can do what they say.
    private var sharing: HTML {
        let path = "/\(photo.code.description)/qr.svg"
        let picture: HTML =
            "<img src=\"\(path)\" width=\"200\" height=\"200\" loading=\"lazy\" alt=\"\(language(.qrCode(of: url)))\">"
        return """
            <section class="share" aria-label="\(language(.share))">
            <label>\(language(.link))
            <input readonly value="\(url)" spellcheck="false" data-link></label>
            <button type="button" class="quiet" data-copy data-done="\(language(.linkCopied))" hidden>\(language(.copyLink))</button>
            <button type="button" class="quiet" data-share hidden>\(language(.share))</button>
            \(file)\
            <details><summary>\(language(.qrCode))</summary>
            \(PictureMarkup.late(picture, "\(language(.openQRCode))", path))
            </details>
            </section>

            """
    }

    /// For its owner: the file at its largest public size, and the browser's way to give it to another app.
    private var file: HTML {
        guard isOwner, let path = photo.publicPath(.large) else { return .nothing }
        let name = "\(photo.code).\(path.prefix { $0 != "?" }.split(separator: ".").last ?? "")"
        return """
            <a class="button quiet" href="\(path)" download="\(name)">\(language(.downloadFile))</a>
            <button type="button" class="quiet" data-file="\(path)" data-name="\(name)" data-type="\(photo.kind == .video ? photo.mediaType : "image/jpeg")" hidden>\(language(.shareFile))</button>

            """
    }

    private var adjacentPhotos: HTML {
        let links = [
            shown.context.older.map { code -> HTML in
                "<a rel=\"prev\" href=\"/\(code.description)\"><span aria-hidden=\"true\">←</span> \(language(.older))</a>\n"
            },
            shown.context.newer.map { code -> HTML in
                "<a rel=\"next\" href=\"/\(code.description)\">\(language(.newer)) <span aria-hidden=\"true\">→</span></a>\n"
            },
        ].compactMap(\.self)
        guard !links.isEmpty else { return .nothing }
        return "<nav class=\"neighbours\" aria-label=\"\(language(.otherPhotos))\">\n\(HTML.join(links))</nav>\n"
    }

    /// Leads to the form for a report of somebody else's photo.
    private var report: HTML {
        guard !isOwner, photo.plan == nil else { return .nothing }
        return "<a rel=\"nofollow\" href=\"/\(photo.code.description)/report\">\(language(.reportThis))</a>"
    }
}
