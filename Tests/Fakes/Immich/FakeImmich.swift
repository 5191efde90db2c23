internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// An Immich server with one person, as its OpenAPI document describes it (2.5.2, and 3.0 where it differs; read 2026-11-26).
package final class FakeImmich: FakeService {
    package static let key = "immich-key"
    private static let user = "9b8e2a52-4c8b-4e0a-9d5e-000000000001"

    private struct Asset {
        let id: String
        let sha1: [UInt8]
        let published: PublishedMedia
        var description: String
        let at: Date
        var isTrashed = false
    }

    private struct State {
        var assets: [Asset] = []
        var albums: [(id: String, name: String, assets: [String])] = [("album-1", "Holiday", [])]
        var links: [(id: String, asset: String, description: String)] = []
        var last = 0

        mutating func next(_ kind: String) -> String {
            last += 1
            return "\(kind)-\(last)"
        }
    }

    /// 2 or 3.
    private let version: Int
    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// Starts with an empty library.
    package init(version: Int = 3, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.version, self.now) = (version, now)
    }

    package var effects: [PublishedPost] {
        state.withLock { state in
            state.assets.filter { !$0.isTrashed }.map { asset in
                PublishedPost(
                    id: asset.id, url: "", text: asset.description, media: [asset.published], createdAt: asset.at)
            }
        }
    }

    package var albumNames: [String] {
        state.withLock { state in state.albums.flatMap { album in album.assets.map { _ in album.name } } }
    }

    /// Assets with a public link.
    package var links: [String] { state.withLock { $0.links.map(\.asset) } }

    /// The owner puts a file in by themselves; its id.
    @discardableResult
    package func add(_ bytes: [UInt8], isTrashed: Bool = false) -> String {
        state.withLock { state in
            let id = state.next("asset")
            state.assets.append(
                Asset(
                    id: id, sha1: HashAlgorithm.sha1.hash(of: bytes),
                    published: PublishedMedia(
                        sha256: SHA256Digest(of: bytes).hex, bytes: bytes.count, mediaType: "image/jpeg", altText: ""),
                    description: "Mine", at: now(), isTrashed: isTrashed))
            return id
        }
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        .json(
            [
                "message": .string(status == 403 ? "Missing required permission: asset.upload" : "No."),
                "error": "Error", "statusCode": JSONValue(status),
            ], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /api/server/version") { [self] _, _ in
                .json(["major": JSONValue(version), "minor": 1, "patch": 0])
            },
            authorized("GET /api/users/me") { _, _ in
                .json(["id": .string(Self.user), "name": "Alice", "email": "alice@example.org"])
            },
            authorized("POST /api/assets", upload),
            authorized("POST /api/assets/bulk-upload-check") { [self] request, _ in
                let asked = request.json?["assets"]?.array ?? []
                return state.withLock { state in
                    .json([
                        "results": JSONValue(
                            asked.map { item -> JSONValue in
                                let sha1 = item["checksum"]?.string.flatMap { Hex.decode($0) }
                                guard let asset = state.assets.first(where: { $0.sha1 == sha1 }) else {
                                    return ["id": item["id"] ?? .null, "action": "accept"]
                                }
                                return [
                                    "id": item["id"] ?? .null, "action": "reject", "reason": "duplicate",
                                    "assetId": .string(asset.id), "isTrashed": .bool(asset.isTrashed),
                                ]
                            })
                    ])
                }
            },
            authorized("POST /api/trash/restore/assets") { [self] request, _ in
                let ids = Set(request.json?["ids"]?.array?.compactMap(\.string) ?? [])
                state.withLock { state in
                    for index in state.assets.indices where ids.contains(state.assets[index].id) {
                        state.assets[index].isTrashed = false
                    }
                }
                return .json(["count": JSONValue(ids.count)])
            },
            authorized("PUT /api/assets/{id}") { [self] request, parameters in
                state.withLock { state in
                    guard let index = state.assets.firstIndex(where: { $0.id == parameters["id"] }) else {
                        return missing()
                    }
                    if let text = request.json?["description"]?.string { state.assets[index].description = text }
                    return .json(["id": .string(parameters["id"])])
                }
            },
            authorized("DELETE /api/assets") { [self] request, _ in
                let ids = request.json?["ids"]?.array?.compactMap(\.string) ?? []
                return state.withLock { state in
                    guard ids.allSatisfy({ id in state.assets.contains { $0.id == id && !$0.isTrashed } }) else {
                        return missing()
                    }
                    for index in state.assets.indices where ids.contains(state.assets[index].id) {
                        state.assets[index].isTrashed = true
                    }
                    return FakeAnswer(.noContent)
                }
            },
            authorized("GET /api/albums") { [self] _, _ in
                let albums = state.withLock { $0.albums }
                let others: JSONValue = [
                    "id": "album-9", "albumName": "Of others", "ownerId": "another",
                    "albumUsers": [["user": ["id": "another"], "role": "owner"]],
                ]
                return .json(
                    JSONValue(
                        albums.map { album -> JSONValue in
                            version == 2
                                ? [
                                    "id": .string(album.id), "albumName": .string(album.name),
                                    "ownerId": .string(Self.user),
                                ]
                                : [
                                    "id": .string(album.id), "albumName": .string(album.name),
                                    "albumUsers": [["user": ["id": .string(Self.user)], "role": "owner"]],
                                ]
                        } + [others]))
            },
            authorized("POST /api/albums") { [self] request, _ in
                guard let name = request.json?["albumName"]?.string, !name.isEmpty else { return refusal(400) }
                return state.withLock { state in
                    let id = state.next("album-new")
                    state.albums.append((id, name, []))
                    return .json(["id": .string(id), "albumName": .string(name)], .created)
                }
            },
            authorized("PUT /api/albums/{id}/assets") { [self] request, parameters in
                let ids = request.json?["ids"]?.array?.compactMap(\.string) ?? []
                return state.withLock { state in
                    guard let album = state.albums.firstIndex(where: { $0.id == parameters["id"] }) else {
                        return missing()
                    }
                    let results = ids.map { id -> JSONValue in
                        if state.albums[album].assets.contains(id) {
                            return ["id": .string(id), "success": false, "error": "duplicate"]
                        }
                        state.albums[album].assets.append(id)
                        return ["id": .string(id), "success": true]
                    }
                    return .json(JSONValue(results))
                }
            },
            authorized("POST /api/shared-links") { [self] request, _ in
                guard let id = request.json?["assetIds"]?.array?.first?.string else { return refusal(400) }
                return state.withLock { state in
                    let link = state.next("link")
                    state.links.append((link, id, request.json?["description"]?.string ?? ""))
                    return .json(["id": .string(link), "key": .string("key-of-\(id)")], .created)
                }
            },
            authorized("GET /api/shared-links") { [self] _, _ in
                let links = state.withLock { $0.links }
                return .json(
                    JSONValue(
                        links.map { link -> JSONValue in
                            let asset: JSONValue = ["id": .string(link.asset)]
                            return [
                                "id": .string(link.id), "key": .string("key-of-\(link.asset)"), "type": "INDIVIDUAL",
                                "description": .string(link.description), "assets": [asset],
                            ]
                        }))
            },
            authorized("DELETE /api/shared-links/{id}") { [self] _, parameters in
                state.withLock { state in state.links.removeAll { $0.id == parameters["id"] } }
                return FakeAnswer(.noContent)
            },
        ]
    }

    private func missing() -> FakeAnswer {
        .json(["message": "Not found or no asset.delete access", "statusCode": 400], .badRequest)
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            request.fields["x-api-key"] == Self.key ? response(request, parameters) : refusal(401)
        }
    }

    /// The checksum is looked for first; an asset in the trash counts.
    private func upload(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let form = request.form, let file = form["assetData"], let name = file.filename, !file.bytes.isEmpty,
            form["fileCreatedAt"]?.text.hasSuffix("Z") == true, form["fileModifiedAt"] != nil,
            version > 2 || form["deviceAssetId"] != nil && form["deviceId"] != nil
        else { return refusal(400) }
        guard ["jpg", "png", "webp", "gif", "heic", "mp4", "mov"].contains(name.split(separator: ".").last ?? "") else {
            return .json(["message": .string("Unsupported file type \(name)")], .badRequest)
        }
        let sha1 = HashAlgorithm.sha1.hash(of: file.bytes)
        let told = request.fields["x-immich-checksum"].flatMap { Hex.decode($0) }
        return state.withLock { state in
            if let there = state.assets.first(where: { $0.sha1 == told ?? sha1 }) {
                return .json(["id": .string(there.id), "status": "duplicate"])
            }
            let words = String(decoding: form["sidecarData"]?.bytes ?? [], as: UTF8.self)
                .firstMatch(of: /<dc:description>.*?x-default">(.*?)<\/rdf:li>/.dotMatchesNewlines())
            let id = state.next("asset")
            state.assets.append(
                Asset(
                    id: id, sha1: sha1,
                    published: PublishedMedia(
                        sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count,
                        mediaType: file.mediaType ?? "", altText: ""),
                    description: String(words?.1 ?? "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                        .replacing("&amp;", with: "&"), at: now()))
            return .json(["id": .string(id), "status": "created"], .created)
        }
    }
}
