package import Domain
internal import FoundationEssentials
package import HTTP

/// One answer or repost at X. Likes by the API are for enterprises alone since April 2026.
///
/// Source: docs.x.com as of 2026-08-22 (OpenAPI 2.167), "Create Post", "Repost Post" and "Unrepost Post". Since 2026-02-23 X takes an answer
/// only where the author has mentioned or quoted the account, as whoever answers it does.
struct TwitterInteraction: Sendable {
    let task: InteractionTask
    let api: TwitterAPI

    private var targetID: String { task.targetID ?? task.targetKey }

    func perform() async throws(SubmissionError) -> InteractionReceipt {
        switch task.kind {
        case .reply: try await reply()
        case .repost: try await setRepost()
        case .favourite: throw .rejected(.changeUnsupported)
        }
    }

    // MARK: Reposts

    /// A second request for what is so already changes nothing.
    private func setRepost() async throws(SubmissionError) -> InteractionReceipt {
        try await task.arm()
        let response = try await api.setRepost(of: targetID, by: task.account.remoteID, to: task.isWanted)
        if response.status == .notFound, !task.isWanted { return InteractionReceipt() }
        guard response.status == .forbidden, TwitterRefusal(response).isDoneAlready else {
            _ = try api.success(response, .publishing)
            return InteractionReceipt(remoteID: task.isWanted ? targetID : nil)
        }
        return InteractionReceipt(remoteID: targetID)
    }

    // MARK: Answers

    private func reply() async throws(SubmissionError) -> InteractionReceipt {
        try await task.reply { () throws(SubmissionError) in
            try await own().map(receipt)
        } make: { () throws(SubmissionError) in
            try await answer()
        } delete: { id throws(SubmissionError) in
            try await api.deletePost(id)
        }
    }

    private func answer() async throws(SubmissionError) -> InteractionReceipt {
        let response = try await api.createPost(task.text, answering: targetID)
        if response.status == .forbidden, TwitterRefusal(response).isDuplicate, task.mayHaveLeft {
            // X has the text already: most likely from the earlier request.
            if let id = try await own() { return receipt(id) }
            throw .unknownOutcome(api.client.problem(.unconfirmed, response), retryAfter: nil)
        }
        guard let id = try api.success(response, .publishing)["data"]?["id"]?.string else {
            throw api.client.malformed(response, .publishing)
        }
        return receipt(id)
    }

    /// The account's answer of this text to the target; nil when its timeline shows none.
    private func own() async throws(SubmissionError) -> String? {
        let response = try await api.posts(of: task.account.remoteID, since: task.earliest)
        let words = Self.comparable(TwitterPost.comparable(task.text))
        for json in try api.success(response)["data"]?.array ?? [] {
            guard let post = TwitterPost(json), post.answered == targetID, Self.comparable(post.text) == words,
                try await !task.isTaken(post.id)
            else { continue }
            return post.id
        }
        return nil
    }

    /// X puts the names of those who are answered before the text.
    private static func comparable(_ text: String) -> String {
        text.split(separator: " ").drop { $0.hasPrefix("@") }.joined(separator: " ")
    }

    private func receipt(_ id: String) -> InteractionReceipt {
        let account = task.account
        let url = "https://x.com/\(account.name)/status/\(id)"
        return InteractionReceipt(
            remoteID: id, url: url,
            response: FoundResponse(
                kind: .comment, key: id, parent: task.targetKey, remoteID: id,
                author: FoundAuthor(
                    key: account.remoteID, name: account.name, handle: "@\(account.name)",
                    url: "https://x.com/\(account.name)"), text: task.text, url: url, saidAt: task.now(), isOwn: true))
    }
}

extension TwitterSubmitter: InteractingSubmitter {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { [.reply, .repost] }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        try await TwitterInteraction(task: task, api: api(of: task.account, over: task.transport, now: task.now))
            .perform()
    }
}
