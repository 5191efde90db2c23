internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of X's API v2 that Pics uses, for one account.
///
/// Source: docs.x.com as of 2026-08-22 (OpenAPI 2.167); read 2026-11-21.
struct TwitterAPI: Sendable {
    let client: ServiceClient
    /// `https://api.x.com`.
    let origin: String
    let credentials: TwitterCredentials
    /// Different at every call.
    let nonce: @Sendable () -> String
    let addresses: AddressPolicy

    /// `GET /2/users/me`: the account's id and name, and the address of its picture, in 48 pixels.
    func me() async throws(SubmissionError) -> (id: String, username: String, picture: String?) {
        let response = try await send(.get, "/2/users/me?user.fields=profile_image_url")
        let user = try success(response)["data"]
        guard let id = user?["id"]?.string, let username = user?["username"]?.string else {
            throw client.malformed(response)
        }
        return (id, username, user?["profile_image_url"]?.string)
    }

    /// `POST /2/tweets`, with `target` as an answer to that post; any answer is returned.
    func createPost(
        _ text: String, media: [String] = [], answering target: String? = nil
    ) async throws(SubmissionError) -> IncomingResponse {
        var post = JSONObject()
        if !media.isEmpty { post["media"] = ["media_ids": JSONValue(media)] }
        if let target { post["reply"] = ["in_reply_to_tweet_id": .string(target)] }
        // "text may be absent when media is there".
        if !text.isEmpty { post["text"] = .string(text) }
        return try await send(.post, "/2/tweets", json: .object(post), .publishing)
    }

    /// `GET /2/users/{id}/tweets`: the newest posts of an account since a time; at most 100, which is the most there
    /// is.
    func posts(of user: String, since start: Date) async throws(SubmissionError) -> IncomingResponse {
        let query: FormFields = [
            "start_time": start.formatted(.iso8601), "max_results": "100",
            "tweet.fields": "created_at,entities,attachments,referenced_tweets",
        ]
        return try await send(.get, "/2/users/\(PercentEncoding.encode(user))/tweets?\(query.encoded)")
    }

    /// `POST /2/users/{id}/retweets`, or `DELETE` it; any answer is returned.
    func setRepost(
        of post: String, by user: String, to isWanted: Bool
    ) async throws(SubmissionError) -> IncomingResponse {
        let path = "/2/users/\(PercentEncoding.encode(user))/retweets"
        guard isWanted else { return try await send(.delete, "\(path)/\(PercentEncoding.encode(post))", .publishing) }
        return try await send(.post, path, json: ["tweet_id": .string(post)], .publishing)
    }

    /// `DELETE /2/tweets/{id}`; one that is not there is no error.
    func deletePost(_ id: String) async throws(SubmissionError) {
        let response = try await send(.delete, "/2/tweets/\(PercentEncoding.encode(id))")
        guard response.status.isSuccess || response.status == .notFound else { throw failure(response) }
    }

    /// `GET /2/tweets/{id}` with its counts, which costs credits. One that is not there comes with status 200.
    func counts(of id: String) async throws(SubmissionError) -> Engagement {
        let response = try await send(.get, "/2/tweets/\(PercentEncoding.encode(id))?tweet.fields=public_metrics")
        let json = try success(response)
        guard let counts = json["data"]?["public_metrics"] else {
            guard json["errors"]?.array != nil else { throw client.malformed(response) }
            throw .gone(client.problem(.postMissing, response))
        }
        let count = { (name: String) in counts[name]?.int.map { Int(clamping: $0) } }
        return Engagement(
            likes: count("like_count"), comments: count("reply_count"),
            shares: count("retweet_count").map { $0 + (count("quote_count") ?? 0) })
    }

    /// `POST /1.1/oauth/invalidate_token.json`: ends the keys of OAuth 1.0a that sign it; those that have ended are no
    /// error. A call of version 1.1 that version 2 still has.
    func invalidateToken() async throws(SubmissionError) {
        let response = try await send(.post, "/1.1/oauth/invalidate_token.json")
        guard response.status.isSuccess || response.status == .unauthorized else { throw failure(response) }
    }

    // MARK: Sending

    private func authorization(_ method: HTTPMethod, _ url: String) -> String {
        switch credentials {
        case .signed(let oauth):
            oauth.authorization(
                for: method, url, nonce: nonce(), timestamp: Int64(client.now().timeIntervalSince1970))
        case .bearer(let token):
            "Bearer \(token)"
        }
    }

    /// Sends a signed request; any answer is returned. Bodies of JSON and multipart are not signed.
    func send(
        _ method: HTTPMethod, _ path: String, fields: HTTPFields = [:], body: OutgoingBody = .none,
        timeout: Duration = ServiceClient.timeout, _ role: RequestRole = .preparing,
        progress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> IncomingResponse {
        let url = origin + path
        var fields = fields
        fields.add("Authorization", authorization(method, url))
        fields.add("Accept", MediaType.json.description)
        return try await client.response(
            to: OutgoingRequest(
                method: method, url: url, fields: fields, body: body, timeout: timeout, addressPolicy: addresses,
                progress: progress),
            role)
    }

    /// Sends a signed request with a JSON body; any answer is returned.
    func send(
        _ method: HTTPMethod, _ path: String, json: JSONValue, _ role: RequestRole = .preparing
    ) async throws(SubmissionError) -> IncomingResponse {
        try await send(
            method, path, fields: ["Content-Type": MediaType.json.description], body: .bytes(json.serialized), role)
    }

    /// The JSON of a response that says yes.
    func success(
        _ response: IncomingResponse, _ role: RequestRole = .preparing
    ) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }
}

/// How requests say whose they are.
enum TwitterCredentials: Sendable {
    /// OAuth 1.0a: keys that do not end.
    case signed(OAuth1)
    /// OAuth 2: a token of two hours.
    case bearer(String)

    /// Reads an account's credentials: those of OAuth 1.0a name a consumer key.
    init(_ json: JSONValue) {
        let key = { (name: String) in json[name]?.string ?? "" }
        guard json["consumer_key"]?.string == nil else {
            self = .signed(
                OAuth1(
                    consumerKey: key("consumer_key"), consumerSecret: key("consumer_secret"),
                    token: key("access_token"), tokenSecret: key("access_token_secret")))
            return
        }
        self = .bearer(key("access_token"))
    }
}
