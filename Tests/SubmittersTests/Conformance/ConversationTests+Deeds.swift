internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import TestTools
internal import Testing

/// What an owner does with the words of others.
extension ConversationTests {
    /// What an owner does, and how it is seen at the service.
    enum Deed: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case reply, deleteReply, favourite, unfavourite, repost, unrepost
        var testDescription: String { rawValue }

        var kind: Interaction.Kind {
            switch self {
            case .reply, .deleteReply: .reply
            case .favourite, .unfavourite: .favourite
            case .repost, .unrepost: .repost
            }
        }
        var isWanted: Bool { [.reply, .favourite, .repost].contains(self) }
        var before: Deed? {
            switch self {
            case .deleteReply: .reply
            case .unfavourite: .favourite
            case .unrepost: .repost
            default: nil
            }
        }
    }

    /// The sender's side of one interaction: what is kept between tries.
    final class Played: Sendable {
        let talk: Talk
        let target: FoundResponse
        private let kept = Lock<(remoteID: String?, isArmed: Bool, response: FoundResponse?)>((nil, false, nil))

        private let isOfTimeline: Bool

        init(_ talk: Talk, _ target: FoundResponse, isOfTimeline: Bool = false) {
            (self.talk, self.target, self.isOfTimeline) = (talk, target, isOfTimeline)
        }

        var response: FoundResponse? { kept.withLock { $0.response } }

        /// One try; with `crash` the process dies when the row says that the request leaves.
        func perform(_ deed: Deed, crash: Bool = false) async throws(SubmissionError) {
            let (remoteID, isArmed, _) = kept.withLock { $0 }
            let receipt = try await talk.interacting.perform(
                InteractionTask(
                    outboundKey: "0199-\(deed.kind.rawValue)", kind: deed.kind, isWanted: deed.isWanted,
                    targetID: target.remoteID, targetKey: target.key,
                    postID: isOfTimeline ? nil : talk.post.remoteID,
                    handle: target.author.handle,
                    text: "Thank you", remoteID: remoteID, mayHaveLeft: isArmed, createdAt: talk.scene.clock.now,
                    account: talk.post.account, transport: talk.post.transport,
                    arm: { [kept] () async throws(SubmissionError) in
                        kept.withLock { $0.isArmed = true }
                        if crash { throw .leaseLost }
                    }, now: talk.scene.clock.read))
            kept.withLock { $0 = (receipt.remoteID, false, receipt.response) }
        }

        /// Tries until it is done, as the sender does.
        func finish(_ deed: Deed) async throws {
            for _ in 0..<6 {
                do throws(SubmissionError) {
                    try await perform(deed)
                    return
                } catch {
                    switch error {
                    case .temporary, .unknownOutcome, .limited, .notYet, .leaseLost: continue
                    default: throw error
                    }
                }
            }
            Issue.record("\(deed.rawValue) does not end")
        }

        /// How often it is there.
        func count(_ kind: Interaction.Kind) async throws -> Int {
            switch kind {
            case .reply: try await talk.comments().count { $0.text.hasSuffix("Thank you") }
            case .favourite: try talk.voice.favourites(talk.fake).count
            case .repost: try talk.voice.reposts(talk.fake).count
            }
        }
    }

    func played(_ talk: Talk) async throws -> Played {
        talk.conversation.say("Lovely", by: "ann", to: talk.post.remoteID)
        return Played(talk, try #require(try await talk.comments().first))
    }

    /// What each can do.
    static let deeds =
        voices.flatMap { voice in Deed.allCases.map { (voice, $0) } } + [(flickr, .reply), (flickr, .deleteReply)]
        + [.reply, .deleteReply, .repost, .unrepost].map { (twitter, $0) }
        + [.reply, .deleteReply, .favourite, .unfavourite].map { (facebook, $0) }
        + [wordpress, youtube, threads, instagram].flatMap { voice in [.reply, .deleteReply].map { (voice, $0) } }
        + [.reply, .deleteReply, .favourite, .unfavourite].map { (matrix, $0) }

    @Test(arguments: deeds)
    func `whatever goes wrong on the way, there is one effect, and a repetition makes no second`(
        voice: Voice, deed: Deed
    ) async throws {
        let routes = Box<[String]>([])
        try await withTalk(voice) { talk in
            let played = try await played(talk)
            if let before = deed.before { try await played.finish(before) }
            let start = talk.scene.host?.requests.count ?? 0
            try await played.perform(deed)
            let made = talk.scene.host?.requests.map(\.route).dropFirst(start) ?? []
            routes.update { $0 = Array(made) }
            #expect(try await played.count(deed.kind) == (deed.isWanted ? 1 : 0))
            if deed == .reply {
                let response = try #require(played.response)
                #expect(response.parent == (voice.subject.service == "flickr" ? nil : played.target.key))
                #expect(try await talk.comments().contains { $0.key == response.key })
            }
            // A reply that is confirmed is not asked for again.
            if deed != .reply { try await played.perform(deed) }
            #expect(try await played.count(deed.kind) <= 1)
        }
        let faults: [Fault] = [.resetBefore, .resetAfter, .malformed, .status(500), .status(429), .status(503)]
        for route in Set(routes.value) {
            for fault in faults {
                try await withTalk(voice) { talk in
                    let played = try await played(talk)
                    if let before = deed.before { try await played.finish(before) }
                    talk.scene.host?.fail(route, fault)
                    try await played.finish(deed)
                    #expect(
                        try await played.count(deed.kind) == (deed.isWanted ? 1 : 0), "\(route) \(fault)")
                }
            }
        }
        try await withTalk(voice) { talk in
            let played = try await played(talk)
            if let before = deed.before { try await played.finish(before) }
            do throws(SubmissionError) { try await played.perform(deed, crash: true) } catch {
                #expect(error == .leaseLost)
            }
            try await played.finish(deed)
            #expect(try await played.count(deed.kind) == (deed.isWanted ? 1 : 0), "a crash")
        }
    }

    @Test(arguments: voices + [twitter, facebook, wordpress, youtube, threads, instagram, matrix])
    func `what an answer is to that is gone is gone`(voice: Voice) async throws {
        try await withTalk(voice) { talk in
            let id = talk.conversation.say("Lovely", by: "ann", to: talk.post.remoteID)
            let played = Played(talk, try #require(try await talk.comments().first))
            talk.conversation.delete(id)
            await #expect(throws: SubmissionError.self) { try await played.perform(.reply) }
            #expect(talk.scene.publishedIDs.count == 1)
        }
    }
}
