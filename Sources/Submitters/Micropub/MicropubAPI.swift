internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of Micropub that Pics uses, for one site.
///
/// Source: micropub.spec.indieweb.org (W3C Recommendation, 23 May 2017); indieweb.org/Micropub-extensions; read 2026-11-26. Sites answer
/// in part otherwise: seen at the WordPress plugin 2.3.3.
struct MicropubAPI: Sendable {
    /// Each endpoint is an address of its own: the origin is empty.
    let api: AccountAPI
    let endpoint: String

    var client: ServiceClient { api.client }

    /// Whether the site is WordPress with its plugin, which in part does otherwise than is specified.
    private var isWordPress: Bool { endpoint.contains("/wp-json/micropub/") }

    /// What a site says of itself.
    struct Configuration: Sendable, Equatable {
        /// Where files go first; nil: with the post.
        var media: String?
        /// The audiences that it knows.
        var visibilities: [String] = []
        /// Whether it lists its posts.
        var listsPosts = false
    }

    // MARK: Queries

    /// `q=config`. One that does not answer it has no media endpoint.
    func configuration() async throws(SubmissionError) -> Configuration {
        let response = try await query(["q": "config"])
        guard response.status.isSuccess, let json = response.looseJSON else {
            if [400, 404, 405, 501].contains(response.status.code) || response.status.isSuccess {
                return Configuration()
            }
            throw failure(response)
        }
        return Configuration(
            media: json["media-endpoint"]?.string.flatMap { MicropubSite.absolute($0, endpoint) },
            visibilities: json["visibility"]?.array?.compactMap(\.string) ?? [],
            listsPosts: json["q"]?.array?.contains("source") ?? false)
    }

    /// `q=category`.
    func categories() async throws(SubmissionError) -> [String] {
        let response = try await query(["q": "category"])
        if [400, 404, 405, 501].contains(response.status.code) { return [] }
        guard response.status.isSuccess else { throw failure(response) }
        return Array(
            (try client.json(response)["categories"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
                .prefix(Album.longestList))
    }

    /// A post as a site tells it.
    struct Post: Sendable {
        let url: String?
        let properties: JSONValue

        func values(_ name: String) -> [JSONValue] { properties[name]?.array ?? [] }

        var publishedAt: Date? { values("published").first?.string.flatMap { Timestamp($0)?.date } }
    }

    /// `q=source` of a post; nil when it is not there.
    func post(at url: String) async throws(SubmissionError) -> Post? {
        let response = try await query(["q": "source", "url": url])
        if [400, 404, 410].contains(response.status.code) { return nil }
        guard response.status.isSuccess else { throw failure(response) }
        return Post(url: url, properties: try client.json(response)["properties"] ?? .null)
    }

    /// `q=source` of the newest posts, an extension; nil where a site lists none.
    func newest(_ count: Int) async throws(SubmissionError) -> [Post]? {
        let response = try await query(["q": "source", "limit": String(count)])
        if [400, 404, 405, 501].contains(response.status.code) { return nil }
        guard response.status.isSuccess else { throw failure(response) }
        guard let items = try client.json(response)["items"]?.array else { return nil }
        return items.map { item in
            let properties = item["properties"] ?? .null
            return Post(url: properties["url"]?.array?.first?.string ?? item["url"]?.string, properties: properties)
        }
    }

    /// The addresses of files at the media endpoint that no post shows, drafts and private posts among them; nil where a site does not tell those.
    func unusedFiles(at media: String) async throws(SubmissionError) -> Set<String>? {
        guard isWordPress else { return nil }
        let query: FormFields = ["q": "source", "limit": "100"]
        let response = try await api.send(.get, query.added(to: media), maxResponseBytes: 4 << 20)
        guard response.status.isSuccess, let items = response.looseJSON?["items"]?.array else { return nil }
        return Set(items.compactMap { $0["url"]?.string })
    }

    private func query(_ fields: FormFields) async throws(SubmissionError) -> IncomingResponse {
        try await api.send(.get, fields.added(to: endpoint), maxResponseBytes: 4 << 20)
    }

    // MARK: Posts

    /// Stores a file at the media endpoint; its address.
    func upload(
        _ file: OutgoingFile, name: String, to media: String, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> String {
        var form = MultipartForm()
        form.add(
            "file", filename: "\(name).\(file.fileExtension)", mediaType: MediaType(file.mediaType) ?? .octetStream,
            file.whole)
        let response = try await send(form, to: media, files: [file], .preparing, progress)
        guard response.status.isSuccess else { throw failure(response) }
        let named = response.fields["Location"] ?? response.looseJSON?["url"]?.string
        guard let url = named.flatMap({ MicropubSite.absolute($0, media) }), url.isWebAddress else {
            throw client.malformed(response)
        }
        return url
    }

    /// Creates a post of files that are there; its address, nil where the site tells none.
    func create(_ properties: JSONObject) async throws(SubmissionError) -> String? {
        let response = try await api.send(
            .post, endpoint, fields: ["Content-Type": MediaType.json.description],
            body: .bytes(JSONValue.object(["type": ["h-entry"], "properties": .object(properties)]).serialized),
            timeout: Self.publishingTimeout, .publishing)
        return try created(response)
    }

    /// Creates a post together with its files.
    func create(
        _ fields: [(name: String, value: String)], files: [(name: String, file: OutgoingFile, filename: String)],
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> String? {
        var form = MultipartForm()
        form.add("h", "entry")
        for field in fields { form.add(field.name, field.value) }
        for (name, file, filename) in files {
            form.add(
                name, filename: filename, mediaType: MediaType(file.mediaType) ?? .octetStream, file.whole)
        }
        return try created(try await send(form, to: endpoint, files: files.map(\.file), .publishing, progress))
    }

    /// Sites make smaller pictures while they answer.
    private static let publishingTimeout = Duration.seconds(180)

    private func send(
        _ form: MultipartForm, to address: String, files: [OutgoingFile], _ role: RequestRole,
        _ progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        let bytes = files.reduce(0) { $0 + $1.bytes }
        return try await api.send(
            .post, address, fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: max(ServiceClient.timeout(uploading: bytes), Self.publishingTimeout), role,
            progress: { sent, _ in progress(min(sent, bytes), bytes) })
    }

    /// 201, or 202 for a post that will be there soon.
    private func created(_ response: IncomingResponse) throws(SubmissionError) -> String? {
        guard [201, 202].contains(response.status.code) else {
            // A page for people where a post was expected: a login, or a wall.
            if response.status.isSuccess { throw client.malformed(response, .publishing) }
            throw failure(response, .publishing)
        }
        let url = response.fields["Location"].flatMap { MicropubSite.absolute($0, endpoint) }
        return url.flatMap { $0.isWebAddress ? $0 : nil }
    }

    /// Replaces properties of a post that shows `pictures`.
    func update(
        _ url: String, _ properties: JSONObject, showing pictures: [JSONValue]
    ) async throws(SubmissionError) {
        var properties = properties
        var body: JSONObject = ["action": "update", "url": .string(url)]
        if isWordPress {
            // The plugin writes the page anew: of the properties that it is given, which it finds here. Without the pictures they would leave the page.
            if !pictures.isEmpty { body["properties"] = ["photo": JSONValue(pictures)] }
            // It keeps the old words where the new ones are an empty text.
            if properties["content"] == [""] { properties["content"] = [["html": "", "value": ""]] }
        }
        body["replace"] = .object(properties)
        try await change(body, url)
    }

    /// Deletes a post; one that is not there is no error.
    func delete(_ url: String) async throws(SubmissionError) {
        do throws(SubmissionError) {
            try await change(["action": "delete", "url": .string(url)], url)
        } catch {
            guard case .gone = error else { throw error }
        }
    }

    private func change(_ body: JSONObject, _ url: String) async throws(SubmissionError) {
        let response = try await api.send(.post, endpoint, json: .object(body))
        guard !response.status.isSuccess else { return }
        // What is not there is said with 400 too.
        if [400, 404, 410].contains(response.status.code), try await post(at: url) == nil {
            throw .gone(client.problem(.postMissing, response))
        }
        throw failure(response)
    }

    // MARK: What went wrong

    /// The error that an unsuccessful response means (section 3.8). Sites differ between 401 and 403 for what a token lacks.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let json = response.status.isSuccess ? nil : response.looseJSON
        let code = json?["error"]?.string ?? json?["code"]?.string
        switch (response.status.code, code) {
        case (_, "insufficient_scope"), (403, "forbidden"):
            return .unauthorized(client.problem(.permissionDenied, response))
        case (403, nil): return client.turnedAway(response, role)
        case (403, _): return .unauthorized(client.problem(.permissionDenied, response))
        default: return client.failure(response, role)
        }
    }
}
