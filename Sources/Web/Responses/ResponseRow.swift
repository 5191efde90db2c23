internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store
internal import System

/// A response with what its owner can do, or several people who did the same with a photo.
struct ResponseRow {
    /// More than one: likes or reposts of one photo at one service.
    let responses: [Response]
    let photo: Photo?
    let zone: Zone
    let caller: SignedInUser
    let source: String
    let page: String
    let possible: Set<Interaction.Kind>
    let done: [Interaction]
    /// Whether it came since its owner last read.
    let isNew: Bool

    private var say: Language { caller.language }

    /// Likes and reposts that follow each other come together.
    static func groups(_ responses: [Response]) -> [[Response]] {
        var groups: [[Response]] = []
        var places: [String: Int] = [:]
        for response in responses {
            let key = "\(response.photo) \(response.source) \(response.kind.rawValue) \(response.state.rawValue)"
            if !response.kind.hasText, let place = places[key] {
                groups[place].append(response)
            } else {
                places[key] = groups.count
                groups.append([response])
            }
        }
        return groups
    }

    var html: HTML {
        let first = responses[0]
        let mark: HTML = isNew ? "<strong class=\"new\">\(say(.newResponse))</strong> " : .nothing
        let body: HTML = responses.count == 1 ? ResponseMarkup.body(first, say, zone) { _ in source } : group
        return """
            <li id="r-\(first.id.description)">\(Thumbnail.link(to: photo, "responses"))\(mark)\(body)
            <div class="actions">\(responses.count == 1 ? interactions(first) : .nothing)\(decisions(first))</div></li>

            """
    }

    private var group: HTML {
        let faces = responses.prefix(Self.mostFaces).map { response -> HTML in
            "<span title=\"\(response.author.shownName)\">\(Avatar(response.author).html(" small"))</span>"
        }
        let names = responses.prefix(3).map(\.author.shownName).joined(separator: ", ")
        let rest = responses.count > 3 ? " …" : ""
        return """
            <div><p><strong>\(say(.group(responses[0].kind, responses.count, at: responses[0].source == Response.web ? nil : source)))</strong></p>
            <p class="faces">\(HTML.join(faces))</p><p class="facts"><bdi>\(names)\(rest)</bdi> · \(say.moment(responses[0].moment, in: zone))</p></div>
            """
    }

    private static let mostFaces = 20

    private func interactions(_ response: Response) -> HTML {
        guard response.kind.hasText else { return .nothing }
        return InteractionForms(
            path: "\(PageHandlers.responsesPath)/\(response.id)", page: page, possible: possible, done: done,
            takesComments: [Response.web, Response.here].contains(response.source), caller: caller
        ).html
    }

    private func decisions(_ response: Response) -> HTML {
        switch response.state {
        case .shown where response.isOwn: .nothing
        case .pending:
            HTML.join([button(true, .show), button(true, .alwaysShow, andAuthor: true), button(false, .hide)])
        case .shown where responses.count > 1: .nothing
        case .shown: HTML.join([button(false, .hide), button(false, .hideAuthor, andAuthor: true)])
        case .hidden: button(true, .show)
        }
    }

    private func button(_ shows: Bool, _ phrase: Phrase, andAuthor: Bool = false) -> HTML {
        let author: HTML = andAuthor ? "<input type=\"hidden\" name=\"author\" value=\"yes\">" : .nothing
        let (id, state) = (responses[0].id.description, responses[0].state)
        return """
            <form method="post" action="\(PageHandlers.responsesPath)/\(id)">\(caller.formInput)\
            <input type="hidden" name="shows" value="\(shows ? "yes" : "no")">\(author)\
            <input type="hidden" name="state" value="\(state == .shown ? "" : state.rawValue)">\
            <button class="quiet">\(say(phrase))</button></form>

            """
    }
}
