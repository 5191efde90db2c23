internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of the Instagram API with Instagram Login that Pics uses, for one professional account.
///
/// Source: developers.facebook.com/documentation/instagram-platform, "Content Publishing" (2026-06-30), "IG User, Media" (2026-09-28),
/// "IG Container", "Content Publishing Limit", Graph API v26.0; read 2026-11-26.
struct InstagramAPI: Sendable {
    /// `https://graph.instagram.com`, with the account's token.
    let graph: AccountAPI
    /// The account's number.
    let user: String

    static let version = "/v26.0"
    static let longestAltText = 1000

    var client: ServiceClient { graph.client }
    private var account: String { "\(Self.version)/\(PercentEncoding.encode(user))" }

    /// An account, as its owner sees it.
    struct Profile: Sendable, Equatable {
        let id: String
        let username: String
        let picture: String?
    }

    /// `GET /me`. `user_id` names the account at the other calls; `id` is another number.
    func me() async throws(SubmissionError) -> Profile {
        let response = try await graph.send(
            .get, "\(Self.version)/me?fields=user_id,username,profile_picture_url")
        let json = try success(response)
        guard let id = json["user_id"]?.string ?? json["user_id"]?.int.map({ String($0) }),
            let name = json["username"]?.string
        else { throw client.malformed(response) }
        return Profile(id: id, username: name, picture: json["profile_picture_url"]?.string)
    }

    /// `GET /{post}`: likes, which its owner may hide, and comments.
    func counts(of post: String) async throws(SubmissionError) -> Engagement {
        let json = try success(
            try await graph.send(.get, "\(Self.path(post))?fields=like_count,comments_count"))
        func count(_ name: String) -> Int? { json[name]?.int.map { Int(clamping: $0) } }
        return Engagement(likes: count("like_count"), comments: count("comments_count"))
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

    /// The path of a post, comment or container.
    static func path(_ id: String) -> String { "\(version)/\(PercentEncoding.encode(id))" }
}

extension InstagramAPI: GraphContainerAPI {
    /// `POST /{user}/media`. A video that is no part of a carousel is a reel.
    func makeContainer(_ content: GraphContainer.Content) async throws(SubmissionError) -> String {
        var form: FormFields
        switch content {
        case .file(let url, true, _, let text):
            form = ["media_type": text == nil ? "VIDEO" : "REELS", "video_url": url]
            if text != nil { form.add("share_to_feed", "true") }
        case .file(let url, false, let altText, _):
            form = ["image_url": url]
            if !altText.isEmpty { form.add("alt_text", Submitters.altText(altText, limit: Self.longestAltText)) }
        case .carousel(let children, _):
            form = ["media_type": "CAROUSEL", "children": children.joined(separator: ",")]
        case .reply:
            // It has no posts of words alone.
            throw .rejected(.postRefused, ProblemParameters(service: client.service))
        }
        if let text = content.text {
            if !text.isEmpty { form.add("caption", text) }
        } else {
            form.add("is_carousel_item", "true")
        }
        return try id(try await graph.send(.post, "\(account)/media", form: form))
    }

    func state(of container: String) async throws(SubmissionError) -> GraphContainer.State {
        let response = try await graph.send(.get, "\(Self.path(container))?fields=status_code,status")
        let json = try success(response)
        switch json["status_code"]?.string {
        case "IN_PROGRESS": return .inProgress
        case "FINISHED": return .finished
        case "PUBLISHED": return .published
        case "EXPIRED": return .expired
        case "ERROR": return .failed(Self.fault(json["status"]?.string ?? ""))
        default: throw client.malformed(response)
        }
    }

    /// `Error: Media upload has failed with error code 2207026`: the number is that of the table of errors.
    private static func fault(_ status: String) -> GraphContainer.Fault {
        let numbers = status.split { !$0.isASCII || !$0.isNumber }
        let fault = { (fault: GraphContainer.Fault, known: [Substring]) in
            known.contains(where: numbers.contains) ? fault : nil
        }
        return fault(.notFetched, ["2207003", "2207052"])
            ?? fault(.unfit, ["2207004", "2207005", "2207009", "2207023", "2207026"]) ?? .other
    }

    /// `POST /{user}/media_publish`.
    func publish(_ container: String) async throws(SubmissionError) -> String {
        try id(
            try await graph.send(.post, "\(account)/media_publish", form: ["creation_id": container], .publishing),
            .publishing)
    }

    func posts(since start: Date) async throws(SubmissionError) -> (posts: [GraphPost], isComplete: Bool) {
        let list = try await graph.graphList(
            at: "\(account)/media",
            [
                "fields": "id,caption,timestamp,media_type", "since": String(Int64(start.timeIntervalSince1970)),
            ]
        ) { post in post["timestamp"]?.string.flatMap(GraphList.time).map { $0 >= start } ?? true }
        return (list.items.compactMap { GraphPost($0, text: "caption") }, list.isComplete)
    }

    func link(to post: String) async throws(SubmissionError) -> String? {
        try success(try await graph.send(.get, "\(Self.path(post))?fields=permalink"))["permalink"]?.string
    }

    /// `GET /{user}/content_publishing_limit`.
    func isQuotaUsed(ofReplies: Bool) async throws(SubmissionError) -> Bool {
        let response = try await graph.send(.get, "\(account)/content_publishing_limit?fields=quota_usage,config")
        let quota = try success(response)["data"]?[0]
        guard let used = quota?["quota_usage"]?.int, let total = quota?["config"]?["quota_total"]?.int else {
            return false
        }
        return used >= total
    }
}
