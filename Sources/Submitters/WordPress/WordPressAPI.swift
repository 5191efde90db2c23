internal import Crypto
internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// The calls of a WordPress site that Pics uses, for one user of it.
///
/// Source: developer.wordpress.org, "REST API Handbook", namespace `wp/v2`, and WordPress 6.1.9 run for it; read 2026-11-26.
struct WordPressAPI: Sendable {
    let api: AccountAPI
    let site: WordPressSite

    var client: ServiceClient { api.client }

    /// A file in the site's library.
    struct Media: Sendable, Equatable {
        let id: Int64
        /// Of the file itself.
        let url: String
        let width: Int64?
        let height: Int64?

        init?(_ json: JSONValue) {
            guard let id = json["id"]?.int, let url = json["source_url"]?.string else { return nil }
            self.id = id
            self.url = url
            (width, height) = (json["media_details"]?["width"]?.int, json["media_details"]?["height"]?.int)
        }
    }

    /// A post as the site has it.
    struct Post: Sendable, Equatable {
        enum State: Sendable {
            case draft
            /// Of its owner's, who may have published it before.
            case trashed
            /// Private posts too.
            case published
        }

        let id: Int64
        let url: String?
        let slug: String
        let state: State
        /// As it is edited; nil where the user may not edit it.
        let content: String?

        init?(_ json: JSONValue) {
            guard let id = json["id"]?.int else { return nil }
            self.id = id
            url = json["link"]?.string
            slug = json["slug"]?.string ?? ""
            state =
                switch json["status"]?.string {
                case "draft", "auto-draft", "pending": .draft
                case "trash": .trashed
                default: .published
                }
            content = json["content"]?["raw"]?.string
        }
    }

    // MARK: The user

    /// `GET /wp/v2/users/me`.
    func me() async throws(SubmissionError) -> (id: Int64, name: String, picture: String?, mayPublish: Bool) {
        let response = try await send(.get, "/wp/v2/users/me", ["context": "edit"])
        let json = try success(response)
        guard let id = json["id"]?.int else { throw client.malformed(response) }
        let may = { (name: String) in json["capabilities"]?[name]?.bool == true }
        return (
            id, json["slug"]?.string ?? json["name"]?.string ?? String(id), json["avatar_urls"]?["96"]?.string,
            may("upload_files") && may("publish_posts")
        )
    }

    // MARK: Files

    /// `POST /wp/v2/media`. Where the server fails while it makes smaller sizes, the file is there, and the work goes on.
    ///
    /// A file of a private post is private itself until it belongs to its post: else everybody could list it.
    func upload(
        _ file: OutgoingFile, name: String, slug: String, altText: String, isPrivate: Bool,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> Media {
        var form = MultipartForm()
        form.add("slug", slug)
        form.add("title", name)
        if !altText.isEmpty { form.add("alt_text", altText) }
        if isPrivate { form.add("status", "private") }
        form.add(
            "file", filename: "\(name).\(file.fileExtension)", mediaType: MediaType(file.mediaType) ?? .octetStream,
            file.whole)
        let response = try await api.send(
            .post, site.path("/wp/v2/media"), fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: ServiceClient.timeout(uploading: file.bytes) + Self.sizing,
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        if response.status.code >= 500, let id = response.fields["X-WP-Upload-Attachment-ID"].flatMap({ Int64($0) }) {
            return try await makeSizes(of: id)
        }
        guard let media = Media(try success(response)) else { throw client.malformed(response) }
        return media
    }

    /// Pictures of other sizes are made before the answer.
    private static let sizing = Duration.seconds(120)

    /// `POST /wp/v2/media/{id}/post-process`.
    private func makeSizes(of id: Int64) async throws(SubmissionError) -> Media {
        let response = try await send(
            .post, "/wp/v2/media/\(id)/post-process", json: ["action": "create-image-subsizes"])
        guard let media = Media(try success(response)) else { throw client.malformed(response) }
        return media
    }

    /// `GET /wp/v2/media?slug=`, also of private files, which are not listed unasked: nil when there is none.
    func media(named slug: String) async throws(SubmissionError) -> Media? {
        let response = try await send(
            .get, "/wp/v2/media", ["slug": slug, "status": "inherit,private", "_fields": Self.mediaFields])
        guard let found = try success(response).array else { throw client.malformed(response) }
        return found.first.flatMap(Media.init)
    }

    private static let mediaFields = "id,source_url,media_details"

    /// Makes a file the post's: who may not read the post is not told of it.
    func attach(_ media: Int64, to post: Int64) async throws(SubmissionError) {
        _ = try success(try await send(.post, "/wp/v2/media/\(media)", json: ["post": .int(post)]))
    }

    func setAltText(_ text: String, of media: Int64) async throws(SubmissionError) {
        _ = try success(try await send(.post, "/wp/v2/media/\(media)", json: ["alt_text": .string(text)]))
    }

    /// Begins the names of files that Pics has put there.
    static let mark = "pics-"

    /// Whether Pics has put a file there.
    func isOurs(_ media: Int64) async throws(SubmissionError) -> Bool {
        let response = try await send(.get, "/wp/v2/media/\(media)", ["_fields": "slug"])
        if [404, 410].contains(response.status.code) { return false }
        return try success(response)["slug"]?.string?.hasPrefix(Self.mark) == true
    }

    /// Deletes a file that Pics has put there; one that it has not, and one that is not there any more, is left alone.
    func deleteMedia(_ id: Int64) async throws(SubmissionError) {
        guard try await isOurs(id) else { return }
        try gone(try await send(.delete, "/wp/v2/media/\(id)", ["force": "true"]))
    }

    // MARK: Posts

    /// `POST /wp/v2/posts` with `status=draft`: its number. A slug that is taken gets a number behind it.
    func createDraft(_ post: JSONObject) async throws(SubmissionError) -> Int64 {
        var post = post
        post["status"] = "draft"
        let response = try await send(.post, "/wp/v2/posts", json: .object(post))
        guard let id = try success(response)["id"]?.int else { throw client.malformed(response) }
        return id
    }

    /// `GET /wp/v2/posts?slug=&status=draft`: the user's own; nil when there is none.
    func draft(named slug: String, by user: Int64) async throws(SubmissionError) -> Int64? {
        let response = try await send(
            .get, "/wp/v2/posts",
            ["slug": slug, "author": String(user), "status": "draft", "context": "edit"])
        guard let found = try success(response).array else { throw client.malformed(response) }
        return found.compactMap(Post.init).first { $0.slug == slug }?.id
    }

    /// `POST /wp/v2/posts/{id}` with another `status`: publishes a draft. One that is published already stays as it is.
    func publish(_ id: Int64, _ post: JSONObject) async throws(SubmissionError) -> Post {
        let response = try await send(.post, "/wp/v2/posts/\(id)", json: .object(post), .publishing)
        guard let made = Post(try success(response, .publishing)) else { throw client.malformed(response, .publishing) }
        return made
    }

    func post(_ id: String, toEdit: Bool = true) async throws(SubmissionError) -> Post {
        let response = try await send(
            .get, "/wp/v2/posts/\(PercentEncoding.encode(id))", ["context": toEdit ? "edit" : "view"])
        guard let post = Post(try success(response)) else { throw client.malformed(response) }
        return post
    }

    /// A post that is not in the trash.
    func shownPost(_ id: String, toEdit: Bool = true) async throws(SubmissionError) -> Post {
        let post = try await post(id, toEdit: toEdit)
        guard post.state != .trashed else { throw .gone(SubmissionProblem(client.problem(.postMissing))) }
        return post
    }

    func changePost(_ id: String, _ change: JSONObject) async throws(SubmissionError) {
        _ = try success(
            try await send(.post, "/wp/v2/posts/\(PercentEncoding.encode(id))", json: .object(change)))
    }

    /// To the trash, or for good where there is none or `forGood`.
    func deletePost(_ id: String, forGood: Bool = false) async throws(SubmissionError) {
        let path = "/wp/v2/posts/\(PercentEncoding.encode(id))"
        if !forGood {
            let response = try await send(.delete, path)
            guard response.status.code == 501 else { return try gone(response) }
        }
        try gone(try await send(.delete, path, ["force": "true"]))
    }

    /// What is not there any more is no error.
    private func gone(_ response: IncomingResponse) throws(SubmissionError) {
        guard response.status.isSuccess || [404, 410].contains(response.status.code) else { throw failure(response) }
    }

    // MARK: Categories

    /// `GET /wp/v2/categories`, in pages of 100.
    func categories() async throws(SubmissionError) -> [Album] {
        var albums: [Album] = []
        for page in 1...(Album.longestList / 100) {
            let response = try await send(
                .get, "/wp/v2/categories", ["per_page": "100", "page": String(page), "_fields": "id,name"])
            guard let found = try success(response).array else { throw client.malformed(response) }
            albums += found.compactMap { category in
                category["id"]?.int.map { Album(id: String($0), name: Self.name(category) ?? String($0)) }
            }
            if found.count < 100 { break }
        }
        return albums
    }

    /// `POST /wp/v2/categories`; one of that name is given back.
    func createCategory(_ name: String) async throws(SubmissionError) -> Album {
        let response = try await send(.post, "/wp/v2/categories", json: ["name": .string(name)])
        let json = response.looseJSON
        if json?["code"]?.string == "term_exists", let id = json?["data"]?["term_id"]?.int {
            return Album(id: String(id), name: name)
        }
        // Authors may post, and may not make categories.
        if json?["code"]?.string == "rest_cannot_create" {
            throw .rejected(client.problem(.albumsMadeThere, response))
        }
        guard let id = try success(response)["id"]?.int else { throw client.malformed(response) }
        return Album(id: String(id), name: json.flatMap(Self.name) ?? name)
    }

    /// Names come as HTML.
    private static func name(_ category: JSONValue) -> String? { category["name"]?.string.map { HTMLText.plain($0) } }

    // MARK: Requests

    func send(
        _ method: HTTPMethod, _ route: String, _ query: FormFields = [:], _ role: RequestRole = .preparing
    ) async throws(SubmissionError) -> IncomingResponse {
        try await api.send(method, site.path(route, query), maxResponseBytes: 4 << 20, role)
    }

    func send(
        _ method: HTTPMethod, _ route: String, json: JSONValue, _ role: RequestRole = .preparing
    ) async throws(SubmissionError) -> IncomingResponse {
        try await api.send(method, site.path(route), json: json, role)
    }

    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }

    /// The error that an unsuccessful response means; `code` tells more than the status.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        switch (response.status.code, response.looseJSON?["code"]?.string) {
        // A file of a type that the site does not take comes as an error of the server.
        case (500, "rest_upload_sideload_error"):
            .rejected(client.problem(.fileRefused, response))
        // A password that is wrong, or was revoked, counts like none: what only users may ask for is a wrong parameter then.
        case (400, "rest_invalid_param")
        where response.looseJSON?["data"]?["details"]?["status"]?["data"]?["status"] == 401:
            client.refusedCredentials(response)
        // PHP takes no file of this size.
        case (400, "rest_upload_no_content_disposition"):
            .rejected(client.problem(.fileTooLarge, response))
        case (500, "rest_upload_unknown_error")
        where response.looseJSON?["message"]?.string?.contains("upload_max_filesize") == true:
            .rejected(client.problem(.fileTooLarge, response))
        // About one post, not about the account.
        case (403, "rest_cannot_edit"), (403, "rest_cannot_delete"), (403, "rest_forbidden_context"):
            .rejected(client.problem(.changeUnsupported, response))
        case (400, "rest_cannot_create"):
            .unauthorized(client.problem(.permissionDenied, response))
        case (404, "rest_no_route"):
            client.turnedAway(response, role)
        case (412, _):
            .temporary(client.problem(.uploadFailed, response), retryAfter: nil)
        default:
            client.failure(response, role)
        }
    }
}
