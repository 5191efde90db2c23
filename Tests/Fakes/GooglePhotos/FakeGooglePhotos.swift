internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// The Google Photos Library API with one account, as developers.google.com describes it (read 2026-11-21).
package final class FakeGooglePhotos: FakeService {
    /// How the service is set up.
    package struct Options: Sendable {
        /// How long a new item is missing from lists.
        package var listDelay: TimeInterval = 0
        /// Pieces are multiples of it, but for the last.
        package var granularity = 4_000

        package init() {}
    }

    private struct State {
        var uploads: [String: (content: [UInt8], mediaType: String, size: Int, isFinal: Bool)] = [:]
        var tokens: [String: (content: [UInt8], mediaType: String)] = [:]
        var items: [Item] = []
        var albums: [(id: String, title: String)] = [("album-0", "Lakes")]
        var count = 0

        mutating func next(_ kind: String) -> String {
            count += 1
            return "\(kind)-\(count)"
        }
    }

    private struct Item {
        var post: PublishedPost
        let name: String
        let album: String?
    }

    private let options: Options
    private let now: @Sendable () -> Date
    /// Its consent and tokens.
    package let oauth: FakeOAuth2
    private let state = Lock(State())

    /// Starts with one album.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        var consent = FakeOAuth2.Options()
        consent.accessLife = 3599
        oauth = FakeOAuth2("google", consent, now: now)
    }

    package var effects: [PublishedPost] { state.withLock { $0.items.map(\.post) } }

    /// In which albums the items are.
    package var albums: [String?] { state.withLock { $0.items.map(\.album) } }

    /// Forgets uploads and their tokens, as after a day.
    package func dropTokens() {
        state.withLock {
            $0.tokens = [:]
            $0.uploads = [:]
        }
    }

    package var albumNames: [String] {
        state.withLock { state in
            state.items.compactMap { item in state.albums.first { $0.id == item.album }?.title }
        }
    }

    package func refusal(_ status: Int) -> FakeAnswer { refusal(status, "") }

    private func refusal(_ status: Int, _ message: String) -> FakeAnswer {
        let name =
            switch status {
            case 400: "INVALID_ARGUMENT"
            case 401: "UNAUTHENTICATED"
            case 403: "PERMISSION_DENIED"
            case 404: "NOT_FOUND"
            case 409: "ABORTED"
            case 429: "RESOURCE_EXHAUSTED"
            default: "INTERNAL"
            }
        return .json(
            ["error": ["code": JSONValue(status), "message": .string(message), "status": .string(name)]],
            HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /o/oauth2/v2/auth") { [oauth] request, _ in oauth.consent(request) },
            FakeRoute("POST /token") { [oauth] request, _ in oauth.token(request) },
            FakeRoute("POST /revoke") { [oauth] request, _ in oauth.revoke(request, asksApp: false, endsAll: true) },
            authorized("POST /v1/uploads", upload),
            authorized("POST /v1/uploads/{id}", piece),
            authorized("POST /v1/mediaItems:batchCreate", create),
            authorized("GET /v1/mediaItems", list),
            authorized("PATCH /v1/mediaItems/{id}", describe),
            authorized("GET /v1/albums") { [self] _, _ in
                let albums = state.withLock(\.albums).map { album -> JSONValue in
                    ["id": .string(album.id), "title": .string(album.title), "isWriteable": true]
                }
                return .json(["albums": JSONValue(albums)])
            },
            authorized("POST /v1/albums") { [self] request, _ in
                guard let title = request.json?["album"]?["title"]?.string else { return refusal(400) }
                return state.withLock { state in
                    let id = state.next("album")
                    state.albums.append((id, title))
                    return .json(["id": .string(id), "title": .string(title)])
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

    // MARK: Bytes

    private func upload(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let type = request.fields["X-Goog-Upload-Content-Type"] else { return refusal(400) }
        return state.withLock { state in
            switch request.fields["X-Goog-Upload-Protocol"] {
            case "raw":
                guard request.contentType == "application/octet-stream", !request.body.isEmpty else {
                    return refusal(400)
                }
                return token(for: request.body, type, &state)
            case "resumable":
                guard request.fields["X-Goog-Upload-Command"] == "start", request.body.isEmpty,
                    let size = request.fields["X-Goog-Upload-Raw-Size"].flatMap({ Int($0) })
                else { return refusal(400) }
                let id = state.next("upload")
                state.uploads[id] = ([], type, size, false)
                return FakeAnswer(
                    .ok,
                    fields: [
                        "X-Goog-Upload-URL": "\(request.origin)/v1/uploads/\(id)",
                        "X-Goog-Upload-Chunk-Granularity": String(options.granularity),
                    ], body: [0x0A])
            default:
                return refusal(400)
            }
        }
    }

    private func piece(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let id = parameters["id"]
        return state.withLock { state in
            guard let upload = state.uploads[id] else { return refusal(404) }
            let command = request.fields["X-Goog-Upload-Command"] ?? ""
            if command == "query" {
                return FakeAnswer(
                    .ok,
                    fields: [
                        "X-Goog-Upload-Status": upload.isFinal ? "final" : "active",
                        "X-Goog-Upload-Size-Received": String(upload.content.count),
                    ])
            }
            let isLast = command == "upload, finalize"
            guard isLast || command == "upload", !upload.isFinal,
                request.fields["X-Goog-Upload-Offset"] == String(upload.content.count),
                isLast || request.body.count.isMultiple(of: options.granularity)
            else { return refusal(400) }
            state.uploads[id]?.content += request.body
            guard isLast else { return FakeAnswer(.ok, body: [0x0A]) }
            let content = state.uploads[id]?.content ?? []
            guard content.count == upload.size else { return refusal(400) }
            state.uploads[id]?.isFinal = true
            return token(for: content, upload.mediaType, &state)
        }
    }

    private func token(for content: [UInt8], _ type: String, _ state: inout State) -> FakeAnswer {
        let token = state.next("token")
        state.tokens[token] = (content, type)
        return FakeAnswer(.ok, fields: ["Content-Type": "text/plain"], body: Array(token.utf8))
    }

    // MARK: Items

    /// The same bytes are the same item; its first name and description stay.
    private func create(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let new = request.json?["newMediaItems"]?[0], let token = new["simpleMediaItem"]?["uploadToken"]?.string
        else { return refusal(400) }
        let description = new["description"]?.string ?? ""
        guard description.utf16.count < 1000 else { return refusal(400) }
        let album = request.json?["albumId"]?.string
        return state.withLock { state in
            guard album == nil || state.albums.contains(where: { $0.id == album }) else { return refusal(404) }
            // Seen live: gphotos-uploader-cli issues 132 and 223.
            guard let bytes = state.tokens[token] else {
                return refusal(400, "Request must contain a valid upload token.")
            }
            let sha256 = SHA256Digest(of: bytes.content).hex
            if let there = state.items.first(where: { $0.post.media[0].sha256 == sha256 }) {
                return .json(["newMediaItemResults": [["status": ["message": "OK"], "mediaItem": entity(there)]]])
            }
            let id = state.next("item")
            let media = PublishedMedia(
                sha256: sha256, bytes: bytes.content.count, mediaType: bytes.mediaType, altText: "")
            let item = Item(
                post: PublishedPost(
                    id: id, url: "https://photos.google.com/lr/photo/\(id)", text: description, media: [media],
                    createdAt: now()),
                name: new["simpleMediaItem"]?["fileName"]?.string ?? "", album: album)
            state.items.append(item)
            return .json(["newMediaItemResults": [["status": ["message": "Success"], "mediaItem": entity(item)]]])
        }
    }

    private func entity(_ item: Item) -> JSONValue {
        ["id": .string(item.post.id), "productUrl": .string(item.post.url), "filename": .string(item.name)]
    }

    private func list(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let newest = now() - options.listDelay
        return state.withLock { state in
            let items = state.items.reversed().filter { $0.post.createdAt <= newest }.map(entity)
            return items.isEmpty ? .json([:]) : .json(["mediaItems": JSONValue(items)])
        }
    }

    private func describe(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let text = request.json?["description"]?.string else { return refusal(400) }
        return state.withLock { state in
            guard let index = state.items.firstIndex(where: { $0.post.id == parameters["id"] }) else {
                return refusal(404)
            }
            let old = state.items[index].post
            state.items[index].post = PublishedPost(
                id: old.id, url: old.url, text: text, media: old.media, createdAt: old.createdAt)
            return .json(entity(state.items[index]))
        }
    }
}
