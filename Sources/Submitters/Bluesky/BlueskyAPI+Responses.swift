package import Domain
internal import FoundationEssentials
package import HTTP

/// Replies to a post, and the people who liked, reposted or quoted it. Source: lexicons app.bsky.feed.getPostThread, getLikes, getRepostedBy and getQuotes of bluesky-social/atproto at
/// d6296a1c (2026-08-20).
extension BlueskyAPI {
    /// The replies to a post, to replies too.
    ///
    /// - Returns: The responses, and whether they are all.
    func replies(to uri: String, of did: String) async throws(SubmissionError) -> (
        found: [FoundResponse], isComplete: Bool
    ) {
        let query: FormFields = ["uri": uri, "depth": String(Self.depth), "parentHeight": "0"]
        let response = try await api.send(
            .get, "/xrpc/app.bsky.feed.getPostThread?\(query.encoded)", maxResponseBytes: 8 << 20)
        if response.status == .badRequest, Self.error(of: response) == "NotFound" {
            throw .gone(client.problem(.postMissing, response))
        }
        guard let thread = try success(response)["thread"] else { throw client.malformed(response) }
        var (found, isComplete): ([FoundResponse], Bool) = ([], true)
        // Without recursion: a thread is as deep as its server makes it.
        var open: [(view: JSONValue, parent: String?, depth: Int)] =
            (thread["replies"]?.array ?? []).map { ($0, nil, 1) }
        while let (view, parent, depth) = open.popLast() {
            // One that was deleted or is by somebody blocked has no post.
            guard let post = view["post"], let uri = post["uri"]?.string else { continue }
            if let reply = Self.response(post, .comment, parent: parent, of: did) { found.append(reply) }
            if depth >= Self.depth, post["replyCount"]?.int ?? 0 > 0 { isComplete = false }
            open += (view["replies"]?.array ?? []).map { ($0, uri, depth + 1) }
        }
        return (found, isComplete)
    }

    /// How many replies below each other are asked for: each nests the JSON by two more, which has a bound.
    private static let depth = 8

    /// Who has done something with a post, in pages of 100, which is the most there is: `member` of the answers of `method`.
    ///
    /// - Returns: The responses, and whether they are all.
    func list(
        _ method: String, _ member: String, of uri: String, _ read: (JSONValue) -> FoundResponse?
    ) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        var query: FormFields = ["uri": uri, "limit": "100"]
        var found: [FoundResponse] = []
        for _ in 0..<Self.mostPages {
            let response = try await api.send(.get, "/xrpc/app.bsky.feed.\(method)?\(query.encoded)")
            let json = try success(response)
            guard let items = json[member]?.array else { throw client.malformed(response) }
            found += items.compactMap(read)
            guard let cursor = json["cursor"]?.string, !items.isEmpty else { return (found, true) }
            query = ["uri": uri, "limit": "100", "cursor": cursor]
        }
        return (found, false)
    }

    /// Pages of one list at a time.
    private static let mostPages = 5

    /// A post with its author.
    static func response(
        _ post: JSONValue, _ kind: Response.Kind, parent: String? = nil, of did: String? = nil
    ) -> FoundResponse? {
        guard let uri = post["uri"]?.string, let author = author(post["author"]) else { return nil }
        return FoundResponse(
            kind: kind, key: kind == .comment ? uri : "\(kind.rawValue) \(uri)", parent: parent, author: author,
            text: post["record"]?["text"]?.string ?? "",
            url: address(of: uri, by: author.key), media: media(of: post), saidAt: time(of: post),
            isOwn: author.key == did)
    }

    /// The time of a post: what its client says or when it was seen, the earlier of both.
    static func time(of post: JSONValue) -> Date? {
        [post["record"]?["createdAt"], post["indexedAt"]].compactMap { $0?.string.flatMap { Timestamp($0)?.date } }
            .min()
    }

    /// The page of a post.
    static func address(of uri: String, by did: String) -> String? {
        uri.split(separator: "/").last.map { "https://bsky.app/profile/\(did)/post/\($0)" }
    }

    /// The pictures or the film of a post's view.
    static func media(of post: JSONValue) -> [AttachedMedia] {
        let embed = post["embed"]
        let view = embed?["media"] ?? embed
        let pictures = (view?["images"]?.array ?? []).compactMap { image in
            AttachedMedia(
                .picture, url: image["fullsize"]?.string, previewURL: image["thumb"]?.string,
                altText: image["alt"]?.string, width: image["aspectRatio"]?["width"]?.int,
                height: image["aspectRatio"]?["height"]?.int)
        }
        let film = AttachedMedia(
            .video, url: view?["playlist"]?.string, previewURL: view?["thumbnail"]?.string,
            altText: view?["alt"]?.string, width: view?["aspectRatio"]?["width"]?.int,
            height: view?["aspectRatio"]?["height"]?.int)
        return pictures + [film].compactMap(\.self)
    }

    /// Somebody who has done something once.
    static func act(_ actor: JSONValue?, _ kind: Response.Kind, at time: String? = nil) -> FoundResponse? {
        author(actor).map {
            FoundResponse(
                kind: kind, key: "\(kind.rawValue) \($0.key)", author: $0, saidAt: time.flatMap { Timestamp($0)?.date })
        }
    }

    /// Nil also for those who do not want to be shown to people who have not signed in there, and those whom the account has muted or
    /// blocked.
    private static func author(_ actor: JSONValue?) -> FoundAuthor? {
        guard let actor, actor["viewer"]?["muted"]?.bool != true, actor["viewer"]?["blocking"] == nil,
            actor["labels"]?.array?.contains(where: { $0["val"]?.string == "!no-unauthenticated" }) != true
        else { return nil }
        return person(actor)
    }

    /// Anybody.
    static func person(_ actor: JSONValue?) -> FoundAuthor? {
        guard let actor, let did = actor["did"]?.string, let handle = actor["handle"]?.string else { return nil }
        let name = actor["displayName"]?.string ?? ""
        return FoundAuthor(
            key: did, name: name.isEmpty ? handle : name, handle: "@\(handle)", url: "https://bsky.app/profile/\(did)",
            pictureURL: actor["avatar"]?.string)
    }
}

extension BlueskySubmitter: RespondingSubmitter {
    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        let api = self.api(of: post.account, over: post.transport, now: post.now)
        return try await ResponseList.of(
            [.comment, .like, .repost, .quote].filter { counted.mayHave($0) || known.contains($0) }
        ) { kind throws(SubmissionError) in
            let uri = post.remoteID
            switch kind {
            case .comment: return try await api.replies(to: uri, of: post.account.remoteID)
            case .like:
                return try await api.list("getLikes", "likes", of: uri) {
                    BlueskyAPI.act($0["actor"], .like, at: $0["createdAt"]?.string)
                }
            case .repost:
                return try await api.list("getRepostedBy", "repostedBy", of: uri) { BlueskyAPI.act($0, .repost) }
            case .quote, .mention:
                return try await api.list("getQuotes", "posts", of: uri) { BlueskyAPI.response($0, .quote) }
            }
        }
    }
}

/// Notifications. Source: lexicon app.bsky.notification.listNotifications of bluesky-social/atproto at d6296a1c (2026-08-20).
extension BlueskyAPI {
    /// `app.bsky.notification.listNotifications`, the newest 100; its own cursor leads to older ones, so that ours is the moment of the newest.
    func news(after cursor: String?) async throws(SubmissionError) -> PostNews {
        var query: FormFields = ["limit": "100"]
        for reason in ["like", "repost", "reply", "quote"] { query.add("reasons", reason) }
        let response = try await api.send(
            .get, "/xrpc/app.bsky.notification.listNotifications?\(query.encoded)", maxResponseBytes: 4 << 20)
        guard let notices = try success(response)["notifications"]?.array else { throw client.malformed(response) }
        let fresh = notices.filter { notice in
            guard let cursor, let at = notice["indexedAt"]?.string else { return true }
            return at > cursor
        }
        let posts = fresh.flatMap { notice in
            [notice["reasonSubject"]?.string, notice["record"]?["reply"]?["root"]?["uri"]?.string].compactMap(\.self)
        }
        return PostNews(posts: Set(posts), cursor: notices.compactMap { $0["indexedAt"]?.string }.max())
    }
}

extension BlueskySubmitter: NewsSubmitter {
    package func news(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> PostNews {
        try await api(of: account, over: transport, now: now).news(after: cursor)
    }
}
