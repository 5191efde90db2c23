internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of one webhook.
///
/// Source: discord/discord-api-docs at c98d64bc, "Webhook", "Message", "Rate Limits"; read 2026-11-21.
struct DiscordAPI: Sendable {
    let api: AccountAPI
    let webhook: DiscordWebhook

    var client: ServiceClient { api.client }

    /// A webhook's description of itself.
    struct Facts: Sendable, Equatable {
        let name: String
        let channel: String
        /// The server that the channel is in.
        let guild: String?
        /// The address of its picture.
        let picture: String?
    }

    /// A message as it is read back.
    struct Message: Sendable, Equatable {
        /// The ids of its files.
        let files: [String]
        let reactions: Int
    }

    private var path: String { "/api/v10/webhooks/\(webhook.id)/\(webhook.token)" }

    /// `GET /webhooks/{id}/{token}`. The response has the token in it.
    func facts() async throws(SubmissionError) -> Facts {
        let response = try await api.send(.get, path)
        guard response.status.isSuccess else { throw failure(response) }
        guard let json = response.looseJSON, let channel = json["channel_id"]?.string else { throw client.unreadable }
        return Facts(
            name: json["name"]?.string ?? webhook.id, channel: channel, guild: json["guild_id"]?.string,
            picture: json["avatar"]?.string.flatMap(picture))
    }

    /// The address of the picture with the hash `avatar` at Discord ("Reference", "Image Formatting", "User Avatar"; messages of a
    /// webhook name its id as their author's); nil at another server of this API, whose addresses are not known.
    private func picture(_ hash: String) -> String? {
        let host = webhook.origin.dropFirst("https://".count)
        guard ["discord.com", "discordapp.com"].contains(where: { host == $0 || host.hasSuffix(".\($0)") }) else {
            return nil
        }
        return "https://cdn.discordapp.com/avatars/\(webhook.id)/\(PercentEncoding.encode(hash)).png?size=128"
    }

    /// `POST /webhooks/{id}/{token}?wait=true`: publishes; the message's id. Without `wait` Discord would not tell what it
    /// failed to keep.
    func post(
        _ file: OutgoingFile, named name: String, content: String, altText: String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> String {
        let message: JSONValue = [
            "content": .string(content), "allowed_mentions": Self.nobody,
            "attachments": [
                ["id": 0, "filename": .string(name), "description": .string(Self.described(altText))]
            ],
        ]
        var form = MultipartForm()
        form.add("payload_json", mediaType: .json, message.serialized)
        form.add("files[0]", filename: name, mediaType: MediaType(file.mediaType) ?? .octetStream, file.whole)
        let response = try await api.send(
            .post, "\(path)?wait=true", fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: ServiceClient.timeout(uploading: file.bytes), .publishing,
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        guard let id = try success(response, .publishing)["id"]?.string else {
            throw client.malformed(response, .publishing)
        }
        return id
    }

    /// `GET …/messages/{id}`.
    func message(_ id: String) async throws(SubmissionError) -> Message {
        let json = try success(try await api.send(.get, path(of: id)))
        return Message(
            files: (json["attachments"]?.array ?? []).compactMap { $0["id"]?.string },
            reactions: (json["reactions"]?.array ?? []).reduce(0) { $0 + Int(clamping: $1["count"]?.int ?? 0) })
    }

    /// `PATCH …/messages/{id}`: the words, and those of the file. Files that are not named would be taken off.
    func edit(_ id: String, content: String, altText: String) async throws(SubmissionError) {
        let files = try await message(id).files
        let response = try await api.send(
            .patch, path(of: id),
            json: [
                "content": .string(content), "allowed_mentions": Self.nobody,
                "attachments": JSONValue(
                    files.map { ["id": .string($0), "description": .string(Self.described(altText))] }),
            ])
        _ = try success(response)
    }

    /// `DELETE …/messages/{id}`: one that is not there is no error.
    func delete(_ id: String) async throws(SubmissionError) {
        let response = try await api.send(.delete, path(of: id))
        if response.looseJSON?["code"]?.int == Self.unknownMessage { return }
        guard response.status.isSuccess else { throw failure(response) }
    }

    private func path(of message: String) -> String { "\(path)/messages/\(PercentEncoding.encode(message))" }

    /// A caption calls nobody.
    private static let nobody: JSONValue = ["parse": []]

    private static let longestAltText = 1024

    private static func described(_ words: String) -> String { altText(words, limit: longestAltText) }

    // MARK: What went wrong

    private static let unknownMessage: Int64 = 10008

    private func success(
        _ response: IncomingResponse, _ role: RequestRole = .preparing
    ) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }

    /// The error that an unsuccessful response means; `code` tells more than the status.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let json = response.looseJSON
        switch (response.status.code, json?["code"]?.int) {
        case (400, 220_001), (400, 220_003):
            return .rejected(client.problem(.postingNotAllowed, response))
        case (400, 200_000), (400, 240_000):
            return .rejected(client.problem(.textRefused, response))
        case (400, 40_005), (400, 50_045):
            return .rejected(client.problem(.fileTooLarge, response))
        case (429, _):
            // Limits of the whole address are shared by everybody who posts from it.
            let isGlobal = response.fields["X-RateLimit-Global"] != nil || json?["global"]?.bool == true
            let end =
                response.pause(client.now()).map { client.now() + $0.timeInterval }
                ?? json?["retry_after"]?.double.flatMap {
                    (0...Self.longestPause).contains($0) ? client.now() + $0 : nil
                }
            return client.limited(.rateLimited, isGlobal ? .app : .account, until: end, response)
        default:
            return client.failure(response, role)
        }
    }

    private static let longestPause: Double = 24 * 3600
}
