internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of the mixi Graph API that Pics uses, for one account.
///
/// Source: developer.mixi.co.jp as stored, and clients of 2012 to 2023; read 2026-11-21. Whether it still answers is
/// unconfirmed.
struct MixiAPI: Sendable {
    let api: AccountAPI

    var client: ServiceClient { api.client }

    /// A picture in an album.
    struct Item: Sendable {
        let id: String
        let url: String?
        let title: String
        let createdAt: Date?

        init?(_ json: JSONValue) {
            guard let id = json["id"]?.string ?? json["id"]?.int.map({ String($0) }) else { return nil }
            self.id = id
            url = json["viewPageUrl"]?.string ?? json["url"]?.string
            title = json["title"]?.string ?? ""
            createdAt = json["created"]?.string.flatMap(date(iso8601:))
        }
    }

    /// `GET /2/people/@me/@self`: id, name, and the address of the picture that friends see ("People API", `thumbnailUrl`). One that is
    /// named `noimage_member` stands for none.
    func me() async throws(SubmissionError) -> (id: String, name: String, picture: String?) {
        let response = try await api.send(.get, "/2/people/@me/@self")
        let entry = try success(response)["entry"]
        guard let id = entry?["id"]?.string else { throw client.malformed(response) }
        let picture = entry?["thumbnailUrl"]?.string.flatMap { $0.contains("/noimage_member") ? nil : $0 }
        return (id, entry?["displayName"]?.string ?? id, picture)
    }

    /// `POST /2/photo/mediaItems/@me/@self/{album}`: publishes; the title is in the query.
    func post(
        _ file: OutgoingFile, title: String, in album: String, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> String {
        let query: FormFields = ["title": title]
        let response = try await api.send(
            .post, "\(path(album))?\(query.encoded)", fields: ["Content-Type": file.mediaType],
            body: .parts([file.whole]), timeout: ServiceClient.timeout(uploading: file.bytes), .publishing,
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        let json = try success(response, .publishing)
        guard let id = json["id"]?.string ?? json["id"]?.int.map({ String($0) }) else {
            throw client.malformed(response, .publishing)
        }
        return id
    }

    /// How many of an album's pictures are listed.
    static let listLength = 50

    /// `GET …/{album}`: the newest pictures, up to ``listLength``.
    func items(in album: String) async throws(SubmissionError) -> [Item] {
        let response = try await api.send(.get, "\(path(album))?count=\(Self.listLength)&startIndex=0")
        guard let entries = try success(response)["entry"]?.array else { throw client.malformed(response) }
        return entries.compactMap(Item.init)
    }

    /// `GET …/{album}/{id}`: where people see a picture.
    func url(of id: String, in album: String) async throws(SubmissionError) -> String? {
        let json = try success(try await api.send(.get, "\(path(album))/\(PercentEncoding.encode(id))"))
        return json["entry"]?[0].flatMap(Item.init)?.url
    }

    /// `DELETE …/{album}/{id}`; one that is not there is no error.
    func delete(_ id: String, in album: String) async throws(SubmissionError) {
        let response = try await api.send(.delete, "\(path(album))/\(PercentEncoding.encode(id))")
        guard response.status.isSuccess || response.status == .notFound else { throw failure(response) }
    }

    /// `GET /2/photo/albums/@me/@self`.
    func albums() async throws(SubmissionError) -> [Album] {
        let response = try await api.send(.get, "/2/photo/albums/@me/@self?count=200&startIndex=0")
        guard let entries = try success(response)["entry"]?.array else { throw client.malformed(response) }
        return entries.compactMap { entry in
            (entry["id"]?.string ?? entry["id"]?.int.map { String($0) }).map {
                Album(id: $0, name: entry["title"]?.string ?? "")
            }
        }
    }

    /// `POST /2/photo/albums/@me/@self`.
    func createAlbum(_ title: String, visibility: String) async throws(SubmissionError) -> Album {
        let response = try await api.send(
            .post, "/2/photo/albums/@me/@self",
            form: ["title": title, "description": "", "visibility": visibility])
        let json = try success(response)
        guard let id = json["id"]?.string ?? json["id"]?.int.map({ String($0) }) else {
            throw client.malformed(response)
        }
        return Album(id: id, name: title)
    }

    private func path(_ album: String) -> String {
        "/2/photo/mediaItems/@me/@self/\(album == "@default" ? album : PercentEncoding.encode(album))"
    }

    /// The JSON of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }

    /// 503 says that a minute's calls are used up, or an outage; what a publishing request came to is not clear then.
    private func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let challenge = response.fields["WWW-Authenticate"] ?? ""
        return response.status == .forbidden && !challenge.contains("insufficient_scope")
            ? .rejected(client.problem(.postingNotAllowed, response))
            : client.failure(response, role)
    }
}
