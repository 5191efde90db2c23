internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// Replies to a status, and the people who liked or reposted it. Source: docs.joinmastodon.org at version 4.6, method "statuses", entities "Context", "Status" and "Account".
extension MastodonAPI {
    /// The replies to a status, to replies too: `GET /api/v1/statuses/ID/context`.
    func descendants(of id: String) async throws(SubmissionError) -> [JSONValue] {
        let response = try await api.send(
            .get, "/api/v1/statuses/\(PercentEncoding.encode(id))/context", maxResponseBytes: 8 << 20)
        guard let statuses = try await success(response)["descendants"]?.array else { throw client.malformed(response) }
        return statuses
    }

    /// The replies to a status as responses. Those that are for some people alone are left out.
    func replies(to id: String, of account: String) async throws(SubmissionError) -> [FoundResponse] {
        let statuses = try await descendants(of: id)
        // Within the server statuses are known by numbers, and everywhere by their URI.
        let uris = Dictionary(
            statuses.compactMap { status in
                status["id"]?.string.flatMap { id in status["uri"]?.string.map { (id, $0) } }
            }, uniquingKeysWith: { first, _ in first })
        return statuses.compactMap { status in
            response(status, parent: status["in_reply_to_id"]?.string.flatMap { uris[$0] }, of: account)
        }
    }

    /// A reply or a quote; nil for one that is for some people alone. `account` is the one that posted.
    func response(
        _ status: JSONValue, _ kind: Response.Kind = .comment, parent: String?, of account: String
    ) -> FoundResponse? {
        guard ["public", "unlisted"].contains(status["visibility"]?.string), let uri = status["uri"]?.string,
            let author = author(status["account"])
        else { return nil }
        let warning = status["spoiler_text"]?.string ?? ""
        let words = HTMLText.plain(status["content"]?.string ?? "")
        return FoundResponse(
            kind: kind, key: kind == .comment ? uri : "\(kind.rawValue) \(uri)", parent: parent,
            remoteID: status["id"]?.string, author: author,
            text: warning.isEmpty ? words : "\(warning)\n\n\(words)", url: status["url"]?.string ?? uri,
            media: Self.media(of: status), saidAt: status["created_at"]?.string.flatMap { Timestamp($0)?.date },
            editedAt: status["edited_at"]?.string.flatMap { Timestamp($0)?.date },
            isOwn: status["account"]?["id"]?.string == account)
    }

    /// `media_attachments`.
    static func media(of status: JSONValue) -> [AttachedMedia] {
        (status["media_attachments"]?.array ?? []).compactMap { media in
            let kind: AttachedMedia.Kind? =
                switch media["type"]?.string {
                case "image": .picture
                case "video", "gifv": .video
                case "audio": .audio
                default: nil
                }
            let size = media["meta"]?["original"]
            return kind.flatMap {
                AttachedMedia(
                    $0, url: media["url"]?.string, previewURL: media["preview_url"]?.string,
                    altText: media["description"]?.string, width: size?["width"]?.int, height: size?["height"]?.int)
            }
        }
    }

    /// Who has done something with a status: `favourited_by` or `reblogged_by`, in pages of 80, which is the most there is.
    ///
    /// - Returns: The responses, and whether they are all.
    func people(_ list: String, of id: String, as kind: Response.Kind) async throws(SubmissionError) -> (
        found: [FoundResponse], isComplete: Bool
    ) {
        try await pages(of: list, of: id) { account in
            author(account).map { FoundResponse(kind: kind, key: "\(kind.rawValue) \($0.key)", author: $0) }
        }
    }

    /// The statuses that quote one, which Mastodon tells since 4.5; an older one answers 404.
    ///
    /// - Returns: The responses, and whether they are all.
    func quotes(of id: String, of account: String) async throws(SubmissionError) -> (
        found: [FoundResponse], isComplete: Bool
    ) {
        try await pages(of: "quotes", of: id, orNone: true) { response($0, .quote, parent: nil, of: account) }
    }

    private func pages(
        of list: String, of id: String, orNone: Bool = false, _ read: (JSONValue) -> FoundResponse?
    ) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        let path = "/api/v1/statuses/\(PercentEncoding.encode(id))/\(list)"
        var query: FormFields = ["limit": "80"]
        var found: [FoundResponse] = []
        for _ in 0..<Self.mostPages {
            let response = try await api.send(.get, "\(path)?\(query.encoded)", maxResponseBytes: 4 << 20)
            if orNone, response.status == .notFound { return ([], true) }
            guard let items = try await success(response).array else { throw client.malformed(response) }
            found += items.compactMap(read)
            guard let next = Self.next(in: response.fields.values("Link")) else { return (found, true) }
            query = ["limit": "80", next.name: next.value]
        }
        return (found, false)
    }

    /// Pages of one list at a time; 400 people, or 200 statuses.
    private static let mostPages = 5

    /// What leads to the page after this one (RFC 8288). Pixelfed calls that page `prev`, and leads to it by a cursor.
    private static func next(in links: [String]) -> (name: String, value: String)? {
        for (rel, name) in [("next", "max_id"), ("prev", "cursor")] {
            for target in Link.targets(in: links, rel: rel) {
                let query = FormFields(String(target.split(separator: "?", maxSplits: 1).last ?? ""))
                if let value = query?[name] { return (name, value) }
            }
        }
        return nil
    }

    /// The entity "Account".
    func author(_ account: JSONValue?) -> FoundAuthor? {
        guard let account, let acct = account["acct"]?.string, let username = account["username"]?.string else {
            return nil
        }
        // Without a host for those of the server itself.
        let host = URLComponents(string: api.origin)?.host ?? ""
        let address = acct.contains("@") ? acct : "\(acct)@\(host)"
        let name = account["display_name"]?.string ?? ""
        return FoundAuthor(
            key: account["uri"]?.string ?? account["url"]?.string ?? address, name: name.isEmpty ? username : name,
            handle: "@\(address)", url: account["url"]?.string, pictureURL: Self.picture(of: account))
    }
}

/// A context has no more.
private let mostReplies = 4096

extension MastodonServing {
    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        let api = self.api(for: post.account, over: post.transport, now: post.now)
        let settings = MastodonSettings(post.account.settings)
        let kinds: [Response.Kind] =
            settings.isMastodon ? [.comment, .like, .repost, .quote] : [.comment, .like, .repost]
        return try await ResponseList.of(
            kinds.filter { counted.mayHave($0) || known.contains($0) }
        ) { kind throws(SubmissionError) in
            switch kind {
            case .comment:
                let found = try await api.replies(to: post.remoteID, of: settings.accountID)
                // Pixelfed lists some, and those to the post alone.
                return (found, !settings.isPixelfed && found.count < mostReplies)
            case .like: return try await api.people("favourited_by", of: post.remoteID, as: kind)
            case .quote: return try await api.quotes(of: post.remoteID, of: settings.accountID)
            case .repost, .mention: return try await api.people("reblogged_by", of: post.remoteID, as: .repost)
            }
        }
    }
}

/// Notifications. Source: docs.joinmastodon.org at version 4.6, method "notifications".
extension MastodonAPI {
    /// `GET /api/v1/notifications`, the newest 80. Pleroma wants the types in this form.
    func news(after cursor: String?) async throws(SubmissionError) -> PostNews {
        var query: FormFields = ["limit": "80"]
        for type in ["mention", "favourite", "reblog", "quote", "update"] { query.add("types[]", type) }
        if let cursor, !cursor.isEmpty { query.add("since_id", cursor) }
        let response = try await api.send(.get, "/api/v1/notifications?\(query.encoded)", maxResponseBytes: 4 << 20)
        guard let notices = try await success(response).array else { throw client.malformed(response) }
        let posts = notices.flatMap { notice -> [String] in
            let status = notice["status"]
            // Of an answer what it answers.
            return [status?["id"]?.string, status?["in_reply_to_id"]?.string].compactMap(\.self)
        }
        return PostNews(posts: Set(posts), cursor: notices.first?["id"]?.string)
    }
}

extension MastodonServing {
    package func news(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> PostNews {
        try await api(for: account, over: transport, now: now).news(after: cursor)
    }
}
