package import Foundation
internal import HTTP
internal import System

/// The Threads API v1.0 with one account, as developers.facebook.com/documentation/threads describes it (read 2026-11-26).
package final class FakeThreads: FakeService {
    package static let token = "threads-token"
    static let user = "26102345678901234567"

    /// What its own token has posted, and the containers before that.
    package let containers: FakeContainers
    let tokens: FakeGraphTokens
    let now: @Sendable () -> Date
    let replies = Lock<[Reply]>([])

    /// The account's own.
    struct Reply {
        let id: String
        let parent: String
        let text: String
        let at: Date
    }

    /// What others say.
    package let conversation = FakeConversation { "1803\($0)" }
    package var talk: FakeConversation? { conversation }

    /// Starts with nothing posted; `fetch` is its crawler.
    package init(
        _ options: FakeContainers.Options = FakeContainers.Options(quota: 250), fetch: @escaping FileFetcher,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.now = now
        tokens = FakeGraphTokens("threads", prefix: "th", now: now)
        containers = FakeContainers(
            options, types: ["image/jpeg", "image/png"], children: 2...20,
            address: "https://www.threads.com/@lakes/post/", fetch: fetch, now: now)
    }

    package var effects: [PublishedPost] { containers.posts }

    package func refusal(_ status: Int) -> FakeAnswer {
        switch status {
        case 401: FakeGraph.error(190, 401)
        case 403: FakeGraph.error(10, 403)
        case 404: FakeGraph.error(100, 404, subcode: 33)
        case 413: FakeGraph.error(36000, 413, subcode: 2_207_004)
        case 422: FakeGraph.error(100, 422)
        case 429: FakeGraph.error(32, 429)
        case 500: FakeGraph.error(1, 500)
        default: FakeAnswer(HTTPStatus(code: status))
        }
    }

    package func refusal(_ status: Int, of route: String) -> FakeAnswer {
        status == 404 && route.hasSuffix("threads_publish") ? Self.noMedia : refusal(status)
    }

    /// As seen live (nopara73/LongevityWorldCup PR 466).
    private static let noMedia = FakeGraph.error(
        24, subcode: 4_279_009, message: "The requested resource does not exist")

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /oauth/authorize") { [self] request, _ in tokens.consent(request) },
            FakeRoute("POST /oauth/access_token") { [self] request, _ in tokens.code(request, user: Self.user) },
            FakeRoute("GET /access_token") { [self] request, _ in tokens.exchange(request) },
            FakeRoute("GET /refresh_access_token") { [self] request, _ in tokens.refresh(request) },
            authorized("GET /v1.0/me") { _, _ in
                .json([
                    "id": .string(Self.user), "username": "lakes",
                    "threads_profile_picture_url": "https://threads.test/lakes.jpg",
                ])
            },
            authorized("POST /v1.0/me/threads", make),
            authorized("POST /v1.0/me/threads_publish") { [self] request, _ in
                guard let id = FormFields(request.body)?["creation_id"] else { return refusal(422) }
                return switch containers.publish(id) {
                case .post(let id): .json(["id": .string(id)])
                case .missing, .notReady: Self.noMedia
                // No number is documented for it.
                case .overQuota: FakeGraph.error(4711)
                }
            },
            authorized("GET /v1.0/me/threads") { [self] request, _ in containers.list(request, text: "text") },
            authorized("GET /v1.0/me/threads_publishing_limit") { [self] _, _ in
                .json([
                    "data": [
                        [
                            "quota_usage": JSONValue(containers.usedQuota(ofReplies: false)),
                            "config": ["quota_total": JSONValue(containers.quota), "quota_duration": 86_400],
                            "reply_quota_usage": JSONValue(containers.usedQuota(ofReplies: true)),
                            "reply_config": [
                                "quota_total": JSONValue(containers.replyQuota), "quota_duration": 86_400,
                            ],
                        ]
                    ]
                ])
            },
            authorized("GET /v1.0/{id}", show),
            authorized("DELETE /v1.0/{id}", delete),
            authorized("GET /v1.0/{id}/insights", insights),
            authorized("GET /v1.0/{id}/conversation", tell),
        ]
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) async -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            tokens.holds(request) ? await response(request, parameters) : FakeGraph.error(190, 401)
        }
    }

    // MARK: Containers

    /// `POST /me/threads`.
    private func make(_ request: FakeRequest, _ parameters: FakeParameters) async -> FakeAnswer {
        guard let form = FormFields(request.body) else { return refusal(422) }
        let text = form["text"] ?? ""
        guard Self.length(of: text) <= 500 else {
            return FakeGraph.error(100, message: "Param text must be at most 500 characters long.")
        }
        guard form["alt_text"]?.unicodeScalars.count ?? 0 <= 1000 else { return refusal(422) }
        let isChild = form["is_carousel_item"] == "true"
        var wish = FakeContainers.Wish(
            kind: .picture, altText: form["alt_text"] ?? "", text: text, isChild: isChild,
            isCovered: form["is_spoiler_media"] == "true")
        switch form["media_type"] {
        case "TEXT" where form["auto_publish_text"] == "true": return reply(form)
        case "TEXT":
            guard let parent = form["reply_to_id"], !text.isEmpty else { return refusal(422) }
            guard isThere(parent) else { return refusal(404) }
            (wish.kind, wish.parent) = (.text, parent)
        case "IMAGE": (wish.kind, wish.url) = (.picture, form["image_url"] ?? "")
        case "VIDEO": (wish.kind, wish.url) = (.video, form["video_url"] ?? "")
        case "CAROUSEL":
            (wish.kind, wish.children) = (
                .carousel, form["children"]?.split(separator: ",").map(String.init) ?? []
            )
        default: return refusal(422)
        }
        guard !isChild || text.isEmpty && wish.kind != .carousel else { return refusal(422) }
        return switch await containers.make(wish) {
        case .container(let id): .json(["id": .string(id)])
        // As seen live (gitroomhq/postiz-app issue 1364).
        case .notFetched: FakeGraph.error(1, subcode: 2_207_052, message: "An unknown error occurred")
        case .tooLarge: refusal(413)
        case .wrongType, .noSuchChild: refusal(422)
        }
    }

    /// "Emojis are counted as the number of UTF-8 bytes."
    static func length(of text: String) -> Int {
        text.reduce(0) { length, character in
            let isEmoji = character.unicodeScalars.contains {
                $0.properties.isEmoji && $0.value > 0xFF || $0.value == 0xFE0F
            }
            return length + (isEmoji ? character.utf8.count : character.unicodeScalars.count)
        }
    }

    /// `GET /{id}`: a container or a post; neither has the other's fields (exileum/meta-mcp issue 143).
    private func show(_ request: FakeRequest, _ parameters: FakeParameters) async -> FakeAnswer {
        let (id, fields) = (parameters["id"], FormFields(request.query)?["fields"]?.split(separator: ",") ?? [])
        if let standing = await containers.standing(of: id, notFetched: "FAILED_DOWNLOADING_VIDEO") {
            guard !fields.contains("permalink") else { return FakeGraph.error(100) }
            var json: JSONObject = ["id": .string(id)]
            switch standing {
            case .inProgress: json["status"] = "IN_PROGRESS"
            case .finished: json["status"] = "FINISHED"
            case .published: json["status"] = "PUBLISHED"
            case .expired: json["status"] = "EXPIRED"
            case .failed(let reason): (json["status"], json["error_message"]) = ("ERROR", .string(reason))
            }
            return .json(.object(json))
        }
        guard let post = containers.post(id) else { return refusal(404) }
        guard !fields.contains("status") else { return FakeGraph.error(100) }
        return .json(["id": .string(id), "permalink": .string(post.url)])
    }

    private func delete(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let id = parameters["id"]
        let isReply = replies.withLock { replies in
            let before = replies.count
            replies.removeAll { $0.id == id }
            return replies.count < before
        }
        guard isReply || containers.remove(post: id) else { return refusal(404) }
        return .json(["success": true, "deleted_id": .string(id)])
    }

    // MARK: What comes back

    private func insights(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard containers.post(parameters["id"]) != nil else { return refusal(404) }
        let values = ["likes": 6, "replies": 2, "reposts": 3, "quotes": 1, "views": 90, "shares": 4]
        let asked = FormFields(request.query)?["metric"]?.split(separator: ",").map(String.init) ?? []
        guard !asked.isEmpty, asked.allSatisfy({ values[$0] != nil }) else { return refusal(422) }
        return .json([
            "data": JSONValue(
                asked.map { name -> JSONValue in
                    [
                        "name": .string(name), "period": "lifetime",
                        "values": [["value": JSONValue(values[name] ?? 0)]],
                        "title": .string(name.capitalized),
                        "id": .string("\(parameters["id"])/insights/\(name)/lifetime"),
                    ]
                })
        ])
    }

    /// A text that answers: published at once where it asks for that.
    private func reply(_ form: FormFields) -> FakeAnswer {
        guard let parent = form["reply_to_id"], let text = form["text"], !text.isEmpty else { return refusal(422) }
        guard isThere(parent) else { return refusal(404) }
        return replies.withLock { replies in
            let id = "1804\(replies.count)\(Int(now().timeIntervalSince1970))"
            replies.append(Reply(id: id, parent: parent, text: text, at: now()))
            return .json(["id": .string(id)])
        }
    }

    private func isThere(_ post: String) -> Bool {
        containers.post(post) != nil || conversation.found(post) != nil
            || replies.withLock { replies in replies.contains { $0.id == post } }
    }

    /// `GET /{post}/conversation`: all levels.
    private func tell(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let post = parameters["id"]
        guard containers.post(post) != nil else { return refusal(404) }
        let others = conversation.state.withLock { $0.said }.map { said -> (Date, JSONValue) in
            (said.at, Self.entry(said.id, said.parent ?? post, said.text, said.at, by: said.person, isOwn: false))
        }
        let newest = now() - containers.listDelay
        let parts = containers.posts.compactMap { post in
            post.answering.map { Reply(id: post.id, parent: $0, text: post.text, at: post.createdAt) }
        }
        let own = (replies.withLock { $0 } + parts.filter { $0.at <= newest }).map { reply -> (Date, JSONValue) in
            (reply.at, Self.entry(reply.id, reply.parent, reply.text, reply.at, by: "lakes", isOwn: true))
        }
        let sorted = (others + own).sorted { $0.0 < $1.0 }.map(\.1)
        let isReversed = FormFields(request.query)?["reverse"] != "false"
        return FakeGraph.page(of: isReversed ? sorted.reversed() : sorted, request)
    }

    private static func entry(
        _ id: String, _ parent: String, _ text: String, _ at: Date, by person: String, isOwn: Bool
    ) -> JSONValue {
        [
            "id": .string(id), "text": .string(text), "username": .string(person),
            "timestamp": .string(FakeContainers.time(at)),
            "permalink": .string("https://www.threads.com/@\(person)/post/\(id)"),
            "replied_to": ["id": .string(parent)], "is_reply": true, "is_reply_owned_by_me": .bool(isOwn),
            // What its author's words ask for stands for what the owner has chosen.
            "hide_status": text.hasPrefix("hide me") ? "HIDDEN" : "NOT_HUSHED",
            "profile_picture_url": .string("https://threads.test/\(person).jpg"),
        ]
    }
}
