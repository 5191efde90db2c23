internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// Tumblr's API v2 with one account and two blogs, as tumblr/docs describes it on 2024-10-18 (read 2026-11-21).
package final class FakeTumblr: FakeService {
    /// How the service is set up.
    package struct Options: Sendable {
        /// How long a new post is missing from lists.
        package var listDelay: TimeInterval = 0
        /// How long a video is worked on.
        package var transcoding: TimeInterval = 30

        package init() {}
    }

    private static let blog = "t:abc"

    private struct Post {
        let post: PublishedPost
        let slug: String
        let tags: String
        let links: [String]
        let visibleAt: Date
    }

    private struct State {
        var posts: [Post] = []
        var lastID = 700_000_000_000_000_000
    }

    private let options: Options
    private let now: @Sendable () -> Date
    private let oauth: FakeOAuth2
    private let state = Lock(State())

    /// Starts with nothing posted.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        var consent = FakeOAuth2.Options()
        consent.accessLife = 2520
        consent.rotates = true
        oauth = FakeOAuth2("tumblr", consent, now: now)
    }

    package var effects: [PublishedPost] { state.withLock { $0.posts.map(\.post) } }

    /// The tags of the posts, and the links in their words.
    package var tags: [String] { state.withLock { $0.posts.map(\.tags) } }
    package var links: [[String]] { state.withLock { $0.posts.map(\.links) } }

    package func refusal(_ status: Int) -> FakeAnswer { error(status, nil) }

    private func error(_ status: Int, _ code: Int?) -> FakeAnswer {
        var problem: JSONObject = ["title": "No."]
        if let code { problem["code"] = JSONValue(code) }
        return .json(
            ["meta": ["status": JSONValue(status), "msg": "No."], "errors": [.object(problem)]],
            HTTPStatus(code: status))
    }

    private func ok(_ response: JSONValue, _ status: HTTPStatus = .ok) -> FakeAnswer {
        .json(["meta": ["status": JSONValue(status.code), "msg": "OK"], "response": response], status)
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /oauth2/authorize") { [oauth] request, _ in oauth.consent(request) },
            FakeRoute("POST /v2/oauth2/token") { [oauth] request, _ in oauth.token(request) },
            authorized("GET /v2/user/info") { [self] _, _ in
                ok([
                    "user": [
                        "name": "alice",
                        "blogs": [
                            ["name": "second", "uuid": "t:def", "primary": false],
                            ["name": "alice", "uuid": .string(Self.blog), "primary": true],
                        ],
                    ]
                ])
            },
            authorized("POST /v2/blog/{blog}/posts", create),
            authorized("GET /v2/blog/{blog}/posts", list),
            authorized("GET /v2/blog/{blog}/notes") { [self] request, _ in
                guard find(request) != nil else { return refusal(404) }
                return ok(["notes": [], "total_notes": 9, "total_likes": 5, "total_reblogs": 3])
            },
            authorized("POST /v2/blog/{blog}/post/delete") { [self] request, _ in
                let id = FormFields(request.body)?["id"]
                return state.withLock { state in
                    guard let index = state.posts.firstIndex(where: { $0.post.id == id }) else { return refusal(404) }
                    state.posts.remove(at: index)
                    return ok(["id": JSONValue(id)])
                }
            },
        ]
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            guard oauth.standing(of: request) == .good else { return refusal(401) }
            guard !name.contains("{blog}") || parameters["blog"] == Self.blog else { return refusal(404) }
            return response(request, parameters)
        }
    }

    /// The part with the JSON is the first, and no file.
    private func create(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let head = String(decoding: request.body.prefix(200), as: UTF8.self)
        guard let form = request.form, let json = form["json"], json.filename == nil,
            json.mediaType == "application/json", head.contains("name=\"json\""),
            let body = try? JSONValue(parsing: json.bytes), let content = body["content"]?.array,
            let shown = content.first(where: { $0["type"]?.string != "text" })
        else { return error(400, 8001) }
        let isVideo = shown["type"]?.string == "video"
        // An array for pictures, an object for a video.
        let media = isVideo ? shown["media"] : shown["media"]?[0]
        guard let identifier = media?["identifier"]?.string, let file = form[identifier],
            file.mediaType == media?["type"]?.string
        else { return error(400, 8001) }
        guard isVideo || file.bytes.count <= 10_000_000 else { return error(400, 8005) }
        let texts = content.filter { $0["type"]?.string == "text" }
        guard texts.allSatisfy({ ($0["text"]?.string ?? "").unicodeScalars.count <= 4096 }) else {
            return error(400, 8001)
        }
        return state.withLock { state in
            if isVideo, state.posts.contains(where: { $0.visibleAt > now() }) { return error(403, 8010) }
            // The id of a video that is worked on is not the one that it will have.
            state.lastID += isVideo ? 2 : 1
            let id = String(state.lastID)
            let picture = PublishedMedia(
                sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count, mediaType: file.mediaType ?? "",
                altText: shown["alt_text"]?.string ?? "")
            let post = PublishedPost(
                id: id, url: "https://alice.tumblr.com/post/\(id)",
                text: texts.compactMap { $0["text"]?.string }.joined(separator: "\n"), media: [picture],
                createdAt: now())
            state.posts.append(
                Post(
                    post: post, slug: body["slug"]?.string ?? "", tags: body["tags"]?.string ?? "",
                    links: texts.flatMap(Self.links),
                    visibleAt: now() + (isVideo ? options.transcoding : options.listDelay)))
            return isVideo
                ? ok(["id": .string(String(state.lastID - 1)), "state": "transcoding"], .created)
                : ok(["id": .string(id), "state": "published"], .created)
        }
    }

    /// Adds a post of another photo.
    package func add(post text: String, slug: String) {
        let now = now()
        state.withLock { state in
            state.lastID += 1
            let id = String(state.lastID)
            let post = PublishedPost(id: id, url: "", text: text, media: [], createdAt: now)
            state.posts.append(Post(post: post, slug: slug, tags: "", links: [], visibleAt: now))
        }
    }

    /// The links of a block: their ranges in code points.
    private static func links(_ block: JSONValue) -> [String] {
        let scalars = Array((block["text"]?.string ?? "").unicodeScalars)
        return (block["formatting"]?.array ?? []).compactMap { format in
            guard format["type"]?.string == "link", let start = format["start"]?.int, let end = format["end"]?.int,
                0 <= start, start < end, end <= scalars.count
            else { return nil }
            var words = String.UnicodeScalarView()
            words.append(contentsOf: scalars[Int(start)..<Int(end)])
            return String(words)
        }
    }

    private func find(_ request: FakeRequest) -> Post? {
        let id = FormFields(request.query)?["id"]
        return state.withLock { state in state.posts.first { $0.post.id == id } }
    }

    private func list(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        guard query["npf"] == "true" else { return error(400, 8001) }
        if query["id"] != nil {
            guard let post = find(request) else { return refusal(404) }
            return ok(["posts": [Self.entity(post)]])
        }
        let start = query["after"].flatMap(Double.init) ?? 0
        let posts = state.withLock(\.posts).filter {
            $0.post.createdAt.timeIntervalSince1970 >= start && $0.visibleAt <= now()
        }
        return ok(["posts": JSONValue(posts.prefix(20).map(Self.entity))])
    }

    private static func entity(_ post: Post) -> JSONValue {
        [
            "id_string": .string(post.post.id), "id": JSONValue(Int(post.post.id)), "slug": .string(post.slug),
            "post_url": .string(post.post.url), "content": [["type": "text", "text": .string(post.post.text)]],
        ]
    }
}
