internal import Crypto
package import Domain
internal import FoundationEssentials
package import HTTP

/// One interaction at Nostr: an event of the account's, and a deletion that takes it back.
///
/// The event is a function of the interaction: a repeat is the same event, of which relays keep one.
///
/// Source: NIP-09, 10, 18, 22 and 25, nostr-protocol/nips at db5fe3d; read 2026-11-26.
struct NostrInteraction: Sendable {
    let task: InteractionTask
    let api: NostrAPI

    private var id: String { task.targetID ?? task.targetKey }

    func perform() async throws(SubmissionError) -> InteractionReceipt {
        guard task.isWanted else { return try await takeBack() }
        let target = try await target()
        switch task.kind {
        case .reply:
            let reply = try reply(to: target)
            try await task.arm()
            _ = try await api.publish(reply)
            let person = FoundAuthor(
                key: api.key.publicKey, name: task.account.name, handle: NostrKey.publicText(api.key.publicKey),
                url: NostrPost.page(of: api.key.publicKey))
            return InteractionReceipt(api.response(reply, .comment, to: task.postID ?? "", by: { _ in person }))
        case .favourite: return try await set(reaction(to: target), about: target)
        case .repost: return try await set(repost(of: target), about: target)
        }
    }

    /// The event that it is with.
    private func target() async throws(SubmissionError) -> NostrEvent {
        let (event, isDeleted, found) = try await api.post(id)
        if let event, !isDeleted { return event }
        let missing = SubmissionError.gone(SubmissionProblem(api.client.problem(.postMissing)))
        throw event == nil ? NostrAPI.weightiest(found.errors) ?? missing : missing
    }

    // MARK: Reactions and reposts

    private struct Draft {
        let kind: Int
        let content: String
        let tags: [[String]]
    }

    private var relay: String { api.addresses.relays.first ?? "" }

    private func reaction(to target: NostrEvent) -> Draft {
        Draft(
            kind: NostrEvent.Kind.reaction, content: "+",
            tags: [
                ["e", target.id, relay, target.author], ["p", target.author, relay], ["k", String(target.kind)],
            ])
    }

    private func repost(of target: NostrEvent) -> Draft {
        let isNote = target.kind == NostrEvent.Kind.note
        let tags = [["e", target.id, relay], ["p", target.author]] + (isNote ? [] : [["k", String(target.kind)]])
        // What its author protects is not carried on (NIP-18, NIP-70).
        let isProtected = target.tags.contains { $0[0] == "-" }
        return Draft(
            kind: isNote ? NostrEvent.Kind.repost : NostrEvent.Kind.genericRepost,
            content: isProtected ? "" : target.text, tags: tags)
    }

    /// Sends one unless there is one: also one that another program has sent is as good.
    private func set(_ draft: Draft, about target: NostrEvent) async throws(SubmissionError) -> InteractionReceipt {
        if let there = try await own([draft.kind], about: target.id).checked().events.first {
            return InteractionReceipt(remoteID: there.id)
        }
        let event = try api.event(draft.kind, draft.content, draft.tags)
        try await task.arm()
        _ = try await api.publish(event)
        return InteractionReceipt(remoteID: event.id)
    }

    /// The account's events of these kinds about another that it has not taken back.
    private func own(_ kinds: [Int], about target: String) async throws(SubmissionError) -> NostrAPI.Found {
        let filter: JSONValue = [
            "authors": [.string(api.key.publicKey)], "kinds": JSONValue(kinds.map { JSONValue($0) }),
            "#e": [.string(target)], "limit": 100,
        ]
        var found = try await api.events([filter], at: api.addresses.relays, most: 200)
        found.events.removeAll { event in
            !kinds.contains(event.kind) || event.author != api.key.publicKey || event.values("e").last != target
                || event.content == "-"
        }
        guard !found.events.isEmpty else { return found }
        let deletions: JSONValue = [
            "authors": [.string(api.key.publicKey)], "kinds": [5],
            "#e": JSONValue(found.events.map { JSONValue.string($0.id) }), "limit": 200,
        ]
        let gone = try await api.events([deletions], at: api.addresses.relays, most: 200).events
            .filter { $0.kind == NostrEvent.Kind.deletion && $0.author == api.key.publicKey }
            .flatMap { $0.values("e") }
        found.events.removeAll { gone.contains($0.id) }
        return found
    }

    // MARK: Replies

    /// Always the same event for the same interaction: no hint names a relay, since the account's may change.
    private func reply(to target: NostrEvent) throws(SubmissionError) -> NostrEvent {
        let text = NostrPost.cleaned(task.text)
        let isNote = target.kind == NostrEvent.Kind.note
        let tags = (isNote ? noteTags(target) : commentTags(target)) + NostrPost.hashtags(text).map { ["t", $0] }
        return try api.event(
            isNote ? NostrEvent.Kind.note : NostrEvent.Kind.comment, text, tags, at: task.createdAt)
    }

    /// NIP-10: the thread's beginning, what is answered, and everybody who takes part.
    private func noteTags(_ target: NostrEvent) -> [[String]] {
        let root = NostrConversation.root(target) ?? NostrConversation.parent(target)
        var tags = [["e", root ?? target.id, "", "root"]]
        if root != nil {
            tags.append(["e", target.id, "", "reply", target.author])
        } else {
            tags[0].append(target.author)
        }
        var people: [String] = []
        for person in [target.author] + target.values("p").prefix(50)
        where !people.contains(person) && NostrEvent.isKey(person) {
            people.append(person)
        }
        return tags + people.map { ["p", $0] }
    }

    /// NIP-22: the post as the root, and what is answered as the parent.
    private func commentTags(_ target: NostrEvent) -> [[String]] {
        let parent = [
            ["e", target.id, "", target.author], ["k", String(target.kind)], ["p", target.author],
        ]
        let roots = target.tags.filter { ["E", "A", "I", "K", "P"].contains($0[0]) && $0.count > 1 }
        if target.kind == NostrEvent.Kind.comment, !roots.isEmpty { return roots + parent }
        return [["E", target.id, "", target.author], ["K", String(target.kind)], ["P", target.author]] + parent
    }

    // MARK: Taking back

    private func takeBack() async throws(SubmissionError) -> InteractionReceipt {
        let kinds =
            switch task.kind {
            case .reply: [Int]()
            case .favourite: [NostrEvent.Kind.reaction]
            case .repost: [NostrEvent.Kind.repost, NostrEvent.Kind.genericRepost]
            }
        var ids = [task.remoteID].compactMap(\.self)
        var named: Set<Int> = []
        if !kinds.isEmpty {
            let found = try await own(kinds, about: id).checked()
            ids += found.events.map(\.id).filter { !ids.contains($0) }
            named = Set(found.events.map(\.kind))
        } else if task.mayHaveLeft, ids.isEmpty {
            ids = [try await lostReply()].compactMap(\.self)
        }
        guard !ids.isEmpty else { return InteractionReceipt() }
        let tags = ids.map { ["e", $0] } + named.sorted().map { ["k", String($0)] }
        try await api.publishEverywhere(
            try api.event(NostrEvent.Kind.deletion, "", tags), at: api.addresses.relays)
        return InteractionReceipt()
    }

    /// The id of a reply whose answer was lost; nil when what it answers is gone, and the reply with it.
    private func lostReply() async throws(SubmissionError) -> String? {
        let (event, _, found) = try await api.post(id)
        guard let event else {
            if let error = NostrAPI.weightiest(found.errors) { throw error }
            return nil
        }
        return try reply(to: event).id
    }
}

extension NostrSubmitter: InteractingSubmitter {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { Set(Interaction.Kind.allCases) }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        try await NostrInteraction(task: task, api: try api(of: task.account, over: task.transport, now: task.now))
            .perform()
    }
}
