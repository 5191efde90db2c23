internal import Foundation
internal import HTTP
internal import System

extension FakeTwitter {
    /// `POST /2/tweets`.
    func createPost(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let json = request.json else { return refusal(400) }
        let text = json["text"]?.string ?? ""
        let ids = json["media"]?["media_ids"]?.array?.compactMap(\.string) ?? []
        return state.withLock { state in
            guard !text.isEmpty || !ids.isEmpty else { return refusal(400) }
            guard Self.length(of: text) <= 280 else { return refusal(403) }
            let answered = json["reply"]?["in_reply_to_tweet_id"]?.string
            if let answered, !isThere(answered, state) {
                return problem(
                    403, "Forbidden", "You attempted to reply to a Tweet that is deleted or not visible to you.")
            }
            let uploads = ids.compactMap { open($0, state) }
            guard uploads.count == ids.count, uploads.allSatisfy(isReady) else { return unknownMedia }
            guard uploads.count <= (uploads.allSatisfy(\.isPicture) ? 4 : 1) else { return refusal(403) }
            let recent = state.posts.filter { $0.published.createdAt > now() - Self.duplicateWindow }
            if !text.isEmpty, recent.contains(where: { $0.published.text == text }) {
                return problem(403, "Forbidden", "You are not allowed to create a Tweet with duplicate content.")
            }
            let id = state.nextID()
            let media = uploads.compactMap { upload in
                upload.media.map {
                    PublishedMedia(
                        sha256: $0.sha256, bytes: $0.bytes, mediaType: $0.mediaType, altText: upload.altText)
                }
            }
            let published = PublishedPost(
                id: id, url: "https://x.com/\(Self.username)/status/\(id)", text: text, media: media, createdAt: now(),
                answering: answered)
            for upload in uploads { state.uploads[upload.id]?.isUsed = true }
            state.posts.append(Post(published: published, uploads: ids, answered: answered))
            return .json(["data": ["id": .string(id), "text": .string(text)]], .created)
        }
    }

    /// `GET /2/users/{id}/tweets`: newest first.
    func timeline(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let limit = query["max_results"].flatMap { Int($0) } ?? 10
        guard 5...100 ~= limit else { return refusal(400) }
        guard parameters["id"] == Self.account else { return refusal(404) }
        var start = Date.distantPast
        if let text = query["start_time"] {
            guard let time = try? Date(text, strategy: .iso8601) else { return refusal(400) }
            start = time
        }
        let wanted = Set((query["tweet.fields"] ?? "").split(separator: ",").map(String.init))
        return state.withLock { state in
            let times = start...max(start, now() - options.timelineDelay)
            let matching = state.posts.reversed().filter { times.contains($0.published.createdAt) }
            var meta: JSONObject = ["result_count": JSONValue(min(limit, matching.count))]
            if matching.count > limit { meta["next_token"] = "7140dibdnow9c7btw4" }
            let page = matching.prefix(limit).map { JSONValue.object(entity($0, wanted, state)) }
            return .json(["data": JSONValue(page), "meta": .object(meta)])
        }
    }

    /// `GET /2/tweets/:id`: one that is not there is an error inside an answer that says yes.
    func showPost(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            guard let post = state.posts.first(where: { $0.published.id == parameters["id"] }) else {
                return .json(["errors": [["title": "Not Found Error", "value": .string(parameters["id"])]]])
            }
            return .json([
                "data": [
                    "id": .string(post.published.id),
                    "public_metrics": ["like_count": 7, "reply_count": 3, "retweet_count": 2, "quote_count": 1],
                ]
            ])
        }
    }

    /// `DELETE /2/tweets/:id`.
    func deletePost(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            state.posts.removeAll { $0.published.id == parameters["id"] }
            return .json(["data": ["deleted": true]])
        }
    }

    /// A post as it is read back: links are X's own, one for the media stands behind the text, `&`, `<` and `>` are escaped.
    func entity(_ post: Post, _ wanted: Set<String>, _ state: State) -> JSONObject {
        var text = post.published.text
        var links: [JSONValue] = []
        for (index, match) in post.published.text.matches(of: /https?:\/\/[^\s]+/).enumerated() {
            let short = "https://t.co/\(post.published.id.suffix(8))\(index)"
            text = text.replacing(String(match.output), with: short)
            links.append(["url": .string(short), "expanded_url": .string(String(match.output))])
        }
        for (character, name) in [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")] {
            text = text.replacing(character, with: name)
        }
        if !post.uploads.isEmpty {
            let short = "https://t.co/m\(post.published.id.suffix(8))"
            text += text.isEmpty ? short : " \(short)"
            links.append(["url": .string(short), "expanded_url": .string("\(post.published.url)/photo/1")])
        }
        var entity: JSONObject = ["id": .string(post.published.id), "text": .string(text)]
        if wanted.contains("created_at") {
            let seconds = Date(timeIntervalSince1970: post.published.createdAt.timeIntervalSince1970.rounded(.down))
            entity["created_at"] = .string(seconds.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        }
        if wanted.contains("referenced_tweets"), let answered = post.answered {
            entity["referenced_tweets"] = [["type": "replied_to", "id": .string(answered)]]
        }
        if wanted.contains("entities") { entity["entities"] = ["urls": JSONValue(links)] }
        if wanted.contains("attachments"), options.showsMediaKeys {
            let keys = post.uploads.compactMap { state.uploads[$0]?.key }
            entity["attachments"] = ["media_keys": JSONValue(keys)]
        }
        return entity
    }

    /// The weighted length of twitter-text's configuration 3, for texts whose links have their scheme.
    static func length(of text: String) -> Int {
        let text = text.precomposedStringWithCanonicalMapping
            .replacing(/https?:\/\/\S+/, with: String(repeating: "x", count: 23))
        return text.reduce(0) { length, character in
            let isEmoji = character.unicodeScalars.contains { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }
            return length + (isEmoji ? 2 : character.unicodeScalars.reduce(0) { $0 + weight($1.value) })
        }
    }

    private static func weight(_ codePoint: UInt32) -> Int {
        switch codePoint {
        case 0...4351, 8192...8205, 8208...8223, 8242...8247: 1
        default: 2
        }
    }
}
