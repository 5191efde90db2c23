internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// A person's own site with Micropub and IndieAuth, as the specifications describe them, and as the WordPress plugins 2.3.3 and 4.4.1
/// answer (seen running; read 2026-11-26).
package final class FakeMicropub: FakeService {
    package static let token = "micropub-token"
    /// What Pics is known by.
    package static let client = "https://pics.test/auth/client"

    /// How the site is set up.
    package struct Options: Sendable {
        /// Whether files go to an endpoint of their own.
        package var hasMediaEndpoint = true
        /// Whether it lists its posts.
        package var listsPosts = true
        /// Whether a list tells the addresses of posts; the WordPress plugin's does not.
        package var tellsAddresses = true
        /// How long a new post is missing from lists.
        package var listDelay: TimeInterval = 0
        package var visibilities = ["public", "unlisted", "private"]
        /// Whether its page names the endpoints in its header; else in the page.
        package var linksInHeader = true
        /// Whether posts are there later than they are accepted.
        package var accepts = false
        /// Whether it is WordPress with its plugin, version 2.3.3: it lists what everybody may see, tells which files no post shows, and writes the page
        /// of a post anew when that is changed.
        package var isWordPress = false
        /// Whether posts of the account wait for somebody's approval.
        package var makesDrafts = false
        /// Another address that tokens are said to be for.
        package var me: String?
        /// Of tokens that were got by consent; nil: they do not end.
        package var tokenLife: TimeInterval?

        package init() {}
    }

    private struct Post {
        let url: String
        var properties: JSONObject
        let createdAt: Date
        /// Whether its page shows its pictures.
        var showsPictures = true
    }

    private struct State {
        var files: [String: PublishedMedia] = [:]
        var posts: [Post] = []
        var last = 0
        var isRevoked = false
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
        consent.clientID = Self.client
        consent.clientSecret = nil
        consent.accessLife = options.tokenLife
        oauth = FakeOAuth2("micropub", consent, now: now)
    }

    package var effects: [PublishedPost] {
        state.withLock { state in
            state.posts.map { post in
                let shown = Self.files(of: post)
                let content = post.properties["content"]?.array?.first
                return PublishedPost(
                    id: post.url, url: post.url, text: content?.string ?? content?["value"]?.string ?? "",
                    media: shown.compactMap { item in
                        guard let file = state.files[item.string ?? item["value"]?.string ?? ""] else { return nil }
                        return PublishedMedia(
                            sha256: file.sha256, bytes: file.bytes, mediaType: file.mediaType,
                            altText: item["alt"]?.string ?? "")
                    }, createdAt: post.createdAt)
            }
        }
    }

    private static func files(of post: Post) -> [JSONValue] {
        guard post.showsPictures else { return [] }
        return (post.properties["photo"]?.array ?? []) + (post.properties["video"]?.array ?? [])
    }

    package var albumNames: [String] { values("category") }
    package var positions: [String] {
        values("location").map { $0.replacing("geo:", with: "").replacing(",", with: " ") }
    }
    /// Who sees the posts, as far as they say.
    package var visibilities: [String] { values("visibility") }

    private func values(_ property: String) -> [String] {
        state.withLock { state in
            state.posts.flatMap { $0.properties[property]?.array?.compactMap(\.string) ?? [] }
        }
    }

    /// Posts so many notes from elsewhere.
    package func postOthers(_ count: Int, at date: Date) {
        state.withLock { state in
            for number in 0..<count {
                state.posts.append(
                    Post(url: "https://blog.test/note-\(number)", properties: ["content": ["Mine"]], createdAt: date))
            }
        }
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        let error =
            switch status {
            case 401: "unauthorized"
            case 403: "insufficient_scope"
            case 404, 400, 422: "invalid_request"
            default: "server_error"
            }
        return .json(["error": .string(error), "error_description": "No."], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /") { [self] request, _ in page(request.origin) },
            FakeRoute("GET /indieauth") { request, _ in
                .json([
                    "issuer": .string("\(request.origin)/"), "authorization_endpoint": "/authorize",
                    "token_endpoint": .string("\(request.origin)/token"), "revocation_endpoint": "/revoke",
                    "code_challenge_methods_supported": ["S256"],
                ])
            },
            FakeRoute("GET /authorize") { [oauth] request, _ in
                let query = FormFields(request.query) ?? [:]
                guard query["code_challenge"] != nil, query["scope"]?.contains("create") == true else {
                    return FakeAnswer(.badRequest)
                }
                var answer = oauth.consent(request)
                if let back = answer.fields["Location"] {
                    answer.fields.set("Location", "\(back)&iss=\(PercentEncoding.encode("\(request.origin)/"))")
                }
                return answer
            },
            FakeRoute("POST /token") { [self] request, _ in
                oauth.token(request, extra: ["me": .string(options.me ?? "\(request.origin)/"), "scope": "create"])
            },
            FakeRoute("POST /revoke") { [self] request, _ in oauth.revoke(request) },
            authorized("GET \(endpoint)", query),
            authorized("POST \(endpoint)", change),
            authorized("GET \(media)") { [self] request, _ in
                guard options.isWordPress, FormFields(request.query)?["q"] == "source" else { return refusal(400) }
                return .json(["items": JSONValue(unusedFiles.map { ["url": .string($0)] as JSONValue })])
            },
            authorized("POST \(media)") { [self] request, _ in
                guard options.hasMediaEndpoint, let file = request.form?["file"], file.filename != nil else {
                    return refusal(400)
                }
                let url = store(file, at: request.origin)
                return FakeAnswer(.created, fields: ["Location": url], body: Array("See \(url)".utf8))
            },
        ]
    }

    private var endpoint: String { options.isWordPress ? "/wp-json/micropub/1.0/endpoint" : "/micropub" }
    private var media: String { options.isWordPress ? "/wp-json/micropub/1.0/media" : "/media" }

    /// Files that are attached to no post.
    private var unusedFiles: [String] {
        state.withLock { state in
            let used = state.posts.flatMap { post in
                ["photo", "video"].flatMap { post.properties[$0]?.array ?? [] }
                    .compactMap { $0.string ?? $0["value"]?.string }
            }
            return state.files.keys.filter { !used.contains($0) }
        }
    }

    private func page(_ origin: String) -> FakeAnswer {
        var answer = FakeAnswer(.ok, fields: ["Content-Type": "text/html"])
        if options.linksInHeader {
            answer.fields.add("Link", "<\(endpoint)>; rel=\"micropub\"")
            answer.fields.add("Link", "<\(origin)/indieauth>; rel=\"indieauth-metadata\"")
        } else {
            answer.body = Array(
                """
                <!doctype html><title>Alice</title><link rel="micropub" href="/micropub">
                <link rel=authorization_endpoint href="\(origin)/authorize"><a rel="token_endpoint me" href=token>x</a>
                """.utf8)
        }
        return answer
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            let isKnown =
                request.fields.values("Authorization") == ["Bearer \(Self.token)"]
                || oauth.standing(of: request) == .good
            guard isKnown else { return refusal(401) }
            return response(request, parameters)
        }
    }

    private func store(_ file: FormPart, at origin: String) -> String {
        state.withLock { state in
            state.last += 1
            let url = "\(origin)/files/\(state.last)-\(file.filename ?? "")"
            state.files[url] = PublishedMedia(
                sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count, mediaType: file.mediaType ?? "",
                altText: "")
            return url
        }
    }

    // MARK: Queries

    private func query(_ request: FakeRequest, _: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        switch query["q"] {
        case "config":
            var json: JSONObject = [
                "q": ["config", "syndicate-to", "category", "source"], "syndicate-to": [],
                "visibility": JSONValue(options.visibilities),
            ]
            if options.hasMediaEndpoint { json["media-endpoint"] = .string(request.origin + media) }
            return .json(.object(json))
        case "category":
            let known = ["Travel"] + albumNames
            return .json(["categories": JSONValue(known.map(JSONValue.string))])
        case "source":
            guard let url = query["url"] else { return list(query) }
            return state.withLock { state in
                guard let post = state.posts.first(where: { $0.url == url }) else { return refusal(400) }
                return .json(["type": ["h-entry"], "properties": .object(post.properties)])
            }
        default: return refusal(400)
        }
    }

    private func list(_ query: FormFields) -> FakeAnswer {
        guard options.listsPosts else { return refusal(400) }
        let newest = now() - options.listDelay
        return state.withLock { state in
            let posts = state.posts.reversed().filter { $0.createdAt <= newest && isListed($0) }
                .prefix(query["limit"].flatMap { Int($0) } ?? 10)
            return .json([
                "items": JSONValue(
                    posts.map { post -> JSONValue in
                        var properties = post.properties
                        properties["published"] = [.string(post.createdAt.formatted(.iso8601))]
                        if options.tellsAddresses { properties["url"] = [.string(post.url)] }
                        return ["type": ["h-entry"], "properties": .object(properties)]
                    })
            ])
        }
    }

    private func isListed(_ post: Post) -> Bool {
        guard options.isWordPress else { return true }
        return !options.makesDrafts && (post.properties["visibility"] ?? ["public"]) == ["public"]
    }

    // MARK: Posts

    private func change(_ request: FakeRequest, _: FakeParameters) -> FakeAnswer {
        if let parts = request.formParts { return create(parts, request.origin) }
        guard let json = request.json else { return refusal(400) }
        if json["type"] == ["h-entry"], let properties = json["properties"]?.object {
            return add(properties, request.origin)
        }
        guard let url = json["url"]?.string else { return refusal(400) }
        return state.withLock { state in
            guard let index = state.posts.firstIndex(where: { $0.url == url }) else { return refusal(400) }
            switch json["action"]?.string {
            case "delete": state.posts.remove(at: index)
            case "update":
                for member in json["replace"]?.object ?? [:] {
                    guard member.value.array != nil else { return refusal(400) }
                    if options.isWordPress, member.name == "content" {
                        state.posts[index].showsPictures = json["properties"]?["photo"] != nil
                        if member.value == [""] { continue }
                    }
                    state.posts[index].properties[member.name] = member.value
                }
            default: return refusal(400)
            }
            return FakeAnswer(.noContent)
        }
    }

    private func create(_ parts: [FormPart], _ origin: String) -> FakeAnswer {
        guard parts.contains(where: { $0.name == "h" && $0.text == "entry" }) else { return refusal(400) }
        var properties: JSONObject = [:]
        var (files, words) = ([JSONValue](), [String]())
        for part in parts where part.name != "h" {
            switch part.name {
            case "photo", "photo[]", "video": files.append(.string(store(part, at: origin)))
            case "mp-photo-alt[]": words.append(part.text)
            default:
                let name = part.name.replacing("[]", with: "")
                properties[name] = JSONValue((properties[name]?.array ?? []) + [.string(part.text)])
            }
        }
        let shown = files.enumerated().map { place, file -> JSONValue in
            words.indices.contains(place) && !words[place].isEmpty
                ? ["value": file, "alt": .string(words[place])] : file
        }
        properties["photo"] = JSONValue(shown)
        return add(properties, origin)
    }

    private func add(_ properties: JSONObject, _ origin: String) -> FakeAnswer {
        for member in properties where member.value.array == nil { return refusal(400) }
        return state.withLock { state in
            let slug = properties["mp-slug"]?.array?.first?.string ?? "note"
            let same = state.posts.count { $0.url.contains("/\(slug)") }
            let url = "\(origin)/\(slug)\(same == 0 ? "" : "-\(same + 1)")"
            state.posts.append(Post(url: url, properties: properties, createdAt: now()))
            return FakeAnswer(
                options.accepts ? .accepted : .created, fields: ["Location": url], body: Array("See \(url)".utf8))
        }
    }
}
