internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of the Bot API that Pics uses, for one chat.
///
/// Source: core.telegram.org/bots/api at version 10.1, by PaulSonOfLars/telegram-bot-api-spec at 160fd99; read 2026-11-26. The token stands in
/// every path.
struct TelegramAPI: Sendable {
    let api: AccountAPI
    let token: String
    /// The number of a chat; channels and larger groups begin with -100.
    let chat: Int64

    var client: ServiceClient { api.client }

    /// A file of a post, and the field of a message that has it.
    struct Attachment: Sendable {
        let file: OutgoingFile
        let name: String
        let isVideo: Bool

        /// What moves is shown as an animation.
        var kind: String { isVideo ? "video" : file.mediaType == "image/gif" ? "animation" : "photo" }
    }

    // MARK: The bot

    /// `getMe`.
    func me() async throws(SubmissionError) -> (id: Int64, name: String) {
        let response = try await call("getMe", [:])
        let bot = try result(response)
        guard let id = bot["id"]?.int, let name = bot["username"]?.string else { throw client.malformed(response) }
        return (id, name)
    }

    /// `getChat`, of a number or of a name with its sign.
    func chat(_ name: String) async throws(SubmissionError) -> (
        id: Int64, title: String, username: String?, isChannel: Bool
    ) {
        let response = try await call("getChat", ["chat_id": .string(name)])
        let chat = try result(response)
        guard let id = chat["id"]?.int else { throw client.malformed(response) }
        let username = chat["username"]?.string
        return (
            id, chat["title"]?.string ?? username.map { "@\($0)" } ?? chat["first_name"]?.string ?? String(id),
            username,
            chat["type"]?.string == "channel"
        )
    }

    /// `getChatMember`: whether the bot may post in the chat.
    func mayPost(_ bot: Int64, isChannel: Bool) async throws(SubmissionError) -> Bool {
        let member = try result(try await call("getChatMember", ["chat_id": .int(chat), "user_id": .int(bot)]))
        switch member["status"]?.string {
        case "creator": return true
        case "administrator": return !isChannel || member["can_post_messages"]?.bool == true
        case "member": return !isChannel
        case "restricted": return member["can_send_photos"]?.bool == true
        default: return false
        }
    }

    // MARK: Messages

    /// The messages of a post, the first of which has the caption.
    struct Messages: Sendable, Equatable {
        /// A group that became a larger one has another number than its account knows.
        let chat: Int64
        let ids: [Int64]

        init(chat: Int64, ids: [Int64]) { (self.chat, self.ids) = (chat, ids) }

        /// Reads `text`; nil when it names no messages. `chat` is the account's.
        init?(_ text: String, chat: Int64) {
            let parts = text.split(separator: "/")
            ids = (parts.last ?? "").split(separator: ",").compactMap { Int64($0) }
            self.chat = parts.count == 2 ? Int64(parts[0]) ?? chat : chat
            if ids.isEmpty { return nil }
        }

        /// `41,42`, behind the chat where that is another than the account's.
        func text(in chat: Int64) -> String {
            let list = ids.map { String($0) }.joined(separator: ",")
            return self.chat == chat ? list : "\(self.chat)/\(list)"
        }
    }

    /// `sendPhoto`, `sendVideo`, `sendAnimation`, or `sendMediaGroup` for several: publishes.
    func post(
        _ attachments: [Attachment], caption: String, isSensitive: Bool,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> Messages {
        let response = try await send(attachments, caption, isSensitive, to: chat, progress)
        // A group that became a larger one has another number; nothing was posted.
        if let moved = response.looseJSON?["parameters"]?["migrate_to_chat_id"]?.int {
            return try messages(try await send(attachments, caption, isSensitive, to: moved, progress), in: moved)
        }
        return try messages(response, in: chat)
    }

    private func messages(_ response: IncomingResponse, in chat: Int64) throws(SubmissionError) -> Messages {
        let result = try result(response, .publishing)
        let ids = (result.array ?? [result]).compactMap { $0["message_id"]?.int }
        guard !ids.isEmpty else { throw client.malformed(response, .publishing) }
        return Messages(chat: chat, ids: ids)
    }

    private func send(
        _ attachments: [Attachment], _ caption: String, _ isSensitive: Bool, to chat: Int64,
        _ progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        var form = MultipartForm()
        form.add("chat_id", String(chat))
        let method: String
        if attachments.count == 1, let only = attachments.first {
            method = "send\(only.kind.prefix(1).uppercased())\(only.kind.dropFirst())"
            if !caption.isEmpty { form.add("caption", caption) }
            if isSensitive { form.add("has_spoiler", "true") }
            if only.isVideo { form.add("supports_streaming", "true") }
            form.add(
                only.kind, filename: only.name, mediaType: MediaType(only.file.mediaType) ?? .octetStream,
                only.file.whole)
        } else {
            method = "sendMediaGroup"
            let media = attachments.indices.map { index -> JSONValue in
                var item: JSONObject = ["type": "photo", "media": .string("attach://file\(index)")]
                if index == 0, !caption.isEmpty { item["caption"] = .string(caption) }
                if isSensitive { item["has_spoiler"] = true }
                return .object(item)
            }
            form.add("media", mediaType: .json, JSONValue(media).serialized)
            for (index, attachment) in attachments.enumerated() {
                form.add(
                    "file\(index)", filename: attachment.name,
                    mediaType: MediaType(attachment.file.mediaType) ?? .octetStream, attachment.file.whole)
            }
        }
        let bytes = attachments.reduce(0) { $0 + $1.file.bytes }
        return try await api.send(
            .post, path(method), fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: ServiceClient.timeout(uploading: bytes), .publishing,
            progress: { sent, _ in progress(min(sent, bytes), bytes) })
    }

    /// `editMessageCaption`; one that is the same already is no error.
    func edit(_ post: Messages, caption: String) async throws(SubmissionError) {
        let response = try await call(
            "editMessageCaption",
            ["chat_id": .int(post.chat), "message_id": .int(post.ids[0]), "caption": .string(caption)])
        if Self.description(response).contains("message is not modified") { return }
        _ = try result(response)
    }

    /// `deleteMessages`, of up to 100; those that are not there are no error.
    func delete(_ post: Messages) async throws(SubmissionError) {
        let response = try await call(
            "deleteMessages",
            ["chat_id": .int(post.chat), "message_ids": JSONValue(post.ids.map { JSONValue.int($0) })])
        if Self.description(response).contains("message to delete not found") { return }
        _ = try result(response)
    }

    // MARK: Requests

    private func path(_ method: String) -> String { "/bot\(token)/\(method)" }

    private func call(_ method: String, _ body: JSONObject) async throws(SubmissionError) -> IncomingResponse {
        try await api.send(.post, path(method), json: .object(body))
    }

    /// The `result` of a response that says yes.
    private func result(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError)
        -> JSONValue
    {
        guard response.status.isSuccess else { throw failure(response, role) }
        guard let result = try client.json(response, role)["result"] else { throw client.malformed(response, role) }
        return result
    }

    private static func description(_ response: IncomingResponse) -> String {
        response.status.isSuccess ? "" : response.looseJSON?["description"]?.string?.lowercased() ?? ""
    }

    /// The error that an unsuccessful response means. What it says is no contract, so that what is not known is the status alone.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let words = Self.description(response)
        let says = { (parts: [String]) in parts.contains { words.contains($0) } }
        switch response.status.code {
        // A wrong token is no path that the API has.
        case 401, 404: return client.refusedCredentials(response)
        case 403: return .unauthorized(client.problem(.permissionDenied, response))
        case 400
        where says(["chat not found", "not enough rights", "administrator rights", "chat_write_forbidden", "topic"]):
            return .unauthorized(client.problem(.permissionDenied, response))
        case 400 where says(["caption is too long", "caption_too_long"]):
            return .rejected(client.problem(.textRefused, response))
        case 400
        where says(["photo_invalid_dimensions", "image_process_failed", "photo_save_file_invalid", "file must be"]):
            return .rejected(client.problem(.fileRefused, response))
        case 400 where says(["message to edit not found", "message can't be edited", "message_id_invalid"]):
            return .gone(client.problem(.postMissing, response))
        case 400 where says(["message can't be deleted"]):
            return .rejected(client.problem(.changeUnsupported, response))
        case 429:
            let pause = response.looseJSON?["parameters"]?["retry_after"]?.int ?? 0
            let end =
                (1...86_400).contains(pause)
                ? client.now() + TimeInterval(pause + 1) : response.limitEnd(client.now())
            return client.limited(.rateLimited, .account, until: end, response)
        default: return client.failure(response, role)
        }
    }
}
