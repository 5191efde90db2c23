internal import Domain
internal import Foundation
internal import HTTP
internal import Store

/// The responses to a photo on its page: their number, faces and words (microformats.org/wiki/h-cite).
struct ResponseMarkup {
    let responses: PhotoResponses
    let language: Language
    /// Of the photo's owner.
    let zone: TimeZone
    let sourceName: (String) -> String

    /// Nothing where nothing came.
    var html: HTML {
        guard !counts.markup.isEmpty || !responses.shown.isEmpty else { return .nothing }
        let faces = responses.shown.filter { !$0.kind.hasText }
        let words = responses.shown.filter(\.kind.hasText)
        return """
            <section class="responses" id="responses">
            <h2>\(language(.responses))</h2>
            \(counts.markup.isEmpty ? .nothing : "<p class=\"facts\">\(counts)</p>\n")\
            \(faces.isEmpty ? .nothing : "<p class=\"faces\">\n\(HTML.join(faces.map(face)))</p>\n")\
            \(words.isEmpty ? .nothing : "<ul class=\"said\">\n\(HTML.join(words.map(item)))</ul>\n")</section>

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

    private func item(_ response: Response) -> HTML {
        let kind: HTML = response.kind == .comment ? "u-comment" : "u-mention"
        return """
            <li class="\(kind) h-cite" id="r-\(response.id.description)">\(ResponseMarkup.body(response, language, zone, sourceName))</li>

            """
    }

    /// Who, where and when, and the words.
    static func body(
        _ response: Response, _ language: Language, _ zone: TimeZone, _ sourceName: (String) -> String
    ) -> HTML {
        let author = response.author
        let name: HTML = "<bdi class=\"p-name\">\(author.shownName)</bdi>"
        let person: HTML =
            author.url.map { "<a class=\"u-url\" href=\"\($0)\" rel=\"nofollow ugc noopener\">\(name)</a>" } ?? name
        let handle: HTML = author.handle.map { " <bdi class=\"facts\">\(HTML.shown($0))</bdi>" } ?? .nothing
        let date = response.saidAt ?? response.seenAt
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
        return """
            \(Avatar(author).html(" small"))<div><p><span class="p-author h-card">\(person)</span>\(handle)</p>
            \(text)<p class="facts">\(language(.name(of: response.kind))) · \(sourceName(response.source)) · \(place)</p></div>
            """
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
        self.init(
            name: author.shownName,
            path: author.pictureVersion.map { "/authors/\(author.id)/picture?v=\($0)" })
    }
}
