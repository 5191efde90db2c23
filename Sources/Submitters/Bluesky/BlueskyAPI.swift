internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of a personal data server that Pics uses, for one account.
///
/// Source: lexicons of bluesky-social/atproto at d6296a1c (2026-08-20) and its server's source; read 2026-11-21.
struct BlueskyAPI: Sendable {
    let api: AccountAPI

    var client: ServiceClient { api.client }

    /// `com.atproto.repo.uploadBlob`: the same bytes give the same reference, so that sending them again is harmless.
    func uploadBlob(
        _ file: OutgoingFile, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> JSONValue {
        let response = try await api.send(
            .post, "/xrpc/com.atproto.repo.uploadBlob", fields: ["Content-Type": file.mediaType],
            body: .parts([file.whole]), timeout: ServiceClient.timeout(uploading: file.bytes),
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        guard let blob = try success(response)["blob"], blob.object != nil else { throw client.malformed(response) }
        return blob
    }

    /// `com.atproto.repo.putRecord`: writes a record, such as a post, under a key of ours; any answer is returned.
    func put(
        _ record: JSONValue, in collection: String = Self.collection, key: String, of did: String
    ) async throws(SubmissionError) -> IncomingResponse {
        try await api.send(
            .post, "/xrpc/com.atproto.repo.putRecord",
            json: [
                "repo": .string(did), "collection": .string(collection), "rkey": .string(key), "record": record,
            ], .publishing)
    }

    /// `com.atproto.repo.getRecord`: whether there is a post under the key; nil when the server does not tell.
    func hasPost(_ key: String, of did: String) async throws(SubmissionError) -> Bool? {
        let query: FormFields = ["repo": did, "collection": Self.collection, "rkey": key]
        let response = try await api.send(.get, "/xrpc/com.atproto.repo.getRecord?\(query.encoded)")
        if response.status.isSuccess { return try client.json(response)["uri"]?.string != nil }
        // Servers differ in how they say that there is none: some ask their app view, and fail when it fails.
        switch response.status.code {
        case 429: throw failure(response)
        case 400 where Self.error(of: response) == "RecordNotFound": return false
        default: return nil
        }
    }

    /// A reference to a post of the account, as records have it: `com.atproto.repo.getRecord` tells its hash.
    ///
    /// - Throws: `.gone` for one that is not there.
    func reference(to uri: String, of did: String) async throws(SubmissionError) -> JSONValue {
        let query: FormFields = [
            "repo": did, "collection": Self.collection, "rkey": String(uri.split(separator: "/").last ?? ""),
        ]
        let response = try await api.send(.get, "/xrpc/com.atproto.repo.getRecord?\(query.encoded)")
        if response.status == .badRequest, Self.error(of: response) == "RecordNotFound" {
            throw .gone(client.problem(.postMissing, response))
        }
        guard let cid = try success(response)["cid"]?.string else { throw client.malformed(response) }
        return ["uri": .string(uri), "cid": .string(cid)]
    }

    /// `com.atproto.repo.deleteRecord`; one that is not there is no error.
    func delete(
        _ key: String, in collection: String = Self.collection, of did: String
    ) async throws(SubmissionError) {
        let response = try await api.send(
            .post, "/xrpc/com.atproto.repo.deleteRecord",
            json: ["repo": .string(did), "collection": .string(collection), "rkey": .string(key)])
        guard !response.status.isSuccess else { return }
        let words = String(decoding: response.body, as: UTF8.self).lowercased()
        if response.status == .badRequest, words.contains("no such record") || words.contains("recordnotfound") {
            return
        }
        throw failure(response)
    }

    /// `app.bsky.actor.getProfile`, `avatar`; a server asks its app view.
    func picture(of did: String) async throws(SubmissionError) -> String? {
        let query: FormFields = ["actor": did]
        let response = try await api.send(.get, "/xrpc/app.bsky.actor.getProfile?\(query.encoded)")
        return try success(response)["avatar"]?.string
    }

    /// `com.atproto.identity.resolveHandle`; nil for a handle that nobody has.
    func did(of handle: String) async throws(SubmissionError) -> String? {
        let query: FormFields = ["handle": handle]
        let response = try await api.send(.get, "/xrpc/com.atproto.identity.resolveHandle?\(query.encoded)")
        switch response.status.code {
        case 400, 404: return nil
        default: return try success(response)["did"]?.string
        }
    }

    /// `app.bsky.feed.getPosts`, which the data server passes on.
    func post(_ uri: String) async throws(SubmissionError) -> JSONValue {
        let query: FormFields = ["uris": uri]
        let response = try await api.send(.get, "/xrpc/app.bsky.feed.getPosts?\(query.encoded)")
        guard let posts = try success(response)["posts"]?.array else { throw client.malformed(response) }
        guard let post = posts.first else { throw .gone(client.problem(.postMissing, response)) }
        return post
    }

    func counts(of uri: String) async throws(SubmissionError) -> Engagement {
        let post = try await post(uri)
        let count = { (name: String) in post[name]?.int.map { min(max(0, Int(clamping: $0)), 1_000_000_000) } }
        return Engagement(
            likes: count("likeCount"), comments: count("replyCount"),
            shares: count("repostCount").map { $0 + (count("quoteCount") ?? 0) })
    }

    /// The links, tags and mentions of a text, as records have them.
    func facets(of text: String) async throws(SubmissionError) -> [JSONValue] {
        var facets: [JSONValue] = []
        for facet in RichText(text).facets {
            var did: String?
            if case .mention(let handle) = facet.feature { did = try await self.did(of: handle) }
            if let json = facet.json(did: did) { facets.append(json) }
        }
        return facets
    }

    static let collection = "app.bsky.feed.post"

    /// The session of a response that says yes.
    func session(_ response: IncomingResponse) throws(SubmissionError) -> BlueskySession {
        guard response.status.isSuccess else { throw failure(response) }
        guard let session = response.looseJSON.flatMap(BlueskySession.init) else { throw client.unreadable }
        return session
    }

    // MARK: What went wrong

    /// The JSON of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }

    /// The error that an unsuccessful response means. An access token that has ended is a 400 here.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        switch Self.error(of: response) {
        case "ExpiredToken", "InvalidToken", "AuthMissing", "AuthenticationRequired":
            return .unauthorized(client.problem(.credentialsRefused, response))
        case "AuthFactorTokenRequired":
            return .rejected(client.problem(.appPasswordRequired, response))
        case "AccountTakedown", "AccountDeactivated", "AccountNotFound", "AccountSuspended":
            return .unauthorized(client.problem(.accountClosed, response))
        default:
            return client.failure(response, role)
        }
    }

    /// The name of an error (atproto.com/specs/xrpc); nil when there is none.
    static func error(of response: IncomingResponse) -> String? {
        response.status.isSuccess ? nil : response.looseJSON?["error"]?.string
    }
}
