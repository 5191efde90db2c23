internal import Crypto
package import Foundation
package import HTTP
internal import System

/// The YouTube Data API with one channel, as developers.google.com/youtube/v3/docs describes it (read 2026-11-26).
package final class FakeYouTube: FakeService {
    /// How the service is set up.
    package struct Options: Sendable {
        /// How long a new video is missing from the list of uploads.
        package var listDelay: TimeInterval = 0
        /// How long a new video is not known where it is to go into a playlist.
        package var playlistDelay: TimeInterval = 0
        /// Pieces are multiples of it, but for the last.
        package var granularity = 4_000
        /// The most of a piece that is kept; nil: all of it.
        package var mostKept: Int?
        /// `uploadStatus` of a new video.
        package var uploadStatus = "uploaded"
        package var hasChannel = true
        /// Whether videos take comments.
        package var takesComments = true

        package init() {}
    }

    struct Upload {
        let video: JSONValue
        let mediaType: String
        let name: String?
        let size: Int
        var content: [UInt8] = []
        var made: String?
    }

    struct Video {
        let id: String
        var snippet: JSONObject
        let status: JSONObject
        let recordingDate: String?
        let media: PublishedMedia
        let fileName: String?
        let createdAt: Date
    }

    struct Comment {
        let id: String
        let video: String
        let thread: String
        let text: String
        let at: Date
    }

    struct State {
        var uploads: [String: Upload] = [:]
        var videos: [Video] = []
        var playlists: [(id: String, title: String, visibility: String)] = [("PLlakes", "Lakes", "public")]
        var items: [(playlist: String, video: String)] = []
        var comments: [Comment] = []
        var count = 0

        mutating func next() -> Int {
            count += 1
            return count
        }
    }

    static let channel = "UClakes00000000000000000"
    static let uploads = "UUlakes00000000000000000"

    let options: Options
    let now: @Sendable () -> Date
    /// Its consent and tokens.
    package let oauth: FakeOAuth2
    package let conversation = FakeConversation { "Ugx\($0)" }
    let state = Lock(State())

    /// Starts with one playlist.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        var consent = FakeOAuth2.Options()
        consent.accessLife = 3599
        oauth = FakeOAuth2("google", consent, now: now)
    }

    package var talk: FakeConversation? { conversation }

    /// What people read is the description.
    package var effects: [PublishedPost] {
        state.withLock { $0.videos }.map { video in
            PublishedPost(
                id: video.id, url: "https://www.youtube.com/watch?v=\(video.id)",
                text: video.snippet["description"]?.string ?? "", media: [video.media], createdAt: video.createdAt)
        }
    }

    package var albumNames: [String] {
        state.withLock { state in
            state.items.compactMap { item in state.playlists.first { $0.id == item.playlist }?.title }
        }
    }

    /// What was said of each video, as `videos.list` tells its owner.
    package var resources: [JSONValue] { state.withLock { $0.videos }.map { entity($0, []) } }

    /// How many sessions were begun.
    package var sessions: Int { state.withLock { $0.uploads.count } }

    /// Forgets all sessions, as after a week.
    package func dropSessions() { state.withLock { $0.uploads = [:] } }

    /// Other videos of the channel, newer than all before.
    package func add(videos: Int) {
        state.withLock { state in
            for _ in 0..<videos {
                let number = state.next()
                state.videos.append(
                    Video(
                        id: "other-\(number)", snippet: ["title": "Other", "description": "Other", "categoryId": "22"],
                        status: ["privacyStatus": "public", "uploadStatus": "processed"], recordingDate: nil,
                        media: PublishedMedia(sha256: "", bytes: 0, mediaType: "video/mp4", altText: ""),
                        fileName: "other.mp4", createdAt: now()))
            }
        }
    }

    /// Changes a video as its owner does at YouTube.
    package func change(_ id: String, _ members: JSONObject) {
        state.withLock { state in
            guard let index = state.videos.firstIndex(where: { $0.id == id }) else { return }
            for member in members { state.videos[index].snippet[member.name] = member.value }
        }
    }

    // MARK: Saying no

    package func refusal(_ status: Int) -> FakeAnswer {
        let reason =
            switch status {
            case 400, 413, 422: "badRequest"
            case 401: "authError"
            case 403: "forbidden"
            case 404: "notFound"
            case 409: "conflict"
            case 429: "rateLimitExceeded"
            default: "backendError"
            }
        return error(status, reason)
    }

    func error(_ status: Int, _ reason: String, domain: String = "youtube.common") -> FakeAnswer {
        let error: JSONValue = [
            "code": JSONValue(status), "message": .string(reason),
            "errors": [["domain": .string(domain), "reason": .string(reason), "message": .string(reason)]],
        ]
        return .json(["error": error], HTTPStatus(code: status))
    }

    // MARK: Routes

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /o/oauth2/v2/auth") { [oauth] request, _ in oauth.consent(request) },
            FakeRoute("POST /token") { [oauth] request, _ in oauth.token(request) },
            FakeRoute("POST /revoke") { [oauth] request, _ in oauth.revoke(request, asksApp: false, endsAll: true) },
            authorized("GET /youtube/v3/channels") { [self] query, _ in channels(query) },
            authorized("POST /upload/youtube/v3/videos", begin), authorized("PUT /upload/youtube/v3/videos", piece),
            authorized("GET /youtube/v3/videos") { [self] query, _ in videos(query) },
            authorized("PUT /youtube/v3/videos", update),
            authorized("DELETE /youtube/v3/videos") { [self] query, _ in
                state.withLock { state in
                    guard state.videos.contains(where: { $0.id == query["id"] }) else {
                        return error(404, "videoNotFound")
                    }
                    state.videos.removeAll { $0.id == query["id"] }
                    return FakeAnswer(.noContent)
                }
            },
        ] + playlistRoutes + commentRoutes
    }

    func authorized(
        _ name: String, _ response: @escaping @Sendable (FormFields, FakeRequest) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, _ in
            guard oauth.standing(of: request) == .good else { return refusal(401) }
            return response(FormFields(request.query) ?? [:], request)
        }
    }

    private func channels(_ query: FormFields) -> FakeAnswer {
        guard query["mine"] == "true", let parts = query["part"] else { return error(400, "missingRequiredParameter") }
        guard options.hasChannel else { return error(401, "youtubeSignupRequired") }
        var channel: JSONObject = ["kind": "youtube#channel", "id": .string(Self.channel)]
        if parts.contains("snippet") {
            channel["snippet"] = [
                "title": "Lakes", "customUrl": "@lakes",
                "thumbnails": ["default": ["url": "https://yt3.ggpht.test/88"]],
            ]
        }
        if parts.contains("contentDetails") {
            channel["contentDetails"] = ["relatedPlaylists": ["likes": "", "uploads": .string(Self.uploads)]]
        }
        return .json(["kind": "youtube#channelListResponse", "items": [.object(channel)]])
    }

    // MARK: Videos

    private func videos(_ query: FormFields) -> FakeAnswer {
        let ids = (query["id"] ?? "").split(separator: ",").map(String.init)
        guard let parts = query["part"], 1...50 ~= ids.count else { return error(400, "missingRequiredParameter") }
        let found = state.withLock { $0.videos }.filter { ids.contains($0.id) }
        return .json(["items": JSONValue(found.map { entity($0, parts.split(separator: ",").map(String.init)) })])
    }

    /// A video with these parts; with all of them where none is named.
    func entity(_ video: Video, _ parts: [String]) -> JSONValue {
        var snippet = video.snippet
        snippet["publishedAt"] = .string(Timestamp(video.createdAt).description)
        snippet["channelId"] = .string(Self.channel)
        var details: JSONObject = ["fileSize": .string(String(video.media.bytes))]
        if let name = video.fileName { details["fileName"] = .string(name) }
        let comments = conversation.state.withLock { $0.said.count } + state.withLock { $0.comments.count }
        let all: JSONObject = [
            "snippet": .object(snippet), "status": .object(video.status),
            "recordingDetails": video.recordingDate.map { ["recordingDate": .string($0)] } ?? [:],
            "fileDetails": .object(details),
            "statistics": ["viewCount": "12", "likeCount": "6", "commentCount": .string(String(comments))],
        ]
        var members: JSONObject = ["kind": "youtube#video", "id": .string(video.id)]
        for member in all where parts.isEmpty || parts.contains(member.name) { members[member.name] = member.value }
        return .object(members)
    }

    /// What is not sent of a part is deleted.
    private func update(_ query: FormFields, _ request: FakeRequest) -> FakeAnswer {
        guard query["part"] == "snippet", let id = request.json?["id"]?.string,
            let snippet = request.json?["snippet"]?.object
        else { return error(400, "missingRequiredParameter") }
        guard snippet["categoryId"]?.string?.isEmpty == false else { return error(400, "invalidCategoryId") }
        if let refusal = refusal(of: snippet) { return refusal }
        return state.withLock { state in
            guard let index = state.videos.firstIndex(where: { $0.id == id }) else {
                return error(404, "videoNotFound")
            }
            state.videos[index].snippet = snippet
            return .json(["id": .string(id), "snippet": .object(snippet)])
        }
    }

    /// The refusal of words that YouTube does not take.
    func refusal(of snippet: JSONObject) -> FakeAnswer? {
        let title = snippet["title"]?.string ?? ""
        let description = snippet["description"]?.string ?? ""
        guard 1...100 ~= title.count, !title.contains(where: { "<>".contains($0) }) else {
            return error(400, "invalidTitle", domain: "youtube.video")
        }
        guard description.utf8.count <= 5000, !description.contains(where: { "<>".contains($0) }) else {
            return error(400, "invalidDescription", domain: "youtube.video")
        }
        let tags = (snippet["tags"]?.array ?? []).compactMap(\.string)
        guard tags.joined(separator: ",").count <= 500 else {
            return error(400, "invalidTags", domain: "youtube.video")
        }
        return nil
    }
}
