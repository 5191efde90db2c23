internal import FoundationEssentials
internal import HTTP

// Resumable uploads: a session, then pieces; the last of them makes the video.
extension YouTubeAPI {
    private static let uploadPath = "/upload\(path)/videos"

    /// What becomes of an upload, by what its session says.
    enum Progress: Sendable, Equatable {
        /// The video is there.
        case complete(Video)
        /// It waits for the bytes from here on.
        case incomplete(Int64)
        /// YouTube does not know the session, or knows it no more.
        case lost
    }

    /// `POST /upload/youtube/v3/videos?uploadType=resumable`: the path of a session for a file.
    ///
    /// `Slug` gives the file a name, which its owner alone can see (porjo/youtubeuploader pull request 139, tokland/youtube-upload pull
    /// request 214).
    func startUpload(
        _ file: OutgoingFile, named name: String, _ video: JSONObject
    ) async throws(SubmissionError) -> String {
        let parts = video.map(\.name).joined(separator: ",")
        let query: FormFields = ["uploadType": "resumable", "part": parts]
        let response = try await api.send(
            .post, "\(Self.uploadPath)?\(query.encoded)", json: .object(video),
            fields: [
                "X-Upload-Content-Type": file.mediaType, "X-Upload-Content-Length": String(file.bytes), "Slug": name,
            ])
        guard response.status.isSuccess else { throw failure(response) }
        // Token and file go there: to no other server than the API's.
        guard let url = response.fields["Location"], url.hasPrefix("\(api.origin)\(Self.uploadPath)?"),
            url.utf8.count <= 4096, url.utf8.allSatisfy({ 0x21..<0x7F ~= $0 })
        else { throw client.malformed(response) }
        return String(url.dropFirst(api.origin.count))
    }

    /// `PUT` of a piece; any answer is returned.
    func send(
        _ piece: BodyPart, at offset: Int64, of file: OutgoingFile, to path: String, _ role: RequestRole,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        try await api.send(
            .put, path,
            fields: [
                "Content-Type": file.mediaType,
                "Content-Range": "bytes \(offset)-\(offset + piece.length - 1)/\(file.bytes)",
            ], body: .parts([piece]), timeout: ServiceClient.timeout(uploading: piece.length), role,
            progress: { sent, _ in progress(sent) })
    }

    /// `PUT` of nothing: where the upload stands ("Check the status of an upload").
    func standing(of path: String, bytes: Int64) async throws(SubmissionError) -> Progress {
        let response = try await api.send(
            .put, path, fields: ["Content-Range": "bytes */\(bytes)"], body: .bytes([]))
        switch response.status.code {
        case 200, 201:
            guard let video = Video(try success(response)) else { throw client.malformed(response) }
            return .complete(video)
        case 308:
            guard let offset = Self.offset(response, of: bytes) else { throw client.malformed(response) }
            return .incomplete(offset)
        case 400 where YouTubeRefusal(response).reason != "uploadLimitExceeded", 404, 410: return .lost
        default: throw failure(response)
        }
    }

    /// How much has arrived by the `Range` of a 308, `bytes=0-524287`; without one nothing has (google-api-python-client pull request
    /// 312). Nil when it makes no sense.
    static func offset(_ response: IncomingResponse, of bytes: Int64) -> Int64? {
        guard let range = response.fields["Range"] else { return 0 }
        guard let match = range.wholeMatch(of: /(?:bytes=)?0-([0-9]{1,18})/), let last = Int64(match.1), last < bytes
        else { return nil }
        return last + 1
    }
}
