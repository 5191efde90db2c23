internal import Domain
internal import FoundationEssentials
internal import HTTP

/// Files of a server. Source: Matrix specification v1.19, "Content repository"; read 2026-11-26.
extension MatrixAPI {
    /// `m.upload.size`, in bytes; nil where the server does not tell. Servers before version 1.11 have it at another path.
    func uploadLimit() async throws(SubmissionError) -> Int64? {
        for path in ["/_matrix/client/v1/media/config", "/_matrix/media/v3/config"] {
            let response = try await api.send(.get, path)
            if [404, 405].contains(response.status.code) { continue }
            return try success(response)["m.upload.size"]?.int
        }
        return nil
    }

    /// For a place.
    private static let longestWait: TimeInterval = 600

    /// A place for a file that is sent in a request of its own, which may be repeated.
    struct Place: Sendable, Equatable {
        /// `mxc://example.org/name`.
        let uri: String
        /// After which the server has forgotten it, unless the file is there.
        let expiresAt: Date?
    }

    /// `POST /_matrix/media/v1/create`; nil at a server before version 1.7.
    ///
    /// A server lets few places wait for their files: 5 at Synapse, for a day each. Where answers with places were lost, one step has to do.
    func createPlace() async throws(SubmissionError) -> Place? {
        let response = try await api.send(.post, "/_matrix/media/v1/create", json: [:])
        if [404, 405].contains(response.status.code) { return nil }
        if Self.code(of: response) == "M_LIMIT_EXCEEDED", let end = limitEnd(response),
            end > client.now() + Self.longestWait
        {
            return nil
        }
        let json = try success(response)
        guard let uri = json["content_uri"]?.string, MatrixNames.media(uri) != nil else {
            throw client.malformed(response)
        }
        return Place(
            uri: uri, expiresAt: json["unused_expires_at"]?.double.map { Date(timeIntervalSince1970: $0 / 1000) })
    }

    /// `PUT /_matrix/media/v3/upload/{server}/{id}`; one that is there already is no error.
    ///
    /// - Returns: False when the server knows the place no more.
    func upload(
        _ file: OutgoingFile, named name: String, to uri: String, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> Bool {
        guard let (server, id) = MatrixNames.media(uri) else { return false }
        let response = try await send(
            .put, "/_matrix/media/v3/upload/\(PercentEncoding.encode(server))/\(id)", file, name, progress)
        if response.status == .notFound { return false }
        if Self.code(of: response) == "M_CANNOT_OVERWRITE_MEDIA" { return true }
        guard response.status.isSuccess else { throw uploadFailure(response) }
        return true
    }

    /// `POST /_matrix/media/v3/upload`: the file's URI. Sent again it is another file.
    func upload(
        _ file: OutgoingFile, named name: String, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> String {
        let response = try await send(.post, "/_matrix/media/v3/upload", file, name, progress)
        guard response.status.isSuccess else { throw uploadFailure(response) }
        guard let uri = try client.json(response)["content_uri"]?.string, MatrixNames.media(uri) != nil else {
            throw client.malformed(response)
        }
        return uri
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ file: OutgoingFile, _ name: String,
        _ progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        try await api.send(
            method, "\(path)?filename=\(PercentEncoding.encode(name))", fields: ["Content-Type": file.mediaType],
            body: .parts([file.whole]), timeout: ServiceClient.timeout(uploading: file.bytes), progress: progress)
    }

    /// 403 is said of a type that the server does not take, and of a quota.
    private func uploadFailure(_ response: IncomingResponse) -> SubmissionError {
        Self.code(of: response) == "M_FORBIDDEN"
            ? .rejected(client.problem(.uploadFailed, response)) : failure(response)
    }
}
