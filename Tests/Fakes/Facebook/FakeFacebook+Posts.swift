internal import Crypto
internal import Foundation
internal import HTTP
internal import System

extension FakeFacebook {
    /// `POST /{page}/photos`: published only when it is not told otherwise.
    func uploadPhoto(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let form = request.form, let file = form["source"], file.filename != nil else { return error(324) }
        guard form["published"]?.text == "false" else { return error(100) }
        guard file.bytes.count <= 4 << 20 else { return error(100, subcode: 1_366_046) }
        return state.withLock { state in
            let id = state.nextID()
            state.photos[id] = PublishedMedia(
                sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count, mediaType: file.mediaType ?? "",
                altText: form["alt_text_custom"]?.text ?? "")
            return .json(["id": .string(id)])
        }
    }

    /// `POST /{page}/feed`.
    func createPost(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let json = request.json else { return error(100) }
        let ids = json["attached_media"]?.array?.compactMap { $0["media_fbid"]?.string } ?? []
        let text = json["message"]?.string ?? ""
        return state.withLock { state in
            guard !ids.isEmpty || !text.isEmpty, ids.allSatisfy({ state.photos[$0] != nil }) else { return error(100) }
            if let last = state.posts.last, last.post.text == text, last.photo == ids.first { return error(506) }
            let id = "\(Self.page)_\(state.nextID())"
            let url = "https://www.facebook.com/\(Self.page)/posts/\(id.split(separator: "_")[1])"
            let post = PublishedPost(
                id: id, url: url, text: text, media: ids.compactMap { state.photos[$0] }, createdAt: now())
            state.posts.append(Post(post: post, photo: ids.first))
            return .json(["id": .string(id), "permalink_url": .string(url)])
        }
    }

    /// `GET /{page}/published_posts`, in pages of at most 100, each with a cursor for the next.
    func publishedPosts(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query)
        let start = query?["since"].flatMap(Double.init) ?? 0
        let newest = now() - options.listDelay
        return state.withLock { state in
            let posts = state.posts.reversed().filter {
                $0.post.createdAt.timeIntervalSince1970 >= start && $0.post.createdAt <= newest
            }
            return FakeGraph.page(
                of: posts.map { post -> JSONValue in
                    let target: JSONValue = ["target": ["id": JSONValue(post.photo)]]
                    return [
                        "id": .string(post.post.id), "permalink_url": .string(post.post.url),
                        "attachments": ["data": [target]],
                    ]
                }, request)
        }
    }

    /// Adds posts that another program made now.
    package func add(posts count: Int) {
        let now = now()
        state.withLock { state in
            for _ in 0..<count {
                let id = "\(Self.page)_\(state.nextID())"
                state.posts.append(
                    Post(
                        post: PublishedPost(id: id, url: "", text: "Other", media: [], createdAt: now), photo: nil))
            }
        }
    }

    /// `POST /{page}/videos`: the upload in pieces.
    func video(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let form = request.form ?? [:]
        let fields = FormFields(request.body) ?? [:]
        return state.withLock { state in
            switch form["upload_phase"]?.text ?? fields["upload_phase"] {
            case "start":
                guard let bytes = fields["file_size"].flatMap({ Int($0) }), bytes > 0 else { return error(100) }
                let id = state.nextID()
                let video = Video(id: id, bytes: bytes)
                state.videos["session-\(id)"] = video
                var response = stretch(video).object ?? [:]
                response["upload_session_id"] = .string("session-\(id)")
                response["video_id"] = .string(id)
                return .json(.object(response))
            case "transfer":
                let session = form["upload_session_id"]?.text ?? ""
                guard let video = state.videos[session], !video.isFinished else { return error(100, subcode: 33) }
                guard form["start_offset"]?.text == String(video.content.count) else {
                    // As seen live (restfb issue 737).
                    return error(6001, subcode: 1_363_037, stretch(video))
                }
                state.videos[session]?.content += form["video_file_chunk"]?.bytes ?? []
                return .json(stretch(state.videos[session] ?? video))
            case "finish":
                let session = fields["upload_session_id"] ?? ""
                guard var video = state.videos[session], video.content.count == video.bytes else { return error(100) }
                guard !video.isFinished else { return error(100, subcode: 33) }
                video.isFinished = true
                state.videos[session] = video
                let media = PublishedMedia(
                    sha256: SHA256Digest(of: video.content).hex, bytes: video.bytes, mediaType: "video/mp4",
                    altText: "")
                let post = PublishedPost(
                    id: video.id, url: "https://www.facebook.com/reel/\(video.id)/", text: fields["description"] ?? "",
                    media: [media], createdAt: now())
                state.posts.append(Post(post: post, photo: nil))
                return .json(["success": true])
            default:
                return error(100)
            }
        }
    }

    private func stretch(_ video: Video) -> JSONValue {
        let start = video.content.count
        return [
            "start_offset": .string(String(start)),
            "end_offset": .string(String(min(start + options.pieceBytes, video.bytes))),
        ]
    }

    /// `GET /{id}`: the page, a video or a post.
    func show(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let id = parameters["id"]
        if id == Self.page { return .json(["id": .string(id), "name": "Lake"]) }
        return state.withLock { state in
            if let video = state.videos.values.first(where: { $0.id == id }) {
                // Video API, "Reels publishing", `status`; a transferred file waits for its end as `upload_complete`
                // (gitroomhq/postiz-app, `facebook.provider.ts`).
                let isWhole = video.content.count == video.bytes
                let status = video.isFinished ? "processing" : isWhole ? "upload_complete" : "uploading"
                return .json([
                    "id": .string(id),
                    "status": [
                        "video_status": .string(options.videoStatus ?? status),
                        "publishing_phase": ["status": "not_started"],
                    ],
                    "permalink_url": .string("/reel/\(id)/"),
                ])
            }
            guard state.posts.contains(where: { $0.post.id == id }) else { return refusal(404) }
            return .json([
                "reactions": ["summary": ["total_count": 6]], "comments": ["summary": ["total_count": 2]],
            ])
        }
    }

    /// `DELETE /{id}`.
    func delete(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            if let index = state.comments.firstIndex(where: { $0.id == parameters["id"] }) {
                state.comments.remove(at: index)
                return .json(["success": true])
            }
            guard let index = state.posts.firstIndex(where: { $0.post.id == parameters["id"] }) else {
                return error(100, 400, subcode: 33)
            }
            state.posts.remove(at: index)
            return .json(["success": true])
        }
    }
}
