internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// The mixi Graph API with one account, as clients of 2012 to 2023 used it (read 2026-11-21).
package final class FakeMixi: FakeService {
    private struct State {
        var items: [(album: String, id: String, post: PublishedPost)] = []
        var albums: [(id: String, title: String, visibility: String)] = [("1", "Lakes", "friends")]
        var count = 100
    }

    private let now: @Sendable () -> Date
    private let oauth: FakeOAuth2
    private let state = Lock(State())

    /// Starts with one album.
    package init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
        var consent = FakeOAuth2.Options()
        consent.accessLife = 900
        consent.codeLife = 180
        consent.rotates = true
        oauth = FakeOAuth2("mixi", consent, now: now)
    }

    package var effects: [PublishedPost] { state.withLock { $0.items.map(\.post) } }

    /// The albums' titles and who may see them.
    package var albums: [String] { state.withLock { $0.albums.map { "\($0.title) \($0.visibility)" } } }

    package var albumNames: [String] {
        state.withLock { state in
            state.items.compactMap { item in state.albums.first { $0.id == item.album }?.title }
        }
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        FakeAnswer(
            HTTPStatus(code: status),
            fields: status == 401 ? ["WWW-Authenticate": "OAuth realm='api', error='invalid_token'"] : [:])
    }

    package var routes: [FakeRoute] {
        let items = "/2/photo/mediaItems/@me/@self/{album}"
        return [
            FakeRoute("GET /connect_authorize.pl") { [oauth] request, _ in oauth.consent(request) },
            FakeRoute("POST /2/token") { [oauth] request, _ in oauth.token(request) },
            authorized("GET /2/people/@me/@self") { _, _ in
                .json(["entry": ["id": "abc", "displayName": "alice"]])
            },
            authorized("POST \(items)", post),
            authorized("GET \(items)") { [self] request, parameters in
                let length = FormFields(request.query)?["count"].flatMap { Int($0) } ?? 30
                let entries = state.withLock(\.items).reversed().filter { $0.album == parameters["album"] }
                    .prefix(length)
                return .json(["entry": JSONValue(entries.map { Self.entity($0.id, $0.post) })])
            },
            authorized("GET \(items)/{id}") { [self] _, parameters in
                guard let item = state.withLock(\.items).first(where: { $0.id == parameters["id"] }) else {
                    return refusal(404)
                }
                return .json(["entry": [Self.entity(item.id, item.post)]])
            },
            authorized("DELETE \(items)/{id}") { [self] _, parameters in
                state.withLock { state in
                    guard let index = state.items.firstIndex(where: { $0.id == parameters["id"] }) else {
                        return refusal(404)
                    }
                    state.items.remove(at: index)
                    return FakeAnswer(.ok)
                }
            },
            authorized("GET /2/photo/albums/@me/@self") { [self] _, _ in
                let albums = state.withLock(\.albums).map { album -> JSONValue in
                    ["id": .string(album.id), "title": .string(album.title)]
                }
                return .json(["entry": JSONValue(albums), "totalResults": JSONValue(albums.count)])
            },
            authorized("POST /2/photo/albums/@me/@self") { [self] request, _ in
                guard let form = FormFields(request.body), let title = form["title"] else { return refusal(400) }
                return state.withLock { state in
                    state.count += 1
                    state.albums.append((String(state.count), title, form["visibility"] ?? "everyone"))
                    return .json(["id": .string(String(state.count))])
                }
            },
        ]
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            oauth.standing(of: request) == .good ? response(request, parameters) : refusal(401)
        }
    }

    private func post(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let type = request.contentType, type == "image/jpeg" || type == "image/png", !request.body.isEmpty else {
            return refusal(400)
        }
        let album = parameters["album"]
        return state.withLock { state in
            guard album == "@default" || state.albums.contains(where: { $0.id == album }) else { return refusal(404) }
            state.count += 1
            let id = String(state.count)
            let media = PublishedMedia(
                sha256: SHA256Digest(of: request.body).hex, bytes: request.body.count, mediaType: type, altText: "")
            let post = PublishedPost(
                id: "\(album)/\(id)", url: "https://photo.mixi.jp/view_photo.pl?photo_id=\(id)",
                text: FormFields(request.query)?["title"] ?? "", media: [media], createdAt: now())
            state.items.append((album, id, post))
            return .json(["id": .string(id)])
        }
    }

    /// Adds pictures that were posted otherwise now. Returns their places: album and identifier.
    @discardableResult
    package func add(pictures count: Int, titled title: String = "Other") -> [String] {
        let now = now()
        return state.withLock { state in
            (0..<count).map { _ in
                state.count += 1
                let place = "@default/\(state.count)"
                let post = PublishedPost(id: place, url: "", text: title, media: [], createdAt: now)
                state.items.append(("@default", String(state.count), post))
                return place
            }
        }
    }

    private static func entity(_ id: String, _ post: PublishedPost) -> JSONValue {
        [
            "id": .string(id), "title": .string(post.text), "viewPageUrl": .string(post.url),
            "created": .string(post.createdAt.formatted(.iso8601)),
        ]
    }
}
