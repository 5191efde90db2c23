internal import Crypto
internal import Foundation
internal import HTTP
internal import System

extension FakeTwitter {
    private static let types: [String: Set<String>] = [
        "tweet_image": ["image/jpeg", "image/png", "image/webp"],
        "tweet_gif": ["image/gif"],
        "tweet_video": ["video/mp4", "video/quicktime"],
    ]
    private static let greatestBytes = ["tweet_image": 5 << 20, "tweet_gif": 15 << 20, "tweet_video": 512 << 20]
    private static let greatestSegment = 5 << 20

    /// `POST /2/media/upload/initialize`.
    func initializeUpload(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let json = request.json, let type = json["media_type"]?.string,
            let category = json["media_category"]?.string, let bytes = json["total_bytes"]?.int,
            let types = Self.types[category], types.contains(type),
            1...Int64(Self.greatestBytes[category] ?? 0) ~= bytes
        else { return refusal(400) }
        return state.withLock { state in
            let upload = Upload(
                id: state.nextID(), category: category, mediaType: type, totalBytes: Int(bytes),
                expiresAt: now() + Self.sessionLife)
            state.uploads[upload.id] = upload
            return .json([
                "data": [
                    "id": .string(upload.id), "media_key": .string(upload.key),
                    "expires_after_secs": JSONValue(Int(Self.sessionLife)),
                ]
            ])
        }
    }

    /// `POST /2/media/upload/{id}/append`.
    func append(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let form = request.form, let media = form["media"], !media.bytes.isEmpty,
            let index = form["segment_index"].flatMap({ Int($0.text) }), 0...999 ~= index
        else { return refusal(400) }
        guard media.bytes.count <= Self.greatestSegment else { return refusal(413) }
        return state.withLock { state in
            guard let upload = open(parameters["id"], state), upload.media == nil else { return unknownMedia }
            state.uploads[upload.id]?.segments[index] = media.bytes
            // The OpenAPI description has a body; X's own emulator answers 204 without one (xdevplatform/playground,
            // `handlers_unified.go`).
            guard options.answersAppend else { return FakeAnswer(.noContent) }
            return .json(["data": ["expires_at": JSONValue(Int(upload.expiresAt.timeIntervalSince1970))]])
        }
    }

    /// `POST /2/media/upload/{id}/finalize`.
    func finalize(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        // "Request body must be a JSON object.", as seen live (trypostit/trypost PR 202, July 2026).
        guard request.json?.object != nil else { return refusal(400) }
        return state.withLock { state in
            guard var upload = open(parameters["id"], state) else { return unknownMedia }
            let content = (0..<upload.segments.count).flatMap { upload.segments[$0] ?? [] }
            guard content.count == upload.totalBytes else { return unknownMedia }
            upload.media = PublishedMedia(
                sha256: SHA256Digest(of: content).hex, bytes: content.count, mediaType: upload.mediaType,
                altText: upload.altText)
            upload.looksLeft = upload.isPicture ? 0 : options.processingLooks
            upload.expiresAt = now() + Self.mediaLife
            state.uploads[upload.id] = upload
            return .json(["data": finished(upload)])
        }
    }

    /// `GET /2/media/upload?command=STATUS`.
    func uploadStatus(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        guard query["command"] == "STATUS" else { return refusal(400) }
        return state.withLock { state in
            guard let upload = open(query["media_id"] ?? "", state), upload.media != nil else { return unknownMedia }
            if upload.looksLeft > 0 { state.uploads[upload.id]?.looksLeft -= 1 }
            return .json(["data": finished(state.uploads[upload.id] ?? upload)])
        }
    }

    /// `POST /2/media/metadata`.
    func setMetadata(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let json = request.json, let id = json["id"]?.string,
            let text = json["metadata"]?["alt_text"]?["text"]?.string, 1...1000 ~= text.unicodeScalars.count
        else { return refusal(400) }
        return state.withLock { state in
            guard open(id, state) != nil else { return unknownMedia }
            state.uploads[id]?.altText = text
            return .json(["data": ["id": .string(id)]])
        }
    }

    var unknownMedia: FakeAnswer {
        problem(400, "Invalid Request", "Your media IDs are invalid.", type: "invalid-request")
    }

    /// An upload that is not yet expired or used.
    func open(_ id: String, _ state: State) -> Upload? {
        state.uploads[id].flatMap { $0.isUsed || now() >= $0.expiresAt ? nil : $0 }
    }

    /// Whether a post may show it.
    func isReady(_ upload: Upload) -> Bool {
        upload.media != nil && upload.looksLeft == 0 && !options.failsProcessing
    }

    private func finished(_ upload: Upload) -> JSONValue {
        var data: JSONObject = [
            "id": .string(upload.id), "media_key": .string(upload.key), "size": JSONValue(upload.totalBytes),
            "expires_after_secs": JSONValue(Int(Self.mediaLife)),
        ]
        if options.failsProcessing {
            data["processing_info"] = ["state": "failed", "error": ["message": "unsupported"]]
        } else if upload.looksLeft > 0 {
            data["processing_info"] = ["state": "in_progress", "check_after_secs": 3, "progress_percent": 50]
        } else if !upload.isPicture {
            data["processing_info"] = ["state": "succeeded", "progress_percent": 100]
        }
        return .object(data)
    }
}
