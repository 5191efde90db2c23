internal import Crypto
package import Domain
internal import Formats
internal import FoundationEssentials
package import HTTP

/// Comments on a post, and the user's answers.
///
/// Source: REST API Handbook, "Comments". The same text twice is refused (409 `comment_duplicate`); there are no likes.
extension WordPressAPI {
    /// The number of comments that everybody sees.
    func commentCount(of post: String) async throws(SubmissionError) -> Int {
        let response = try await send(
            .get, "/wp/v2/comments", ["post": post, "per_page": "1", "type": "comment", "_fields": "id"])
        _ = try success(response)
        return response.fields["X-WP-Total"].flatMap { Int($0) } ?? 0
    }

    /// Comments from the oldest on, in pages of 100.
    ///
    /// - Returns: The responses, and whether they are all.
    func comments(on post: String, user: Int64) async throws(SubmissionError) -> (
        found: [FoundResponse], isComplete: Bool
    ) {
        var found: [FoundResponse] = []
        for page in 1...Self.mostPages {
            let response = try await send(
                .get, "/wp/v2/comments",
                ["post": post, "order": "asc", "per_page": "100", "page": String(page), "type": "comment"])
            guard let comments = try success(response).array else { throw client.malformed(response) }
            found += comments.compactMap { comment(from: $0, user: user) }
            if comments.count < 100 { return (found, true) }
        }
        return (found, false)
    }

    private static let mostPages = 20

    func comment(from comment: JSONValue, user: Int64) -> FoundResponse? {
        guard let id = comment["id"]?.int else { return nil }
        let name = comment["author_name"]?.string ?? ""
        let url = comment["author_url"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        let author = comment["author"]?.int ?? 0
        // Visitors have a name and perhaps an address.
        let key = author > 0 ? "user \(author)" : "visitor \(SHA256Digest(of: "\(name) \(url ?? "")").hex.prefix(32))"
        let parent = comment["parent"]?.int ?? 0
        return FoundResponse(
            kind: .comment, key: "\(site.origin)\(site.root) \(id)",
            parent: parent > 0 ? "\(site.origin)\(site.root) \(parent)" : nil, remoteID: String(id),
            author: FoundAuthor(
                key: "\(site.origin)\(site.root) \(key)", name: name.isEmpty ? "Somebody" : name, url: url,
                pictureURL: comment["author_avatar_urls"]?["96"]?.string),
            text: HTMLText.plain(comment["content"]?["rendered"]?.string ?? ""), url: comment["link"]?.string,
            saidAt: comment["date_gmt"]?.string.flatMap { Timestamp($0 + "Z")?.date }, isOwn: author == user)
    }

    /// `POST /wp/v2/comments`; nil when the site has one of this text already.
    func addComment(_ text: String, on post: Int64, below parent: Int64) async throws(SubmissionError) -> JSONValue? {
        let response = try await send(
            .post, "/wp/v2/comments",
            json: ["post": .int(post), "parent": .int(parent), "content": .string(text)], .publishing)
        if response.looseJSON?["code"]?.string == "comment_duplicate" { return nil }
        return try success(response, .publishing)
    }

    func deleteComment(_ id: String) async throws(SubmissionError) {
        let response = try await send(.delete, "/wp/v2/comments/\(PercentEncoding.encode(id))", ["force": "true"])
        guard response.status.isSuccess || [404, 410].contains(response.status.code) else { throw failure(response) }
    }
}

extension WordPressSubmitter: RespondingSubmitter {
    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        let api = api(of: post.account, over: post.transport, now: post.now)
        // A list of comments on a post that is gone is empty.
        _ = try await api.shownPost(post.remoteID, toEdit: false)
        return Engagement(comments: try await api.commentCount(of: post.remoteID))
    }

    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        guard counted.mayHave(.comment) || known.contains(.comment) else { return ResponseList() }
        let (found, isComplete) = try await api(of: post.account, over: post.transport, now: post.now)
            .comments(on: post.remoteID, user: post.account.settings["user"]?.int ?? 0)
        return ResponseList(found: found, complete: isComplete ? [.comment] : [])
    }
}

extension WordPressSubmitter: InteractingSubmitter {
    /// Sites show typographic quotes, dashes and ellipses for those that were typed (`wptexturize`).
    static func comparable(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{2018}", "\u{2019}", "\u{2032}": plain += "'"
            case "\u{201C}", "\u{201D}", "\u{2033}": plain += "\""
            case "\u{2013}", "\u{2014}": plain += "-"
            case "\u{2026}": plain += "..."
            case "\u{D7}": plain += "x"
            default: plain.unicodeScalars.append(scalar)
            }
        }
        return plain.split { $0.isWhitespace || $0 == "-" }.joined(separator: " ")
    }

    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { [.reply] }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        let api = api(of: task.account, over: task.transport, now: task.now)
        guard task.kind == .reply, let post = task.postID, let number = Int64(post) else {
            throw .rejected(.changeUnsupported)
        }
        let user = task.account.settings["user"]?.int ?? 0
        func own() async throws(SubmissionError) -> InteractionReceipt? {
            try await task.own(
                Self.comparable(HTMLText.plain(task.text)), among: try await api.comments(on: post, user: user).found,
                as: Self.comparable)
        }
        return try await task.reply { () throws(SubmissionError) in
            try await own()
        } make: { () throws(SubmissionError) in
            let parent = task.targetID.flatMap { Int64($0) } ?? 0
            guard let made = try await api.addComment(task.text, on: number, below: parent) else {
                if let found = try await own() { return found }
                throw .rejected(SubmissionProblem(api.client.problem(.duplicatePost)))
            }
            guard let comment = api.comment(from: made, user: user) else {
                throw .unknownOutcome(SubmissionProblem(api.client.problem(.unreadableResponse)), retryAfter: nil)
            }
            return InteractionReceipt(comment)
        } delete: { id throws(SubmissionError) in
            try await api.deleteComment(id)
        }
    }
}
