internal import Domain
internal import FoundationEssentials
internal import HTTP

extension MastodonAPI {
    /// Where an uploaded file stands.
    enum MediaState: Sendable, Equatable {
        case ready, processing
        /// The server cannot make anything of the file; for good.
        case failed(SubmissionProblem)
        /// Unknown, expired, or part of a status already.
        case missing
    }

    /// `POST /api/v2/media`, and version 1 of it on servers that answer 404 there.
    ///
    /// - Returns: The attachment's id, and whether it can be used at once: 202 and a `url` of null both mean that the
    ///   server is still at work.
    func uploadMedia(
        _ file: OutgoingFile, name: String, description: String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> (id: String, isReady: Bool) {
        var form = MultipartForm()
        if !description.isEmpty { form.add("description", description) }
        form.add(
            "file", filename: "\(name).\(file.fileExtension)",
            mediaType: MediaType(file.mediaType) ?? .octetStream,
            .file(path: file.path, offset: 0, length: file.bytes))

        var response = try await upload(form, bytes: file.bytes, to: "/api/v2/media", progress)
        if response.status == .notFound {
            response = try await upload(form, bytes: file.bytes, to: "/api/v1/media", progress)
        }
        let media = try await success(response)
        guard let id = media["id"]?.string else { throw client.malformed(response) }
        return (id, Self.isReady(response, media))
    }

    /// `GET /api/v1/media/ID`: 200 ready, 206 processing, 422 failed, 404 not to be had.
    func mediaState(_ id: String) async throws(SubmissionError) -> MediaState {
        let response = try await api.send(.get, "/api/v1/media/\(PercentEncoding.encode(id))")
        switch response.status {
        case .partialContent:
            return .processing
        case .unprocessableContent:
            return .failed(client.problem(.fileRefused, response))
        case .notFound:
            return .missing
        default:
            return Self.isReady(response, try await success(response)) ? .ready : .processing
        }
    }

    private func upload(
        _ form: MultipartForm, bytes: Int64, to path: String, _ progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        try await api.send(
            .post, path, fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: ServiceClient.timeout(uploading: bytes),
            progress: { sent, _ in progress(min(sent, bytes), bytes) })
    }

    private static func isReady(_ response: IncomingResponse, _ media: JSONValue) -> Bool {
        response.status == .ok && media["url"]?.string != nil
    }
}
