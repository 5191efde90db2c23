package import Foundation
internal import HTTP
internal import System

/// The Instagram API with Instagram Login, Graph API v26.0, with one professional account, as
/// developers.facebook.com/documentation/instagram-platform describes it (read 2026-11-26).
package final class FakeInstagram: FakeService {
    package static let token = "instagram-token"
    static let user = "17841405309211844"

    /// What the account has posted, and the containers before that.
    package let containers: FakeContainers
    let tokens: FakeGraphTokens
    let now: @Sendable () -> Date
    let replies = Lock<[Reply]>([])

    /// The account's own; there is one level below a comment.
    struct Reply {
        let id: String
        let parent: String
        let text: String
        let at: Date
    }

    /// What others say.
    package let conversation = FakeConversation { "1787\($0)" }
    package var talk: FakeConversation? { conversation }

    /// Starts with nothing posted; `fetch` is its crawler.
    package init(
        _ options: FakeContainers.Options = FakeContainers.Options(quota: 100), fetch: @escaping FileFetcher,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.now = now
        tokens = FakeGraphTokens("instagram", prefix: "ig", now: now)
        containers = FakeContainers(
            options, types: ["image/jpeg"], children: 2...10, address: "https://www.instagram.com/p/", fetch: fetch,
            now: now)
    }

    package var effects: [PublishedPost] { containers.posts }

    package func refusal(_ status: Int) -> FakeAnswer {
        switch status {
        case 401: FakeGraph.error(190, 401)
        case 403: FakeGraph.error(10, 403)
        case 404: FakeGraph.error(100, 404, subcode: 33)
        case 413: FakeGraph.error(36000, 413, subcode: 2_207_004)
        case 422: FakeGraph.error(100, 422)
        case 429: FakeGraph.error(4, 429)
        case 500: FakeGraph.error(2, 500)
        default: FakeAnswer(HTTPStatus(code: status))
        }
    }

    package func refusal(_ status: Int, of route: String) -> FakeAnswer {
        status == 404 && route.hasSuffix("media_publish")
            ? FakeGraph.error(24, subcode: 2_207_006, message: "The requested resource does not exist")
            : refusal(status)
    }

    package var routes: [FakeRoute] {
        let user = "/v26.0/\(Self.user)"
        return [
            FakeRoute("GET /oauth/authorize") { [self] request, _ in tokens.consent(request) },
            FakeRoute("POST /oauth/access_token") { [self] request, _ in tokens.code(request, user: "7001") },
            FakeRoute("GET /access_token") { [self] request, _ in tokens.exchange(request) },
            FakeRoute("GET /refresh_access_token") { [self] request, _ in tokens.refresh(request) },
            authorized("GET /v26.0/me") { _, _ in
                .json([
                    "id": "7001", "user_id": .string(Self.user), "username": "lakes",
                    "profile_picture_url": "https://instagram.test/lakes.jpg",
                ])
            },
            authorized("POST \(user)/media", make),
            authorized("POST \(user)/media_publish") { [self] request, _ in
                guard let id = FormFields(request.body)?["creation_id"] else { return refusal(422) }
                return switch containers.publish(id) {
                case .post(let id): .json(["id": .string(id)])
                case .missing: refusal(404, of: "media_publish")
                case .notReady: FakeGraph.error(9007, subcode: 2_207_027, message: "Media ID is not available")
                case .overQuota: FakeGraph.error(9, subcode: 2_207_042)
                }
            },
            authorized("GET \(user)/media") { [self] request, _ in containers.list(request, text: "caption") },
            authorized("GET \(user)/content_publishing_limit") { [self] _, _ in
                .json([
                    "data": [
                        [
                            "quota_usage": JSONValue(containers.usedQuota(ofReplies: false)),
                            "config": ["quota_total": JSONValue(containers.quota), "quota_duration": 86_400],
                        ]
                    ]
                ])
            },
            authorized("GET /v26.0/{id}", show),
            authorized("DELETE /v26.0/{id}", deleteComment),
            authorized("GET /v26.0/{id}/comments", tell),
            authorized("POST /v26.0/{id}/replies", reply),
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

    /// `POST /{user}/media`.
    private func make(_ request: FakeRequest, _ parameters: FakeParameters) async -> FakeAnswer {
        guard let form = FormFields(request.body) else { return refusal(422) }
        let caption = form["caption"] ?? ""
        guard caption.utf16.count <= 2200 else { return FakeGraph.error(36004, subcode: 2_207_010) }
        guard caption.count(where: { $0 == "#" }) <= 30, caption.count(where: { $0 == "@" }) <= 20 else {
            return FakeGraph.error(100, subcode: 2_207_040)
        }
        let isChild = form["is_carousel_item"] == "true"
        var wish = FakeContainers.Wish(
            kind: .picture, altText: form["alt_text"] ?? "", text: caption, isChild: isChild)
        switch form["media_type"] {
        case nil, "IMAGE": (wish.kind, wish.url) = (.picture, form["image_url"] ?? "")
        case "VIDEO" where isChild, "REELS" where !isChild:
            (wish.kind, wish.url) = (.video, form["video_url"] ?? "")
            // "Reels and stories are not supported."
            guard wish.altText.isEmpty else { return refusal(422) }
        case "CAROUSEL":
            (wish.kind, wish.children) = (
                .carousel, form["children"]?.split(separator: ",").map(String.init) ?? []
            )
        default: return FakeGraph.error(100, subcode: 2_207_023)
        }
        guard !isChild || caption.isEmpty && wish.kind != .carousel, wish.altText.unicodeScalars.count <= 1000 else {
            return refusal(422)
        }
        return switch await containers.make(wish) {
        case .container(let id): .json(["id": .string(id)])
        // As seen live (gitroomhq/postiz-app PR 1900).
        case .notFetched:
            FakeGraph.error(
                9004, subcode: 2_207_052, message: "Only photo or video can be accepted as media type.")
        case .tooLarge: FakeGraph.error(36000, subcode: 2_207_004, message: "The image size is too large.")
        case .wrongType: FakeGraph.error(36001, subcode: 2_207_005)
        case .noSuchChild: FakeGraph.error(100, subcode: 2_207_028)
        }
    }

    /// `GET /{id}`: a container or a post.
    private func show(_ request: FakeRequest, _ parameters: FakeParameters) async -> FakeAnswer {
        let (id, fields) = (parameters["id"], FormFields(request.query)?["fields"]?.split(separator: ",") ?? [])
        if let standing = await containers.standing(of: id, notFetched: "2207003") {
            guard !fields.contains("permalink") else { return FakeGraph.error(100) }
            var json: JSONObject = ["id": .string(id)]
            switch standing {
            case .inProgress: json["status_code"] = "IN_PROGRESS"
            case .finished: json["status_code"] = "FINISHED"
            case .published: json["status_code"] = "PUBLISHED"
            case .expired: json["status_code"] = "EXPIRED"
            case .failed(let number):
                json["status_code"] = "ERROR"
                json["status"] = .string("Error: Media upload has failed with error code \(number)")
            }
            return .json(.object(json))
        }
        guard let post = containers.post(id) else { return refusal(404) }
        guard !fields.contains("status_code") else { return FakeGraph.error(100) }
        return .json([
            "id": .string(id), "permalink": .string(post.url), "like_count": 6, "comments_count": 2,
        ])
    }

    // MARK: Comments

    /// `DELETE /{comment}`; posts are not deleted with this kind of token.
    private func deleteComment(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let id = parameters["id"]
        guard containers.post(id) == nil else { return FakeGraph.error(100) }
        let isReply = replies.withLock { replies in
            let before = replies.count
            replies.removeAll { $0.id == id }
            return replies.count < before
        }
        return isReply ? .json(["success": true]) : refusal(404)
    }

    /// `POST /{comment}/replies`: a reply to a reply goes below the comment.
    private func reply(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let text = FormFields(request.body)?["message"], !text.isEmpty else { return refusal(422) }
        let answered = parameters["id"]
        let own = replies.withLock { replies in replies.first { $0.id == answered }?.parent }
        guard let parent = own ?? conversation.found(answered).map({ root(of: $0.id) }) else { return refusal(404) }
        return replies.withLock { replies in
            let id = "1788\(replies.count)\(Int(now().timeIntervalSince1970))"
            replies.append(Reply(id: id, parent: parent, text: text, at: now()))
            return .json(["id": .string(id)])
        }
    }

    /// The comment that something stands below, or is.
    private func root(of id: String) -> String {
        var root = id
        while let parent = conversation.found(root)?.parent, conversation.found(parent) != nil { root = parent }
        return root
    }

    /// `GET /{post}/comments`, newest first, each with its replies where they are asked for.
    private func tell(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard containers.post(parameters["id"]) != nil else { return refusal(404) }
        let said = conversation.state.withLock { $0.said }
        let own = replies.withLock { $0 }
        let asked = FormFields(request.query)?["fields"] ?? ""
        let comments = said.filter { root(of: $0.id) == $0.id }.map { comment -> JSONValue in
            var json = Self.entry(comment.id, comment.text, comment.at, by: (comment.person, "9\(comment.person)"))
            let below =
                said.filter { $0.id != comment.id && root(of: $0.id) == comment.id }.map {
                    Self.entry($0.id, $0.text, $0.at, by: ($0.person, "9\($0.person)"))
                }
                + own.filter { $0.parent == comment.id }.map {
                    Self.entry($0.id, $0.text, $0.at, by: ("lakes", Self.user))
                }
            if !below.isEmpty, asked.contains("replies") {
                json["replies"] = ["data": JSONValue(below.map { .object($0) })]
            }
            return .object(json)
        }
        return FakeGraph.page(of: comments.reversed(), request)
    }

    private static func entry(
        _ id: String, _ text: String, _ at: Date, by person: (name: String, id: String)
    ) -> JSONObject {
        [
            "id": .string(id), "text": .string(text), "timestamp": .string(FakeContainers.time(at)),
            "username": .string(person.name), "from": ["id": .string(person.id), "username": .string(person.name)],
            // What its author's words ask for stands for what the owner has chosen.
            "hidden": .bool(text.hasPrefix("hide me")),
        ]
    }
}
