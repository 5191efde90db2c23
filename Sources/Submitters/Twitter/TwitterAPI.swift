internal import Foundation
internal import HTTP

/// The calls of X's API v2 that Pics uses, for one account.
///
/// Source: docs.x.com as of 2026-08-22 (OpenAPI 2.167); read 2026-11-21.
struct TwitterAPI: Sendable {
    let client: ServiceClient
    /// `https://api.x.com`.
    let origin: String
    let credentials: OAuth1
    /// Different at every call.
    let nonce: @Sendable () -> String
    let addresses: AddressPolicy

    /// `GET /2/users/me`: the account's id and name.
    func me() async throws(SubmissionError) -> (id: String, username: String) {
        let answer = try await send(.get, "/2/users/me")
        let user = try success(answer)["data"]
        guard let id = user?["id"]?.string, let username = user?["username"]?.string else {
            throw client.malformed(answer)
        }
        return (id, username)
    }

    /// `POST /2/tweets`; any answer is returned.
    func createPost(_ text: String, media: String) async throws(SubmissionError) -> IncomingResponse {
        var post: JSONObject = ["media": ["media_ids": [.string(media)]]]
        // "text may be absent when media is there".
        if !text.isEmpty { post["text"] = .string(text) }
        return try await send(.post, "/2/tweets", json: .object(post), .publishing)
    }

    /// `GET /2/users/{id}/tweets`: the newest posts of an account since a time; at most 100, which is the most there is.
    func posts(of user: String, since start: Date) async throws(SubmissionError) -> IncomingResponse {
        let query: FormFields = [
            "start_time": start.formatted(.iso8601), "max_results": "100",
            "tweet.fields": "created_at,entities,attachments",
        ]
        return try await send(.get, "/2/users/\(PercentEncoding.encode(user))/tweets?\(query.encoded)")
    }

    // MARK: Sending

    /// Sends a signed request; any answer is returned. Bodies of JSON and multipart are not signed.
    func send(
        _ method: HTTPMethod, _ path: String, fields: HTTPFields = [:], body: OutgoingBody = .none,
        timeout: Duration = ServiceClient.timeout, _ role: RequestRole = .preparing,
        progress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> IncomingResponse {
        let url = origin + path
        var fields = fields
        fields.add(
            "Authorization",
            credentials.authorization(
                for: method, url, nonce: nonce(), timestamp: Int64(client.now().timeIntervalSince1970)))
        fields.add("Accept", MediaType.json.description)
        return try await client.answer(
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

    /// The JSON of an answer that says yes.
    func success(
        _ answer: IncomingResponse, _ role: RequestRole = .preparing
    ) throws(SubmissionError) -> JSONValue {
        guard answer.status.isSuccess else { throw failure(answer, role) }
        return try client.json(answer, role)
    }
}
