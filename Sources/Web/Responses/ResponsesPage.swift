internal import Actions
internal import Domain
internal import Foundation
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
        let found = try await store.responses(
            of: caller.user.id, ResponseFilter(state: state),
            before: request.query["before"].flatMap { ResponseID($0) },
            limit: Self.responsesPage + 1)
        let shown = found.prefix(Self.responsesPage)
        let photos = try await store.photos(Set(shown.map(\.photo)), of: caller.user.id)
        let zone = try await self.photos.timeZone(of: caller.user)
        let rows = shown.map { response in
            ResponseRow(
                response: response, photo: photos[response.photo], zone: zone, caller: caller,
                source: say.source(response.source) { registry.name(of: $0) }
            ).html
        }
        let query = state.map { "state=\($0.rawValue)&" } ?? ""
        let older =
            found.count > shown.count
            ? shown.last.map { "\(Self.responsesPath)?\(query)before=\($0.id)" } : nil
        let list: HTML =
            rows.isEmpty
            ? "<p class=\"facts\">\(say(.noResponses))</p>\n"
            : "<ul class=\"rows activity decisions\">\n\(HTML.join(rows))</ul>\n"
        let notice: Notice? = request.query["done"] == "saved" ? .done(.choiceWasKept) : nil
        return Page(
            language: say, title: "\(say(.responses)) · Pics", bar: Bar(caller, at: .activity),
            content: """
                <h1>\(say(.responses))</h1>
                \(notice?.html(say) ?? .nothing)<p class="facts">\(say(.responsesExplained))</p>
                \(filters(state, say))\(list)<nav class="pages" aria-label="\(say(.pages))">
                \(PageLinks.button("next", older, say(.olderResponses)))</nav>
                \(try await choices(caller))
                """
        ).personal()
    }

    private func filters(_ state: Response.State?, _ say: Language) -> HTML {
        let choices: [(Response.State?, Phrase)] = [
            (nil, .allResponses), (.pending, .responsesWait), (.hidden, .hiddenResponse),
        ]
        let links = choices.map { choice, phrase -> HTML in
            let path = choice.map { "\(Self.responsesPath)?state=\($0.rawValue)" } ?? Self.responsesPath
            let current: HTML = choice == state ? " aria-current=\"page\"" : .nothing
            return "<a class=\"button quiet\" href=\"\(path)\"\(current)>\(say(phrase))</a>\n"
        }
        return "<nav class=\"pages\" aria-label=\"\(say(.responses))\">\n\(HTML.join(links))</nav>\n"
    }

    private func choices(_ caller: SignedInUser) async throws -> HTML {
        let say = caller.language
        let settings = try await store.responseSettings(of: caller.user.id)
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
            \(choice("webmentions", settings.takesWebmentions, .takeWebmentions))<button>\(say(.keepChoice))</button>
            </form>

            """
    }

    /// `POST /activity/responses`.
    func chooseResponses(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws
        -> HTTPResponse
    {
        try await store.setResponses(
            shown: form["show"] == "yes", takesWebmentions: form["webmentions"] == "yes", of: caller.user.id)
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

/// A response with what its owner can do.
private struct ResponseRow {
    let response: Response
    let photo: Photo?
    let zone: TimeZone
    let caller: SignedInUser
    let source: String

    private var say: Language { caller.language }

    var html: HTML {
        """
        <li>\(Thumbnail.link(to: photo, "responses"))\(ResponseMarkup.body(response, say, zone) { _ in source })
        <div class="actions">\(actions)</div></li>

        """
    }

    private var actions: HTML {
        switch response.state {
        case .pending:
            HTML.join([button(true, .show), button(true, .alwaysShow, andAuthor: true), button(false, .hide)])
        case .shown: HTML.join([button(false, .hide), button(false, .hideAuthor, andAuthor: true)])
        case .hidden: button(true, .show)
        }
    }

    private func button(_ shows: Bool, _ phrase: Phrase, andAuthor: Bool = false) -> HTML {
        let author: HTML = andAuthor ? "<input type=\"hidden\" name=\"author\" value=\"yes\">" : .nothing
        return """
            <form method="post" action="\(PageHandlers.responsesPath)/\(response.id.description)">\(caller.formInput)\
            <input type="hidden" name="shows" value="\(shows ? "yes" : "no")">\(author)\
            <input type="hidden" name="state" value="\(response.state == .shown ? "" : response.state.rawValue)">\
            <button class="quiet">\(say(phrase))</button></form>

            """
    }
}
