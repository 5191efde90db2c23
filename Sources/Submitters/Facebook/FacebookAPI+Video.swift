internal import FoundationEssentials
internal import HTTP

/// A begun upload of a video, as the journal keeps it.
struct FacebookVideo: Sendable, Equatable {
    private static let key = "video"

    let session: String
    let id: String
    let bytes: Int64
    /// The stretch that Facebook asks for next; empty when it has all.
    var next: Range<Int64>

    static func recorded(in journal: any Journal) async -> FacebookVideo? {
        let json = await journal.value(key)
        guard let session = json?["session"]?.string, let id = json?["id"]?.string, let bytes = json?["bytes"]?.int,
            let start = json?["start"]?.int, let end = json?["end"]?.int, start <= end
        else { return nil }
        return FacebookVideo(session: session, id: id, bytes: bytes, next: start..<end)
    }

    func record(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(
            Self.key,
            [
                "session": .string(session), "id": .string(id), "bytes": .int(bytes), "start": .int(next.lowerBound),
                "end": .int(next.upperBound),
            ])
    }

    static func discard(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(key, nil)
    }
}

// The classic upload in pieces, whose sizes Facebook chooses.
extension FacebookAPI {
    /// `upload_phase=start`.
    func startVideo(_ bytes: Int64, on page: String) async throws(SubmissionError) -> FacebookVideo {
        let response = try await video.send(
            .post, "\(version)/\(page)/videos", form: ["upload_phase": "start", "file_size": String(bytes)])
        let json = try success(response)
        guard let session = Self.text(json["upload_session_id"]), let id = Self.text(json["video_id"]),
            let next = Self.stretch(json, of: bytes)
        else { throw client.malformed(response) }
        return FacebookVideo(session: session, id: id, bytes: bytes, next: next)
    }

    /// `upload_phase=transfer`; the stretch that comes next.
    func transfer(
        _ upload: FacebookVideo, of file: OutgoingFile, to page: String, progress: @escaping @Sendable (Int64) -> Void
    ) async throws(SubmissionError) -> Range<Int64> {
        let length = upload.next.upperBound - upload.next.lowerBound
        var form = MultipartForm()
        form.add("upload_phase", "transfer")
        form.add("upload_session_id", upload.session)
        form.add("start_offset", String(upload.next.lowerBound))
        form.add(
            "video_file_chunk", filename: "video", mediaType: .octetStream,
            .file(path: file.path, offset: upload.next.lowerBound, length: length))
        let response = try await video.send(
            .post, "\(version)/\(page)/videos", fields: ["Content-Type": form.mediaType.description], body: form.body,
            timeout: ServiceClient.timeout(uploading: length), progress: { sent, _ in progress(min(sent, length)) })
        if let start = GraphRefusal(response).startOffset, 0...upload.bytes ~= start {
            // It stands elsewhere than we believe.
            return start..<min(start + max(length, 1), upload.bytes)
        }
        guard let next = Self.stretch(try success(response), of: upload.bytes) else { throw client.malformed(response) }
        return next
    }

    /// `upload_phase=finish`: publishes; any answer is returned.
    func finish(
        _ upload: FacebookVideo, _ text: String, on page: String
    ) async throws(SubmissionError) -> IncomingResponse {
        try await video.send(
            .post, "\(version)/\(page)/videos",
            form: [
                "upload_phase": "finish", "upload_session_id": upload.session, "description": text,
                "published": "true",
            ], .publishing)
    }

    /// The state of a video.
    enum VideoState: Sendable, Equatable {
        /// Its end has come: it is shown, or will be.
        case finished
        /// Facebook waits for more of the file, or for its end.
        case open
        /// Its session is over.
        case expired
        /// Facebook cannot make anything of the file.
        case failed
    }

    /// The state of a video, and its address.
    func state(ofVideo id: String) async throws(SubmissionError) -> (state: VideoState, url: String?) {
        let response = try await graph.send(
            .get, "\(version)/\(PercentEncoding.encode(id))?fields=status,permalink_url")
        let json = try success(response)
        let url = json["permalink_url"]?.string.map { $0.hasPrefix("/") ? "https://www.facebook.com\($0)" : $0 }
        guard let state = Self.state(json["status"]) else { throw client.malformed(response) }
        return (state, url)
    }

    /// Source: Video API, "Reels publishing", `status`; that a file which has arrived waits for its end as `upload_complete`:
    /// gitroomhq/postiz-app, `facebook.provider.ts`.
    private static func state(_ status: JSONValue?) -> VideoState? {
        let publishing = status?["publishing_phase"]
        if publishing?["status"]?.string == "complete" || publishing?["publish_status"]?.string == "published" {
            return .finished
        }
        switch status?["video_status"]?.string {
        case "processing", "ready", "published": return .finished
        case "uploading", "upload_complete": return .open
        case "expired": return .expired
        case "error", "upload_failed": return .failed
        default: return nil
        }
    }

    private static func stretch(_ json: JSONValue, of bytes: Int64) -> Range<Int64>? {
        guard let start = text(json["start_offset"]).flatMap({ Int64($0) }),
            let end = text(json["end_offset"]).flatMap({ Int64($0) }), 0 <= start, start <= end, end <= bytes
        else { return nil }
        return start..<end
    }

    /// Numbers come as texts, mostly.
    private static func text(_ json: JSONValue?) -> String? { json?.string ?? json?.int.map { String($0) } }
}
