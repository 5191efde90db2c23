internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of Tumblr's API v2 that Pics uses, for one blog.
///
/// Source: tumblr/docs of 2024-10-18, `api.md` and `npf-spec.md`; read 2026-11-21.
struct TumblrAPI: Sendable {
    let api: AccountAPI
    /// The blog's uuid, which stays when its name changes.
    let blog: String

    var client: ServiceClient { api.client }

    /// A blog that a person writes.
    struct Blog: Sendable, Equatable {
        let id: String
        let name: String
        let isPrimary: Bool
    }

    /// A post as it is read back.
    struct Post: Sendable {
        let id: String
        let url: String?
        let slug: String
        let text: String
        let notes: Int?

        init?(_ json: JSONValue) {
            // Ids have 64 bits; the text is exact.
            guard let id = json["id_string"]?.string ?? json["id"]?.string ?? json["id"]?.int.map({ String($0) }) else {
                return nil
            }
            self.id = id
            url = json["post_url"]?.string
            slug = json["slug"]?.string ?? ""
            text = (json["content"]?.array ?? []).filter { $0["type"]?.string == "text" }
                .compactMap { $0["text"]?.string }.joined(separator: "\n")
            notes = json["note_count"]?.int.map { Int(clamping: $0) }
        }
    }

    /// `GET /v2/user/info`.
    func blogs() async throws(SubmissionError) -> [Blog] {
        let response = try await api.send(.get, "/v2/user/info")
        guard let blogs = try success(response)["user"]?["blogs"]?.array else { throw client.malformed(response) }
        return blogs.compactMap { blog in
            guard let name = blog["name"]?.string else { return nil }
            return Blog(id: blog["uuid"]?.string ?? name, name: name, isPrimary: blog["primary"]?.bool == true)
        }
    }

    /// `POST /v2/blog/{blog}/posts`: publishes; the part with the JSON has to be the first.
    func post(
        _ body: JSONValue, _ file: OutgoingFile, identifier: String, name: String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> (id: String, isTranscoding: Bool) {
        var form = MultipartForm()
        form.add("json", mediaType: .json, body.serialized)
        form.add(
            identifier, filename: "\(name).\(file.fileExtension)", mediaType: MediaType(file.mediaType) ?? .octetStream,
            file.whole)
        let response = try await api.send(
            .post, path("posts"), fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: ServiceClient.timeout(uploading: file.bytes), .publishing,
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        let post = try success(response, .publishing)
        guard let id = post["id"]?.string ?? post["id"]?.int.map({ String($0) }) else {
            throw client.malformed(response, .publishing)
        }
        return (id, post["state"]?.string == "transcoding")
    }

    /// `GET /v2/blog/{blog}/posts`: those published since a time, oldest first; at most 20.
    func posts(since start: Date) async throws(SubmissionError) -> [Post] {
        let query: FormFields = [
            "npf": "true", "limit": "20", "after": String(Int64(start.timeIntervalSince1970)), "sort": "asc",
        ]
        let response = try await api.send(.get, "\(path("posts"))?\(query.encoded)")
        guard let posts = try success(response)["posts"]?.array else { throw client.malformed(response) }
        return posts.compactMap(Post.init)
    }

    /// `GET /v2/blog/{blog}/posts?id=`.
    func post(_ id: String) async throws(SubmissionError) -> Post {
        let query: FormFields = ["npf": "true", "id": id]
        let response = try await api.send(.get, "\(path("posts"))?\(query.encoded)")
        guard let posts = try success(response)["posts"]?.array else { throw client.malformed(response) }
        guard let post = posts.first.flatMap(Post.init) else {
            throw .gone(client.problem(.postMissing, response))
        }
        return post
    }

    /// `GET /v2/blog/{blog}/notes`: likes and reblogs.
    func counts(of id: String) async throws(SubmissionError) -> Engagement {
        let query: FormFields = ["id": id, "mode": "conversation"]
        let json = try success(try await api.send(.get, "\(path("notes"))?\(query.encoded)"))
        let count = { (name: String) in json[name]?.int.map { Int(clamping: $0) } }
        let (all, likes, reblogs) = (count("total_notes"), count("total_likes"), count("total_reblogs"))
        // The rest of the notes are answers.
        let answers = all.flatMap { all in likes.flatMap { likes in reblogs.map { max(0, all - likes - $0) } } }
        return Engagement(likes: likes, comments: answers, shares: reblogs)
    }

    /// `POST /v2/blog/{blog}/post/delete`; one that is not there is no error.
    func delete(_ id: String) async throws(SubmissionError) {
        let response = try await api.send(.post, path("post/delete"), form: ["id": id])
        guard response.status.isSuccess || response.status == .notFound else { throw failure(response) }
    }

    func path(_ call: String) -> String { "/v2/blog/\(PercentEncoding.encode(blog))/\(call)" }

    // MARK: What went wrong

    /// The `response` of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        guard let response = try client.json(response, role)["response"] else { throw client.malformed(response, role) }
        return response
    }

    /// A day's limit is looked at again so often: days are Tumblr's.
    private static let pauseOfDay: TimeInterval = 6 * 3600

    /// The error that an unsuccessful response means; `errors[].code` tells more than the status.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let code = response.status.isSuccess ? nil : response.looseJSON?["errors"]?[0]?["code"]?.int
        switch (response.status.code, code) {
        case (403, 8004), (403, 8011), (403, 8022), (403, 8023):
            return client.limited(.quotaExceeded, .account, until: client.now() + Self.pauseOfDay, response)
        case (403, 8010):
            return .temporary(
                client.problem(.stillProcessing, response), retryAfter: .seconds(300))
        case (403, .some):
            return .rejected(client.problem(.postingNotAllowed, response))
        default:
            return client.failure(response, role)
        }
    }
}
