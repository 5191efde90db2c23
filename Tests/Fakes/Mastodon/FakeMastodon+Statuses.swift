internal import Foundation
internal import HTTP
internal import System

extension FakeMastodon {
    /// `POST /api/v1/statuses`.
    func postStatus(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let (text, ids) = Self.draft(request) else { return refusal(400) }
        if options.software == .pixelfed { return postPixelfedStatus(request, text, ids) }
        let key = request.fields["Idempotency-Key"]
        let visibility = request.json?["visibility"]?.string
        guard visibility.map(["public", "unlisted", "private", "direct"].contains) ?? true else {
            return invalid("Validation failed: Visibility is not included in the list")
        }
        return state.withLock { state in
            if let key, let refusal = answerToRepeat(key, &state) { return refusal }
            // A content warning counts too.
            let counted = text + (request.json?["spoiler_text"]?.string ?? "")
            if let refusal = refusal(of: counted, ids, state) { return refusal }
            let parent = request.json?["in_reply_to_id"]?.string
            if let parent, conversation.found(parent) == nil, !state.statuses.contains(where: { $0.post.id == parent })
            {
                // "The post you are trying to reply to does not appear to exist." (mastodon/mastodon, `config/locales/en.yml`)
                return refusal(404)
            }
            let id = state.nextID()
            let post = PublishedPost(
                id: id, url: "\(request.origin)/@alice/\(id)", text: text,
                media: ids.compactMap { state.media[$0]?.published }, createdAt: now(), answering: parent)
            for media in ids { state.media[media]?.status = id }
            state.statuses.append(
                Status(post: post, media: ids, visibility: visibility, parent: parent))
            if let key { state.keys[key] = (id, now()) }
            return .json(entity(state.statuses[state.statuses.count - 1], state))
        }
    }

    /// Text and media of a JSON body or a form.
    private static func draft(_ request: FakeRequest) -> (text: String, media: [String])? {
        if let json = request.json {
            return (json["status"]?.string ?? "", json["media_ids"]?.array?.compactMap(\.string) ?? [])
        }
        guard request.contentType == MediaType.form.essence, let form = FormFields(request.body) else { return nil }
        return (form["status"] ?? "", form.values("media_ids[]"))
    }

    /// The answer to a known `Idempotency-Key`; nil when it is new.
    private func answerToRepeat(_ key: String, _ state: inout State) -> FakeAnswer? {
        switch options.software {
        case .mastodon, .akkoma:
            // Kept for an hour; the body is not compared.
            guard let known = state.keys[key], now() < known.at + Self.keyLife,
                let status = state.statuses.first(where: { $0.post.id == known.status })
            else { return nil }
            return .json(entity(status, state))
        case .gotosocial, .takahe, .pixelfed:
            return nil
        }
    }

    /// Why there will be no such status; nil when there will.
    private func refusal(of text: String, _ ids: [String], _ state: State) -> FakeAnswer? {
        guard !text.isEmpty || !ids.isEmpty else { return invalid("Validation failed: Text can't be blank") }
        guard Self.length(of: text) <= options.maxCharacters else {
            return invalid("Validation failed: Text character limit of \(options.maxCharacters) exceeded")
        }
        guard ids.count <= 4 else { return invalid("Cannot attach more than 4 files") }
        let media = ids.compactMap { state.media[$0] }.filter { !isExpired($0) }
        if let used = media.first(where: { $0.status != nil }), options.software == .gotosocial {
            return invalid("media already attached to status: \(used.status ?? "")")
        }
        let isFree = options.software == .akkoma || media.allSatisfy { $0.status == nil }
        guard media.count == ids.count, isFree else {
            return invalid("Media not found or already attached to another post")
        }
        guard media.allSatisfy({ $0.looksLeft == 0 }) else {
            return invalid("Cannot attach files that have not finished processing. Try again in a moment!")
        }
        guard media.count < 2 || !media.contains(where: \.isVideo) else {
            return invalid("Cannot attach a video to a post that already contains images")
        }
        return nil
    }

    /// `GET /api/v1/accounts/ID/statuses`: newest first, 20 unless asked for up to 40.
    func statuses(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard parameters["id"] == Self.account else { return refusal(404) }
        let query = FormFields(request.query) ?? [:]
        let limit = min(query["limit"].flatMap { Int($0) } ?? 20, 40)
        let before = query["max_id"].flatMap { Int($0) } ?? .max
        let newest = now() - options.listDelay
        return state.withLock { state in
            let page = state.statuses.reversed()
                .filter { (Int($0.post.id) ?? 0) < before && $0.post.createdAt <= newest }
                .filter { query["only_media"] != "true" || !$0.media.isEmpty }
                .prefix(limit)
            return .json(JSONValue(page.map { entity($0, state) }))
        }
    }

    /// `DELETE /api/v1/statuses/ID`.
    func deleteStatus(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            guard let index = state.statuses.firstIndex(where: { $0.post.id == parameters["id"] }) else {
                return refusal(404)
            }
            return .json(entity(state.statuses.remove(at: index), state))
        }
    }

    /// `GET /api/v1/statuses/ID`.
    func showStatus(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            if let said = conversation.found(parameters["id"]) { return .json(entity(said, request)) }
            guard let status = state.statuses.first(where: { $0.post.id == parameters["id"] }) else {
                return refusal(404)
            }
            var json = entity(status, state).object ?? [:]
            json["favourites_count"] = 4
            json["replies_count"] = 2
            json["reblogs_count"] = 1
            return .json(.object(json))
        }
    }

    /// `GET /api/v1/statuses/ID/source`: the words as they were sent.
    func statusSource(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard options.software != .pixelfed else { return refusal(404) }
        return state.withLock { state in
            guard let status = state.statuses.first(where: { $0.post.id == parameters["id"] }) else {
                return refusal(404)
            }
            return .json(["id": .string(status.post.id), "text": .string(status.post.text), "spoiler_text": ""])
        }
    }

    /// Posts so many statuses by another app of the account, each with a picture.
    package func postOthers(_ count: Int) {
        state.withLock { state in
            for _ in 0..<count {
                let media = Media(
                    id: state.nextID(),
                    published: PublishedMedia(sha256: "", bytes: 0, mediaType: "image/jpeg", altText: ""),
                    uploadedAt: now(), looksLeft: 0)
                let id = state.nextID()
                state.media[media.id] = media
                state.media[media.id]?.status = id
                let post = PublishedPost(
                    id: id, url: "", text: "another's", media: [media.published], createdAt: now())
                state.statuses.append(Status(post: post, media: [media.id]))
            }
        }
    }

    /// `PUT /api/v1/statuses/ID`: files that are not named are taken out.
    func editStatus(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        if options.software == .pixelfed { return editPixelfedStatus(request, parameters) }
        guard options.software != .takahe else { return refusal(405) }
        guard let (text, ids) = Self.draft(request) else { return refusal(400) }
        return state.withLock { state in
            guard let index = state.statuses.firstIndex(where: { $0.post.id == parameters["id"] }) else {
                return refusal(404)
            }
            guard Self.length(of: text) <= options.maxCharacters else { return invalid("Text is too long") }
            let former = state.statuses[index]
            let old = former.post
            let words = request.json?["media_attributes"]?.array ?? []
            let media = ids.compactMap { id -> PublishedMedia? in
                guard let known = state.media[id]?.published else { return nil }
                let description = words.first { $0["id"]?.string == id }?["description"]?.string
                return PublishedMedia(
                    sha256: known.sha256, bytes: known.bytes, mediaType: known.mediaType,
                    altText: description ?? known.altText)
            }
            let post = PublishedPost(
                id: old.id, url: old.url, text: text, media: media, createdAt: old.createdAt, answering: old.answering)
            // GoToSocial 0.20, seen running: it says so where nothing differs.
            if options.software == .gotosocial, post == old, ids == former.media {
                return .json(["error": "Unprocessable Entity: status was not changed"], 422)
            }
            for (id, shown) in zip(ids, media) { state.media[id]?.published = shown }
            state.statuses[index] = Status(
                post: post, media: ids, visibility: former.visibility, parent: former.parent)
            return .json(entity(state.statuses[index], state))
        }
    }

    /// `POST /api/v1/apps`.
    func registerApp(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let form = FormFields(request.body), form["client_name"] != nil, form["redirect_uris"] != nil else {
            return refusal(422)
        }
        return .json([
            "id": "1", "client_id": .string(oauth.options.clientID),
            "client_secret": JSONValue(oauth.options.clientSecret), "scopes": JSONValue(form["scopes"]),
        ])
    }

    /// The entity `Status`.
    func entity(_ status: Status, _ state: State) -> JSONValue {
        let time = status.post.createdAt.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return [
            "id": .string(status.post.id), "url": .string(status.post.url), "uri": .string(status.post.url),
            "created_at": .string(time), "visibility": .string(status.visibility ?? "public"),
            "in_reply_to_id": JSONValue(status.parent), "account": Self.person("alice", id: Self.account),
            "content": .string("<p>\(status.post.text)</p>"),
            "media_attachments": JSONValue(status.media.compactMap { state.media[$0] }.map { attachment($0) }),
        ]
    }

    /// Characters as people see them; a link counts 23, a name on another server without its host.
    static func length(of text: String) -> Int {
        text.replacing(/https?:\/\/\S+/, with: String(repeating: "x", count: 23))
            .replacing(/(@[A-Za-z0-9_]+)@[A-Za-z0-9.-]+[A-Za-z0-9]/) { $0.output.1 }
            .count
    }
}
