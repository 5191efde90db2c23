internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// One interaction at a Mastodon server.
///
/// Source: docs.joinmastodon.org at version 4.6, method "statuses": `favourite`, `reblog` and their undoing answer 200 with the
/// status, also when it was so already. GoToSocial makes a second repost when it is asked twice, so that the status is read
/// first.
struct MastodonInteraction: Sendable {
    let task: InteractionTask
    let settings: MastodonSettings
    let api: MastodonAPI

    func perform() async throws(SubmissionError) -> InteractionReceipt {
        switch task.kind {
        case .favourite: try await set("favourited", task.isWanted ? "favourite" : "unfavourite")
        case .repost: try await set("reblogged", task.isWanted ? "reblog" : "unreblog")
        case .reply: task.isWanted ? try await reply() : try await takeBack()
        }
    }

    // MARK: Favourites and reposts

    private func set(_ member: String, _ method: String) async throws(SubmissionError) -> InteractionReceipt {
        let id = try await targetID()
        // Taking it back is asked for in any case: one that is on its way is not there yet.
        if task.isWanted, task.mayHaveLeft || task.kind == .repost, try await api.status(id)[member]?.bool == true {
            return InteractionReceipt(remoteID: id)
        }
        try await task.arm()
        let response = try await api.api.send(
            .post, "/api/v1/statuses/\(PercentEncoding.encode(id))/\(method)", .publishing)
        // What is not there cannot be liked any more.
        if response.status == .notFound, !task.isWanted { return InteractionReceipt() }
        _ = try await success(response)
        return InteractionReceipt(remoteID: task.isWanted ? id : nil)
    }

    /// The target on the account's own server. One that is known by its address alone is looked for there.
    private func targetID() async throws(SubmissionError) -> String {
        if let id = task.targetID { return id }
        let query: FormFields = ["q": task.targetKey, "resolve": "true", "type": "statuses", "limit": "1"]
        let response = try await api.api.send(.get, "/api/v2/search?\(query.encoded)")
        guard let found = try await api.success(response)["statuses"]?.array?.first?["id"]?.string else {
            throw .gone(api.client.problem(.postMissing, response))
        }
        return found
    }

    // MARK: Replies

    private func reply() async throws(SubmissionError) -> InteractionReceipt {
        let id = try await targetID()
        let target = try await api.status(id)
        let text = settings.replyText(task.text, to: task.handle)
        let isRepeatable =
            settings.isMastodon && task.now().timeIntervalSince(task.createdAt) < Self.keyLife
        if task.mayHaveLeft, !isRepeatable, let found = try await own(text, to: id) { return receipt(found) }
        var body: JSONObject = ["status": .string(text), "in_reply_to_id": .string(id)]
        // Never wider than what it answers.
        if let visibility = target["visibility"]?.string, visibility != "public" {
            body["visibility"] = .string(visibility)
        }
        if let warning = target["spoiler_text"]?.string, !warning.isEmpty { body["spoiler_text"] = .string(warning) }
        try await task.arm()
        let response = try await api.api.send(
            .post, "/api/v1/statuses", json: .object(body), fields: ["Idempotency-Key": task.outboundKey], .publishing)
        return receipt(try await success(response))
    }

    /// An answer that names no permission is one for this interaction, not for the account.
    private func success(_ response: IncomingResponse) async throws(SubmissionError) -> JSONValue {
        // A policy of the author's, or a right that the token lacks.
        if response.status == .forbidden, response.looseJSON != nil {
            throw .rejected(api.client.problem(.permissionDenied, response))
        }
        return try await api.success(response, .publishing)
    }

    /// Mastodon keeps an `Idempotency-Key` for an hour; this is less what a request and two clocks may take.
    private static let keyLife: TimeInterval = 55 * 60

    /// The account's reply of this text to a status; nil when there is none.
    private func own(_ text: String, to id: String) async throws(SubmissionError) -> JSONValue? {
        let words = Self.comparable(text)
        let found = try await api.descendants(of: id).filter { status in
            status["in_reply_to_id"]?.string == id && status["account"]?["id"]?.string == settings.accountID
                && Self.comparable(HTMLText.plain(status["content"]?.string ?? "")) == words
                && (status["created_at"]?.string.flatMap { Timestamp($0)?.date }).map { $0 > task.earliest } ?? true
        }
        for status in found {
            if let id = status["id"]?.string, try await !task.isTaken(id) { return status }
        }
        return nil
    }

    /// A server writes mentions without their host, and white space as it likes.
    private static func comparable(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).map { word in
            word.hasPrefix("@") ? "@" + word.dropFirst().prefix { $0 != "@" } : String(word)
        }.joined(separator: " ")
    }

    private func takeBack() async throws(SubmissionError) -> InteractionReceipt {
        var id = task.remoteID
        if id == nil, task.mayHaveLeft {
            id = try await own(
                settings.replyText(task.text, to: task.handle), to: try await targetID())?["id"]?
                .string
        }
        if let id { try await api.deleteStatus(id) }
        return InteractionReceipt()
    }

    private func receipt(_ status: JSONValue) -> InteractionReceipt {
        InteractionReceipt(
            remoteID: status["id"]?.string, url: status["url"]?.string,
            response: api.response(status, parent: task.targetKey, of: settings.accountID))
    }
}

extension MastodonServing {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { Set(Interaction.Kind.allCases) }

    package func replyText(_ text: String, to handle: String?, _ settings: JSONValue) -> String {
        MastodonSettings(settings).replyText(text, to: handle)
    }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        try await MastodonInteraction(
            task: task, settings: MastodonSettings(task.account.settings),
            api: api(for: task.account, over: task.transport, now: task.now)
        ).perform()
    }
}

extension MastodonSettings {
    /// Who is answered is told so by their name alone (docs.joinmastodon.org, "Posting toots").
    func replyText(_ text: String, to handle: String?) -> String {
        guard let handle, handle.hasPrefix("@") else { return text }
        let server = URLComponents(string: baseURL)?.host ?? ""
        let name = handle.hasSuffix("@\(server)") ? String(handle.dropLast(server.count + 1)) : handle
        let isNamed = text.split(whereSeparator: \.isWhitespace).contains { [name, handle].contains(String($0)) }
        return isNamed ? text : "\(name) \(text)"
    }
}
