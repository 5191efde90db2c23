internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// A server that speaks Minus's API 2 with one account, as miners.github.io/MinusAPIv2 described it (read 2026-11-21).
package final class FakeMinus: FakeService {
    private struct State {
        var files: [(folder: String, name: String, post: PublishedPost)] = []
        var folders: [(id: String, name: String)] = []
        var access: [String: Date] = [:]
        var refresh: Set<String> = []
        var count = 0
    }

    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// Starts with no folder.
    package init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    package var effects: [PublishedPost] { state.withLock { $0.files.map(\.post) } }

    /// Names of the folders.
    package var folders: [String] { state.withLock { $0.folders.map(\.name) } }

    package var albumNames: [String] {
        state.withLock { state in
            state.files.compactMap { file in state.folders.first { $0.id == file.folder }?.name }
        }
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        .json(["error_description": "No."], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("POST /oauth/token") { [self] request, _ in token(request) },
            authorized("GET /api/v2/activeuser") { _, _ in .json(["username": "alice", "slug": "alice"]) },
            authorized("GET /api/v2/users/alice/folders") { [self] _, _ in
                let folders = state.withLock(\.folders).map { folder -> JSONValue in
                    ["id": .string(folder.id), "name": .string(folder.name)]
                }
                return .json(["results": JSONValue(folders), "next": .null])
            },
            authorized("POST /api/v2/users/alice/folders") { [self] request, _ in
                guard let form = FormFields(request.body), let name = form["name"], form["is_public"] != nil else {
                    return refusal(400)
                }
                return state.withLock { state in
                    state.count += 1
                    state.folders.append(("f\(state.count)", name))
                    return .json(["id": .string("f\(state.count)"), "name": .string(name)])
                }
            },
            authorized("POST /api/v2/folders/{id}/files", upload),
            authorized("GET /api/v2/folders/{id}/files") { [self] _, parameters in
                let files = state.withLock(\.files).filter { $0.folder == parameters["id"] }.map { file -> JSONValue in
                    ["id": .string(file.post.id), "name": .string(file.name), "url": .string(file.post.url)]
                }
                return .json(["results": JSONValue(files), "next": .null])
            },
            authorized("DELETE /api/v2/files/{id}") { [self] _, parameters in
                state.withLock { state in
                    guard let index = state.files.firstIndex(where: { $0.post.id == parameters["id"] }) else {
                        return refusal(404)
                    }
                    state.files.remove(at: index)
                    return FakeAnswer(.noContent)
                }
            },
        ]
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            let token = request.fields["Authorization"]?.dropFirst(7) ?? ""
            let end = state.withLock { $0.access[String(token)] }
            return end.map { $0 > now() } == true ? response(request, parameters) : refusal(401)
        }
    }

    /// The password grant, and refreshing.
    private func token(_ request: FakeRequest) -> FakeAnswer {
        let form = FormFields(request.body) ?? [:]
        guard form["client_id"] == "client-id", form["client_secret"] == "client-secret" else { return refusal(401) }
        return state.withLock { state in
            switch form["grant_type"] {
            case "password":
                guard form["username"] == "alice", form["password"] == "secret" else { return refusal(400) }
            case "refresh_token":
                guard state.refresh.contains(form["refresh_token"] ?? "") else { return refusal(400) }
            default:
                return refusal(400)
            }
            state.count += 1
            state.access["access-\(state.count)"] = now() + 3600
            state.refresh.insert("refresh-\(state.count)")
            return .json([
                "access_token": .string("access-\(state.count)"), "refresh_token": .string("refresh-\(state.count)"),
                "expires_in": 3600,
            ])
        }
    }

    private func upload(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let form = request.form, let file = form["file"], !file.bytes.isEmpty, let name = form["filename"]?.text
        else { return refusal(400) }
        return state.withLock { state in
            guard state.folders.contains(where: { $0.id == parameters["id"] }) else { return refusal(404) }
            state.count += 1
            let id = "b\(state.count)"
            let media = PublishedMedia(
                sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count, mediaType: file.mediaType ?? "",
                altText: "")
            let post = PublishedPost(
                id: id, url: "\(request.origin)/l\(id)", text: form["caption"]?.text ?? "", media: [media],
                createdAt: now())
            state.files.append((parameters["id"], name, post))
            return .json(["id": .string(id), "name": .string(name), "url": .string(post.url)])
        }
    }
}
