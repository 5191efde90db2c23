internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of the Google Photos Library API that Pics uses, for one account.
///
/// Source: developers.google.com/photos/library, "Upload media", "Resumable uploads", "API limits and quotas"; read
/// 2026-11-21.
struct GooglePhotosAPI: Sendable {
    let api: AccountAPI

    var client: ServiceClient { api.client }

    /// A created item.
    struct Item: Sendable, Equatable {
        let id: String
        let url: String?
    }

    // MARK: Bytes

    /// `POST /v1/uploads` in one request: the upload token.
    func upload(
        _ file: OutgoingFile, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> String {
        let response = try await api.send(
            .post, "/v1/uploads",
            fields: [
                "Content-Type": MediaType.octetStream.description, "X-Goog-Upload-Content-Type": file.mediaType,
                "X-Goog-Upload-Protocol": "raw",
            ], body: .parts([file.whole]), timeout: ServiceClient.timeout(uploading: file.bytes),
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        return try token(response)
    }

    /// Begins an upload that can be gone on with: its address and the size that pieces are multiples of.
    func startUpload(_ file: OutgoingFile) async throws(SubmissionError) -> (path: String, granularity: Int64) {
        let response = try await api.send(
            .post, "/v1/uploads",
            fields: [
                "X-Goog-Upload-Command": "start", "X-Goog-Upload-Content-Type": file.mediaType,
                "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Raw-Size": String(file.bytes),
            ], body: .bytes([]))
        guard response.status.isSuccess else { throw failure(response) }
        // The token goes there: to no other server than the API's.
        guard let url = response.fields["X-Goog-Upload-URL"], url.hasPrefix("\(api.origin)/") else {
            throw client.malformed(response)
        }
        let granularity = response.fields["X-Goog-Upload-Chunk-Granularity"].flatMap { Int64($0) } ?? 1 << 18
        return (String(url.dropFirst(api.origin.count)), min(max(granularity, 1), 64 << 20))
    }

    /// Sends a piece; any answer is returned. The last one finalizes.
    func append(
        _ piece: BodyPart, to path: String, at offset: Int64, isLast: Bool,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        try await api.send(
            .post, path,
            fields: [
                "X-Goog-Upload-Command": isLast ? "upload, finalize" : "upload",
                "X-Goog-Upload-Offset": String(offset),
            ], body: .parts([piece]), timeout: ServiceClient.timeout(uploading: piece.length),
            progress: { sent, _ in progress(sent) })
    }

    /// How much of an upload has arrived; nil when there is no such upload any more, or it was finalized.
    func received(_ path: String) async throws(SubmissionError) -> Int64? {
        let response = try await api.send(
            .post, path, fields: ["X-Goog-Upload-Command": "query"], body: .bytes([]))
        if [400, 404, 410].contains(response.status.code) { return nil }
        guard response.status.isSuccess else { throw failure(response) }
        guard response.fields["X-Goog-Upload-Status"] == "active" else { return nil }
        return response.fields["X-Goog-Upload-Size-Received"].flatMap { Int64($0) }
    }

    /// The upload token is the response's text.
    func token(_ response: IncomingResponse) throws(SubmissionError) -> String {
        guard response.status.isSuccess else { throw failure(response) }
        guard let text = String(validating: response.body, as: UTF8.self), !text.isEmpty, text.utf8.count <= 8192,
            text.utf8.allSatisfy({ 0x21..<0x7F ~= $0 }), !text.hasPrefix("<")
        else { throw client.malformed(response) }
        return text
    }

    // MARK: Items

    /// `POST /v1/mediaItems:batchCreate` with one item; any answer is returned.
    func create(
        _ token: String, named name: String, description: String, in album: String?
    ) async throws(SubmissionError) -> IncomingResponse {
        var item: JSONObject = ["simpleMediaItem": ["uploadToken": .string(token), "fileName": .string(name)]]
        if !description.isEmpty { item["description"] = .string(description) }
        var body: JSONObject = ["newMediaItems": [.object(item)]]
        if let album { body["albumId"] = .string(album) }
        return try await api.send(.post, "/v1/mediaItems:batchCreate", json: .object(body), .publishing)
    }

    /// Whether a refusal is of the upload token alone: "Request must contain a valid upload token." (gphotos-uploader-cli issues
    /// 132 and 223, from live accounts).
    static func isOfTheUploadToken(_ response: IncomingResponse) -> Bool {
        response.status == .badRequest
            && response.looseJSON?["error"]?["message"]?.string?.lowercased().contains("upload token") == true
    }

    /// `GET /v1/mediaItems`: the item of a file's name among the newest that Pics has made.
    func item(named name: String) async throws(SubmissionError) -> Item? {
        var query: FormFields = ["pageSize": "100"]
        for _ in 0..<Self.longestLook {
            let response = try await api.send(.get, "/v1/mediaItems?\(query.encoded)")
            let json = try success(response)
            if let found = json["mediaItems"]?.array?.first(where: { $0["filename"]?.string == name }) {
                guard let item = Self.item(found) else { throw client.malformed(response) }
                return item
            }
            guard let next = json["nextPageToken"]?.string, !next.isEmpty else { return nil }
            query = ["pageSize": "100", "pageToken": next]
        }
        return nil
    }

    /// Pages; items that are older were not made by a submission that hangs.
    private static let longestLook = 5

    static func item(_ json: JSONValue?) -> Item? {
        json?["id"]?.string.map { Item(id: $0, url: json?["productUrl"]?.string) }
    }

    /// `PATCH /v1/mediaItems/{id}`.
    func setDescription(_ text: String, of item: String) async throws(SubmissionError) {
        _ = try success(
            try await api.send(
                .patch, "/v1/mediaItems/\(PercentEncoding.encode(item))?updateMask=description",
                json: ["description": .string(text)]))
    }

    // MARK: Albums

    /// `GET /v1/albums`: those that Pics has made.
    func albums() async throws(SubmissionError) -> [Album] {
        var albums: [Album] = []
        var query: FormFields = ["pageSize": "50"]
        while albums.count < Album.longestList {
            let json = try success(try await api.send(.get, "/v1/albums?\(query.encoded)"))
            for album in json["albums"]?.array ?? [] where album["isWriteable"]?.bool != false {
                guard let id = album["id"]?.string else { continue }
                albums.append(Album(id: id, name: album["title"]?.string ?? ""))
            }
            guard let next = json["nextPageToken"]?.string, !next.isEmpty else { break }
            query = ["pageSize": "50", "pageToken": next]
        }
        return Array(albums.prefix(Album.longestList))
    }

    /// `POST /v1/albums`.
    func createAlbum(_ title: String) async throws(SubmissionError) -> Album {
        let response = try await api.send(.post, "/v1/albums", json: ["album": ["title": .string(title)]])
        guard let id = try success(response)["id"]?.string else { throw client.malformed(response) }
        return Album(id: id, name: title)
    }

    // MARK: What went wrong

    /// The JSON of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }

    /// "After 429 wait at least 30 s"; a day's quota ends at midnight in California.
    private static let pause: TimeInterval = 30
    private static let pauseWithoutQuota: TimeInterval = 6 * 3600

    /// Maps a failed response to an error.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let words =
            response.status.isSuccess ? "" : (response.looseJSON?["error"]?["message"]?.string ?? "").lowercased()
        switch response.status.code {
        case 403 where words.contains("storage"), 429 where words.contains("storage"):
            return client.limited(.storageFull, .account, until: client.now() + Self.pauseWithoutQuota, response)
        case 429 where words.contains("per day"):
            return client.limited(
                .quotaExceeded, .app, until: client.now() + Self.pauseWithoutQuota,
                response)
        case 429 where response.fields["Retry-After"] == nil && !words.isEmpty:
            return client.limited(
                .rateLimited, .account, until: client.now() + Self.pause,
                response)
        default:
            return client.failure(response, role)
        }
    }
}
