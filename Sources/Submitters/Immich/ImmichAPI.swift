internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of an Immich server that Pics uses, for one person.
///
/// Source: immich-app/immich, OpenAPI document of 2.5.2 and "v3 migration" (2026-07-01); read 2026-11-26. Requests are those that versions 2
/// and 3 both take.
struct ImmichAPI: Sendable {
    let api: AccountAPI

    var client: ServiceClient { api.client }

    /// `GET /api/server/version`, which needs no login: whether an Immich answers.
    func isImmich() async throws(SubmissionError) -> Bool {
        let response = try await api.send(.get, "/api/server/version")
        return response.status.isSuccess && response.looseJSON?["major"]?.int != nil
    }

    /// `GET /api/users/me`.
    func me() async throws(SubmissionError) -> (id: String, name: String) {
        let response = try await api.send(.get, "/api/users/me")
        let json = try success(response)
        guard let id = json["id"]?.string else { throw client.malformed(response) }
        return (id, json["name"]?.string ?? json["email"]?.string ?? id)
    }

    // MARK: Assets

    /// `POST /api/assets`: the asset's id. The server looks for the checksum before it keeps the file, so that a repetition makes no second.
    func upload(
        _ file: OutgoingFile, name: String, takenAt: Date, sidecar: [UInt8], sha1: [UInt8], key: String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> String {
        var form = MultipartForm()
        // Version 2 asks for both, version 3 ignores them.
        form.add("deviceId", "pics")
        form.add("deviceAssetId", key)
        let time = takenAt.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        form.add("fileCreatedAt", time)
        form.add("fileModifiedAt", time)
        form.add("filename", name)
        form.add("sidecarData", filename: "\(name).xmp", mediaType: .octetStream, .bytes(sidecar))
        form.add("assetData", filename: name, mediaType: MediaType(file.mediaType) ?? .octetStream, file.whole)
        let response = try await api.send(
            .post, "/api/assets",
            fields: ["Content-Type": form.mediaType.description, "x-immich-checksum": Hex.encode(sha1)],
            body: form.body,
            timeout: ServiceClient.timeout(uploading: file.bytes), .publishing,
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        let json = try success(response, .publishing)
        guard let id = json["id"]?.string else { throw client.malformed(response, .publishing) }
        return id
    }

    /// `POST /api/assets/bulk-upload-check`: the asset that has these bytes; nil when there is none.
    func asset(with sha1: [UInt8]) async throws(SubmissionError) -> (id: String, isTrashed: Bool)? {
        let response = try await api.send(
            .post, "/api/assets/bulk-upload-check",
            json: ["assets": [["id": "pics", "checksum": .string(Hex.encode(sha1))]]])
        guard let result = try success(response)["results"]?.array?.first else { throw client.malformed(response) }
        return result["assetId"]?.string.map { ($0, result["isTrashed"]?.bool == true) }
    }

    /// `POST /api/trash/restore/assets`.
    func restore(_ id: String) async throws(SubmissionError) {
        try check(try await api.send(.post, "/api/trash/restore/assets", json: ["ids": [.string(id)]]))
    }

    /// `PUT /api/assets/{id}`.
    func describe(_ id: String, _ text: String) async throws(SubmissionError) {
        try check(
            try await api.send(
                .put, "/api/assets/\(PercentEncoding.encode(id))", json: ["description": .string(text)]))
    }

    /// `DELETE /api/assets`, to the trash; one that is not there is no error.
    func delete(_ id: String) async throws(SubmissionError) {
        let response = try await api.send(.delete, "/api/assets", json: ["ids": [.string(id)], "force": false])
        if response.status == .badRequest, Self.words(response).contains("not found or no") { return }
        try check(response)
    }

    // MARK: Albums and links

    /// `GET /api/albums`: those of the person.
    func albums(of user: String) async throws(SubmissionError) -> [Album] {
        let response = try await api.send(.get, "/api/albums?isOwned=true", maxResponseBytes: 16 << 20)
        guard let albums = try success(response).array else { throw client.malformed(response) }
        return albums.filter { album in
            // Version 2 names the owner, version 3 lists them first.
            let owner = album["ownerId"]?.string ?? album["albumUsers"]?.array?.first?["user"]?["id"]?.string
            return owner == nil || owner == user
        }.compactMap { album in
            album["id"]?.string.map { Album(id: $0, name: album["albumName"]?.string ?? $0) }
        }
    }

    /// `POST /api/albums`.
    func createAlbum(_ name: String) async throws(SubmissionError) -> Album {
        let response = try await api.send(.post, "/api/albums", json: ["albumName": .string(name)])
        guard let id = try success(response)["id"]?.string else { throw client.malformed(response) }
        return Album(id: id, name: name)
    }

    /// `PUT /api/albums/{id}/assets`; an asset that is in it already is no error.
    func add(_ id: String, to album: String) async throws(SubmissionError) {
        let response = try await api.send(
            .put, "/api/albums/\(PercentEncoding.encode(album))/assets", json: ["ids": [.string(id)]])
        guard let result = try success(response).array?.first, result["success"]?.bool != true,
            result["error"]?.string != "duplicate"
        else { return }
        throw .rejected(client.problem(.albumMissing, response))
    }

    /// Tells the links that Pics has made from those of the owner.
    private static let linkWords = "Pics"

    /// `GET /api/shared-links`: those that Pics has made to an asset.
    func links(to id: String) async throws(SubmissionError) -> [(id: String, url: String)] {
        let response = try await api.send(.get, "/api/shared-links", maxResponseBytes: 16 << 20)
        guard let links = try success(response).array else { throw client.malformed(response) }
        return links.compactMap { link in
            guard link["description"]?.string == Self.linkWords, link["type"]?.string == "INDIVIDUAL",
                link["assets"]?.array?.count == 1, link["assets"]?[0]?["id"]?.string == id,
                let name = link["id"]?.string, let key = link["key"]?.string
            else { return nil }
            return (name, address(key))
        }
    }

    /// `POST /api/shared-links`: the address that everybody may open.
    func makeLink(to id: String) async throws(SubmissionError) -> String {
        let response = try await api.send(
            .post, "/api/shared-links",
            json: [
                "type": "INDIVIDUAL", "assetIds": [.string(id)], "allowDownload": true, "showMetadata": false,
                "description": .string(Self.linkWords),
            ])
        guard let key = try success(response)["key"]?.string else { throw client.malformed(response) }
        return address(key)
    }

    /// `DELETE /api/shared-links/{id}`; one that is not there is no error.
    func deleteLink(_ id: String) async throws(SubmissionError) {
        let response = try await api.send(.delete, "/api/shared-links/\(PercentEncoding.encode(id))")
        if [400, 404].contains(response.status.code) { return }
        try check(response)
    }

    private func address(_ key: String) -> String { "\(api.origin)/share/\(PercentEncoding.encode(key))" }

    // MARK: What went wrong

    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        try check(response, role)
        return try client.json(response, role)
    }

    private func check(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) {
        guard response.status.isSuccess else { throw failure(response, role) }
    }

    private static func words(_ response: IncomingResponse) -> String {
        let message = response.looseJSON?["message"]
        return (message?.string ?? message?.array?.compactMap(\.string).joined(separator: " ") ?? "").lowercased()
    }

    /// A full library is looked at again so often.
    private static let pauseWhenFull: TimeInterval = 6 * 3600

    private func failure(_ response: IncomingResponse, _ role: RequestRole) -> SubmissionError {
        let words = Self.words(response)
        if response.status == .badRequest, words.contains("quota") {
            return client.limited(.storageFull, .account, until: client.now() + Self.pauseWhenFull, response)
        }
        if response.status == .badRequest, words.contains("unsupported file type") {
            return .rejected(client.problem(.unsupportedType, response))
        }
        return client.failure(response, role)
    }
}
