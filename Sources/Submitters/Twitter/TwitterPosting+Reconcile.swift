internal import FoundationEssentials
internal import HTTP
internal import System

extension TwitterPosting {
    /// After a request, until a timeline that lacks its post is believed. X states no delay.
    private static let timelineDelay: TimeInterval = 15
    /// X tells when a post was made in whole seconds, by its own clock.
    private static let clockDifference: TimeInterval = 2

    /// Looks for the post in the account's own timeline. X has no idempotency key, but refuses the same text twice.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal) else { return .cannotTell }
        // One picture of the post tells it from others, and the first is always there.
        var upload: TwitterUpload?
        if let first = task.pictures.first { upload = await TwitterUpload.recorded(first, in: task.journal) }
        let found = try await look(for: outcome, showing: upload)
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.timelineDelay
        if found == .absent, wait > 0 { throw .notYet(checkAfter: .seconds(wait)) }
        return found
    }

    /// `GET /2/users/{id}/tweets` from the first request on: a post that shows the same media, or has the same text. A part of a thread is an
    /// answer to the post before it.
    func look(
        for outcome: OpenOutcome, showing upload: TwitterUpload?
    ) async throws(SubmissionError) -> Reconciliation {
        let start = outcome.first - Self.clockDifference
        let response = try await api.posts(of: task.account.remoteID, since: start)
        switch response.status.code {
        // Who may post need not be allowed to read. That says nothing of the post.
        case 403: return .cannotTell
        case 401 where TwitterRefusal(response).isOfTheScope: return .cannotTell
        default: break
        }
        let json = try api.success(response)
        let text = TwitterPost.comparable(outcome.text)
        var isUnclear = json["meta"]?["next_token"]?.string != nil
        for post in json["data"]?.array ?? [] {
            guard let post = TwitterPost(post) else { throw api.client.malformed(response) }
            // The start is sent in whole seconds. An answer to another post is somebody else's, or another part.
            guard post.createdAt.timeIntervalSince(start) > -1, post.answered == task.answering?.parent else {
                continue
            }
            let showsMedia = upload?.mediaKey.map(post.mediaKeys.contains) ?? false
            if showsMedia || post.text == text && !text.isEmpty {
                guard try await !task.isTaken(post.id) else { continue }
                return .found(receipt(post.id, text: outcome.text))
            }
            // Posts without a text can be told apart by their media only.
            if task.answering == nil, post.text == text, post.mediaKeys.isEmpty { isUnclear = true }
        }
        return isUnclear ? .cannotTell : .absent
    }
}

/// A post as it is read back.
struct TwitterPost: Sendable, Equatable {
    let id: String
    let createdAt: Date
    let mediaKeys: [String]
    /// The post that it answers.
    let answered: String?
    /// Made comparable, without the link to the media that X has appended.
    let text: String

    /// Nil for what is not a post.
    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, var text = json["text"]?.string,
            let createdAt = json["created_at"]?.string.flatMap(date(iso8601:))
        else { return nil }
        self.id = id
        self.createdAt = createdAt
        mediaKeys = json["attachments"]?["media_keys"]?.array?.compactMap(\.string) ?? []
        answered = Self.answered(json)
        // X has put its own links in place of the author's, and one for the media behind all.
        for link in (json["entities"]?["urls"]?.array ?? []).prefix(Self.mostLinks) {
            // X's own links are far longer than this; a shorter text would stand everywhere and multiply.
            guard let short = link["url"]?.string, short.utf8.count >= Self.shortestLink,
                let long = link["expanded_url"]?.string, long.utf8.count <= Self.longestLink
            else { continue }
            let isMedia = link["media_key"] != nil || long.contains(/\/status\/[0-9]+\/(photo|video)\/[0-9]+$/)
            text = text.replacing(short, with: isMedia ? "" : long)
        }
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
            text = text.replacing(entity, with: character)
        }
        self.text = Self.comparable(text)
    }

    /// The post that one answers; nil when it answers none.
    static func answered(_ post: JSONValue) -> String? {
        let references = (post["referenced_tweets"] ?? post["referenced_posts"])?.array ?? []
        return references.first { $0["type"]?.string == "replied_to" }?["id"]?.string
    }

    private static let mostLinks = 100
    private static let shortestLink = 12
    /// X takes links of 4,096 characters (twitter-text).
    private static let longestLink = 16_384

    /// A text without what X may change: normal form, kinds of white space, schemes of links and slashes behind them.
    static func comparable(_ text: String) -> String {
        text.composed
            .replacing("https://", with: "").replacing("http://", with: "")
            .split(whereSeparator: \.isWhitespace)
            .map { $0.hasSuffix("/") ? $0.dropLast() : $0 }
            .joined(separator: " ")
    }
}
