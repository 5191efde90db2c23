internal import FoundationEssentials
internal import HTTP

/// The calls of the Graph API that Pics uses, for one page.
///
/// Source: developers.facebook.com, Graph API v26.0, "Pages API", "Video API"; read 2026-11-21.
struct FacebookAPI: Sendable {
    /// `https://graph.facebook.com`, with the page's token.
    let graph: AccountAPI
    /// `https://graph-video.facebook.com`, with the page's token.
    let video: AccountAPI
    /// `/v26.0`.
    let version: String

    var client: ServiceClient { graph.client }

    /// A page that a person manages.
    struct Page: Sendable, Equatable {
        let id: String
        let name: String
        let token: String
        let mayPost: Bool
    }

    // MARK: Pages

    /// `GET /me/accounts`, as the person: at most 500 pages.
    func pages() async throws(SubmissionError) -> [Page] { try await pages(at: "me/accounts") }

    /// `GET /me/businesses`, then `owned_pages` and `client_pages` of each: pages of business portfolios, which
    /// `me/accounts` may leave out. At most 25 portfolios; nothing for a person who has none, or has not allowed
    /// `business_management`.
    ///
    /// Source: getopenpost/openpost PR 217 and trypostit/trypost PR 301, both of August 2026, from live accounts.
    func portfolioPages() async throws(SubmissionError) -> [Page] {
        let response = try await graph.send(.get, "\(version)/me/businesses?fields=id&limit=25")
        guard response.status.isSuccess else {
            if case .unauthorized = failure(response) { return [] }
            if case .rejected = failure(response) { return [] }
            throw failure(response)
        }
        var pages: [Page] = []
        for id in response.looseJSON?["data"]?.array?.compactMap({ $0["id"]?.string }) ?? [] {
            for edge in ["owned_pages", "client_pages"] {
                for page in try await self.pages(at: "\(PercentEncoding.encode(id))/\(edge)")
                where !pages.contains(where: { $0.id == page.id }) { pages.append(page) }
            }
        }
        return pages
    }

    /// The pages of a list that come with a token: who has no role on a page gets none of it.
    private func pages(at path: String) async throws(SubmissionError) -> [Page] {
        var pages: [Page] = []
        var after: String?
        for _ in 0..<5 {
            var query: FormFields = ["fields": "id,name,access_token,tasks", "limit": "100"]
            if let after { query.add("after", after) }
            let response = try await graph.send(.get, "\(version)/\(path)?\(query.encoded)")
            guard response.status.isSuccess else { throw failure(response) }
            guard let json = response.looseJSON, let items = json["data"]?.array else { throw client.unreadable }
            for item in items {
                guard let id = item["id"]?.string, let token = item["access_token"]?.string else { continue }
                let tasks = item["tasks"]?.array?.compactMap(\.string)
                pages.append(
                    Page(
                        id: id, name: item["name"]?.string ?? id, token: token,
                        mayPost: tasks?.contains("CREATE_CONTENT") ?? true))
            }
            after = json["paging"]?["cursors"]?["after"]?.string
            if json["paging"]?["next"] == nil || after == nil { break }
        }
        return pages
    }

    /// `GET /{page}`: its name.
    func name(of page: String) async throws(SubmissionError) -> String {
        let response = try await graph.send(.get, "\(version)/\(PercentEncoding.encode(page))?fields=id,name")
        guard let name = try success(response)["name"]?.string else { throw client.malformed(response) }
        return name
    }

    /// `GET /{page}/picture` (Graph API, "Page Picture", "Profile Picture Source"); nil for a page that has the standard one.
    func picture(of page: String) async throws(SubmissionError) -> String? {
        let query: FormFields = ["redirect": "0", "width": "128", "height": "128"]
        let response = try await graph.send(
            .get, "\(version)/\(PercentEncoding.encode(page))/picture?\(query.encoded)")
        let source = try success(response)["data"]
        return source?["is_silhouette"]?.bool == true ? nil : source?["url"]?.string
    }

    // MARK: Photos

    /// `POST /{page}/photos`, unpublished: nobody sees it until a post shows it.
    func uploadPhoto(
        _ file: OutgoingFile, name: String, altText: String, to page: String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> String {
        var form = MultipartForm()
        form.add("published", "false")
        if !altText.isEmpty { form.add("alt_text_custom", altText) }
        form.add(
            "source", filename: "\(name).\(file.fileExtension)", mediaType: MediaType(file.mediaType) ?? .octetStream,
            file.whole)
        let response = try await graph.send(
            .post, "\(version)/\(page)/photos", fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: ServiceClient.timeout(uploading: file.bytes),
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        guard let id = try success(response)["id"]?.string else { throw client.malformed(response) }
        return id
    }

    /// `POST /{page}/feed`: the post that shows uploaded photos; any answer is returned.
    func post(_ text: String, showing photo: String, on page: String) async throws(SubmissionError) -> IncomingResponse
    {
        let media: JSONValue = ["media_fbid": .string(photo)]
        var body: JSONObject = ["attached_media": [media], "published": true]
        if !text.isEmpty { body["message"] = .string(text) }
        return try await graph.send(
            .post, "\(version)/\(page)/feed?fields=id,permalink_url", json: .object(body), .publishing)
    }

    /// The result of a search for a post.
    enum Search: Sendable {
        case found(id: String, url: String?)
        case absent
        /// There are more posts than are looked through.
        case unclear
    }

    /// `GET /{page}/published_posts`: the post since a time that shows a photo, among up to 500.
    func post(showing photo: String, on page: String, since start: Date) async throws(SubmissionError) -> Search {
        var found: Search?
        // Pages behind the one that has it are not asked for: what goes wrong there says nothing.
        let posts = try await graph.graphList(
            at: "\(version)/\(page)/published_posts",
            [
                "fields": "id,permalink_url,attachments{target}", "since": String(Int64(start.timeIntervalSince1970)),
            ], mostPages: 5
        ) { post in
            let shown = post["attachments"]?["data"]?.array?.compactMap { $0["target"]?["id"]?.string } ?? []
            guard shown.contains(photo), let id = post["id"]?.string else { return true }
            found = .found(id: id, url: post["permalink_url"]?.string)
            return false
        }
        return found ?? (posts.isComplete ? .absent : .unclear)
    }

    // MARK: A post that is there

    /// `DELETE /{post}`; one that is not there is no error.
    func delete(_ post: String) async throws(SubmissionError) {
        let response = try await graph.send(.delete, "\(version)/\(PercentEncoding.encode(post))")
        if GraphRefusal(response).isOfTheObject { return }
        _ = try success(response)
    }

    /// Reactions, comments and shares.
    func counts(of post: String) async throws(SubmissionError) -> Engagement {
        let query: FormFields = [
            "fields": "shares,reactions.summary(true).limit(0),comments.summary(true).limit(0)"
        ]
        let json = try success(
            try await graph.send(.get, "\(version)/\(PercentEncoding.encode(post))?\(query.encoded)"))
        let total = { (name: String) in json[name]?["summary"]?["total_count"]?.int.map { Int(clamping: $0) } }
        return Engagement(
            likes: total("reactions"), comments: total("comments"),
            // A post that nobody has shared lacks the member.
            shares: json["shares"]?["count"]?.int.map { Int(clamping: $0) } ?? 0)
    }

    /// The JSON of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }
}
