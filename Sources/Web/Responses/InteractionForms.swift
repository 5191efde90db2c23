internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// What an owner can do with a response, or with a post of their timeline: buttons, a form for an answer, and their answers so far.
struct InteractionForms {
    /// Of the response or post; what is done goes to an address below it.
    let path: String
    /// Of the page that is shown afterwards.
    let page: String
    let possible: Set<Interaction.Kind>
    let done: [Interaction]
    /// As its service said when a post was read.
    var isFavourited = false
    var isReposted = false
    /// Whether an answer to what came from no account is a comment.
    var takesComments = false
    let caller: SignedInUser

    private var say: Language { caller.language }

    var html: HTML {
        HTML.join([
            toggle(.favourite, isFavourited, .favourite, .unfavourite), toggle(.repost, isReposted, .repost, .unrepost),
            reply, HTML.join(done.filter { $0.kind == .reply }.map(answer)),
        ])
    }

    private func form(_ name: String, _ content: HTML) -> HTML {
        """
        <form method="post" action="\(path)/\(name)">\(caller.formInput)<input type="hidden" name="page" value="\(page)">\
        \(content)</form>

        """
    }

    private func toggle(_ kind: Interaction.Kind, _ read: Bool, _ ask: Phrase, _ undo: Phrase) -> HTML {
        guard possible.contains(kind) else { return .nothing }
        let known = done.first { $0.kind == kind }
        let isWanted = done.isWanted(kind, orElse: read)
        let problem: HTML = known?.state == .failed ? failure(known?.problem) : .nothing
        return HTML.join([
            form(
                kind.rawValue,
                """
                <input type="hidden" name="wanted" value="\(isWanted ? "no" : "yes")">\
                <button class="quiet" aria-pressed="\(isWanted ? "true" : "false")">\(say(isWanted ? undo : ask))</button>
                """), problem,
        ])
    }

    private var reply: HTML {
        guard possible.contains(.reply) || takesComments else { return .nothing }
        return """
            <details class="reply"><summary>\(say(.reply))</summary>
            \(form(
                "reply",
                """
                <label>\(say(.yourReply))<textarea name="text" rows="2" maxlength="\(Interaction.longestText.description)" required></textarea></label>
                <button>\(say(.sendReply))</button>
                """))</details>

            """
    }

    private func answer(_ reply: Interaction) -> HTML {
        let state: HTML =
            switch reply.state {
            case .waiting: " <small>\(say(.replyWaits))</small>"
            case .failed: failure(reply.problem)
            case .done: .nothing
            }
        func button(_ name: String, _ phrase: Phrase) -> HTML {
            """
            <form method="post" action="\(PageHandlers.repliesPath)/\(reply.id.description)/\(name)">\(caller.formInput)\
            <input type="hidden" name="page" value="\(page)"><button class="quiet">\(say(phrase))</button></form>

            """
        }
        return """
            <div class="answer"><p dir="auto">\(reply.text)</p>\(state)
            <div class="actions">\(reply.state == .failed && reply.isWanted ? button("retry", .retry) : .nothing)\(button("delete", .deleteReply))</div></div>

            """
    }

    private func failure(_ problem: Problem?) -> HTML {
        let words: HTML = problem.map { say.marked(Phrase($0)) } ?? .nothing
        return "<p class=\"facts failed\"><strong>\(say(.replyFailed))</strong> \(words)</p>\n"
    }
}

extension PageHandlers {
    static let repliesPath = "/activity/replies"

    /// The page that a form names, of those that have one.
    private func page(_ form: FormFields) -> String {
        let page = form["page"] ?? ""
        let isOurs = [Self.responsesPath, Self.timelinePath].contains { page == $0 || page.hasPrefix("\($0)?") }
        return isOurs && page.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? page : Self.responsesPath
    }

    typealias TargetReader = @Sendable (HTTPRequest) throws -> Interaction.Target

    static let responseTarget: TargetReader = { .response(try $0.identifier()) }
    static let postTarget: TargetReader = { .post(try $0.identifier()) }

    /// `POST …/{id}/favourite` and `…/repost`: `wanted` is yes or no.
    func interact(
        _ kind: Interaction.Kind, with target: @escaping TargetReader
    ) -> @Sendable (HTTPRequest, FormFields, SignedInUser) async throws -> HTTPResponse {
        { [self] request, form, caller in
            let target = try target(request)
            _ = try await interactions.set(kind, to: form["wanted"] == "yes", with: target, by: caller.user)
            return .seeOther("\(page(form))#\(Self.anchor(target))")
        }
    }

    /// `POST …/{id}/reply`.
    func sendReply(
        to target: @escaping TargetReader
    ) -> @Sendable (HTTPRequest, FormFields, SignedInUser) async throws -> HTTPResponse {
        { [self] request, form, caller in
            let target = try target(request)
            _ = try await interactions.reply(form["text"] ?? "", to: target, by: caller.user)
            return .seeOther("\(page(form))#\(Self.anchor(target))")
        }
    }

    /// `POST /activity/replies/{id}/delete` and `…/retry`.
    func changeReply(
        isRetry: Bool
    ) -> @Sendable (HTTPRequest, FormFields, SignedInUser) async throws -> HTTPResponse {
        { [self] request, form, caller in
            let id: InteractionID = try request.identifier()
            let reply =
                isRetry
                ? try await interactions.retry(id, by: caller.user)
                : try await interactions.takeBack(id, by: caller.user)
            return .seeOther("\(page(form))#\(Self.anchor(reply.target))")
        }
    }

    static func anchor(_ target: Interaction.Target) -> String {
        switch target {
        case .response(let id): "r-\(id)"
        case .post(let id): "t-\(id)"
        }
    }
}

/// Comments that are written on the pages of photos.
extension PageHandlers {
    /// `POST /{code}/comments`.
    func addComment(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let code = try request.shortCode()
        let photo = try await store.photo(code: code, viewer: caller.user.id).photo
        let comment = try await interactions.comment(form["text"] ?? "", on: photo.id, by: caller.user)
        return .seeOther("/\(code)#r-\(comment.id)")
    }

    /// `POST /{code}/comments/{id}/delete`.
    func deleteComment(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        try await interactions.deleteComment(try request.identifier(), by: caller.user)
        return .seeOther("/\(try request.shortCode())#responses")
    }
}
