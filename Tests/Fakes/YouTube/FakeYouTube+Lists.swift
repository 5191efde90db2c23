internal import Foundation
internal import HTTP
internal import System

// Playlists and comments. Whoever puts a video into a playlist twice has it there twice; the same answer twice is there twice.
extension FakeYouTube {
    var playlistRoutes: [FakeRoute] {
        [
            authorized("GET /youtube/v3/playlists") { [self] query, _ in
                guard query["mine"] == "true" else { return error(400, "missingRequiredParameter") }
                let playlists = state.withLock(\.playlists).map { playlist -> JSONValue in
                    ["id": .string(playlist.id), "snippet": ["title": .string(playlist.title)]]
                }
                return page(playlists, query)
            },
            authorized("POST /youtube/v3/playlists") { [self] _, request in
                guard let title = request.json?["snippet"]?["title"]?.string, 1...150 ~= title.count else {
                    return error(400, "playlistTitleRequired")
                }
                let visibility = request.json?["status"]?["privacyStatus"]?.string ?? "public"
                return state.withLock { state in
                    let id = "PL\(state.next())"
                    state.playlists.append((id, title, visibility))
                    return .json(["id": .string(id), "snippet": ["title": .string(title)]])
                }
            },
            authorized("GET /youtube/v3/playlistItems") { [self] query, _ in items(query) },
            authorized("POST /youtube/v3/playlistItems") { [self] _, request in
                let snippet = request.json?["snippet"]
                guard let playlist = snippet?["playlistId"]?.string,
                    let video = snippet?["resourceId"]?["videoId"]?.string,
                    snippet?["resourceId"]?["kind"]?.string == "youtube#video"
                else { return error(400, "resourceIdRequired") }
                let newest = now() - options.playlistDelay
                return state.withLock { state in
                    guard state.playlists.contains(where: { $0.id == playlist }) else {
                        return error(404, "playlistNotFound")
                    }
                    guard state.videos.contains(where: { $0.id == video && $0.createdAt <= newest }) else {
                        return error(404, "videoNotFound", domain: "youtube.playlistItem")
                    }
                    state.items.append((playlist, video))
                    return .json(["id": .string("item-\(state.next())")])
                }
            },
        ]
    }

    /// The audiences of playlists, in order.
    package var playlistVisibilities: [String] { state.withLock { $0.playlists.map(\.visibility) } }

    private func items(_ query: FormFields) -> FakeAnswer {
        let playlist = query["playlistId"] ?? ""
        let newest = now() - options.listDelay
        let found: [JSONValue]? = state.withLock { state in
            if playlist == Self.uploads {
                return state.videos.reversed().filter { $0.createdAt <= newest }.map { video in
                    [
                        "id": .string("item-\(video.id)"),
                        "snippet": [
                            "title": video.snippet["title"] ?? "",
                            "publishedAt": .string(Timestamp(video.createdAt).description),
                        ],
                        "contentDetails": ["videoId": .string(video.id)],
                    ]
                }
            }
            guard state.playlists.contains(where: { $0.id == playlist }) else { return nil }
            return state.items.filter { $0.playlist == playlist && $0.video == query["videoId"] ?? $0.video }
                .map { ["id": .string("item-\($0.video)")] }
        }
        guard let found else { return error(404, "playlistNotFound") }
        return page(found, query)
    }

    private func page(_ items: [JSONValue], _ query: FormFields) -> FakeAnswer {
        let size = min(
            query["maxResults"].flatMap { Int($0) } ?? 5, query["part"]?.contains("replies") == true ? 100 : 50)
        let start = query["pageToken"].flatMap { Int($0) } ?? 0
        var body: JSONObject = ["items": JSONValue(Array(items.dropFirst(start).prefix(size)))]
        if start + size < items.count { body["nextPageToken"] = .string(String(start + size)) }
        return .json(.object(body))
    }

    // MARK: Comments

    var commentRoutes: [FakeRoute] {
        [
            authorized("GET /youtube/v3/commentThreads") { [self] query, _ in threads(query) },
            authorized("GET /youtube/v3/comments") { [self] query, _ in
                guard query["textFormat"] == "plainText", let thread = query["parentId"] else {
                    return error(400, "operationNotSupported")
                }
                guard isThere(thread) else { return error(404, "commentNotFound", domain: "youtube.comment") }
                return page(answers(to: thread).reversed(), query)
            },
            authorized("POST /youtube/v3/comments") { [self] _, request in
                guard let text = request.json?["snippet"]?["textOriginal"]?.string, !text.isEmpty,
                    let thread = request.json?["snippet"]?["parentId"]?.string
                else { return error(400, "commentTextRequired") }
                guard isThere(thread), !thread.contains(".") else {
                    return error(404, "parentCommentNotFound", domain: "youtube.comment")
                }
                guard options.takesComments else { return error(403, "commentsDisabled") }
                let comment = state.withLock { state in
                    let comment = Comment(
                        id: "\(thread).\(state.next())", video: state.videos.last?.id ?? "", thread: thread, text: text,
                        at: now())
                    state.comments.append(comment)
                    return comment
                }
                return .json(entity(comment))
            },
            authorized("DELETE /youtube/v3/comments") { [self] query, _ in
                state.withLock { state in
                    guard state.comments.contains(where: { $0.id == query["id"] }) else {
                        return error(404, "commentNotFound", domain: "youtube.comment")
                    }
                    state.comments.removeAll { $0.id == query["id"] }
                    return FakeAnswer(.noContent)
                }
            },
        ]
    }

    private func isThere(_ comment: String) -> Bool {
        conversation.found(comment) != nil || state.withLock { state in state.comments.contains { $0.id == comment } }
    }

    /// Newest first; a thread shows five of its answers.
    private func threads(_ query: FormFields) -> FakeAnswer {
        guard query["textFormat"] == "plainText", let video = query["videoId"] else {
            return error(400, "operationNotSupported")
        }
        guard state.withLock({ state in state.videos.contains { $0.id == video } }) else {
            return error(404, "videoNotFound", domain: "youtube.commentThread")
        }
        guard options.takesComments else { return error(403, "commentsDisabled", domain: "youtube.commentThread") }
        let tops = conversation.state.withLock { $0.said }.filter { $0.parent == video }
        let threads = tops.reversed().map { said -> JSONValue in
            let answers = answers(to: said.id)
            var thread: JSONObject = [
                "id": .string(said.id),
                "snippet": [
                    "videoId": .string(video), "totalReplyCount": JSONValue(answers.count),
                    "topLevelComment": entity(said, thread: nil),
                ],
            ]
            if !answers.isEmpty { thread["replies"] = ["comments": JSONValue(Array(answers.suffix(5)))] }
            return .object(thread)
        }
        return page(threads, query)
    }

    /// Oldest first, of others and of the channel. An answer to an answer is one of the thread.
    private func answers(to thread: String) -> [JSONValue] {
        let others = conversation.state.withLock { $0.said }.filter { $0.parent == thread }
            .map { ($0.at, entity($0, thread: thread)) }
        let own = state.withLock { $0.comments }.filter { $0.thread == thread }.map { ($0.at, entity($0)) }
        return (others + own).sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func entity(_ said: FakeConversation.Said, thread: String?) -> JSONValue {
        var snippet: JSONObject = [
            "textDisplay": .string(said.text), "authorDisplayName": .string("@\(said.person)"),
            "authorProfileImageUrl": .string("https://yt3.ggpht.test/\(said.person)"),
            "authorChannelUrl": .string("http://www.youtube.com/@\(said.person)"),
            "authorChannelId": ["value": .string("UC\(said.person)")],
            "publishedAt": .string(Timestamp(said.at).description),
            "updatedAt": .string(Timestamp(said.editedAt ?? said.at).description),
        ]
        if let thread { snippet["parentId"] = .string(thread) }
        if let picture = said.picture { snippet["imageUrl"] = .string(picture) }
        return ["kind": "youtube#comment", "id": .string(said.id), "snippet": .object(snippet)]
    }

    private func entity(_ comment: Comment) -> JSONValue {
        let snippet: JSONObject = [
            "textDisplay": .string(comment.text), "textOriginal": .string(comment.text),
            "parentId": .string(comment.thread), "authorDisplayName": "@lakes",
            "authorChannelId": ["value": .string(Self.channel)],
            "publishedAt": .string(Timestamp(comment.at).description),
            "updatedAt": .string(Timestamp(comment.at).description),
        ]
        return ["kind": "youtube#comment", "id": .string(comment.id), "snippet": .object(snippet)]
    }
}
