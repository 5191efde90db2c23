internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// Telegram's Bot API with one bot and one channel, as core.telegram.org describes it at version 10.1 (read 2026-11-26).
package final class FakeTelegram: FakeService {
    /// How the channel is set up.
    package struct Options: Sendable {
        /// Of a public channel.
        package var username: String? = "lakes"
        /// The bot's standing there.
        package var status = "administrator"
        package var mayPost = true
        /// Whether the group has become a larger one, with another number.
        package var hasMoved = false

        package init() {}
    }

    package static let token = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
    private static let bot = 110_201_543
    private static let chat = -1_001_234_567_890
    private static let moved = -1_009_876_543_210

    private struct Message {
        let id: Int
        let chat: Int
        /// Those of one group have the same.
        let group: Int
        var caption: String
        let media: PublishedMedia
        let hasSpoiler: Bool
        let at: Date
    }

    private struct State {
        var messages: [Message] = []
        var last = 40

        mutating func next() -> Int {
            last += 1
            return last
        }
    }

    private let options: Options
    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// Starts with nothing posted.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
    }

    /// The messages of a group are one post.
    package var effects: [PublishedPost] {
        state.withLock { state in
            var posts: [PublishedPost] = []
            for group in Set(state.messages.map(\.group)).sorted() {
                let messages = state.messages.filter { $0.group == group }
                posts.append(
                    PublishedPost(
                        id: messages.map { String($0.id) }.joined(separator: ","),
                        url: "https://t.me/lakes/\(messages[0].id)", text: messages[0].caption,
                        media: messages.map(\.media), createdAt: messages[0].at))
            }
            return posts
        }
    }

    /// Whether each message is covered.
    package var spoilers: [Bool] { state.withLock { $0.messages.map(\.hasSpoiler) } }

    package func refusal(_ status: Int) -> FakeAnswer {
        let words =
            switch status {
            case 401: "Unauthorized"
            case 403: "Forbidden: bot was kicked from the channel chat"
            case 404: "Not Found"
            case 413: "Request Entity Too Large"
            case 429: "Too Many Requests: retry after 1"
            default: "Bad Request: something"
            }
        return error(status, words)
    }

    private func error(_ status: Int, _ words: String, _ parameters: JSONValue = .null) -> FakeAnswer {
        .json(
            ["ok": false, "error_code": JSONValue(status), "description": .string(words), "parameters": parameters],
            HTTPStatus(code: status))
    }

    private func ok(_ result: JSONValue) -> FakeAnswer { .json(["ok": true, "result": result]) }

    package var routes: [FakeRoute] {
        [
            method("getMe") { [self] _ in ok(["id": JSONValue(Self.bot), "is_bot": true, "username": "lakesbot"]) },
            method("getChat") { [self] request in
                let name = request.json?["chat_id"]?.string
                let known = [String(Self.chat), options.username.map { "@\($0)" }]
                guard known.contains(name) else { return error(400, "Bad Request: chat not found") }
                var chat: JSONObject = ["id": JSONValue(Self.chat), "type": "channel", "title": "Lakes"]
                if let username = options.username { chat["username"] = .string(username) }
                return ok(.object(chat))
            },
            method("getChatMember") { [self] request in
                guard request.json?["user_id"]?.int == Int64(Self.bot) else {
                    return error(400, "Bad Request: user not found")
                }
                return ok(["status": .string(options.status), "can_post_messages": .bool(options.mayPost)])
            },
            method("sendPhoto") { [self] in one("photo", $0) },
            method("sendVideo") { [self] in one("video", $0) },
            method("sendAnimation") { [self] in one("animation", $0) },
            method("sendMediaGroup", several),
            method("editMessageCaption") { [self] request in
                if let refusal = refusal(ofChat: request.json?["chat_id"]?.int.map { String($0) }) { return refusal }
                return state.withLock { state in
                    guard let id = request.json?["message_id"]?.int, let caption = request.json?["caption"]?.string,
                        let index = state.messages.firstIndex(where: { $0.id == Int(id) })
                    else { return error(400, "Bad Request: message to edit not found") }
                    guard state.messages[index].caption != caption else {
                        return error(
                            400,
                            "Bad Request: message is not modified: specified new message content is exactly the same")
                    }
                    state.messages[index].caption = caption
                    return ok(["message_id": .int(id)])
                }
            },
            method("deleteMessages") { [self] request in
                let ids = request.json?["message_ids"]?.array?.compactMap { $0.int.map { Int($0) } } ?? []
                guard (1...100).contains(ids.count) else { return error(400, "Bad Request: message identifiers") }
                if let refusal = refusal(ofChat: request.json?["chat_id"]?.int.map { String($0) }) { return refusal }
                state.withLock { $0.messages.removeAll { ids.contains($0.id) } }
                return ok(true)
            },
        ]
    }

    private func method(_ name: String, _ response: @escaping @Sendable (FakeRequest) -> FakeAnswer) -> FakeRoute {
        FakeRoute("POST /{bot}/\(name)") { [self] request, parameters in
            parameters["bot"] == "bot\(Self.token)" ? response(request) : refusal(401)
        }
    }

    private func refusal(ofChat chat: String?) -> FakeAnswer? {
        if options.hasMoved, chat == String(Self.chat) {
            return error(
                400, "Bad Request: group chat was upgraded to a supergroup chat",
                ["migrate_to_chat_id": JSONValue(Self.moved)])
        }
        guard chat == String(options.hasMoved ? Self.moved : Self.chat) else {
            return error(400, "Bad Request: chat not found")
        }
        return nil
    }

    private func one(_ kind: String, _ request: FakeRequest) -> FakeAnswer {
        guard let form = request.form else { return error(400, "Bad Request: no form") }
        if let refusal = refusal(ofChat: form["chat_id"]?.text) { return refusal }
        guard let file = form[kind], file.filename != nil, !file.bytes.isEmpty else {
            return error(400, "Bad Request: file must be non-empty")
        }
        return publish([(file, form["caption"]?.text ?? "", form["has_spoiler"]?.text == "true")])
    }

    private func several(_ request: FakeRequest) -> FakeAnswer {
        guard let form = request.form, let items = form["media"].flatMap({ try? JSONValue(parsing: $0.bytes) })?.array,
            (2...10).contains(items.count)
        else { return error(400, "Bad Request: media must be non-empty") }
        if let refusal = refusal(ofChat: form["chat_id"]?.text) { return refusal }
        var shown: [(FormPart, String, Bool)] = []
        for item in items {
            guard item["type"] == "photo", let media = item["media"]?.string, media.hasPrefix("attach://"),
                let file = form[String(media.dropFirst("attach://".count))], !file.bytes.isEmpty
            else { return error(400, "Bad Request: wrong file identifier/HTTP URL specified") }
            shown.append((file, item["caption"]?.string ?? "", item["has_spoiler"]?.bool == true))
        }
        return publish(shown)
    }

    private func publish(_ shown: [(file: FormPart, caption: String, hasSpoiler: Bool)]) -> FakeAnswer {
        guard shown.allSatisfy({ $0.caption.utf16.count <= 1024 }) else {
            return error(400, "Bad Request: message caption is too long")
        }
        return state.withLock { state in
            let group = state.next()
            let made = shown.map { item -> JSONValue in
                let id = state.next()
                state.messages.append(
                    Message(
                        id: id, chat: Self.chat, group: group, caption: item.caption,
                        media: PublishedMedia(
                            sha256: SHA256Digest(of: item.file.bytes).hex, bytes: item.file.bytes.count,
                            mediaType: item.file.mediaType ?? "", altText: ""), hasSpoiler: item.hasSpoiler, at: now()))
                return ["message_id": JSONValue(id), "chat": ["id": JSONValue(Self.chat)]]
            }
            return ok(made.count == 1 ? made[0] : JSONValue(made))
        }
    }
}
