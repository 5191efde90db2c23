internal import Foundation
internal import HTTP
internal import System

// Pixelfed, as its source says (pixelfed/pixelfed at 8aae92d and c25e318, read 2026-11-26).
extension FakeMastodon {
    static let mostCollected = 100

    package var albumNames: [String] {
        state.withLock { state in state.collections.flatMap { [String](repeating: $0.title, count: $0.statuses.count) }
        }
    }

    package func addAlbum(_ name: String) {
        state.withLock { $0.collections.append((id: String($0.collections.count + 7), title: name, statuses: [])) }
    }

    var pixelfedRoutes: [FakeRoute] {
        [
            // `CollectionController::getUserCollections`: nine a page, newest first.
            authorized("GET /api/v1.1/collections/accounts/{id}") { [self] request, parameters in
                guard options.software == .pixelfed, parameters["id"] == Self.account else { return refusal(404) }
                let page = max(1, FormFields(request.query)?["page"].flatMap { Int($0) } ?? 1)
                let collections = state.withLock { Array($0.collections.reversed()) }
                return .json(
                    JSONValue(
                        collections.dropFirst((page - 1) * 9).prefix(9).map { collection -> JSONValue in
                            [
                                "id": .string(collection.id), "pid": .string(Self.account), "visibility": "public",
                                "title": .string(collection.title), "post_count": JSONValue(collection.statuses.count),
                            ]
                        }))
            },
            // `mediaUpdate`: also of a file that a status has.
            authorized("PUT /api/v1/media/{id}") { [self] request, parameters in
                guard options.software == .pixelfed, let words = FormFields(request.body)?["description"],
                    words.unicodeScalars.count <= options.descriptionLimit
                else { return refusal(422) }
                return state.withLock { state in
                    guard let old = state.media[parameters["id"]] else { return refusal(404) }
                    let known = old.published
                    state.media[old.id]?.published = PublishedMedia(
                        sha256: known.sha256, bytes: known.bytes, mediaType: known.mediaType, altText: words)
                    refreshPost(old.status, &state)
                    return .json(attachment(state.media[old.id] ?? old))
                }
            },
        ]
    }

    /// `statusCreate`: the key is used up first, and files are given to the status one by one.
    func postPixelfedStatus(_ request: FakeRequest, _ text: String, _ ids: [String]) -> FakeAnswer {
        let json = request.json
        let parent = json?["in_reply_to_id"]?.string
        let visibility = json?["visibility"]?.string
        guard text.count <= options.maxCharacters, ids.count <= 4,
            visibility.map(["private", "unlisted", "public"].contains) ?? true,
            (json?["spoiler_text"]?.string ?? "").count <= 140, (json?["collection_ids"]?.array?.count ?? 0) <= 3
        else { return refusal(422) }
        return state.withLock { state in
            if let key = request.fields["Idempotency-Key"], !state.burntKeys.insert(key).inserted {
                return .json(["error": "Duplicate idempotency key."], 400)
            }
            guard !ids.isEmpty || parent != nil else {
                return .json(["error": "Empty statuses are not allowed"], 403)
            }
            if options.losesFile, state.burntKeys.count <= 1, let last = ids.last { state.media[last] = nil }
            let free = ids.filter { id in state.media[id].map { $0.status == nil && !isExpired($0) } ?? false }
            if !ids.isEmpty, free.isEmpty { return .json(["error": "Invalid media_ids"], 400) }
            let id = state.nextID()
            for media in ids {
                // What was given before stays with a draft that nobody sees.
                guard free.contains(media) else { return refusal(404) }
                state.media[media]?.status = id
            }
            let post = PublishedPost(
                id: id, url: "\(request.origin)/p/alice/\(id)", text: text,
                media: ids.compactMap { state.media[$0]?.published }, createdAt: now())
            state.statuses.append(Status(post: post, media: ids, visibility: visibility, parent: parent))
            let chosen = json?["collection_ids"]?.array?.compactMap(\.string) ?? []
            for index in state.collections.indices where chosen.contains(state.collections[index].id) {
                state.collections[index].statuses.append(id)
            }
            return .json(entity(state.statuses[state.statuses.count - 1], state))
        }
    }

    /// `StatusEditController::store`.
    func editPixelfedStatus(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard options.canEdit else { return .json(["error": "Post editing is not enabled on this server."], 404) }
        guard let text = request.json?["status"]?.string, text.count <= options.maxCharacters else {
            return refusal(422)
        }
        return state.withLock { state in
            guard let index = state.statuses.firstIndex(where: { $0.post.id == parameters["id"] }) else {
                return refusal(404)
            }
            let former = state.statuses[index]
            guard state.edits[former.post.id, default: 0] < 10 else {
                return .json(["error": "You cannot edit your post more than 10 times."], 400)
            }
            state.edits[former.post.id, default: 0] += 1
            let post = PublishedPost(
                id: former.post.id, url: former.post.url, text: text, media: former.post.media,
                createdAt: former.post.createdAt)
            state.statuses[index] = Status(
                post: post, media: former.media, visibility: former.visibility, parent: former.parent)
            return .json(entity(state.statuses[index], state))
        }
    }

    /// Shows a status with its files as they are now.
    private func refreshPost(_ id: String?, _ state: inout State) {
        guard let index = state.statuses.firstIndex(where: { $0.post.id == id }) else { return }
        let former = state.statuses[index]
        let post = PublishedPost(
            id: former.post.id, url: former.post.url, text: former.post.text,
            media: former.media.compactMap { state.media[$0]?.published }, createdAt: former.post.createdAt)
        state.statuses[index] = Status(
            post: post, media: former.media, visibility: former.visibility, parent: former.parent)
    }
}
