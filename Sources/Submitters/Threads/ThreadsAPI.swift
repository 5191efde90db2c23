internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of the Threads API that Pics uses, for one account.
///
/// Source: developers.facebook.com/documentation/threads, "Posts" (2026-04-14), "Publishing" (2026-04-20), "Troubleshooting", "Retrieve User Posts"
/// (2026-04-14), "Spoilers" (2026-07-02); read 2026-11-26. The account is asked for as `me`: with its number, publishing may find no container
/// (jeonghwanko/mimi-seed-sdk PR 15).
struct ThreadsAPI: Sendable {
    /// `https://graph.threads.net`, with the account's token.
    let graph: AccountAPI
    /// Whether files are covered until a reader wants to see them.
    var coversMedia = false

    static let longestAltText = 1000

    var client: ServiceClient { graph.client }

    /// A profile, as its owner sees it.
    struct Profile: Sendable, Equatable {
        /// May exceed what a JSON number holds: a text.
        let id: String
        let username: String
        let picture: String?
    }

    /// `GET /me`.
    func me() async throws(SubmissionError) -> Profile {
        let response = try await graph.send(.get, "/v1.0/me?fields=id,username,threads_profile_picture_url")
        let json = try success(response)
        guard let id = json["id"]?.string ?? json["id"]?.int.map({ String($0) }), let name = json["username"]?.string
        else { throw client.malformed(response) }
        return Profile(id: id, username: name, picture: json["threads_profile_picture_url"]?.string)
    }

    /// `DELETE /{post}`; one that is not there is no error.
    func delete(_ post: String) async throws(SubmissionError) {
        do throws(SubmissionError) {
            _ = try success(try await graph.send(.delete, "/v1.0/\(PercentEncoding.encode(post))"))
        } catch {
            guard case .gone = error else { throw error }
        }
    }

    /// `GET /{post}/insights`, which needs `threads_manage_insights`.
    func counts(of post: String) async throws(SubmissionError) -> Engagement {
        let response = try await graph.send(
            .get, "/v1.0/\(PercentEncoding.encode(post))/insights?metric=likes,replies,reposts,quotes")
        guard let metrics = try success(response)["data"]?.array else { throw client.malformed(response) }
        func count(_ name: String) -> Int? {
            metrics.first { $0["name"]?.string == name }?["values"]?[0]?["value"]?.int.map { Int(clamping: $0) }
        }
        let shares = [count("reposts"), count("quotes")].compactMap(\.self)
        return Engagement(
            likes: count("likes"), comments: count("replies"), shares: shares.isEmpty ? nil : shares.reduce(0, +))
    }

    /// The JSON of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw client.containerFailure(response, role) }
        return try client.json(response, role)
    }

    /// The `id` of a response that says yes.
    func id(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> String {
        guard let id = try success(response, role)["id"]?.string, !id.isEmpty else {
            throw client.malformed(response, role)
        }
        return id
    }
}

extension ThreadsAPI: GraphContainerAPI {
    /// `POST /me/threads`.
    func makeContainer(_ content: GraphContainer.Content) async throws(SubmissionError) -> String {
        var form: FormFields
        switch content {
        case .file(let url, let isVideo, let altText, _):
            form = isVideo ? ["media_type": "VIDEO", "video_url": url] : ["media_type": "IMAGE", "image_url": url]
            if !altText.isEmpty { form.add("alt_text", Submitters.altText(altText, limit: Self.longestAltText)) }
        case .carousel(let children, _):
            form = ["media_type": "CAROUSEL", "children": children.joined(separator: ",")]
        case .reply(let post, let text):
            return try id(
                try await graph.send(
                    .post, "/v1.0/me/threads", form: ["media_type": "TEXT", "text": text, "reply_to_id": post]))
        }
        if let text = content.text {
            if !text.isEmpty { form.add("text", text) }
            if coversMedia { form.add("is_spoiler_media", "true") }
        } else {
            form.add("is_carousel_item", "true")
        }
        return try id(try await graph.send(.post, "/v1.0/me/threads", form: form))
    }

    func state(of container: String) async throws(SubmissionError) -> GraphContainer.State {
        let response = try await graph.send(
            .get, "/v1.0/\(PercentEncoding.encode(container))?fields=status,error_message")
        let json = try success(response)
        switch json["status"]?.string {
        case "IN_PROGRESS": return .inProgress
        case "FINISHED": return .finished
        case "PUBLISHED": return .published
        case "EXPIRED": return .expired
        case "ERROR":
            let reason = json["error_message"]?.string ?? ""
            return .failed(
                reason == "FAILED_DOWNLOADING_VIDEO" ? .notFetched : reason.hasPrefix("INVALID_") ? .unfit : .other)
        default: throw client.malformed(response)
        }
    }

    /// `POST /me/threads_publish`.
    func publish(_ container: String) async throws(SubmissionError) -> String {
        try id(
            try await graph.send(.post, "/v1.0/me/threads_publish", form: ["creation_id": container], .publishing),
            .publishing)
    }

    func posts(since start: Date) async throws(SubmissionError) -> (posts: [GraphPost], isComplete: Bool) {
        let list = try await graph.graphList(
            at: "/v1.0/me/threads",
            [
                "fields": "id,text,timestamp,media_type", "since": String(Int64(start.timeIntervalSince1970)),
            ]
        ) { post in post["timestamp"]?.string.flatMap(GraphList.time).map { $0 >= start } ?? true }
        return (list.items.compactMap { GraphPost($0, text: "text") }, list.isComplete)
    }

    func replies(
        to post: String, below root: String, since start: Date
    ) async throws(SubmissionError) -> (posts: [GraphPost], isComplete: Bool) {
        let (found, isComplete) = try await replies(to: root)
        let own = found.compactMap { reply -> GraphPost? in
            guard reply.isOwn, reply.parent ?? root == post, let at = reply.saidAt, at >= start else { return nil }
            return GraphPost(id: reply.key, text: reply.text, at: at, mediaType: "TEXT_POST")
        }
        return (own, isComplete)
    }

    func link(to post: String) async throws(SubmissionError) -> String? {
        let response = try await graph.send(.get, "/v1.0/\(PercentEncoding.encode(post))?fields=permalink")
        return try success(response)["permalink"]?.string
    }

    /// `GET /me/threads_publishing_limit`; answers have a limit of their own.
    func isQuotaUsed(ofReplies: Bool) async throws(SubmissionError) -> Bool {
        let (usage, config) = ofReplies ? ("reply_quota_usage", "reply_config") : ("quota_usage", "config")
        let response = try await graph.send(.get, "/v1.0/me/threads_publishing_limit?fields=\(usage),\(config)")
        let quota = try success(response)["data"]?[0]
        guard let used = quota?[usage]?.int, let total = quota?[config]?["quota_total"]?.int else {
            return false
        }
        return used >= total
    }
}
