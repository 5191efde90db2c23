internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// A WordPress site with one user, as the REST API Handbook describes it, and as WordPress 6.1.9 answers (read and seen 2026-11-26).
package final class FakeWordPress: FakeService {
    /// How the site is set up.
    package struct Options: Sendable {
        /// Whether it takes application passwords, which it does over https alone.
        package var takesPasswords = true
        /// Whether making smaller pictures fails once a file is stored.
        package var failsSizes = false
        /// Whether deleted posts have a trash.
        package var hasTrash = true
        /// Whether the user may make categories, which authors may not.
        package var makesCategories = true

        package init() {}
    }

    static let user = 7
    private static let password = "abcd EFGH ijkl MNOP qrst UVWX"

    struct Media {
        let id: Int
        let slug: String
        let published: PublishedMedia
        var altText: String
        /// `private` files are in no public list, and neither are those of a private post.
        var status = "inherit"
        var post: Int?
    }

    struct Post {
        let id: Int
        let slug: String
        var title: String
        var content: String
        /// A `draft` has its number and its slug, and nobody but who writes sees it.
        var status: String
        let categories: [Int]
        var createdAt: Date
        var isTrashed = false
    }

    struct Comment {
        let id: Int
        let post: Int
        let parent: Int
        let text: String
        let at: Date
    }

    struct State {
        var media: [Media] = []
        var posts: [Post] = []
        var comments: [Comment] = []
        var categories: [(id: Int, name: String)] = [(1, "Uncategorized")]
        var last = 100

        mutating func next() -> Int {
            last += 1
            return last
        }

        /// A slug that is taken gets a number; dashes in a row are one.
        func free(_ wanted: String, among taken: [String]) -> String {
            let slug = wanted.split(separator: "-").joined(separator: "-")
            guard taken.contains(slug) else { return slug }
            return "\(slug)-\((2...).first { !taken.contains("\(slug)-\($0)") } ?? 2)"
        }
    }

    private let options: Options
    let now: @Sendable () -> Date
    let state = Lock(State())

    /// What visitors say.
    package let conversation = FakeConversation { String(9000 + $0) }
    package var talk: FakeConversation? { conversation }

    /// Starts with nothing posted.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
    }

    package var effects: [PublishedPost] {
        state.withLock { state in
            state.posts.filter { !$0.isTrashed && $0.status != "draft" }.map { post in
                let ids = post.content.matches(of: /"id":([0-9]+)/).compactMap { Int($0.1) }
                let media = ids.compactMap { id in state.media.first { $0.id == id } }.map { media in
                    PublishedMedia(
                        sha256: media.published.sha256, bytes: media.published.bytes,
                        mediaType: media.published.mediaType, altText: media.altText)
                }
                return PublishedPost(
                    id: String(post.id), url: "https://blog.test/\(post.slug)/", text: Self.caption(post.content),
                    media: media, createdAt: post.createdAt)
            }
        }
    }

    package var albumNames: [String] {
        state.withLock { state in
            state.posts.flatMap(\.categories).compactMap { id in state.categories.first { $0.id == id }?.name }
        }
    }

    /// What people read below the pictures.
    private static func caption(_ content: String) -> String {
        let paragraphs = content.matches(of: /<p>(.*?)<\/p>/.dotMatchesNewlines()).map { String($0.1) }
        return paragraphs.joined(separator: "\n\n").replacing("<br>", with: "\n").replacing(/<[^>]+>/, with: "")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#91;", with: "[").replacing("&amp;", with: "&")
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        let code =
            switch status {
            case 401: "rest_not_logged_in"
            case 403: "rest_cannot_create"
            case 404: "rest_post_invalid_id"
            case 412: "rest_upload_hash_mismatch"
            default: "error"
            }
        return error(status, code)
    }

    func error(_ status: Int, _ code: String, _ data: JSONObject = [:]) -> FakeAnswer {
        var data = data
        data["status"] = JSONValue(status)
        return .json(["code": .string(code), "message": "No.", "data": .object(data)], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("HEAD /") { request, _ in
                FakeAnswer(
                    .ok,
                    fields: [
                        "Content-Type": "text/html",
                        "Link": "<\(request.origin)/wp-json/>; rel=\"https://api.w.org/\"",
                    ])
            },
            FakeRoute("GET /wp-json/") { [self] _, _ in
                var index: JSONObject = ["name": "Lake", "namespaces": ["oembed/1.0", "wp/v2"], "authentication": []]
                if options.takesPasswords {
                    index["authentication"] = ["application-passwords": ["endpoints": [:]]]
                }
                return .json(.object(index))
            },
            authorized("GET /wp-json/wp/v2/users/me") { _, _ in
                .json([
                    "id": JSONValue(Self.user), "name": "alice", "slug": "alice",
                    "avatar_urls": ["96": "https://gravatar.test/alice"],
                    "capabilities": ["upload_files": true, "publish_posts": true],
                ])
            },
            authorized("POST /wp-json/wp/v2/media", upload),
            authorized("GET /wp-json/wp/v2/media") { [self] request, _ in
                let query = FormFields(request.query) ?? [:]
                let statuses = (query["status"] ?? "inherit").split(separator: ",").map(String.init)
                return .json(
                    JSONValue(
                        state.withLock { state in
                            state.media.filter { $0.slug == query["slug"] && statuses.contains($0.status) }
                                .map(Self.entity)
                        }))
            },
            authorized("GET /wp-json/wp/v2/media/{id}") { [self] _, parameters in
                let media = state.withLock { $0.media.first { String($0.id) == parameters["id"] } }
                return media.map { .json(Self.entity($0)) } ?? refusal(404)
            },
            authorized("POST /wp-json/wp/v2/media/{id}") { [self] request, parameters in
                state.withLock { state in
                    guard let index = state.media.firstIndex(where: { String($0.id) == parameters["id"] }) else {
                        return refusal(404)
                    }
                    if let text = request.json?["alt_text"]?.string { state.media[index].altText = text }
                    if let post = request.json?["post"]?.int { state.media[index].post = Int(post) }
                    return .json(Self.entity(state.media[index]))
                }
            },
            authorized("POST /wp-json/wp/v2/media/{id}/post-process") { [self] request, parameters in
                guard request.json?["action"] == "create-image-subsizes" else {
                    return error(400, "rest_invalid_param")
                }
                let media = state.withLock { $0.media.first { String($0.id) == parameters["id"] } }
                return media.map { .json(Self.entity($0)) } ?? refusal(404)
            },
            authorized("DELETE /wp-json/wp/v2/media/{id}") { [self] request, parameters in
                guard FormFields(request.query)?["force"] == "true" else {
                    return error(501, "rest_trash_not_supported")
                }
                return state.withLock { state in
                    guard let index = state.media.firstIndex(where: { String($0.id) == parameters["id"] }) else {
                        return refusal(404)
                    }
                    state.media.remove(at: index)
                    return .json(["deleted": true])
                }
            },
            authorized("POST /wp-json/wp/v2/posts", create),
            authorized("GET /wp-json/wp/v2/posts") { [self] request, _ in
                let query = FormFields(request.query) ?? [:]
                let statuses = (query["status"] ?? "publish").split(separator: ",").map(String.init)
                return .json(
                    JSONValue(
                        state.withLock { state in
                            state.posts.filter {
                                $0.slug == query["slug"] && !$0.isTrashed && statuses.contains($0.status)
                            }.map(Self.entity)
                        }))
            },
            authorized("GET /wp-json/wp/v2/posts/{id}") { [self] _, parameters in
                let post = state.withLock { $0.posts.first { String($0.id) == parameters["id"] } }
                return post.map { .json(Self.entity($0)) } ?? refusal(404)
            },
            authorized("POST /wp-json/wp/v2/posts/{id}") { [self] request, parameters in
                state.withLock { state in
                    guard let index = state.posts.firstIndex(where: { String($0.id) == parameters["id"] }) else {
                        return refusal(404)
                    }
                    if let title = request.json?["title"]?.string { state.posts[index].title = title }
                    if let content = request.json?["content"]?.string { state.posts[index].content = content }
                    if let status = request.json?["status"]?.string {
                        guard Self.statuses.contains(status) else { return error(400, "rest_invalid_param") }
                        // A draft gets its time when it is published.
                        if state.posts[index].status == "draft" { state.posts[index].createdAt = now() }
                        state.posts[index].status = status
                    }
                    return .json(Self.entity(state.posts[index]))
                }
            },
            authorized("DELETE /wp-json/wp/v2/posts/{id}") { [self] request, parameters in
                state.withLock { state in
                    guard let index = state.posts.firstIndex(where: { String($0.id) == parameters["id"] }) else {
                        return refusal(404)
                    }
                    if FormFields(request.query)?["force"] == "true" {
                        state.posts.remove(at: index)
                        return .json(["deleted": true])
                    }
                    guard options.hasTrash else { return error(501, "rest_trash_not_supported") }
                    if state.posts[index].isTrashed { return error(410, "rest_already_trashed") }
                    state.posts[index].isTrashed = true
                    return .json(["status": "trash"])
                }
            },
            authorized("GET /wp-json/wp/v2/categories") { [self] request, _ in
                let page = FormFields(request.query)?["page"].flatMap { Int($0) } ?? 1
                let found = state.withLock { $0.categories.dropFirst((page - 1) * 100).prefix(100) }
                return .json(
                    JSONValue(found.map { ["id": JSONValue($0.id), "name": .string(Self.html($0.name))] as JSONValue }))
            },
            authorized("POST /wp-json/wp/v2/categories") { [self] request, _ in
                guard let name = request.json?["name"]?.string, !name.isEmpty else {
                    return error(400, "rest_missing_callback_param")
                }
                guard options.makesCategories else { return error(403, "rest_cannot_create") }
                return state.withLock { state in
                    if let known = state.categories.first(where: { $0.name.lowercased() == name.lowercased() }) {
                        return error(400, "term_exists", ["term_id": JSONValue(known.id)])
                    }
                    let id = state.next()
                    state.categories.append((id, name))
                    return .json(["id": JSONValue(id), "name": .string(Self.html(name))], .created)
                }
            },
            authorized("GET /wp-json/wp/v2/comments", comments),
            authorized("POST /wp-json/wp/v2/comments", addComment),
            authorized("DELETE /wp-json/wp/v2/comments/{id}") { [self] request, parameters in
                guard FormFields(request.query)?["force"] == "true" else { return .json(["status": "trash"]) }
                return state.withLock { state in
                    guard let index = state.comments.firstIndex(where: { String($0.id) == parameters["id"] }) else {
                        return error(404, "rest_comment_invalid_id")
                    }
                    state.comments.remove(at: index)
                    return .json(["deleted": true])
                }
            },
        ]
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            let pair = request.fields["Authorization"].flatMap {
                $0.hasPrefix("Basic ") ? String($0.dropFirst(6)) : nil
            }
            .flatMap { Base64.decode($0) }.map { String(decoding: $0, as: UTF8.self) }
            // Spaces do not count.
            guard options.takesPasswords,
                pair?.replacing(" ", with: "") == "alice:\(Self.password.replacing(" ", with: ""))"
            else { return refusal(401) }
            return response(request, parameters)
        }
    }

    private func upload(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let form = request.form, let file = form["file"], let name = file.filename, !file.bytes.isEmpty else {
            return error(400, "rest_upload_no_data")
        }
        guard ["image/jpeg", "image/png", "image/gif", "image/webp", "video/mp4"].contains(file.mediaType) else {
            return error(500, "rest_upload_sideload_error")
        }
        return state.withLock { state in
            let id = state.next()
            let wanted = form["slug"]?.text ?? name
            let media = Media(
                id: id, slug: state.free(wanted, among: state.media.map(\.slug)),
                published: PublishedMedia(
                    sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count, mediaType: file.mediaType ?? "",
                    altText: ""), altText: form["alt_text"]?.text ?? "",
                status: form["status"]?.text ?? "inherit")
            state.media.append(media)
            var answer = FakeAnswer.json(Self.entity(media), .created)
            if options.failsSizes { answer = error(500, "rest_upload_unknown_error") }
            answer.fields.set("X-WP-Upload-Attachment-ID", String(id))
            return answer
        }
    }

    private static let statuses = ["publish", "private", "draft"]

    private func create(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let json = request.json, let content = json["content"]?.string else { return error(400, "empty_content") }
        let status = json["status"]?.string ?? "draft"
        guard Self.statuses.contains(status) else { return error(400, "rest_invalid_param") }
        return state.withLock { state in
            let id = state.next()
            // Categories that are not there are dropped.
            let categories = (json["categories"]?.array ?? []).compactMap { $0.int.map { Int($0) } }
                .filter { id in state.categories.contains { $0.id == id } }
            let post = Post(
                id: id, slug: state.free(json["slug"]?.string ?? String(id), among: state.posts.map(\.slug)),
                title: json["title"]?.string ?? "", content: content, status: status, categories: categories,
                createdAt: now())
            state.posts.append(post)
            return .json(Self.entity(post), .created)
        }
    }

    private static func html(_ name: String) -> String { name.replacing("&", with: "&amp;") }

    private static func entity(_ media: Media) -> JSONValue {
        [
            "id": JSONValue(media.id), "slug": .string(media.slug), "alt_text": .string(media.altText),
            "source_url": .string("https://blog.test/wp-content/uploads/\(media.slug).jpg"),
            "media_details": ["width": 640, "height": 480],
        ]
    }

    private static func entity(_ post: Post) -> JSONValue {
        [
            "id": JSONValue(post.id), "slug": .string(post.slug), "link": .string("https://blog.test/\(post.slug)/"),
            "status": .string(post.isTrashed ? "trash" : post.status), "title": ["raw": .string(post.title)],
            "content": ["raw": .string(post.content), "rendered": .string(post.content)],
        ]
    }
}
