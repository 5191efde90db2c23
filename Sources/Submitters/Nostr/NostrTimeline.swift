internal import Domain
internal import FoundationEssentials
package import HTTP

/// The home timeline: posts and reposts of those whom the account follows (kind 3, NIP-02).
///
/// Source: NIP-02 and NIP-18, nostr-protocol/nips at db5fe3d; read 2026-11-26. Relays of others, which their lists name, are not
/// asked: the account's own have what most of those post whom it follows.
struct NostrTimeline: Sendable {
    let api: NostrAPI

    private static let page = 50
    /// Of those whom somebody follows, the newest; relays take no longer lists.
    private static let mostFollowed = 500

    /// A page before the second of `cursor`.
    func page(before cursor: String?) async throws(SubmissionError) -> FoundTimeline {
        let followed = try await followed()
        guard !followed.isEmpty else { return FoundTimeline(posts: [], next: nil, end: nil) }
        let kinds = NostrEvent.Kind.posts + [NostrEvent.Kind.repost, NostrEvent.Kind.genericRepost]
        var filter: JSONObject = [
            "authors": JSONValue(followed.map(JSONValue.string)), "kinds": JSONValue(kinds.map { JSONValue($0) }),
            "limit": JSONValue(Self.page),
        ]
        if let until = cursor.flatMap({ Int64($0) }) { filter["until"] = .int(until) }
        let found = try await api.events([.object(filter)], at: api.addresses.all, most: 4 * Self.page).checked()
        let authors = Set(followed)
        let now = Int64(api.client.now().timeIntervalSince1970)
        var events = Array(
            found.events
                .filter { authors.contains($0.author) && kinds.contains($0.kind) && $0.createdAt <= now + 600 }
                .sorted { ($0.createdAt, $1.id) > ($1.createdAt, $0.id) }.prefix(Self.page))
        let isFull = events.count == Self.page
        var until = (events.last?.createdAt ?? 0) - 1
        // What is of the last second may go on in the next page.
        if isFull, let first = events.first, first.createdAt > until + 1 {
            until += 1
            events.removeAll { $0.createdAt == until }
        }
        let shown = events.compactMap { event -> (event: NostrEvent, original: NostrEvent)? in
            let isRepost = !NostrEvent.Kind.posts.contains(event.kind)
            let original = isRepost ? NostrEvent(text: event.content) : event
            // Answers are no posts of their own.
            guard let original, NostrEvent.Kind.posts.contains(original.kind),
                isRepost || NostrConversation.parent(original) == nil
            else { return nil }
            return (event, original)
        }
        let person = try await api.people(Set(shown.flatMap { [$0.event.author, $0.original.author] }))
        return FoundTimeline(
            posts: shown.map { post(of: $0.original, shownBy: $0.event, person) },
            next: isFull ? String(until) : nil,
            end: events.last?.date)
    }

    private func followed() async throws(SubmissionError) -> [String] {
        let filter: JSONValue = ["authors": [.string(api.key.publicKey)], "kinds": [3], "limit": 1]
        let list = try await api.events([filter], at: api.addresses.relays, most: 10).checked().events
            .filter { $0.kind == NostrEvent.Kind.follows && $0.author == api.key.publicKey }
            .max { $0.createdAt < $1.createdAt }
        let keys = (list?.values("p") ?? []).filter { NostrEvent.isKey($0) && $0 != api.key.publicKey }
        return Array(keys.suffix(Self.mostFollowed))
    }

    private func post(
        of original: NostrEvent, shownBy event: NostrEvent, _ person: (String) -> FoundAuthor
    ) -> FoundPost {
        let warning = original.tags.first { $0[0] == "content-warning" }
        let isRepost = event.id != original.id
        return FoundPost(
            key: event.id, remoteID: original.id, author: person(original.author),
            reposter: isRepost ? person(event.author) : nil, text: original.content,
            warning: warning.flatMap { $0.count > 1 ? $0[1] : nil } ?? "", isSensitive: warning != nil,
            url: NostrPost.address(
                of: original.id, by: original.author, kind: original.kind, at: api.addresses.relays.first ?? ""),
            saidAt: event.date, media: NostrPost.media(of: original))
    }
}

extension NostrSubmitter: TimelineSubmitter {
    package func timeline(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> FoundTimeline {
        try await NostrTimeline(api: try api(of: account, over: transport, now: now)).page(before: cursor)
    }
}
