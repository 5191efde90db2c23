internal import Crypto
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP

/// Servers that keep files under their hashes.
///
/// Source: BUD-01, 02, 11 and 12, hzrd149/blossom at ef3c79e (2026-04-22); read 2026-11-26.
struct BlossomAPI: Sendable {
    let nostr: NostrAPI
    let threads: BlockingThreads

    private var client: ServiceClient { nostr.client }

    /// How long a permission holds, and how far back it is dated: a server whose clock is behind refuses one of the future.
    private static let tokenLife: TimeInterval = 3600
    private static let tokenAge: TimeInterval = 10

    /// A file that a server has.
    struct Blob: Sendable, Equatable {
        let url: String
        /// 64 small hexadecimal digits.
        let sha256: String
        let mediaType: String
        let bytes: Int64
        let width: Int?
        let height: Int?

        init(_ file: OutgoingFile, at url: String, sha256: String) {
            (self.url, self.sha256, mediaType, bytes) = (url, sha256, file.mediaType, file.bytes)
            (width, height) = (file.width, file.height)
        }

        init?(_ json: JSONValue?) {
            guard let url = json?["url"]?.string, let sha256 = json?["sha256"]?.string,
                let mediaType = json?["type"]?.string, let bytes = json?["size"]?.int
            else { return nil }
            (self.url, self.sha256, self.mediaType, self.bytes) = (url, sha256, mediaType, bytes)
            width = json?["width"]?.int.flatMap(Int.init(exactly:))
            height = json?["height"]?.int.flatMap(Int.init(exactly:))
        }

        var json: JSONValue {
            var json: JSONObject = [
                "url": .string(url), "sha256": .string(sha256), "type": .string(mediaType), "size": .int(bytes),
            ]
            if let width { json["width"] = JSONValue(width) }
            if let height { json["height"] = JSONValue(height) }
            return .object(json)
        }
    }

    /// Puts a file on the first server that takes it, unless it is there.
    ///
    /// - Throws: When none has taken it.
    func upload(
        _ file: OutgoingFile, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> Blob {
        let sha256 = Hex.encode(try await file.hash(.sha256, on: threads))
        var errors: [SubmissionError] = []
        for server in nostr.addresses.servers {
            do throws(SubmissionError) {
                return try await upload(file, sha256, to: server, progress: progress)
            } catch {
                if Task.isCancelled { throw error }
                errors.append(error)
            }
        }
        throw NostrAPI.weightiest(errors)
            ?? .rejected(.valueRequired, ProblemParameters(field: "servers", label: "A server"))
    }

    private func upload(
        _ file: OutgoingFile, _ sha256: String, to server: String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> Blob {
        let usual = "\(server)/\(sha256).\(file.fileExtension)"
        if try await has(sha256, of: file.bytes, at: server) {
            progress(file.bytes, file.bytes)
            return Blob(file, at: usual, sha256: sha256)
        }
        var response = try await put(file, sha256, to: server, isOld: false, progress: progress)
        // Servers from before BUD-11 read the permission in another alphabet.
        if response.status.code == 401 {
            response = try await put(file, sha256, to: server, isOld: true, progress: progress)
        }
        guard response.status.isSuccess else { throw failure(response) }
        let descriptor = try client.json(response)
        guard let kept = descriptor["sha256"]?.string else { throw client.malformed(response) }
        // Who changes bytes keeps another file than was meant.
        guard kept == sha256 else { throw .rejected(client.problem(.uploadFailed, response)) }
        let url = descriptor["url"]?.string ?? ""
        let isFile = url.isWebAddress && nostr.servers.allowsScheme(of: url) && url.contains(sha256)
        return Blob(file, at: isFile ? url : usual, sha256: sha256)
    }

    /// Whether a server has a file of so many bytes, which it tells with it (BUD-01). One that does not say so gets it again, which
    /// changes nothing.
    private func has(_ sha256: String, of bytes: Int64, at server: String) async throws(SubmissionError) -> Bool {
        let response = try await client.response(to: request(.head, "\(server)/\(sha256)"))
        switch response.status.code {
        case 200: return response.fields["Content-Length"].flatMap { Int64($0) } == bytes
        case 408, 429, 500...: throw failure(response)
        default: return false
        }
    }

    private func put(
        _ file: OutgoingFile, _ sha256: String, to server: String, isOld: Bool,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        var request = request(.put, "\(server)/upload")
        request.fields = [
            "Authorization": try token("upload", "Upload a file", sha256, server, isOld: isOld),
            "Content-Type": file.mediaType, "X-SHA-256": sha256, "Accept": MediaType.json.description,
        ]
        request.body = .parts([file.whole])
        request.timeout = ServiceClient.timeout(uploading: file.bytes)
        request.progress = progress
        return try await client.response(to: request)
    }

    /// Deletes a file; one that is not there is no error, and neither is a server that lets nobody delete.
    func delete(_ sha256: String, at server: String) async throws(SubmissionError) {
        func delete(isOld: Bool) async throws(SubmissionError) -> IncomingResponse {
            var request = request(.delete, "\(server)/\(sha256)")
            request.fields = ["Authorization": try token("delete", "Delete a file", sha256, server, isOld: isOld)]
            return try await client.response(to: request)
        }
        var response = try await delete(isOld: false)
        if response.status.code == 401 { response = try await delete(isOld: true) }
        switch response.status.code {
        case 408, 429, 500...: throw failure(response)
        default: return
        }
    }

    /// Asks a server for a file that it need not have: whether it is one at all.
    func check(_ server: String) async throws(SubmissionError) {
        _ = try await has(SHA256Digest(of: "").hex, of: 0, at: server)
    }

    // MARK: Requests

    private func request(_ method: HTTPMethod, _ url: String) -> OutgoingRequest {
        OutgoingRequest(
            method: method, url: url, timeout: ServiceClient.timeout, addressPolicy: nostr.servers.addresses)
    }

    /// A permission for one deed with one file at one server (BUD-11).
    private func token(
        _ verb: String, _ words: String, _ sha256: String, _ server: String, isOld: Bool
    ) throws(SubmissionError) -> String {
        let now = client.now()
        let end = Int64((now + Self.tokenLife).timeIntervalSince1970)
        var tags = [["t", verb], ["expiration", String(end)], ["x", sha256]]
        if let host = URLComponents(string: server)?.encodedHost?.lowercased() { tags.append(["server", host]) }
        let event = try nostr.event(NostrEvent.Kind.serverToken, words, tags, at: now - Self.tokenAge)
        let bytes = Array(event.text.utf8)
        return "Nostr \(isOld ? Base64.encode(bytes) : Base64URL.encode(bytes))"
    }

    /// The error of a refusal; its reason stands in a field.
    private func failure(_ response: IncomingResponse) -> SubmissionError {
        var response = response
        if let reason = response.fields["X-Reason"] {
            response = IncomingResponse(status: response.status, fields: response.fields, body: Array(reason.utf8))
        }
        return switch response.status.code {
        case 402: .rejected(client.problem(.fileRefused, response))
        default: client.failure(response)
        }
    }
}
