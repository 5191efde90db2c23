internal import FoundationEssentials
internal import HTTP

/// The calls of Minus's API 2, for one account at a server that speaks it.
///
/// Source: miners.github.io/MinusAPIv2; read 2026-11-21.
struct MinusAPI: Sendable {
    let api: AccountAPI
    /// The account's name in addresses.
    let slug: String

    var client: ServiceClient { api.client }

    /// A file in a folder.
    struct File: Sendable {
        let id: String
        let url: String?
        let name: String

        init?(_ json: JSONValue) {
            guard let id = json["id"]?.string else { return nil }
            self.id = id
            url = json["url"]?.string
            name = json["name"]?.string ?? ""
        }
    }

    /// `GET /activeuser`.
    func activeUser() async throws(SubmissionError) -> (slug: String, name: String) {
        let response = try await api.send(.get, "/api/v2/activeuser")
        let json = try success(response)
        guard let slug = json["slug"]?.string else { throw client.malformed(response) }
        return (slug, json["username"]?.string ?? slug)
    }

    /// `POST /folders/{id}/files`: publishes.
    func upload(
        _ file: OutgoingFile, named name: String, caption: String, to folder: String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> File {
        var form = MultipartForm()
        form.add("caption", caption)
        form.add("filename", name)
        form.add("file", filename: name, mediaType: MediaType(file.mediaType) ?? .octetStream, file.whole)
        let response = try await api.send(
            .post, "\(path(folder))/files", fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: ServiceClient.timeout(uploading: file.bytes), .publishing,
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        guard let made = File(try success(response, .publishing)) else { throw client.malformed(response, .publishing) }
        return made
    }

    /// `GET /folders/{id}/files`: the file of a name.
    func file(named name: String, in folder: String) async throws(SubmissionError) -> File? {
        for page in 1...20 {
            let response = try await api.send(.get, "\(path(folder))/files?page=\(page)")
            let json = try success(response)
            guard let results = json["results"]?.array else { throw client.malformed(response) }
            if let found = results.compactMap(File.init).first(where: { $0.name == name }) { return found }
            if json["next"]?.string == nil { break }
        }
        return nil
    }

    /// `GET /users/{slug}/folders`.
    func folders() async throws(SubmissionError) -> [Album] {
        var albums: [Album] = []
        for page in 1...20 {
            let response = try await api.send(
                .get, "/api/v2/users/\(PercentEncoding.encode(slug))/folders?page=\(page)")
            let json = try success(response)
            guard let results = json["results"]?.array else { throw client.malformed(response) }
            for result in results {
                guard let id = result["id"]?.string else { continue }
                albums.append(Album(id: id, name: result["name"]?.string ?? ""))
            }
            if json["next"]?.string == nil { break }
        }
        return albums
    }

    /// `POST /users/{slug}/folders`.
    func createFolder(_ name: String) async throws(SubmissionError) -> Album {
        let response = try await api.send(
            .post, "/api/v2/users/\(PercentEncoding.encode(slug))/folders", form: ["name": name, "is_public": "false"])
        guard let id = try success(response)["id"]?.string else { throw client.malformed(response) }
        return Album(id: id, name: name)
    }

    /// `DELETE /files/{id}`; one that is not there is no error.
    func delete(_ file: String) async throws(SubmissionError) {
        let response = try await api.send(.delete, "/api/v2/files/\(PercentEncoding.encode(file))")
        guard response.status.isSuccess || response.status == .notFound else { throw client.failure(response) }
    }

    private func path(_ folder: String) -> String { "/api/v2/folders/\(PercentEncoding.encode(folder))" }

    private func success(
        _ response: IncomingResponse, _ role: RequestRole = .preparing
    ) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw client.failure(response, role) }
        return try client.json(response, role)
    }
}

/// One submission to a server that speaks Minus's protocol.
struct MinusPosting: Sendable {
    private static let folderKey = "folder"
    private static let nameKey = "name"
    /// The folder of PhotoSubmitter, by another name.
    private static let standardFolder = "Pics"

    let task: SubmissionTask
    let api: MinusAPI

    func submit() async throws(SubmissionError) -> Receipt {
        let file = try await task.file()
        let folder = try await folder()
        // The photo's alone.
        let name = "\(task.photo.code).\(file.fileExtension)"
        try await task.journal.record(Self.nameKey, .string(name))
        let made = try await task.publish(task.text) { _ throws(SubmissionError) in
            try await api.upload(file, named: name, caption: task.text, to: folder, progress: task.progress)
        }
        return Receipt(remoteID: made.id, url: made.url)
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let folder = await task.journal.value(Self.folderKey)?.string,
            let name = await task.journal.value(Self.nameKey)?.string
        else { return .absent }
        if let file = try await api.file(named: name, in: folder) {
            return .found(Receipt(remoteID: file.id, url: file.url))
        }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    /// The chosen folder, or one that is made when it is missing; fixed by the first attempt.
    private func folder() async throws(SubmissionError) -> String {
        if let folder = await task.journal.value(Self.folderKey)?.string { return folder }
        var folder = AccountChoice.album.text(in: task.account.settings)
        if folder == nil { folder = try await api.folders().first { $0.name == Self.standardFolder }?.id }
        let id: String
        if let folder { id = folder } else { id = try await api.createFolder(Self.standardFolder).id }
        try await task.journal.record(Self.folderKey, .string(id))
        return id
    }
}
