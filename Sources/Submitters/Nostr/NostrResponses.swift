package import Domain
internal import FoundationEssentials
package import HTTP

/// What others have said and done about a post.
///
/// Source: NIP-09, 10, 18, 22, 25 and 92, nostr-protocol/nips at db5fe3d; read 2026-11-26. Ids and signatures of everything are
/// verified; relays say what they like all the same, so that what belongs to no post of ours is left out.
struct NostrConversation: Sendable {
    let api: NostrAPI
    let post: NostrEvent
    private(set) var events: [NostrEvent] = []
    /// Kinds of events of which every relay has told all.
    private(set) var isComplete: [Part: Bool] = [:]

    /// What is asked for apart, so that many of one kind hide no other.
    enum Part: CaseIterable {
        case words, reactions, reposts, quotes
    }

    /// Events in a page, and pages of each part, at each relay.
    private static let page = 500
    private static let mostPages = 2

    /// Reads parts of the conversation about a post.
    ///
    /// - Throws: `.gone` when no relay has the post, or its author has asked to delete it.
    init(about id: String, _ parts: [Part], _ api: NostrAPI) async throws(SubmissionError) {
        let (event, isDeleted, found) = try await api.post(id)
        guard let event, !isDeleted else {
            let missing = SubmissionError.gone(SubmissionProblem(api.client.problem(.postMissing)))
            throw isDeleted ? missing : NostrAPI.weightiest(found.errors) ?? missing
        }
        (self.api, post) = (api, event)
        for part in parts {
            let found = try await read(part).checked()
            events += found.events
            isComplete[part] = found.isComplete
        }
        let gone = try await deleted()
        events.removeAll { gone.contains($0.id) }
    }

    private func filters(_ part: Part, until: Int64?) -> [JSONValue] {
        func filter(_ kinds: [Int], _ tag: String) -> JSONValue {
            var filter: JSONObject = ["kinds": JSONValue(kinds.map { JSONValue($0) }), "limit": JSONValue(Self.page)]
            filter[tag] = [.string(post.id)]
            if let until { filter["until"] = .int(until) }
            return .object(filter)
        }
        return switch part {
        case .words:
            [filter([NostrEvent.Kind.note, NostrEvent.Kind.comment], "#e"), filter([NostrEvent.Kind.comment], "#E")]
        case .reactions: [filter([NostrEvent.Kind.reaction], "#e")]
        case .reposts: [filter([NostrEvent.Kind.repost, NostrEvent.Kind.genericRepost], "#e")]
        case .quotes: [filter([NostrEvent.Kind.note], "#q")]
        }
    }

    /// Page after page, back in time, until one has nothing new: relays give fewer than they are asked for, and do not say so.
    private func read(_ part: Part) async throws(SubmissionError) -> NostrAPI.Found {
        try await api.ask(api.addresses.all) { relay throws(SubmissionError) in
            var (events, seen, until): ([NostrEvent], Set<String>, Int64?) = ([], [], nil)
            for _ in 0..<Self.mostPages {
                let page = try await relay.events(filters(part, until: until), most: 2 * Self.page)
                let fresh = page.filter { seen.insert($0.id).inserted }
                events += fresh
                guard !fresh.isEmpty, let oldest = page.map(\.createdAt).min() else { return (events, false) }
                until = oldest
            }
            // One more that has nothing new makes it whole.
            let last = try await relay.events(filters(part, until: until), most: 2 * Self.page)
            return (events, last.contains { !seen.contains($0.id) })
        }
    }

    /// What its own authors have taken back, where a relay has kept it.
    private func deleted() async throws(SubmissionError) -> Set<String> {
        let ids = events.map(\.id)
        var gone: Set<String> = []
        let authors = Dictionary(events.map { ($0.id, $0.author) }) { first, _ in first }
        for start in stride(from: 0, to: ids.count, by: Self.page) {
            let chunk = ids[start..<min(start + Self.page, ids.count)]
            let filter: JSONValue = [
                "kinds": [5], "#e": JSONValue(chunk.map(JSONValue.string)), "limit": JSONValue(Self.page),
            ]
            for deletion in try await api.events([filter], at: api.addresses.all, most: Self.page).events
            where deletion.kind == NostrEvent.Kind.deletion {
                gone.formUnion(deletion.values("e").filter { authors[$0] == deletion.author })
            }
        }
        return gone
    }

    // MARK: Sorted

    /// Each person counts once, with the oldest (NIP-25: `-` is no like; relays keep several of one person).
    var reactions: [NostrEvent] {
        perPerson(
            events.filter {
                $0.kind == NostrEvent.Kind.reaction && $0.values("e").last == post.id
                    && !["-", "👎"].contains($0.content)
            })
    }

    var reposts: [NostrEvent] {
        let kinds = [NostrEvent.Kind.repost, NostrEvent.Kind.genericRepost]
        return perPerson(events.filter { kinds.contains($0.kind) && $0.values("e").contains(post.id) })
    }

    var quotes: [NostrEvent] {
        events.filter { $0.kind == NostrEvent.Kind.note && $0.values("q").contains(post.id) && Self.parent($0) == nil }
    }

    /// Replies and comments, to others of them too.
    var comments: [NostrEvent] {
        events.filter { event in
            switch event.kind {
            case NostrEvent.Kind.comment: event.value("E") == post.id && event.values("e").last != nil
            case NostrEvent.Kind.note: Self.root(event) == post.id || Self.parent(event) == post.id
            default: false
            }
        }
    }

    private func perPerson(_ events: [NostrEvent]) -> [NostrEvent] {
        var seen: Set<String> = []
        return events.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
            .filter { seen.insert($0.author).inserted }
    }

    /// What a note or comment answers (NIP-10, by marks or by places; NIP-22); nil when it answers nothing.
    static func parent(_ event: NostrEvent) -> String? {
        if event.kind == NostrEvent.Kind.comment { return event.values("e").last }
        let tags = event.tags.filter { $0[0] == "e" && $0.count > 1 }
        func marked(_ mark: String) -> String? { tags.last { $0.count > 3 && $0[3] == mark }?[1] }
        if let parent = marked("reply") ?? marked("root") { return parent }
        return tags.contains { $0.count > 3 && !$0[3].isEmpty } ? nil : tags.last?[1]
    }

    /// At which a thread begins.
    static func root(_ event: NostrEvent) -> String? {
        if event.kind == NostrEvent.Kind.comment { return event.value("E") }
        let tags = event.tags.filter { $0[0] == "e" && $0.count > 1 }
        if let root = tags.first(where: { $0.count > 3 && $0[3] == "root" }) { return root[1] }
        return tags.contains { $0.count > 3 && !$0[3].isEmpty } ? nil : tags.first?[1]
    }
}

extension NostrAPI {
    /// The most people whose profiles are read for one page.
    private static let mostPeople = 500

    /// People as they name themselves; who says nothing goes by their key.
    func people(_ keys: Set<String>) async throws(SubmissionError) -> (String) -> FoundAuthor {
        let asked = keys.sorted().prefix(Self.mostPeople)
        var profiles: [NostrEvent] = []
        if !asked.isEmpty {
            let filter: JSONValue = [
                "kinds": [0], "authors": JSONValue(asked.map(JSONValue.string)), "limit": JSONValue(asked.count),
            ]
            profiles = try await events([filter], at: addresses.all, most: 2 * Self.mostPeople).events
        }
        let byAuthor = Dictionary(grouping: profiles, by: \.author)
        return { key in
            let profile = NostrProfile(byAuthor[key] ?? [], of: key)
            return FoundAuthor(
                key: key, name: profile.name, handle: NostrKey.publicText(key), url: NostrPost.page(of: key),
                pictureURL: profile.picture)
        }
    }

    /// A reply, comment or quote as others see it. `parent` is nil where it answers the post itself.
    func response(
        _ event: NostrEvent, _ kind: Response.Kind, to post: String, by person: (String) -> FoundAuthor
    ) -> FoundResponse {
        let parent = kind == .comment ? NostrConversation.parent(event) : nil
        return FoundResponse(
            kind: kind, key: kind == .comment ? event.id : "quote \(event.id)", parent: parent == post ? nil : parent,
            remoteID: event.id, author: person(event.author), text: event.content,
            url: NostrPost.address(
                of: event.id, by: event.author, kind: event.kind, at: addresses.relays.first ?? ""),
            media: NostrPost.media(of: event), saidAt: event.date, isOwn: event.author == key.publicKey)
    }
}

extension NostrPost {
    /// The files that an event describes (NIP-92).
    static func media(of event: NostrEvent) -> [AttachedMedia] {
        event.tags.filter { $0[0] == "imeta" }.prefix(AttachedMedia.most).compactMap { tag in
            func entry(_ name: String) -> String? {
                tag.dropFirst().first { $0.hasPrefix("\(name) ") }.map { String($0.dropFirst(name.count + 1)) }
            }
            let size = (entry("dim") ?? "").split(separator: "x").compactMap { Int64($0) }
            let kind: AttachedMedia.Kind = (entry("m") ?? "").hasPrefix("video/") ? .video : .picture
            return AttachedMedia(
                kind, url: entry("url"), previewURL: kind == .video ? entry("image") : nil, altText: entry("alt"),
                width: size.count == 2 ? size[0] : nil, height: size.count == 2 ? size[1] : nil)
        }
    }
}

extension NostrSubmitter: EngagementSubmitter, RespondingSubmitter {
    /// Counted as far as relays tell: no relay counts.
    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        let api = try api(of: post.account, over: post.transport, now: post.now)
        let talk = try await NostrConversation(about: post.remoteID, NostrConversation.Part.allCases, api)
        return Engagement(
            likes: talk.reactions.count, comments: talk.comments.count, shares: talk.reposts.count + talk.quotes.count)
    }

    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        let api = try api(of: post.account, over: post.transport, now: post.now)
        let kinds = [Response.Kind.comment, .like, .repost, .quote].filter { counted.mayHave($0) || known.contains($0) }
        let talk = try await NostrConversation(about: post.remoteID, kinds.compactMap(\.part), api)
        let acts = kinds.flatMap { kind in
            let events =
                switch kind {
                case .like: talk.reactions
                case .repost: talk.reposts
                default: [NostrEvent]()
                }
            return events.map { (kind, $0) }
        }
        let words = [(Response.Kind.comment, talk.comments), (.quote, talk.quotes)].filter { kinds.contains($0.0) }
        let person = try await api.people(Set((acts.map(\.1) + words.flatMap(\.1)).map(\.author)))
        var list = ResponseList()
        for (kind, events) in words {
            list.found += events.map { api.response($0, kind, to: post.remoteID, by: person) }
        }
        list.found += acts.map { kind, event in
            FoundResponse(
                kind: kind, key: "\(kind.rawValue) \(event.author)", author: person(event.author), saidAt: event.date,
                isOwn: event.author == post.account.remoteID)
        }
        list.complete = Set(kinds.filter { $0.part.flatMap { talk.isComplete[$0] } == true })
        return list
    }
}

extension Response.Kind {
    /// What is asked for to read it.
    fileprivate var part: NostrConversation.Part? {
        switch self {
        case .comment: .words
        case .like: .reactions
        case .repost: .reposts
        case .quote: .quotes
        case .mention: nil
        }
    }
}

extension NostrSubmitter: NewsSubmitter {
    private static let page = 500

    /// What names the account's key; the cursor is the second of the newest.
    package func news(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> PostNews {
        let api = try api(of: account, over: transport, now: now)
        let since = cursor.flatMap { Int64($0) }
        let kinds = [
            NostrEvent.Kind.note, NostrEvent.Kind.repost, NostrEvent.Kind.reaction, NostrEvent.Kind.genericRepost,
            NostrEvent.Kind.comment,
        ]
        var filter: JSONObject = [
            "#p": [.string(account.remoteID)], "kinds": JSONValue(kinds.map { JSONValue($0) }),
            "limit": JSONValue(Self.page),
        ]
        if let since { filter["since"] = .int(since + 1) }
        let events = try await api.events([.object(filter)], at: api.addresses.all, most: Self.page).checked().events
            .filter { $0.createdAt > since ?? 0 }
        let posts = Set(events.flatMap { $0.values("e") + $0.values("E") + $0.values("q") })
        // Who writes a time of the future must not hide what comes until then.
        let newest = events.map { min($0.createdAt, Int64(now().timeIntervalSince1970)) }.max()
        return PostNews(posts: posts, cursor: newest.map { String(max($0, since ?? $0)) })
    }
}
