internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store
internal import System

/// The responses to a photo on its page: their number, faces and words (microformats.org/wiki/h-cite).
struct ResponseMarkup {
    let responses: PhotoResponses
    let language: Language
    /// Of the photo's owner.
    let zone: Zone
    /// Who has signed in; nil for strangers.
    var caller: SignedInUser?
    /// Whether they own the photo.
    var isOwner = false
    /// Of the photo.
    let code: ShortCode
    let sourceName: (String) -> String

    /// Nothing where nothing came.
    var html: HTML {
        guard caller != nil || !counts.markup.isEmpty || !responses.shown.isEmpty else { return .nothing }
        let faces = responses.shown.filter { !$0.kind.hasText }
        let threads = Thread.threads(of: responses.shown.filter(\.kind.hasText))
        return """
            <section class="responses" id="responses">
            <h2>\(language(.responses))</h2>
            \(counts.markup.isEmpty ? .nothing : "<p class=\"facts\">\(counts)</p>\n")\
            \(faces.isEmpty ? .nothing : "<p class=\"faces\">\n\(HTML.join(faces.map(face)))</p>\n")\
            \(list(threads))\(form)</section>

            """
    }

    /// Words with those that answer them.
    private struct Thread {
        let response: Response
        var answers: [Thread] = []

        /// Newest first; answers oldest first, below what they answer. What answers in a circle, or something that is not shown, stands for
        /// itself.
        static func threads(of responses: [Response]) -> [Thread] {
            let shown = Set(responses.map(\.id))
            let answers = Dictionary(grouping: responses.filter { $0.parent.map(shown.contains) == true }) { $0.parent }
            var seen: Set<ResponseID> = []
            func thread(_ response: Response, depth: Int) -> Thread? {
                guard seen.insert(response.id).inserted else { return nil }
                let below = (answers[response.id] ?? []).sorted { $0.moment < $1.moment }
                guard depth < mostDepth else { return Thread(response: response) }
                return Thread(response: response, answers: below.compactMap { thread($0, depth: depth + 1) })
            }
            let sorted = responses.sorted { $0.moment > $1.moment }
            let roots = sorted.filter { $0.parent.map { !shown.contains($0) } ?? true }
            return roots.compactMap { thread($0, depth: 0) } + sorted.compactMap { thread($0, depth: 0) }
        }

        /// Answers below each other; those further down stand for themselves.
        private static let mostDepth = 8
    }

    private func list(_ threads: [Thread]) -> HTML {
        guard !threads.isEmpty else { return .nothing }
        let items = threads.map { thread -> HTML in
            let kind: HTML = thread.response.kind == .comment ? "u-comment" : "u-mention"
            return """
                <li class="\(kind) h-cite" id="r-\(thread.response.id.description)">\(Self.body(thread.response, language, zone, sourceName))\
                \(deletion(thread.response))\(list(thread.answers))</li>

                """
        }
        return "<ul class=\"said\">\n\(HTML.join(items))</ul>\n"
    }

    /// Somebody's own comment, and every comment on one's own photo, can be deleted.
    private func deletion(_ response: Response) -> HTML {
        guard let caller, response.source == Response.here,
            isOwner || response.author.handle == "@\(caller.user.name)"
        else { return .nothing }
        return """
            <form class="aside" method="post" action="/\(code.description)/comments/\(response.id.description)/delete">\(caller.formInput)\
            <button class="quiet">\(language(.deleteComment))</button></form>

            """
    }

    private var form: HTML {
        guard let caller else { return .nothing }
        return """
            <form class="form comment" method="post" action="/\(code.description)/comments">\(caller.formInput)
            <label>\(language(.yourComment))<textarea name="text" rows="2" maxlength="\(Interaction.longestText.description)" required></textarea></label>
            <button>\(language(.comment))</button></form>

            """
    }

    private var counts: HTML {
        // Likes are counted at their button.
        let parts = Response.Kind.allCases.filter { $0 != .like }.compactMap { kind in
            responses.counts[kind].map { HTML.text(language(.count(of: kind, $0))) }
        }
        return HTML.join(parts.enumerated().map { $0 == 0 ? $1 : " · \($1)" })
    }

    private func face(_ response: Response) -> HTML {
        let kind: HTML = response.kind == .repost ? "u-repost" : "u-like"
        let title = "\(response.author.shownName): \(language(.name(of: response.kind)))"
        let avatar = Avatar(response.author).html(" small")
        let person: HTML =
            response.author.url.map {
                """
                <a class="p-author h-card" href="\($0)" rel="nofollow ugc noopener" title="\(title)">\(avatar)\
                <span class="quietly p-name">\(response.author.shownName)</span></a>
                """
            } ?? """
                <span class="p-author h-card" title="\(title)">\(avatar)<span class="quietly p-name">\(response.author.shownName)</span></span>
                """
        return "<span class=\"\(kind) h-cite\">\(person)</span>\n"
    }

    /// Who, where and when, and the words.
    static func body(
        _ response: Response, _ language: Language, _ zone: Zone, _ sourceName: (String) -> String
    ) -> HTML {
        let author = response.author
        let name: HTML = "<bdi class=\"p-name\">\(author.shownName)</bdi>"
        let person: HTML =
            author.url.map { "<a class=\"u-url\" href=\"\($0)\" rel=\"nofollow ugc noopener\">\(name)</a>" } ?? name
        let handle: HTML = author.handle.map { " <bdi class=\"facts\">\(HTML.shown($0))</bdi>" } ?? .nothing
        let date = response.moment
        let time: HTML = """
            <time class="dt-published" datetime="\(Timestamp(date).description)">\(language.moment(date, in: zone))</time>
            """
        let place: HTML =
            response.url.map { "<a class=\"u-url\" href=\"\($0)\" rel=\"nofollow ugc noopener\">\(time)</a>" } ?? time
        let text: HTML =
            response.text.isEmpty
            ? .nothing
            : """
            <div class="e-content" dir="auto">\(CaptionMarkup(places: EntityLinks([]) { _ in nil }).html(response.text))</div>

            """
        let media: HTML = MediaLinks(response.media, language).html
        return """
            \(Avatar(author).html(" small"))<div><p><span class="p-author h-card">\(person)</span>\(handle)</p>
            \(text)\(media)<p class="facts">\(language(response.isComment ? .commentKind : .name(of: response.kind))) · \(sourceName(response.source)) · \(place)</p></div>
            """
    }
}

extension Response {
    /// Whether it was written here.
    var isComment: Bool { source == Response.here }

    /// When it was said, or else seen.
    var moment: Date { saidAt ?? seenAt }
}

/// Links to pictures and films that stay where they are: a reader's browser asks for them when somebody wants to see them.
struct MediaLinks {
    private let media: [AttachedMedia]
    private let say: Language

    init(_ media: [AttachedMedia], _ say: Language) { (self.media, self.say) = (media, say) }

    var html: HTML {
        guard !media.isEmpty else { return .nothing }
        let links = media.map { each -> HTML in
            let text = each.altText.isEmpty ? say(.name(of: each.kind)) : HTML.shown(each.altText)
            return "<li><a href=\"\(each.url)\" rel=\"nofollow ugc noopener noreferrer\">\(text)</a></li>\n"
        }
        return "<ul class=\"attached\">\n\(HTML.join(links))</ul>\n"
    }
}

extension Response.Author {
    /// As pages show it: a name without signs that turn or hide text.
    var shownName: String {
        let shown = HTML.shown(name)
        return shown.isEmpty ? HTML.shown(handle ?? "?") : shown
    }
}

extension Avatar {
    /// Somebody who has responded.
    init(_ author: Response.Author) {
        self.init(name: author.shownName, path: author.picturePath)
    }
}
