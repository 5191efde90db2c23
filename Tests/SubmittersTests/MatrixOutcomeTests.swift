internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// What became of events whose answer was lost, and what is read back of a room.
struct MatrixOutcomeTests {
    private static let send = "PUT /_matrix/client/v3/rooms/{room}/send/{type}/{transaction}"
    private static let messages = "GET /_matrix/client/v3/rooms/{room}/messages"

    private func fake(_ scene: Scene) throws -> FakeMatrix { try #require(scene.host?.service as? FakeMatrix) }

    @Test(arguments: [1, 24], [true, false])
    func `an event is there once, also a day later when its server has forgotten the request`(
        hours: Int, hasArrived: Bool
    ) async throws {
        try await withScene(Subject.matrix("matrix") { $0.tokenLife = nil }) { scene in
            scene.host?.fail(Self.send, hasArrived ? .resetAfter : .resetBefore)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            scene.clock.advance(by: .seconds(hours * 3600))

            // As long as the request is remembered a look that finds nothing may be wrong, and does no harm.
            let look = try await scene.reconcile()
            if hasArrived { #expect(look.isFound) } else { #expect(look == (hours == 1 ? .repeatable : .absent)) }
            scene.journal.disarm()
            let ending = await PlayedQueue(scene: scene).work()

            guard case .done = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `a request of another device is not believed to be known, and a list is given time`() async throws {
        try await withScene(Subject.matrix("matrix") { $0.listDelay = 90 }) { scene in
            scene.host?.fail(Self.send, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            scene.choose(["device": "ANOTHER"])

            #expect(await meaning { try await scene.reconcile() } == .notYet)
            scene.clock.advance(by: 120)
            let look = try await scene.reconcile()

            #expect(look.isFound && scene.isPublishedOnce)
        }
    }

    @Test func `an event that was emptied meanwhile is not posted again`() async throws {
        try await withScene(.matrix) { scene in
            scene.host?.fail(Self.send, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            try fake(scene).redactAll()

            // The device that has sent it is told so; another one can only guess.
            #expect(try await scene.reconcile().isFound)
        }
        try await withScene(.matrix) { scene in
            scene.host?.fail(Self.send, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            try fake(scene).redactAll(of: "ANOTHER")

            #expect(try await scene.reconcile() == .cannotTell)
        }
    }

    @Test func `a long way back is looked through in several parts`() async throws {
        try await withScene(.matrix) { scene in
            scene.host?.fail(Self.send, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            try fake(scene).sayMuch(2500)

            var looks = 1
            while await meaning({ try await scene.reconcile() }) == .notYet { looks += 1 }

            #expect(looks == 3 && scene.requests(of: Self.messages) == 26)
            #expect(try await scene.reconcile().isFound)
        }
    }

    @Test func `a place in a list that the server knows no more is begun with anew`() async throws {
        try await withScene(.matrix) { scene in
            scene.host?.fail(Self.send, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            try fake(scene).sayMuch(1500)
            #expect(await meaning { try await scene.reconcile() } == .notYet)
            scene.host?.fail(Self.messages, .status(400))
            #expect(await meaning { try await scene.reconcile() } == .notYet)
            #expect(await meaning { try await scene.reconcile() } == .notYet)

            #expect(try await scene.reconcile().isFound)
        }
    }

    @Test(arguments: [1, 2, 3], [true, false])
    func `each picture of a thread is there once, whichever answer is lost`(
        place: Int, hasArrived: Bool
    ) async throws {
        for life in [TimeInterval(24 * 3600), 0] {
            var subject = Subject.matrixSeveral
            subject.fake = { clock in
                var options = FakeMatrix.Options()
                options.transactionLife = life
                return FakeMatrix(options, now: clock.read)
            }
            try await withScene(subject) { scene in
                for _ in 0..<place { scene.host?.fail(Self.send, .none) }
                scene.host?.fail(Self.send, hasArrived ? .resetAfter : .resetBefore)
                #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)

                let ending = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce)
                guard case .done(let receipt) = ending else {
                    Issue.record("\(ending)")
                    return
                }
                #expect([receipt.remoteID] == scene.publishedIDs)
            }
        }
    }

    @Test func `a token that ends between two pictures is renewed, and none is missing`() async throws {
        try await withScene(.matrixSeveral) { scene in
            scene.host?.fail(Self.send, .none, .status(401))
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            try await scene.refreshCredentials()

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `who is thrown out between two pictures has posted the first`() async throws {
        try await withScene(.matrixSeveral) { scene in
            scene.host?.fail(Self.send, .none, .status(403), .status(403), .status(403))

            let receipt = try await scene.submit()

            #expect(scene.publishedIDs == [receipt.remoteID])
            #expect(scene.host?.service.effects.first?.media.count == 1)
        }
    }

    @Test func `a room that has become encrypted gets nothing`() async throws {
        try await withScene(.matrix) { scene in
            try fake(scene).encrypt()
            do throws(SubmissionError) {
                _ = try await scene.submit()
                Issue.record("posted")
            } catch {
                #expect(error.problem.code == .destinationEncrypted && Meaning(error) == .unauthorized)
            }
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test func `an upload whose answer was lost is one file, and a place that was forgotten is replaced`() async throws
    {
        try await withScene(.matrix) { scene in
            let upload = scene.subject.steps[1]
            scene.host?.fail(upload, .resetAfter)
            _ = await PlayedQueue(scene: scene).work()
            let files = try fake(scene).files
            #expect(files == 1 && scene.requests(of: upload) == 2 && scene.isPublishedOnce)
        }
        try await withScene(Subject.matrix("matrix") { $0.tokenLife = nil }) { scene in
            let upload = scene.subject.steps[1]
            scene.host?.fail(upload, .resetBefore)
            #expect(await scene.meaningOfFirstFailure() == .temporary)
            scene.clock.advance(by: 24 * 3600)
            #expect(await scene.meaningOfFirstFailure() == .published)
            #expect(scene.requests(of: scene.subject.steps[0]) == 2 && scene.isPublishedOnce)
        }
    }

    @Test func `where too many places wait for files whose names were lost, a file goes in one step`() async throws {
        try await withScene(.matrix) { scene in
            for _ in 0..<5 {
                scene.host?.fail(scene.subject.steps[0], .resetAfter)
                #expect(await scene.meaningOfFirstFailure() == .temporary)
            }

            #expect(await scene.meaningOfFirstFailure() == .published)
            let files = try fake(scene).files
            #expect(files == 1 && scene.isPublishedOnce)
        }
    }

    // MARK: Reading back

    @Test(arguments: [true, false])
    func `answers come with their thread, and people with what they like`(areThreads: Bool) async throws {
        try await withTalk({ $0.answersInThreads = areThreads }) { talk in
            let (said, post) = (talk.conversation, talk.post.remoteID)
            let first = said.say("Lovely light", by: "ann", to: post)
            said.say("Indeed", by: "ben", to: first)
            let gone = said.say("Bad", by: "cat", to: post)
            said.like(post, by: ["ann", "fan1", "fan2"])
            said.edit(first, "Lovely light indeed")
            said.delete(gone)

            let list = try await talk.responses()

            let comments = list.found.filter { $0.kind == .comment }
            #expect(comments.map(\.text) == ["Lovely light indeed", "Indeed"])
            #expect(comments.map(\.parent) == [nil, first] && comments[0].editedAt != nil)
            #expect(comments[0].author.name == "Ann" && comments[0].author.handle == "@ann:far.test")
            #expect(Set(list.found.filter { $0.kind == .like }.map(\.author.name)) == ["Ann", "Fan1", "Fan2"])
            #expect(list.complete == [.comment, .like])
            let counts = try await talk.scene.engagement(Receipt(remoteID: post, url: nil))
            #expect(counts == Engagement(likes: 3, comments: 2))
        }
    }

    @Test(arguments: [("invite", "shared"), ("public", "joined"), ("public", "invited")])
    func `what is said in a room that is not open to all is counted, and stays there`(
        rule: String, history: String
    ) async throws {
        try await withTalk({ ($0.joinRule, $0.history, $0.isJoined) = (rule, history, true) }) { talk in
            talk.conversation.say("Lovely", by: "ann", to: talk.post.remoteID)

            let list = try await talk.responses()
            let counts = try await talk.scene.engagement(Receipt(remoteID: talk.post.remoteID, url: nil))

            #expect(list == ResponseList(complete: [.comment, .like]) && counts?.comments == 1)
        }
    }

    @Test func `lists that are very long, circles and hostile words come to an end`() async throws {
        try await withTalk { talk in
            let (said, post) = (talk.conversation, talk.post.remoteID)
            let first = said.say("round", by: "ann", to: post)
            let second = said.say("and round", by: "ben", to: first)
            said.move(first, below: second)
            said.say(String(repeating: "long ", count: 20_000), by: "cat", to: post)
            said.like(post, by: (1...900).map { "fan\($0)" })

            let list = try await talk.responses()

            #expect(list.found.count { $0.kind == .comment } == 1)
            #expect(list.found.allSatisfy { $0.text.utf8.count <= FoundResponse.longestText })
            #expect(list.found.count { $0.kind == .like } == 500 && !list.complete.contains(.like))
        }
    }

    @Test(arguments: [
        ("> <@alice:lakes.test> Fog\n> over the lake\n\nLovely", true, "Lovely"), ("> Lovely", false, "> Lovely"),
        ("Lovely\n> not", true, "Lovely\n> not"),
    ])
    func `what an answer repeats of what it answers is left out`(body: String, isAnswer: Bool, words: String) throws {
        var content: JSONObject = ["msgtype": "m.text", "body": .string(body)]
        if isAnswer { content["m.relates_to"] = ["m.in_reply_to": ["event_id": "$a"]] }
        let event = try #require(
            MatrixEvent([
                "event_id": "$b", "type": "m.room.message", "sender": "@ann:far.test", "origin_server_ts": 1,
                "content": .object(content),
            ]))

        #expect(MatrixText.plain(event, changed: nil) == words)
    }

    private func withTalk(
        _ change: @escaping @Sendable (inout FakeMatrix.Options) -> Void = { _ in },
        _ body: @escaping @Sendable (ConversationTests.Talk) async throws -> Void
    ) async throws {
        let voice = ConversationTests.Voice(
            subject: Subject.matrix("matrix", change),
            conversation: { try #require($0 as? FakeMatrix).conversation }, favourites: { _ in [] },
            reposts: { _ in [] })
        try await ConversationTests().withTalk(voice, body)
    }
}
