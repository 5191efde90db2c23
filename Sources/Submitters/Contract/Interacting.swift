package import Domain
package import FoundationEssentials
package import HTTP

/// A service at which accounts can reply to what others wrote, favourite and repost it, and take each back.
///
/// An interaction is a wanted state. Whoever is asked for one that may be there already (`task.mayHaveLeft`) looks first, where the
/// service would make a second one.
package protocol InteractingSubmitter: Submitter {
    /// The kinds of interactions that an account with these settings can have with a response to a post of its own.
    func interactions(_ settings: JSONValue) -> Set<Interaction.Kind>

    /// The kinds that it can have with a post of its timeline.
    func timelineInteractions(_ settings: JSONValue) -> Set<Interaction.Kind>

    /// The text of a reply as it is sent, where it begins with a name that the service asks for.
    func replyText(_ text: String, to handle: String?, _ settings: JSONValue) -> String

    /// Brings about what is wanted; a request that makes something a second time when it is repeated comes after `task.arm`.
    ///
    /// - Throws: `.gone` when what it is with is not there any more; `.unknownOutcome` when a request left and no clear answer came.
    func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt
}

extension InteractingSubmitter {
    package func timelineInteractions(_ settings: JSONValue) -> Set<Interaction.Kind> { interactions(settings) }

    /// The kinds that an account can have with a target.
    package func interactions(
        with target: Interaction.Target, _ settings: JSONValue
    ) -> Set<Interaction.Kind> {
        switch target {
        case .response: interactions(settings)
        case .post: timelineInteractions(settings)
        }
    }

    package func replyText(_ text: String, to handle: String?, _ settings: JSONValue) -> String { text }
}

/// Everything a submitter gets for one try of an interaction.
package struct InteractionTask: Sendable {
    /// A function of the interaction, not of the try: what a service's idempotency key is made of.
    package let outboundKey: String
    package let kind: Interaction.Kind
    /// Whether it is to be there; else it is taken back.
    package let isWanted: Bool
    /// The name by which the service takes requests about the target; nil: its key.
    package let targetID: String?
    /// Which the target is, everywhere.
    package let targetKey: String
    /// The post that the target came to, as its receipt names it; nil for a post of the timeline.
    package let postID: String?
    /// Of the target's author.
    package let handle: String?
    /// Of a reply, as its author wrote it.
    package let text: String
    /// As the service has named what an earlier try has made.
    package let remoteID: String?
    /// An earlier request may have left whose answer is missing.
    package let mayHaveLeft: Bool
    package let createdAt: Date
    package let account: OpenedAccount
    package let transport: any Transport
    /// Whether another interaction of the account is known to have made this: then a look that finds it by its words has found somebody else's.
    package let isTaken: @Sendable (_ remoteID: String) async throws(SubmissionError) -> Bool
    /// States that the next request may bring it about.
    package let arm: @Sendable () async throws(SubmissionError) -> Void
    /// The time, which tests move.
    package let now: @Sendable () -> Date

    package init(
        outboundKey: String, kind: Interaction.Kind, isWanted: Bool, targetID: String?, targetKey: String,
        postID: String?, handle: String?, text: String, remoteID: String?, mayHaveLeft: Bool, createdAt: Date,
        account: OpenedAccount,
        transport: any Transport,
        isTaken: @escaping @Sendable (String) async throws(SubmissionError) -> Bool = { _ in false },
        arm: @escaping @Sendable () async throws(SubmissionError) -> Void,
        now: @escaping @Sendable () -> Date
    ) {
        (self.outboundKey, self.kind, self.isWanted) = (outboundKey, kind, isWanted)
        (self.targetID, self.targetKey, self.postID, self.handle) = (targetID, targetKey, postID, handle)
        (self.text, self.remoteID, self.mayHaveLeft) = (text, remoteID, mayHaveLeft)
        (self.createdAt, self.account, self.transport) = (createdAt, account, transport)
        (self.isTaken, self.arm, self.now) = (isTaken, arm, now)
    }
}

extension InteractionTask {
    /// The earliest time that a service may give to what this has made: its clock may go ten minutes before ours.
    var earliest: Date { createdAt - 600 }

    /// A reply, or its taking back, at a service that keeps no key of a request's: where an earlier request may have left, `find` looks for what
    /// it has made.
    func reply(
        find: () async throws(SubmissionError) -> InteractionReceipt?,
        make: () async throws(SubmissionError) -> InteractionReceipt,
        delete: (_ remoteID: String) async throws(SubmissionError) -> Void
    ) async throws(SubmissionError) -> InteractionReceipt {
        let found = mayHaveLeft && (isWanted || remoteID == nil) ? try await find() : nil
        guard isWanted else {
            if let id = remoteID ?? found?.remoteID { try await delete(id) }
            return InteractionReceipt()
        }
        if let found { return found }
        try await arm()
        return try await make()
    }

    /// The account's own comment of these words, the newest of `comments`, which are oldest first, that no other interaction has made; nil when
    /// there is none. Comments are compared as `comparable` gives their texts.
    func own(
        _ words: String, among comments: [FoundResponse], as comparable: (String) -> String = { $0 }
    ) async throws(SubmissionError) -> InteractionReceipt? {
        for comment in comments.reversed()
        where comment.isOwn && comparable(comment.text) == words && comment.saidAt.map({ $0 > earliest }) ?? true {
            let receipt = InteractionReceipt(comment)
            guard let id = receipt.remoteID, try await !isTaken(id) else { continue }
            return receipt
        }
        return nil
    }
}

/// A service's confirmation of an interaction.
package struct InteractionReceipt: Sendable, Equatable {
    /// As the service names what was made, where that takes it back; nil where nothing is there.
    package let remoteID: String?
    package let url: String?
    /// A reply as a response, so that it is shown before it is read back.
    package let response: FoundResponse?

    package init(remoteID: String? = nil, url: String? = nil, response: FoundResponse? = nil) {
        (self.remoteID, self.url, self.response) = (remoteID, url, response)
    }

    /// Of a comment, by the name that takes requests about it.
    init(_ comment: FoundResponse) {
        self.init(remoteID: comment.remoteID ?? comment.key, url: comment.url, response: comment)
    }
}

/// A service that shows an account what those post whom it follows.
package protocol TimelineSubmitter: Submitter {
    /// A page of the home timeline, newest first, without the account's own posts; of one request. With `cursor` the page that a former one
    /// has named as its next.
    func timeline(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> FoundTimeline
}

/// A page of a home timeline.
package struct FoundTimeline: Sendable, Equatable {
    package let posts: [FoundPost]
    /// Where the page of older posts begins; nil when there is none.
    package let next: String?
    /// The moment of the oldest entry, also of one that was left out; nil for an empty page.
    package let end: Date?

    package init(posts: [FoundPost], next: String?, end: Date?) {
        (self.posts, self.next, self.end) = (posts, next, end)
    }
}
