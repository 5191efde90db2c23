internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters

/// The page of the responses to one's photos, where their owner decides which are shown.
extension PageHandlers {
    static let responsesPath = "/activity/responses"
    /// Responses on a page.
    private static let responsesPage = 50

    /// `GET /activity/responses`: newest first; with `state=pending` those that wait for their owner.
    func showResponses(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let say = caller.language
        let state = request.query["state"].flatMap { Response.State(rawValue: $0) }
        let kind = request.query["kind"].flatMap { Response.Kind(rawValue: $0) }
        let query = [state.map { "state=\($0.rawValue)" }, kind.map { "kind=\($0.rawValue)" }].compactMap(\.self)
        let page = query.isEmpty ? Self.responsesPath : "\(Self.responsesPath)?\(query.joined(separator: "&"))"
        let found = try await store.responses(
            of: caller.user.id, ResponseFilter(state: state, kind: kind),
            before: request.query["before"].flatMap { ResponseID($0) },
            limit: Self.responsesPage + 1)
        let shown = found.prefix(Self.responsesPage)
        let photos = try await store.photos(Set(shown.map(\.photo)), of: caller.user.id)
        let zone = try await self.photos.timeZone(of: caller.user)
        let settings = try await store.responseSettings(of: caller.user.id)
        let done = Dictionary(
            grouping: try await store.interactions(with: shown.map(\.id), owner: caller.user.id), by: \.target)
        let rows = ResponseRow.groups(Array(shown)).map { group in
            ResponseRow(
                responses: group, photo: photos[group[0].photo], zone: zone, caller: caller,
                source: say.source(group[0].source) { registry.name(of: $0) }, page: page,
                possible: interactions.interactions(with: .response(group[0].id), at: group[0].source),
                done: done[.response(group[0].id)] ?? [],
                isNew: !group[0].isOwn && settings.read.map { group[0].id > $0 } ?? true
            ).html
        }
        let older =
            found.count > shown.count
            ? shown.last.map { "\(page)\(query.isEmpty ? "?" : "&")before=\($0.id)" } : nil
        let list: HTML =
            rows.isEmpty
            ? "<p class=\"facts\">\(say(.noResponses))</p>\n"
            : "<ul class=\"rows activity decisions\">\n\(HTML.join(rows))</ul>\n"
        let notice: Notice? = request.query["done"] == "saved" ? .done(.choiceWasKept) : nil
        return Page(
            language: say, title: "\(say(.responses)) · Pics", bar: Bar(caller, at: .activity),
            content: """
                <h1>\(say(.responses))</h1>
                \(Tabs.activity(at: Self.responsesPath, unread: settings.unread).html(say))\(notice?.html(say) ?? .nothing)\
                <p class="facts">\(say(.responsesExplained))</p>
                \(filters(page, say))\(settings.unread > 0 && query.isEmpty ? reading(shown.first, caller) : .nothing)\(list)<nav class="pages" aria-label="\(say(.pages))">
                \(PageLinks.button("next", older, say(.olderResponses)))</nav>
                \(choices(settings, caller))
                """
        ).personal()
    }

    private func filters(_ page: String, _ say: Language) -> HTML {
        let choices: [(String, Phrase)] = [
            ("", .allResponses), ("?kind=comment", .repliesAlone), ("?kind=like", .likesAlone),
            ("?kind=repost", .repostsAlone), ("?state=pending", .responsesWait), ("?state=hidden", .hiddenResponse),
        ]
        return Tabs(.responses, choices.map { Tab(Self.responsesPath + $0, $1) }, at: page).html(say)
    }

    private func reading(_ newest: Response?, _ caller: SignedInUser) -> HTML {
        guard let newest else { return .nothing }
        return """
            <form method="post" action="\(Self.responsesPath)/read">\(caller.formInput)\
            <input type="hidden" name="until" value="\(newest.id.description)"><button class="quiet">\(caller.language(.markAllRead))</button></form>

            """
    }

    /// `POST /activity/responses/read`: those until `until` are read.
    func markResponsesRead(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        guard let newest = form["until"].flatMap({ ResponseID($0) }) else {
            throw InvalidField.invalid("#/until", "It must be the identifier of a response.")
        }
        try await store.markRead(until: newest, of: caller.user.id)
        return .seeOther(Self.responsesPath)
    }

    private func choices(_ settings: ResponseSettings, _ caller: SignedInUser) -> HTML {
        let say = caller.language
        func choice(_ name: String, _ isChosen: Bool, _ phrase: Phrase) -> HTML {
            let checked: HTML = isChosen ? " checked" : .nothing
            return """
                <label class="choice"><input type="checkbox" name="\(name)" value="yes"\(checked)>
                <span>\(say(phrase))</span></label>

                """
        }
        return """
            <h2>\(say(.yourPages))</h2>
            <form class="form" method="post" action="\(Self.responsesPath)">
            \(caller.formInput)\(choice("show", settings.shows, .showResponses))\
            \(choice("webmentions", settings.takesWebmentions, .takeWebmentions))\
            \(choice("send", settings.sendsWebmentions, .sendWebmentions))<button>\(say(.keepChoice))</button>
            </form>

            """
    }

    /// `POST /activity/responses`.
    func chooseResponses(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws
        -> HTTPResponse
    {
        try await store.setResponses(
            shown: form["show"] == "yes", takesWebmentions: form["webmentions"] == "yes",
            sendsWebmentions: form["send"] == "yes", of: caller.user.id)
        return .seeOther("\(Self.responsesPath)?done=saved")
    }

    /// `POST /activity/responses/{id}`: `shows` is yes or no, `author` yes for everything by its author.
    func decideResponse(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse
    {
        guard let shows = form["shows"], ["yes", "no"].contains(shows) else {
            throw InvalidField.invalid("#/shows", "It must be yes or no.")
        }
        try await responses.decide(
            try request.identifier(), by: caller.user, shows: shows == "yes", andAuthor: form["author"] == "yes")
        let state = form["state"].flatMap { Response.State(rawValue: $0) }
        return .seeOther(state.map { "\(Self.responsesPath)?state=\($0.rawValue)" } ?? Self.responsesPath)
    }

    /// `POST /{code}/responses`: whether the page of a photo shows them.
    func choosePhotoResponses(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        let shown: Bool? =
            switch form["responses"] {
            case "yes": true
            case "no": false
            default: nil
            }
        try await responses.show(shown, on: photo, of: caller.user)
        return back(to: photo, "acted")
    }

    /// `GET /authors/{id}/picture`.
    func showAuthorPicture(_ request: HTTPRequest) async throws -> HTTPResponse {
        let picture = try await store.picture(of: try request.identifier() as ResponseAuthorID)
        return Self.response(to: request, with: picture, for: "public")
    }
}
