internal import Actions
internal import Authentication
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store

/// Replies, and what is done with the words of others.
extension AppHandlers {
    private var interactions: InteractionActions { InteractionActions(actions) }

    /// The words that the number of a status stands for, where it is no photo.
    enum Words: Sendable {
        case response(Response)
        case post(TimelinePost)
        case reply(Interaction)

        /// What is answered by an answer to them: of a reply of the caller's its own target.
        var target: Interaction.Target {
            switch self {
            case .response(let response): .response(response.id)
            case .post(let post): .post(post.id)
            case .reply(let reply): reply.target
            }
        }
    }

    /// The caller's response, timeline post or reply of a number; nil when there is none.
    func words(_ number: Int64, of caller: Caller) async throws -> Words? {
        if let response = try await store.response(numbered: number, of: caller.user.id) { return .response(response) }
        if let post = try await store.timelinePost(numbered: number, of: caller.user.id) { return .post(post) }
        return try await store.reply(numbered: number, of: caller.user.id).map { .reply($0) }
    }

    func status(_ words: Words, for caller: Caller) async throws -> JSONObject {
        switch words {
        case .response(let response):
            return try await status(
                response, caller, done: try await store.interactions(with: [response.id], owner: caller.user.id))
        case .post(let post):
            return status(post, done: try await store.interactions(posts: [post.id], owner: caller.user.id))
        case .reply(let reply): return try await status(reply, of: caller.user)
        }
    }

    /// `POST /api/v1/statuses` with `in_reply_to_id`: a comment on a photo, or an answer that goes to its service.
    func createReply(_ request: HTTPRequest, _ fields: Parameters, to text: String, _ caller: Caller) async throws
        -> HTTPResponse
    {
        guard fields.list("media_ids").isEmpty else { throw MastodonError.invalid("A reply has words alone here.") }
        guard let number = Int64(text) else { throw MastodonError.notFound }
        let words = fields.text("status") ?? ""
        let key = request.fields["Idempotency-Key"].flatMap { text -> IdempotencyKey? in
            text.isEmpty || text.utf8.count > 200 ? nil : IdempotencyKey("mastodon reply \(text)", of: caller.user.id)
        }
        if let id = try await store.photo(numbered: number) {
            return .mastodon(
                .object(
                    try await status(try await interactions.comment(words, on: id, by: caller.user, key: key), caller)))
        }
        guard let answered = try await self.words(number, of: caller) else { throw MastodonError.notFound }
        switch try await interactions.reply(words, to: answered.target, by: caller.user, key: key) {
        case .sent(let reply): return .mastodon(.object(try await status(reply, of: caller.user)))
        case .comment(let comment): return .mastodon(.object(try await status(comment, caller)))
        }
    }

    private func status(
        _ response: Response, _ caller: Caller, done: [Interaction] = []
    ) async throws -> JSONObject {
        let photo = try await store.photo(response.photo, viewer: caller.user.id).photo
        return status(response, done: done, owner: photo.owner, code: photo.code)
    }

    /// `POST /api/v1/statuses/:id/favourite`, `unfavourite`, `reblog` and `unreblog`, for what is no photo.
    func interact(
        _ kind: Interaction.Kind, to isWanted: Bool, _ request: HTTPRequest, _ caller: Caller
    ) async throws -> HTTPResponse {
        let number = try request.number()
        guard let words = try await words(number, of: caller) else {
            guard try await store.photo(numbered: number) == nil else {
                throw MastodonError.invalid("Photos of Pics cannot be boosted here.")
            }
            throw MastodonError.notFound
        }
        if case .reply = words { throw MastodonError.notFound }
        _ = try await interactions.set(kind, to: isWanted, with: words.target, by: caller.user)
        return .mastodon(.object(try await status(words, for: caller)))
    }

    /// `DELETE /api/v1/statuses/:id` of a reply or comment; nil for every other.
    func deleteReply(_ number: Int64, _ caller: Caller) async throws -> HTTPResponse? {
        guard let words = try await words(number, of: caller) else { return nil }
        var json = try await status(words, for: caller)
        switch words {
        case .reply(let reply):
            _ = try await interactions.takeBack(reply.id, by: caller.user)
            json["text"] = .string(reply.text)
        case .response(let response):
            try await interactions.deleteComment(response.id, by: caller.user)
            json["text"] = .string(response.text)
        case .post: throw MastodonError.notFound
        }
        return .mastodon(.object(json))
    }

    /// The responses to a photo below each other, oldest first: to strangers those that everybody may see.
    func descendants(of view: PhotoView, for caller: Caller?) async throws -> [JSONValue] {
        let owner = view.photo.owner
        let isOwner = caller?.user.id == owner && caller?.may(.readPhotos) == true
        let responses =
            isOwner
            ? try await store.responses(of: owner, ResponseFilter(photo: view.photo.id), limit: PhotoResponses.longest)
            : try await store.captionPage(view.photo.code, viewer: caller?.user.id).responses.shown
        let said = responses.filter { $0.kind.hasText && $0.state != .hidden }.reversed()
        let done = isOwner ? try await store.interactions(with: said.map(\.id), owner: owner) : []
        let byTarget = Dictionary(grouping: done, by: \.target)
        var statuses = said.map {
            JSONValue.object(status($0, done: byTarget[.response($0.id)] ?? [], owner: owner, code: view.photo.code))
        }
        // A reply that has arrived is among the responses.
        if isOwner, let caller {
            for reply in done where reply.kind == .reply && !reply.isConfirmed {
                statuses.append(.object(try await status(reply, of: caller.user)))
            }
        }
        return statuses
    }

    // MARK: The home timeline

    /// `GET /api/v1/timelines/home`: the caller's own photos, and what those post whom their accounts follow.
    func homeTimeline(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let page = try MastodonPage(request)
        let own = try await statuses(
            try await store.timeline(.own, of: caller.user.id, viewer: caller.user.id, page.page), for: caller.user.id)
        let actions = TimelineActions(actions)
        let before = page.page.before.map { TimelinePostID.least(number: $0) }
        let home: HomeTimeline
        if page.page.after == nil {
            home = try await actions.home(of: caller.user, before: before, limit: page.page.limit)
        } else {
            // New posts are read first.
            if !page.page.isFromBelow || before == nil { _ = try await actions.home(of: caller.user, limit: 1) }
            home = try await actions.kept(
                of: caller.user, before: before,
                after: page.page.after.map { TimelinePostID.all(number: $0).before },
                isFromBelow: page.page.isFromBelow, limit: page.page.limit)
        }
        let posts = home.items.compactMap { item -> (number: Int64, json: JSONValue)? in
            guard case .post(let post, let done) = item else { return nil }
            return (post.id.number, .object(status(post, done: done)))
        }
        let all = (own + posts).sorted { $0.number > $1.number }
        let shown = page.page.isFromBelow ? all.suffix(page.page.limit) : all.prefix(page.page.limit)
        return page.response(request, base: addresses.base, Array(shown))
    }

    // MARK: Notifications

    /// What has come back to the caller's photos, as notifications.
    func notices(
        of caller: Caller, _ page: NumberedPage, kinds: Set<Response.Kind>
    ) async throws -> [(number: Int64, json: JSONValue)] {
        guard !kinds.isEmpty else { return [] }
        let responses = try await store.responses(of: caller.user.id, page, kinds: kinds)
        let views = try await store.photoViews(Set(responses.map(\.photo)), of: caller.user.id)
        let codes = Dictionary(views.map { ($0.photo.id, $0.photo.code) }, uniquingKeysWith: { first, _ in first })
        let photos = Dictionary(
            try await statuses(views, for: caller.user.id).map { ($0.number, $0.json) },
            uniquingKeysWith: { first, _ in first })
        let done = Dictionary(
            grouping: try await store.interactions(with: responses.map(\.id), owner: caller.user.id), by: \.target)
        return responses.compactMap { response in
            guard let photo = photos[response.photo.number], let code = codes[response.photo] else { return nil }
            let number = response.id.number
            let said = JSONValue.object(
                status(
                    response, done: done[.response(response.id)] ?? [], owner: caller.user.id, code: code))
            return (
                number,
                [
                    "id": .string(String(number)), "type": .string(Self.notificationType(response.kind)),
                    "group_key": .string("ungrouped-\(number)"),
                    "created_at": .string(Timestamp(response.seenAt).description),
                    "account": .object(account(response.author)), "status": response.kind.hasText ? said : photo,
                ]
            )
        }
    }

    private static func notificationType(_ kind: Response.Kind) -> String {
        switch kind {
        case .comment, .mention: "mention"
        case .like: "favourite"
        case .repost: "reblog"
        case .quote: "quote"
        }
    }

    /// The kinds of responses that a request for notifications of these types wants.
    static func kinds(_ wanted: [String], without unwanted: [String]) -> Set<Response.Kind> {
        Set(
            Response.Kind.allCases.filter { kind in
                let type = notificationType(kind)
                return (wanted.isEmpty || wanted.contains(type)) && !unwanted.contains(type)
            })
    }
}
