internal import FoundationEssentials
internal import HTTP

// docs.x.com, "Chunked media upload"; the one-request upload is for pictures alone.
extension TwitterAPI {
    /// Where a whole upload stands.
    enum Processing: Sendable, Equatable {
        case done
        case working(checkAfter: Duration)
        /// X cannot make anything of the file.
        case failed
    }

    /// `POST /2/media/upload/initialize`: begins an upload.
    func initializeUpload(of file: OutgoingFile, isVideo: Bool) async throws(SubmissionError) -> IncomingResponse {
        let category =
            switch file.mediaType {
            case "image/gif": "tweet_gif"
            default: isVideo ? "tweet_video" : "tweet_image"
            }
        return try await send(
            .post, "/2/media/upload/initialize",
            json: [
                "media_type": .string(file.mediaType), "media_category": .string(category),
                "total_bytes": .int(file.bytes),
            ])
    }

    /// `POST /2/media/upload/{id}/append`: a segment, which may be sent again under its index.
    func append(
        _ segment: BodyPart, index: Int, to id: String, progress: @escaping @Sendable (_ sent: Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        var form = MultipartForm()
        form.add("segment_index", String(index))
        form.add("media", filename: "media", mediaType: .octetStream, segment)
        return try await send(
            .post, "/2/media/upload/\(PercentEncoding.encode(id))/append",
            fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: ServiceClient.timeout(uploading: segment.length),
            progress: { sent, _ in progress(min(sent, segment.length)) })
    }

    /// `POST /2/media/upload/{id}/finalize`: all segments are there. It has nothing to say, in a JSON object: some programs were
    /// refused without one (trypostit/trypost PR 202).
    func finalizeUpload(_ id: String) async throws(SubmissionError) -> IncomingResponse {
        try await send(.post, "/2/media/upload/\(PercentEncoding.encode(id))/finalize", json: [:])
    }

    /// `GET /2/media/upload?command=STATUS`.
    func uploadStatus(_ id: String) async throws(SubmissionError) -> IncomingResponse {
        let query: FormFields = ["command": "STATUS", "media_id": id]
        return try await send(.get, "/2/media/upload?\(query.encoded)")
    }

    /// `POST /2/media/metadata`: gives a picture its alternative text, of at most 1,000 characters.
    func setAltText(_ text: String, of id: String) async throws(SubmissionError) {
        let words: JSONValue = ["text": .string(altText(text, limit: 1000))]
        let json: JSONValue = ["id": .string(id), "metadata": ["alt_text": words]]
        let response = try await send(.post, "/2/media/metadata", json: json)
        guard response.status.isSuccess else { throw failure(response) }
    }

    /// The state in `processing_info`; a file without it needs no processing.
    static func processing(_ response: JSONValue) -> Processing {
        guard let info = response["data"]?["processing_info"] else { return .done }
        switch info["state"]?.string {
        case "succeeded": return .done
        case "failed": return .failed
        default: return .working(checkAfter: .seconds(min(max(info["check_after_secs"]?.int ?? 1, 1), 60)))
        }
    }
}
