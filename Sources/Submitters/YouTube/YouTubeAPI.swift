internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of the YouTube Data API that Pics uses, for one channel.
///
/// Source: developers.google.com/youtube/v3/docs, read 2026-11-26. A call costs the project 1 unit that reads, and 50 that writes, of 10,000
/// a day; uploads have 100 calls a day of their own ("Quota costs").
struct YouTubeAPI: Sendable {
    let api: AccountAPI

    var client: ServiceClient { api.client }

    static let path = "/youtube/v3"

    // MARK: The channel

    struct Channel: Sendable, Equatable {
        /// `UC…`.
        let id: String
        /// Its handle, such as `@lakes`; its title where it has none.
        let name: String
        /// The playlist of all that it has uploaded, its owner's eyes included.
        let uploads: String
        let picture: String?
    }

    /// `GET /channels?mine=true`: the channel that the token was given for.
    ///
    /// - Throws: `.rejected` when the account has none.
    func channel() async throws(SubmissionError) -> Channel {
        let response = try await get("channels", ["part": "snippet,contentDetails", "mine": "true"])
        if YouTubeRefusal(response).reason == "youtubeSignupRequired" { throw withoutChannel }
        guard let item = try items(response).first else { throw withoutChannel }
        guard let id = item["id"]?.string, Self.isID(id), let snippet = item["snippet"] else {
            throw client.malformed(response)
        }
        let handle = snippet["customUrl"]?.string ?? ""
        let uploads = item["contentDetails"]?["relatedPlaylists"]?["uploads"]?.string ?? ""
        let pictures = snippet["thumbnails"]
        return Channel(
            id: id, name: handle.isEmpty ? snippet["title"]?.string ?? id : handle,
            uploads: Self.isID(uploads) ? uploads : "UU\(id.dropFirst(2))",
            picture: (pictures?["medium"] ?? pictures?["default"])?["url"]?.string)
    }

    private var withoutChannel: SubmissionError {
        .rejected(
            .destinationMissing, ProblemParameters(service: "YouTube", label: "A channel of this Google account"))
    }

    // MARK: Videos

    struct Video: Sendable, Equatable {
        let id: String
        /// Whether YouTube has taken the file and shows nothing of it: it cannot be read, is too long, or is not allowed.
        let isRefused: Bool

        static func url(_ id: String) -> String { "https://www.youtube.com/watch?v=\(id)" }

        init?(_ json: JSONValue?) {
            guard let id = json?["id"]?.string, YouTubeAPI.isID(id) else { return nil }
            self.id = id
            let status = json?["status"]?["uploadStatus"]?.string ?? ""
            isRefused = ["failed", "rejected", "deleted"].contains(status)
        }
    }

    /// `GET /videos?id=`: these parts of a video.
    ///
    /// - Throws: `.gone` when it is not there.
    func video(_ id: String, _ parts: String) async throws(SubmissionError) -> JSONValue {
        let response = try await get("videos", ["part": parts, "id": id])
        guard let video = try items(response).first else { throw .gone(client.problem(.postMissing, response)) }
        return video
    }

    /// `PUT /videos?part=snippet`, which takes away what is not sent: category, languages and tags stay as they are, but for the hashtags of
    /// the old text.
    func setWords(_ text: String, language: String?, of id: String) async throws(SubmissionError) {
        let old = try await video(id, "snippet")["snippet"]
        let day = old?["publishedAt"]?.string.flatMap { Timestamp($0) }.map { String($0.description.prefix(10)) }
        let words = YouTubeWords(text, titleWithoutWords: day ?? "YouTube")
        var snippet: JSONObject = [
            "title": .string(words.title), "description": .string(words.description),
            "categoryId": .string(old?["categoryId"]?.string ?? Self.category),
        ]
        for name in ["defaultLanguage", "defaultAudioLanguage"] {
            if let value = old?[name]?.string { snippet[name] = .string(value) }
        }
        if let language { snippet["defaultLanguage"] = .string(language) }
        let gone = Set(YouTubeWords.tags(in: old?["description"]?.string ?? "").map { $0.lowercased() })
        let kept = (old?["tags"]?.array ?? []).compactMap(\.string).filter { !gone.contains($0.lowercased()) }
        let tags = YouTubeWords.fitting(kept + words.tags)
        if !tags.isEmpty { snippet["tags"] = JSONValue(tags) }
        _ = try success(
            try await api.send(
                .put, "\(Self.path)/videos?part=snippet", json: ["id": .string(id), "snippet": .object(snippet)]))
    }

    /// `DELETE /videos`; one that is not there is no error.
    func delete(_ id: String) async throws(SubmissionError) {
        let query: FormFields = ["id": id]
        let response = try await api.send(.delete, "\(Self.path)/videos?\(query.encoded)")
        guard response.status.isSuccess || response.status == .notFound else { throw failure(response) }
    }

    /// `GET /videos?part=statistics,status`. A video that YouTube has refused after all is gone: nobody sees it.
    func counts(of id: String) async throws(SubmissionError) -> Engagement {
        let video = try await video(id, "statistics,status")
        if Video(video)?.isRefused == true {
            throw .gone(SubmissionProblem(client.problem(.fileRefused)))
        }
        func count(_ name: String) -> Int? {
            video["statistics"]?[name]?.string.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        }
        return Engagement(likes: count("likeCount"), comments: count("commentCount"))
    }

    /// "People & Blogs", which every country has.
    static let category = "22"

    // MARK: Requests

    func get(_ resource: String, _ query: FormFields) async throws(SubmissionError) -> IncomingResponse {
        // A page of a hundred comments at their longest is over a megabyte.
        try await api.send(.get, "\(Self.path)/\(resource)?\(query.encoded)", maxResponseBytes: 4 << 20)
    }

    /// The items of a list; Google leaves the member out of some that are empty.
    func items(_ response: IncomingResponse) throws(SubmissionError) -> [JSONValue] {
        let json = try success(response)
        if let items = json["items"]?.array { return items }
        guard json["kind"]?.string?.hasSuffix("ListResponse") == true else { throw client.malformed(response) }
        return []
    }

    /// The pages of a list, `mostPages` at most, until `read` has enough.
    ///
    /// - Returns: Whether the list came to its end.
    func pages(
        _ resource: String, _ query: FormFields, most mostPages: Int,
        _ read: ([JSONValue]) async throws(SubmissionError) -> Bool
    ) async throws(SubmissionError) -> Bool {
        var page: String?
        for _ in 0..<mostPages {
            var asked = query
            if let page { asked.add("pageToken", page) }
            let response = try await get(resource, asked)
            guard try await read(try items(response)) else { return true }
            page = try success(response)["nextPageToken"]?.string
            if page?.isEmpty ?? true { return true }
        }
        return false
    }

    /// Whether a service's identifier is one: it becomes a part of addresses.
    static func isID(_ text: String) -> Bool {
        1...128 ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
