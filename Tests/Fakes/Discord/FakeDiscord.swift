internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// One webhook of a Discord server, as discord/discord-api-docs describes it (at c98d64bc; read 2026-11-21).
package final class FakeDiscord: FakeService {
    package static let webhook = "223704706495545344"
    package static let token =
        "3d89bb7572e0fb30d8128367b3b1b44fecd1726de135cbe28a41f8b2f777c372ba2939e72279b94526ff5d1bd4358d65cf11"
    private static let greatestFile = 10 << 20

    private struct Message {
        var post: PublishedPost
        let file: String
    }

    private struct State {
        var messages: [Message] = []
        var count = 0
        var isDeleted = false
    }

    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// Starts with an empty channel.
    package init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    package var effects: [PublishedPost] { state.withLock { $0.messages.map(\.post) } }

    /// Takes the webhook away, as somebody may in Discord.
    package func removeWebhook() { state.withLock { $0.isDeleted = true } }

    package func refusal(_ status: Int) -> FakeAnswer {
        switch status {
        case 401: error(401, 50027, "Invalid Webhook Token")
        case 404: error(404, 10015, "Unknown Webhook")
        case 413: error(413, 40005, "Request entity too large")
        default: error(status, 0, "\(status)")
        }
    }

    private func error(_ status: Int, _ code: Int, _ message: String) -> FakeAnswer {
        .json(["code": JSONValue(code), "message": .string(message)], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        let webhook = "/api/v10/webhooks/{id}/{token}"
        return [
            authorized("GET \(webhook)") { _, _ in
                .json([
                    "id": .string(Self.webhook), "type": 1, "name": "Lakes", "channel_id": "199737254929760256",
                    "guild_id": "199737254929760257", "token": .string(Self.token), "avatar": .null,
                ])
            },
            authorized("POST \(webhook)", post),
            authorized("GET \(webhook)/messages/{message}") { [self] _, parameters in
                find(parameters) { state, index in .json(Self.json(state.messages[index])) }
            },
            authorized("PATCH \(webhook)/messages/{message}", edit),
            authorized("DELETE \(webhook)/messages/{message}") { [self] _, parameters in
                find(parameters) { state, index in
                    state.messages.remove(at: index)
                    return FakeAnswer(.noContent)
                }
            },
        ]
    }

    /// A call with the token in its address.
    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            guard parameters["id"] == Self.webhook, !state.withLock(\.isDeleted) else { return refusal(404) }
            guard parameters["token"] == Self.token else { return refusal(401) }
            return response(request, parameters)
        }
    }

    private func find(
        _ parameters: FakeParameters, _ response: (inout State, Int) -> FakeAnswer
    ) -> FakeAnswer {
        state.withLock { state in
            guard let index = state.messages.firstIndex(where: { $0.post.id == parameters["message"] }) else {
                return error(404, 10008, "Unknown Message")
            }
            return response(&state, index)
        }
    }

    private func post(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let form = request.form, let part = form["payload_json"], part.mediaType == "application/json",
            let message = try? JSONValue(parsing: part.bytes), let file = form["files[0]"], let name = file.filename,
            let content = message["content"]?.string, content.utf16.count <= 2000
        else { return error(400, 50035, "Invalid Form Body") }
        guard file.bytes.count <= Self.greatestFile else { return refusal(413) }
        let described = message["attachments"]?[0]
        guard described?["id"]?.int == 0, described?["filename"]?.string == name,
            let words = described?["description"]?.string, words.unicodeScalars.count <= 1024
        else { return error(400, 50035, "Invalid Form Body") }
        return state.withLock { state in
            state.count += 1
            let id = "13000000000000000\(state.count)"
            let post = PublishedPost(
                id: id, url: "\(request.origin)/channels/199737254929760257/199737254929760256/\(id)",
                text: Self.shown(content),
                media: [
                    PublishedMedia(
                        sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count,
                        mediaType: file.mediaType ?? "", altText: words)
                ], createdAt: now())
            state.messages.append(Message(post: post, file: "9\(id)"))
            // Without `wait` nothing is told.
            guard request.query == "wait=true" else { return FakeAnswer(.noContent) }
            return .json(Self.json(state.messages[state.messages.count - 1]))
        }
    }

    /// Files that `attachments` does not name are taken off.
    private func edit(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let json = request.json, let content = json["content"]?.string, content.utf16.count <= 2000 else {
            return error(400, 50035, "Invalid Form Body")
        }
        return find(parameters) { state, index in
            let old = state.messages[index]
            let kept = json["attachments"]?.array?.first { $0["id"]?.string == old.file }
            let media = kept.map { kept in
                old.post.media.map {
                    PublishedMedia(
                        sha256: $0.sha256, bytes: $0.bytes, mediaType: $0.mediaType,
                        altText: kept["description"]?.string ?? "")
                }
            }
            state.messages[index].post = PublishedPost(
                id: old.post.id, url: old.post.url, text: Self.shown(content), media: media ?? [],
                createdAt: old.post.createdAt)
            return .json(Self.json(state.messages[index]))
        }
    }

    private static func json(_ message: Message) -> JSONValue {
        [
            "id": .string(message.post.id), "content": .string(message.post.text),
            "attachments": JSONValue(
                message.post.media.map { ["id": .string(message.file), "description": .string($0.altText)] }),
            "reactions": [["emoji": ["name": "👍"], "count": 3], ["emoji": ["name": "🏔️"], "count": 2]],
        ]
    }

    /// The text as people read it: a backslash makes a sign plain, and is not shown.
    private static func shown(_ content: String) -> String {
        content.replacing(/\\([\\*_~`|\[<#>\-])/) { $0.output.1 }
    }
}
