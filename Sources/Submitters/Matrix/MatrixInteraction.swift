package import Domain
internal import FoundationEssentials
package import HTTP

/// An answer to what somebody has said to a post, or a reaction to it.
///
/// Source: Matrix specification v1.19, "Rich replies", "Event annotations and reactions"; read 2026-11-26. A server refuses the second same
/// reaction of a person to an event.
struct MatrixInteraction: Sendable {
    /// The sign of a favourite, as clients offer it.
    static let heart = "\u{2764}\u{FE0F}"

    private static let mostPages = 5
    /// As for posts: less than Synapse remembers a transaction.
    private static let transactionLife: TimeInterval = 23 * 3600

    let task: InteractionTask
    let api: MatrixAPI
    let settings: MatrixSettings

    private var target: String { task.targetID ?? task.targetKey }

    func perform() async throws(SubmissionError) -> InteractionReceipt {
        switch task.kind {
        case .favourite: try await react()
        case .reply: try await reply()
        case .repost: throw .rejected(.changeUnsupported)
        }
    }

    // MARK: Favourites

    private func react() async throws(SubmissionError) -> InteractionReceipt {
        let there = try await ownReactions()
        guard task.isWanted else {
            for id in Set(there + [task.remoteID].compactMap(\.self)) { try await api.redact(id, in: settings.room) }
            return InteractionReceipt()
        }
        if let first = there.first { return InteractionReceipt(remoteID: first) }
        _ = try await api.event(target, in: settings.room)
        try await task.arm()
        // One that was taken back may come again: it is another event. That there is one at most, the server sees to.
        let transaction = MatrixNames.transaction(
            task.outboundKey, String(Int64(task.now().timeIntervalSince1970 * 1000)))
        let made = try await api.react(Self.heart, to: target, in: settings.room, transaction: transaction)
        if let made { return InteractionReceipt(remoteID: made) }
        return InteractionReceipt(remoteID: try await ownReactions().first)
    }

    private func ownReactions() async throws(SubmissionError) -> [String] {
        do throws(SubmissionError) {
            return try await api.allRelations(
                to: target, in: settings.room, kind: ("m.annotation", "m.reaction"), pages: Self.mostPages
            ).events.filter { $0.sender == settings.user && $0.key == Self.heart && !$0.isRedacted }.map(\.id)
        } catch {
            // What is not there cannot be liked any more.
            guard case .gone = error, !task.isWanted else { throw error }
            return []
        }
    }

    // MARK: Answers

    private var transaction: String { MatrixNames.transaction("reply", task.outboundKey) }

    private func reply() async throws(SubmissionError) -> InteractionReceipt {
        try await task.reply { () throws(SubmissionError) in
            try await earlier()
        } make: { () throws(SubmissionError) in
            let answered = try await api.event(target, in: settings.room)
            let content = MatrixMessage.answer(task.text, to: answered, by: settings.user)
            return receipt(try await api.send(content, to: settings.room, transaction: transaction))
        } delete: { id throws(SubmissionError) in
            try await api.redact(id, in: settings.room)
        }
    }

    /// The answer that an earlier request has made; nil when there is none, or where the server knows the request when it is repeated.
    private func earlier() async throws(SubmissionError) -> InteractionReceipt? {
        let (events, isComplete) = try await api.messages(
            in: settings.room, since: task.earliest, pages: Self.mostPages)
        for event in events where event.sender == settings.user && event.answered == target {
            // Of another device nothing is told but the words.
            let isSame =
                event.transaction.map { $0 == transaction } ?? (event.content["body"]?.string == task.text)
            if isSame, try await !task.isTaken(event.id) { return receipt(event.id, at: event.at) }
        }
        if !isComplete, task.now().timeIntervalSince(task.createdAt) > Self.transactionLife {
            throw .unknownOutcome(SubmissionProblem(api.client.problem(.unconfirmed)), retryAfter: nil)
        }
        return nil
    }

    private func receipt(_ id: String, at time: Date? = nil) -> InteractionReceipt {
        InteractionReceipt(
            FoundResponse(
                kind: .comment, key: id, parent: task.targetKey, author: settings.author(settings.user, [:]),
                text: task.text, url: MatrixNames.link(to: id, in: settings.room, at: settings.server),
                saidAt: time ?? task.now(), isOwn: true))
    }
}

extension MatrixSubmitter: InteractingSubmitter {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { [.reply, .favourite] }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        try await MatrixInteraction(
            task: task, api: api(of: task.account, over: task.transport, now: task.now),
            settings: MatrixSettings(task.account.settings)
        ).perform()
    }
}
