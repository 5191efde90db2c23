internal import Crypto
internal import Foundation
internal import HTTP
internal import System

extension FakeDropbox {
    /// The arguments of a call that carries bytes; nil unless the field holds printable ASCII alone.
    private static func arguments(_ request: FakeRequest) -> JSONValue? {
        guard request.contentType == "application/octet-stream", request.body.count <= longestRequest,
            let field = request.fields["Dropbox-API-Arg"], field.utf8.allSatisfy({ 0x20..<0x7F ~= $0 })
        else { return nil }
        return try? JSONValue(parsing: Array(field.utf8))
    }

    /// `files/upload`.
    func upload(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let arguments = Self.arguments(request) else { return refusal(400) }
        guard Self.matches(arguments, request.body) else { return error("content_hash_mismatch") }
        return state.withLock { commit(request.body, arguments, &$0) }
    }

    /// `files/upload_session/start`.
    func startSession(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard Self.arguments(request) != nil else { return refusal(400) }
        return state.withLock { state in
            state.count += 1
            let id = "pid_upload_session:\(state.count)"
            state.sessions[id] = Session(content: request.body, expiresAt: now() + Self.sessionLife)
            return .json(["session_id": .string(id)])
        }
    }

    /// `files/upload_session/append_v2`: a stretch that came twice is a wrong offset.
    func append(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let arguments = Self.arguments(request), let cursor = arguments["cursor"],
            let id = cursor["session_id"]?.string, let offset = cursor["offset"]?.int
        else { return refusal(400) }
        return state.withLock { state in
            guard let session = state.sessions[id], now() < session.expiresAt else { return error("not_found") }
            if session.isClosed { return error("closed") }
            guard offset == Int64(session.content.count) else {
                return error("incorrect_offset", 409, ["correct_offset": JSONValue(session.content.count)])
            }
            guard Self.matches(arguments, request.body) else { return error("content_hash_mismatch") }
            state.sessions[id]?.content += request.body
            return FakeAnswer(.ok, fields: ["Content-Type": "application/json"], body: Array("null".utf8))
        }
    }

    /// `files/upload_session/finish`.
    func finish(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let arguments = Self.arguments(request), let cursor = arguments["cursor"],
            let id = cursor["session_id"]?.string, let offset = cursor["offset"]?.int,
            let target = arguments["commit"]
        else { return refusal(400) }
        return state.withLock { state in
            guard let session = state.sessions[id], now() < session.expiresAt else {
                return error("lookup_failed/not_found")
            }
            if session.isClosed { return error("lookup_failed/closed") }
            guard offset == Int64(session.content.count) else {
                return error(
                    "lookup_failed/incorrect_offset", 409, ["correct_offset": JSONValue(session.content.count)])
            }
            state.sessions[id]?.isClosed = true
            return commit(session.content + request.body, target, &state)
        }
    }

    private static func matches(_ arguments: JSONValue, _ content: [UInt8]) -> Bool {
        guard let expected = arguments["content_hash"]?.string else { return true }
        var digests: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: 4_194_304) {
            digests += SHA256Digest(of: content[start..<min(start + 4_194_304, content.count)]).bytes
        }
        return SHA256Digest(of: digests).hex == expected
    }

    /// Mode `add` without `autorename`: the same bytes are no conflict, and make no second file.
    private func commit(_ content: [UInt8], _ target: JSONValue, _ state: inout State) -> FakeAnswer {
        guard let path = target["path"]?.string, path.hasPrefix("/"), !path.hasSuffix("/"),
            target["mode"]?.string == "add",
            target["client_modified"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil
        else { return refusal(400) }
        if let there = state.files.first(where: { $0.path.lowercased() == path.lowercased() }) {
            return there.content == content ? .json(entity(there)) : error("path/conflict/file")
        }
        guard content.count <= options.space else { return error("path/insufficient_space") }
        state.count += 1
        let file = File(id: "id:a4ayc_80_OEAAAAAAAAA\(state.count)", path: path, content: content, createdAt: now())
        state.files.append(file)
        return .json(entity(file))
    }

    private func entity(_ file: File) -> JSONValue {
        [
            ".tag": "file", "id": .string(file.id), "name": .string(String(file.path.split(separator: "/").last ?? "")),
            "path_lower": .string(file.path.lowercased()), "path_display": .string(file.path),
            "size": JSONValue(file.content.count), "rev": "0123456789abcdef",
        ]
    }

    /// `files/get_metadata`.
    func metadata(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            guard let file = find(request.json?["path"]?.string, state) else { return error("path/not_found") }
            return .json(entity(file))
        }
    }

    /// `files/delete_v2`.
    func delete(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            guard let file = find(request.json?["path"]?.string, state) else { return error("path_lookup/not_found") }
            state.files.removeAll { $0.id == file.id }
            return .json(["metadata": entity(file)])
        }
    }

    private func find(_ path: String?, _ state: State) -> File? {
        state.files.first { $0.id == path || $0.path.lowercased() == path?.lowercased() }
    }

    /// `files/list_folder`: the root is the empty path.
    func listFolder(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard request.json?["path"]?.string?.isEmpty == true else { return error("path/not_found") }
        return state.withLock { state in
            let folders = state.folders.map { path -> JSONValue in
                [
                    ".tag": "folder", "id": .string("id:\(path)"), "name": .string(String(path.dropFirst())),
                    "path_display": .string(path),
                ]
            }
            let file: JSONValue = [".tag": "file", "name": "notes.txt", "path_display": "/notes.txt"]
            return .json(["entries": JSONValue(folders + [file]), "cursor": "c", "has_more": false])
        }
    }

    /// `files/create_folder_v2`.
    func createFolder(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let path = request.json?["path"]?.string, path.hasPrefix("/") else { return refusal(400) }
        return state.withLock { state in
            if state.folders.contains(path) { return error("path/conflict/folder") }
            state.folders.append(path)
            return .json(["metadata": ["path_display": .string(path)]])
        }
    }

    /// `sharing/create_shared_link_with_settings`: a file has one.
    func createLink(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            guard let file = find(request.json?["path"]?.string, state) else { return error("path/not_found") }
            if state.links[file.id] != nil { return error("shared_link_already_exists") }
            let link =
                "https://www.dropbox.com/scl/fi/\(state.files.count)/\(file.path.split(separator: "/").last ?? "")"
            state.links[file.id] = link
            return .json(["url": .string(link)])
        }
    }

    /// `sharing/list_shared_links`.
    func listLinks(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            guard let file = find(request.json?["path"]?.string, state), let link = state.links[file.id] else {
                return .json(["links": []])
            }
            return .json(["links": [["url": .string(link)]]])
        }
    }
}
