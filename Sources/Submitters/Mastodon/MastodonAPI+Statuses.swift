internal import Domain
internal import FoundationEssentials
internal import HTTP

extension MastodonAPI {
    /// `POST /api/v1/statuses`; any answer is returned. Without a `visibility` the account's own default holds. A
    /// `collection` is one of Pixelfed's, `parent` the status that this one answers.
    func postStatus(
        _ text: String, media: [String], answering parent: String? = nil, visibility: String?, labels: ContentLabels,
        collection: String?, idempotencyKey: String
    ) async throws(SubmissionError) -> IncomingResponse {
        var body: JSONObject = ["status": .string(text), "media_ids": JSONValue(media)]
        body.add(labels)
        if let parent { body["in_reply_to_id"] = .string(parent) }
        if let visibility { body["visibility"] = .string(visibility) }
        if let collection { body["collection_ids"] = [.string(collection)] }
        return try await api.send(
            .post, "/api/v1/statuses", json: .object(body), fields: ["Idempotency-Key": idempotencyKey], .publishing)
    }

    /// The result of a search in the account's statuses.
    enum Look: Sendable, Equatable {
        case found(id: String, url: String?)
        case absent
        /// There are more to look at, older than this status.
        case unfinished(before: String)
    }

    /// The words of a status as they were sent: `GET /api/v1/statuses/ID/source`, since Mastodon 3.5; nil where the server does not tell.
    func source(of id: String) async throws(SubmissionError) -> String? {
        let response = try await api.send(.get, "/api/v1/statuses/\(PercentEncoding.encode(id))/source")
        switch response.status.code {
        case 404, 405, 501: return nil
        default: return try await success(response)["text"]?.string
        }
    }

    /// Looks for the status that shows an attachment, from the newest, or from `before`, back to `start`.
    ///
    /// `GET /api/v1/accounts/ID/statuses`, in pages of 40, which is the most there is; five pages in one go.
    func status(
        showing media: String, by account: String, since start: Date, before: String? = nil
    ) async throws(SubmissionError) -> Look {
        var oldest = before
        for _ in 0..<Self.longestLook {
            var query: FormFields = ["limit": "40", "exclude_reblogs": "true", "only_media": "true"]
            if let oldest { query.add("max_id", oldest) }
            let response = try await api.send(
                .get, "/api/v1/accounts/\(PercentEncoding.encode(account))/statuses?\(query.encoded)")
            guard let statuses = try await success(response).array else { throw client.malformed(response) }
            for status in statuses where Self.shows(media, status) {
                guard let id = status["id"]?.string else { throw client.malformed(response) }
                return .found(id: id, url: status["url"]?.string)
            }
            guard let last = statuses.last else { return .absent }
            guard let id = last["id"]?.string, let time = last["created_at"]?.string.flatMap(date(iso8601:)) else {
                throw client.malformed(response)
            }
            if time < start - Self.clockDifference { return .absent }
            oldest = id
        }
        return oldest.map { .unfinished(before: $0) } ?? .absent
    }

    /// Pages of one look: with a pause between two looks, half of the 300 requests that are allowed in five minutes.
    private static let longestLook = 5
    /// Seconds that the server's clock may go before ours.
    static let clockDifference: TimeInterval = 600

    private static func shows(_ media: String, _ status: JSONValue) -> Bool {
        status["media_attachments"]?.array?.contains { $0["id"]?.string == media } ?? false
    }
}

extension JSONObject {
    /// Adds what readers of a status are told of its content. Without a language the account's own default holds.
    mutating func add(_ labels: ContentLabels) {
        if labels.isSensitive { self["sensitive"] = true }
        if let warning = labels.warning { self["spoiler_text"] = .string(warning) }
        if let language = labels.language { self["language"] = .string(language) }
    }
}
