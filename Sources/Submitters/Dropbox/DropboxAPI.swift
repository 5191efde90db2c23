internal import FoundationEssentials
internal import HTTP

/// The calls of Dropbox's HTTP API 2 that Pics uses, for one account.
///
/// Source: dropbox/dropbox-api-spec at 0d994eb (2026-08-05); read 2026-11-21. A call without arguments has no body.
struct DropboxAPI: Sendable {
    /// `https://api.dropboxapi.com`, with the account's token.
    let rpc: AccountAPI
    /// `https://content.dropboxapi.com`, with the account's token.
    let content: AccountAPI

    var client: ServiceClient { rpc.client }

    /// The mode of a write. Equal bytes at the same path are no conflict, and make no second file.
    struct Commit: Sendable {
        let path: String
        let takenAt: Date

        var json: JSONObject {
            [
                "path": .string(path), "mode": "add", "autorename": false, "mute": true,
                // UTC, in whole seconds.
                "client_modified": .string(takenAt.formatted(.iso8601)),
            ]
        }
    }

    // MARK: The account

    /// `users/get_current_account`.
    func account() async throws(SubmissionError) -> (id: String, name: String, picture: String?) {
        let response = try await rpc.send(.post, "/2/users/get_current_account")
        let json = try success(response)
        guard let id = json["account_id"]?.string else { throw client.malformed(response) }
        return (
            id, json["email"]?.string ?? json["name"]?["display_name"]?.string ?? id, json["profile_photo_url"]?.string
        )
    }

    // MARK: Files

    /// `files/upload`: a whole file of at most 150 MiB; any answer is returned.
    func upload(
        _ file: OutgoingFile, hash: String, _ commit: Commit, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        var arguments = commit.json
        arguments["content_hash"] = .string(hash)
        return try await send("/2/files/upload", .object(arguments), file.whole, .publishing) { sent in
            progress(sent, file.bytes)
        }
    }

    /// `files/upload_session/start`, without bytes.
    func startSession() async throws(SubmissionError) -> String {
        let response = try await send("/2/files/upload_session/start", ["close": false], .bytes([]))
        guard let id = try success(response)["session_id"]?.string else { throw client.malformed(response) }
        return id
    }

    /// `files/upload_session/append_v2`: any answer is returned.
    func append(
        _ piece: BodyPart, hash: String, to session: String, at offset: Int64,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        try await send(
            "/2/files/upload_session/append_v2",
            ["cursor": Self.cursor(session, offset), "close": false, "content_hash": .string(hash)], piece,
            progress: progress)
    }

    /// `files/upload_session/finish`, without further bytes; any answer is returned.
    func finish(
        _ session: String, bytes: Int64, _ commit: Commit
    ) async throws(SubmissionError) -> IncomingResponse {
        try await send(
            "/2/files/upload_session/finish",
            ["cursor": Self.cursor(session, bytes), "commit": .object(commit.json)], .bytes([]), .publishing)
    }

    /// `files/get_metadata`: the id of what lies at a path; nil when nothing does.
    func file(at path: String) async throws(SubmissionError) -> String? {
        let response = try await rpc.send(.post, "/2/files/get_metadata", json: ["path": .string(path)])
        if response.status == .conflict, DropboxRefusal(response).summary.hasPrefix("path/not_found") { return nil }
        guard let id = try success(response)["id"]?.string else { throw client.malformed(response) }
        return id
    }

    /// `files/delete_v2`. What is gone already is no error.
    func delete(_ id: String) async throws(SubmissionError) {
        let response = try await rpc.send(.post, "/2/files/delete_v2", json: ["path": .string(id)])
        if response.status == .conflict, DropboxRefusal(response).summary.hasPrefix("path_lookup/not_found") { return }
        _ = try success(response)
    }

    /// `sharing/create_shared_link_with_settings`, or the link that there is.
    func link(to id: String) async throws(SubmissionError) -> String {
        let settings: JSONValue = ["audience": "public", "access": "viewer"]
        var response = try await rpc.send(
            .post, "/2/sharing/create_shared_link_with_settings", json: ["path": .string(id), "settings": settings])
        if response.status == .conflict, DropboxRefusal(response).summary.hasPrefix("shared_link_already_exists") {
            response = try await rpc.send(
                .post, "/2/sharing/list_shared_links", json: ["path": .string(id), "direct_only": true])
            guard let link = try success(response)["links"]?[0]?["url"]?.string else {
                throw client.malformed(response)
            }
            return link
        }
        guard let link = try success(response)["url"]?.string else { throw client.malformed(response) }
        return link
    }

    // MARK: Folders

    /// `files/list_folder` of the root, which is the empty path; folders alone.
    func folders() async throws(SubmissionError) -> [Album] {
        var albums: [Album] = []
        var response = try await rpc.send(
            .post, "/2/files/list_folder", json: ["path": "", "recursive": false, "limit": 2000])
        while true {
            let json = try success(response)
            for entry in json["entries"]?.array ?? [] where entry[".tag"]?.string == "folder" {
                guard let path = entry["path_display"]?.string, let name = entry["name"]?.string else { continue }
                albums.append(Album(id: path, name: name))
            }
            guard json["has_more"]?.bool == true, let cursor = json["cursor"]?.string,
                albums.count < Album.longestList
            else { return Array(albums.prefix(Album.longestList)) }
            response = try await rpc.send(.post, "/2/files/list_folder/continue", json: ["cursor": .string(cursor)])
        }
    }

    /// `files/create_folder_v2`; one that is there is the one.
    func createFolder(_ name: String) async throws(SubmissionError) -> Album {
        let path = "/\(name)"
        let response = try await rpc.send(
            .post, "/2/files/create_folder_v2", json: ["path": .string(path), "autorename": false])
        if response.status == .conflict, DropboxRefusal(response).summary.hasPrefix("path/conflict/folder") {
            return Album(id: path, name: name)
        }
        return Album(id: try success(response)["metadata"]?["path_display"]?.string ?? path, name: name)
    }

    // MARK: Sending

    private static func cursor(_ session: String, _ offset: Int64) -> JSONValue {
        ["session_id": .string(session), "offset": .int(offset)]
    }

    /// Sends bytes, the arguments being a header field.
    private func send(
        _ path: String, _ arguments: JSONValue, _ body: BodyPart, _ role: RequestRole = .preparing,
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(SubmissionError) -> IncomingResponse {
        let fields: HTTPFields = [
            "Content-Type": MediaType.octetStream.description, "Dropbox-API-Arg": Self.headerSafe(arguments),
        ]
        return try await content.send(
            .post, path, fields: fields, body: .parts([body]),
            timeout: ServiceClient.timeout(uploading: body.length), role,
            progress: { sent, _ in progress(sent) })
    }

    /// JSON in which everything beyond printable ASCII is escaped, so that it may stand in a header field.
    static func headerSafe(_ json: JSONValue) -> String {
        var text = ""
        for unit in String(decoding: json.serialized, as: UTF8.self).utf16 {
            if 0x20..<0x7F ~= unit {
                text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }

    /// The JSON of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }
}
