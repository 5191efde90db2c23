internal import Crypto
internal import Foundation
internal import HTTP
internal import System

// "Resumable uploads": a session, pieces, and the question where it stands.
extension FakeYouTube {
    func begin(_ query: FormFields, _ request: FakeRequest) -> FakeAnswer {
        guard query["uploadType"] == "resumable", let parts = query["part"]?.split(separator: ",").map(String.init),
            let type = request.fields["X-Upload-Content-Type"], type.hasPrefix("video/"),
            let size = request.fields["X-Upload-Content-Length"].flatMap({ Int($0) }), size > 0,
            let video = request.json?.object
        else { return error(400, "badRequest") }
        for member in video where !parts.contains(member.name) { return error(400, "unexpectedPart") }
        guard let snippet = video["snippet"]?.object else { return error(400, "invalidVideoMetadata") }
        if let refusal = refusal(of: snippet) { return refusal }
        if let audience = video["status"]?["privacyStatus"]?.string {
            guard ["public", "unlisted", "private"].contains(audience) else { return error(400, "badRequest") }
        }
        if let date = video["recordingDetails"]?["recordingDate"] {
            guard let text = date.string, Timestamp(text) != nil else { return error(400, "invalidRecordingDetails") }
        }
        let id = state.withLock { state in
            let id = "session-\(state.next())"
            state.uploads[id] = Upload(
                video: .object(video), mediaType: type, name: request.fields["Slug"], size: size)
            return id
        }
        let back: FormFields = ["uploadType": "resumable", "part": parts.joined(separator: ","), "upload_id": id]
        return FakeAnswer(
            .ok, fields: ["Location": "\(request.origin)/upload/youtube/v3/videos?\(back.encoded)"])
    }

    func piece(_ query: FormFields, _ request: FakeRequest) -> FakeAnswer {
        let id = query["upload_id"] ?? ""
        guard let range = request.fields["Content-Range"],
            let match = range.wholeMatch(of: /bytes (?:\*|([0-9]+)-([0-9]+))\/([0-9]+)/)
        else { return error(400, "badRequest") }
        let (first, last) = (match.1.flatMap { Int($0) }, match.2.flatMap { Int($0) })
        return state.withLock { state in
            guard var upload = state.uploads[id] else { return FakeAnswer(.notFound) }
            guard Int(match.3) == upload.size else { return error(400, "badRequest") }
            if let made = upload.made { return resource(made, .ok, state) }
            guard let first, let last else { return incomplete(upload) }
            guard last - first + 1 == request.body.count, last < upload.size,
                last + 1 == upload.size || request.body.count.isMultiple(of: options.granularity)
            else { return error(400, "badRequest") }
            // A piece from elsewhere changes nothing.
            guard first == upload.content.count else { return incomplete(upload) }
            upload.content += request.body.prefix(options.mostKept ?? .max)
            if upload.content.count == upload.size { upload.made = make(upload, &state) }
            state.uploads[id] = upload
            guard let made = upload.made else { return incomplete(upload) }
            return resource(made, .created, state)
        }
    }

    private func incomplete(_ upload: Upload) -> FakeAnswer {
        var fields: HTTPFields = [:]
        if !upload.content.isEmpty { fields.add("Range", "bytes=0-\(upload.content.count - 1)") }
        return FakeAnswer(HTTPStatus(code: 308), fields: fields)
    }

    private func make(_ upload: Upload, _ state: inout State) -> String {
        let id = "video_\(state.next())-A"
        var snippet = upload.video["snippet"]?.object ?? [:]
        if snippet["categoryId"] == nil { snippet["categoryId"] = "22" }
        var status = upload.video["status"]?.object ?? [:]
        if status["privacyStatus"] == nil { status["privacyStatus"] = "public" }
        status["uploadStatus"] = .string(options.uploadStatus)
        state.videos.append(
            Video(
                id: id, snippet: snippet, status: status,
                recordingDate: upload.video["recordingDetails"]?["recordingDate"]?.string,
                media: PublishedMedia(
                    sha256: SHA256Digest(of: upload.content).hex, bytes: upload.content.count,
                    mediaType: upload.mediaType, altText: ""),
                fileName: upload.name ?? "unknown", createdAt: now()))
        return id
    }

    private func resource(_ id: String, _ status: HTTPStatus, _ state: State) -> FakeAnswer {
        let video = state.videos.first { $0.id == id }
        let members: JSONObject = [
            "kind": "youtube#video", "id": .string(id), "snippet": .object(video?.snippet ?? [:]),
            "status": .object(video?.status ?? ["uploadStatus": "deleted"]),
        ]
        return .json(.object(members), status)
    }
}
