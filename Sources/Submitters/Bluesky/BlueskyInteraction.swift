package import Domain
internal import FoundationEssentials
package import HTTP

/// One interaction at Bluesky. Every record is written under a key that is a function of the interaction, so that a repeat writes the
/// same bytes in the same place.
///
/// Source: lexicons app.bsky.feed.like, app.bsky.feed.repost and app.bsky.feed.post of bluesky-social/atproto at d6296a1c
/// (2026-08-20). A second like of a post is taken by a server and counted once: one that was made elsewhere is found in the view of the
/// post, and is the one that is taken back.
struct BlueskyInteraction: Sendable {
    let task: InteractionTask
    let api: BlueskyAPI

    private var did: String { task.account.remoteID }
    private var uri: String { task.targetID ?? task.targetKey }
    private var key: String { TID.make(task.createdAt, seed: task.outboundKey) }

    func perform() async throws(SubmissionError) -> InteractionReceipt {
        switch task.kind {
        case .favourite: try await set("like", in: "app.bsky.feed.like")
        case .repost: try await set("repost", in: "app.bsky.feed.repost")
        case .reply: task.isWanted ? try await reply() : try await takeBack()
        }
    }

    private func set(_ member: String, in collection: String) async throws(SubmissionError) -> InteractionReceipt {
        guard task.isWanted else {
            var there = task.remoteID
            do throws(SubmissionError) {
                there = try await api.post(uri)["viewer"]?[member]?.string ?? there
            } catch {
                guard case .gone = error else { throw error }
            }
            let made = task.mayHaveLeft ? key : nil
            for key in Set([there.flatMap(Self.key), made].compactMap(\.self)) {
                try await api.delete(key, in: collection, of: did)
            }
            return InteractionReceipt()
        }
        let post = try await api.post(uri)
        // Views lag behind: one of ours may have just been taken back, and writing it again changes nothing.
        if let there = post["viewer"]?[member]?.string, Self.key(there) != key {
            return InteractionReceipt(remoteID: there)
        }
        guard let cid = post["cid"]?.string else { throw api.client.unreadable }
        try await task.arm()
        return InteractionReceipt(
            remoteID: try await put(
                [
                    "$type": .string(collection), "subject": ["uri": .string(uri), "cid": .string(cid)],
                    "createdAt": .string(Timestamp(task.createdAt).description),
                ], in: collection))
    }

    private func put(_ record: JSONValue, in collection: String) async throws(SubmissionError) -> String {
        let response = try await api.put(record, in: collection, key: key, of: did)
        guard let made = try api.success(response, .publishing)["uri"]?.string else {
            throw api.client.malformed(response, .publishing)
        }
        return made
    }

    private static func key(_ uri: String) -> String? { uri.split(separator: "/").last.map(String.init) }

    // MARK: Replies

    private func reply() async throws(SubmissionError) -> InteractionReceipt {
        let post = try await api.post(uri)
        guard post["viewer"]?["replyDisabled"]?.bool != true else {
            throw .rejected(SubmissionProblem(api.client.problem(.permissionDenied)))
        }
        guard let cid = post["cid"]?.string else { throw api.client.unreadable }
        let parent: JSONValue = ["uri": .string(uri), "cid": .string(cid)]
        var record: JSONObject = [
            "$type": .string(BlueskyAPI.collection), "text": .string(task.text),
            "createdAt": .string(Timestamp(task.createdAt).description),
            "reply": ["root": post["record"]?["reply"]?["root"] ?? parent, "parent": parent],
        ]
        let facets = try await api.facets(of: task.text)
        if !facets.isEmpty { record["facets"] = JSONValue(facets) }
        try await task.arm()
        let made = try await put(.object(record), in: BlueskyAPI.collection)
        let url = BlueskyAPI.address(of: made, by: did)
        return InteractionReceipt(
            remoteID: made, url: url,
            response: FoundResponse(
                kind: .comment, key: made, parent: task.targetKey,
                author: FoundAuthor(
                    key: did, name: task.account.name, handle: "@\(task.account.name)",
                    url: "https://bsky.app/profile/\(did)"),
                text: task.text, url: url, saidAt: task.createdAt, isOwn: true))
    }

    private func takeBack() async throws(SubmissionError) -> InteractionReceipt {
        if let key = task.remoteID.flatMap(Self.key) ?? (task.mayHaveLeft ? key : nil) {
            try await api.delete(key, of: did)
        }
        return InteractionReceipt()
    }
}

extension BlueskySubmitter: InteractingSubmitter {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { Set(Interaction.Kind.allCases) }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        try await BlueskyInteraction(task: task, api: api(of: task.account, over: task.transport, now: task.now))
            .perform()
    }
}
