internal import Crypto
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

/// Posts that go on in posts that answer them: each once, in order, whatever goes wrong on the way.
struct ThreadPostTests {
    private static let parts = [
        "The second part & <more> #föhn https://example.com/b", "A third, for @bob@social.example 🏔️", "The end.",
    ]
    private static let texts = [Scene.text] + parts
    /// Every service that can, in every way.
    private static let all = Subject.remote.filter {
        ["mastodon", "twitter", "bluesky", "threads"].contains($0.service)
            && $0.name != "mastodon, at a Pixelfed server"
    }
    /// Each service once, and those whose looks differ.
    private static let each: [Subject] =
        [
            .mastodon, .gotosocial, .takahe, .twitter, .bluesky, .threads,
        ] + all.filter { $0.name.contains("lag") || $0.name.contains("does not tell") || $0.name == "akkoma" }

    private func withThread(
        _ subject: Subject, parts: [String] = Self.parts, _ body: (Scene) async throws -> Void
    ) async throws {
        try await withScene(subject) { scene in
            scene.parts.withLock { $0 = parts }
            try await body(scene)
        }
    }

    /// Whether people see the first posts of the thread: the photo with its words, and each other an answer to the one before.
    private func isThere(_ scene: Scene, _ texts: [String] = Self.texts) -> Bool {
        let posts = scene.host?.service.effects ?? []
        let parents = [nil] + posts.dropLast().map { Optional($0.id) }
        return posts.map(\.text) == texts && posts.map(\.answering) == parents
            && posts.flatMap(\.media).map(\.sha256) == scene.contents.map { SHA256Digest(of: $0).hex }
            && posts.dropFirst().allSatisfy(\.media.isEmpty)
    }

    /// Makes the requests that publish part `count` and those after it go wrong; 0 is the first post.
    private func fail(_ scene: Scene, part count: Int, _ faults: Fault...) {
        let step = scene.subject.publishingStep
        for _ in 0..<count { scene.host?.fail(step, .none) }
        for fault in faults { scene.host?.fail(step, fault) }
    }

    // MARK: All goes well

    @Test(arguments: all)
    func `a thread is the photo and texts that answer each other, and the receipt names them all`(
        subject: Subject
    ) async throws {
        try await withThread(subject) { scene in
            let receipt = try await PlayedQueue(scene: scene).receipt()

            #expect(isThere(scene))
            #expect(scene.publishedIDs == [receipt.remoteID] + receipt.parts)
            #expect(receipt.url ?? "" == scene.host?.service.effects.first?.url ?? "")
            #expect(receipt.text == nil)
            #expect(receipt.problem == nil)
        }
    }

    @Test(arguments: all)
    func `a receipt of a thread that was lost is found again`(subject: Subject) async throws {
        try await withThread(subject) { scene in
            let first = await PlayedQueue(scene: scene).work()

            #expect(await PlayedQueue(scene: scene).work() == first)
            #expect(isThere(scene))
        }
    }

    /// X refuses the same words twice.
    @Test(arguments: each.filter { $0.service != "twitter" })
    func `parts of the same words are told apart`(subject: Subject) async throws {
        let parts = ["Again.", "Again.", "Again."]
        try await withThread(subject, parts: parts) { scene in
            fail(scene, part: 1, .resetAfter, .resetAfter, .resetAfter)

            let receipt = try await PlayedQueue(scene: scene).receipt()

            #expect(isThere(scene, [Scene.text] + parts))
            #expect(scene.publishedIDs == [receipt.remoteID] + receipt.parts)
        }
    }

    // MARK: The network

    @Test(arguments: each, [Fault.resetBefore, .resetAfter, .malformed, .status(503), .status(429)])
    func `trouble at any request passes, and every part is posted once and in order`(
        subject: Subject, fault: Fault
    ) async throws {
        var routes: [String] = []
        try await withThread(subject) { scene in
            let connecting = scene.host?.requests.count ?? 0
            _ = await PlayedQueue(scene: scene).work()
            routes = scene.host?.requests.dropFirst(connecting).map(\.route) ?? []
        }
        #expect(routes.count > Self.parts.count)
        for (place, route) in routes.enumerated() {
            try await withThread(subject) { scene in
                for _ in 0..<routes[..<place].count(where: { $0 == route }) { scene.host?.fail(route, .none) }
                scene.host?.fail(route, fault)

                let receipt = try await PlayedQueue(scene: scene).receipt()

                #expect(isThere(scene), "\(place) \(route)")
                #expect(scene.publishedIDs == [receipt.remoteID] + receipt.parts, "\(place) \(route)")
                #expect(receipt.problem == nil, "\(place) \(route)")
            }
        }
    }

    @Test(arguments: each)
    func `after the first post no error says that nothing was published`(subject: Subject) async throws {
        for status in [400, 401, 404, 422, 429, 503] {
            try await withThread(subject) { scene in
                fail(scene, part: 1, .status(status))

                let meaning = await scene.meaningOfFirstFailure()

                #expect([.unknownOutcome, .published].contains(meaning), "\(status)")
                #expect(scene.journal.isArmed)
            }
        }
    }

    @Test(arguments: each)
    func `a limit at a part is waited for as long as the service says`(subject: Subject) async throws {
        try await withThread(subject) { scene in
            fail(scene, part: 2, .status(429, fields: ["Retry-After": "40"]))

            let pause = await waiting(scene)

            #expect(pause == .seconds(40))
            _ = await PlayedQueue(scene: scene).work()
            #expect(isThere(scene))
        }
    }

    /// The pause until the thread goes on; what Threads needs for its containers is waited for.
    private func waiting(_ scene: Scene) async -> Duration? {
        for _ in 0..<20 {
            do throws(SubmissionError) {
                if scene.journal.isArmed {
                    _ = try await scene.reconcile()
                } else {
                    _ = try await scene.submit()
                }
                return nil
            } catch .notYet(let pause) {
                scene.clock.advance(by: pause)
            } catch .limited(_, _, let until) {
                return until.map { .seconds($0.timeIntervalSince(scene.clock.now)) }
            } catch .unknownOutcome(let problem, let pause) where problem.problem.code == .stillProcessing {
                scene.clock.advance(by: pause ?? .seconds(30))
            } catch .unknownOutcome(_, let pause) {
                return pause
            } catch {
                return nil
            }
        }
        return nil
    }

    @Test(arguments: each)
    func `credentials that are refused in the midst wait for the owner, and the thread goes on`(
        subject: Subject
    ) async throws {
        try await withThread(subject) { scene in
            fail(scene, part: 1, .status(401), .status(401), .status(401))

            #expect(await PlayedQueue(scene: scene).work() == .needsLogin)
            #expect(scene.journal.isArmed)
            scene.host?.clearFaults()
            let receipt = try await PlayedQueue(scene: scene).receipt()

            #expect(isThere(scene))
            #expect(receipt.problem == nil)
        }
    }

    @Test(arguments: each)
    func `a part that the service refuses ends the thread, and the receipt tells what was sent`(
        subject: Subject
    ) async throws {
        try await withThread(subject) { scene in
            fail(scene, part: 2, .status(422))

            let receipt = try await PlayedQueue(scene: scene).receipt()

            #expect(isThere(scene, Array(Self.texts.prefix(2))))
            #expect(scene.publishedIDs == [receipt.remoteID] + receipt.parts)
            #expect(receipt.problem != nil)
            #expect(receipt.problem?.problem.code == .postRefused)
            #expect(receipt.text == Self.texts.prefix(2).joined(separator: "\n\n"))
        }
    }

    // MARK: The end of an attempt

    @Test(arguments: each)
    func `an attempt that is stopped at any part ends at once, and the next one goes on`(
        subject: Subject
    ) async throws {
        for part in 0...Self.parts.count {
            try await withThread(subject) { scene in
                fail(scene, part: part, .slow)

                let work = Task { await PlayedQueue(scene: scene).work() }
                await scene.host?.untilSlow()
                work.cancel()
                scene.host?.stopHolding()
                _ = await work.value
                let receipt = try await PlayedQueue(scene: scene).receipt()

                #expect(isThere(scene), "\(part)")
                #expect(receipt.problem == nil, "\(part)")
            }
        }
    }

    @Test(arguments: each)
    func `a person who asks for the end in the midst is told what is there`(subject: Subject) async throws {
        try await withThread(subject) { scene in
            fail(scene, part: 1, .status(429))
            _ = await waiting(scene)
            scene.journal.cancel()

            let receipt = try await PlayedQueue(scene: scene).receipt()

            #expect(isThere(scene, [Scene.text]))
            #expect(receipt.problem != nil)
            #expect(scene.publishedIDs == [receipt.remoteID])
        }
    }

    @Test(arguments: each, [true, false])
    func `a worker that dies at any write of the journal leaves a thread that the next one ends`(
        subject: Subject, isKept: Bool
    ) async throws {
        var (hasCrashed, write) = (true, 0)
        while hasCrashed {
            try await withThread(subject) { scene in
                scene.journal.plan(MemoryJournal.Crash(write: write, isKept: isKept))
                _ = await PlayedQueue(scene: scene).work()
                hasCrashed = scene.journal.hasCrashed
                scene.journal.plan(nil)

                let receipt = try await PlayedQueue(scene: scene).receipt()

                #expect(isThere(scene), "write \(write)")
                #expect(scene.publishedIDs == [receipt.remoteID] + receipt.parts, "write \(write)")
                write += 1
            }
        }
        #expect(write > 2 * Self.parts.count)
    }

    // MARK: Afterwards

    @Test(arguments: each)
    func `all of a thread is taken back, and taking it back again is no error`(subject: Subject) async throws {
        try await withThread(subject) { scene in
            let receipt = try await PlayedQueue(scene: scene).receipt()

            try await scene.delete(receipt)
            #expect(scene.publishedIDs.isEmpty)
            try await scene.delete(receipt)
        }
    }

    @Test(arguments: [Subject.mastodon, .gotosocial])
    func `each post of a thread gets its own new words, and the photo stays`(subject: Subject) async throws {
        try await withThread(subject) { scene in
            let receipt = try await PlayedQueue(scene: scene).receipt()
            let texts = ["Fog", "and sun", "and wind", "and rain"]

            for _ in 0..<2 {
                try await scene.edit(receipt, texts: texts, altText: "A lake")
                #expect(isThere(scene, texts))
                #expect(scene.publishedAltTexts == ["A lake"])
            }
        }
    }

    @Test func `a thread is not edited to another number of posts`() async throws {
        try await withThread(.mastodon) { scene in
            let receipt = try await PlayedQueue(scene: scene).receipt()

            #expect(await meaning { try await scene.edit(receipt, texts: ["Fog"], altText: "") } == .rejected)
            #expect(isThere(scene))
        }
    }

    // MARK: Looks

    @Test func `an answer of the same words by somebody else is no part`() async throws {
        for subject in [Subject.gotosocial, .twitter, .threads] {
            try await withThread(subject) { scene in
                fail(scene, part: 1, .resetBefore)
                _ = await waiting(scene)
                let first = try #require(scene.publishedIDs.first)
                let talk = try #require(scene.host?.service.talk)
                _ = talk.say(Self.parts[0], by: "stranger", to: first)

                let receipt = try await PlayedQueue(scene: scene).receipt()

                #expect(isThere(scene), "\(subject.name)")
                #expect(scene.publishedIDs == [receipt.remoteID] + receipt.parts, "\(subject.name)")
            }
        }
    }

    @Test func `a post that another submission has is not taken for a part`() async throws {
        try await withThread(.gotosocial) { scene in
            fail(scene, part: 1, .resetAfter)
            _ = await waiting(scene)
            let strange = try #require(scene.publishedIDs.last)
            scene.taken.withLock { _ = $0.insert(strange) }

            let receipt = try await PlayedQueue(scene: scene).receipt()

            #expect(receipt.parts.count == Self.parts.count)
            #expect(!receipt.parts.contains(strange))
        }
    }

    @Test func `answers that are used up at Threads wait for the next day`() async throws {
        var subject = Subject.threads
        subject.fake = { clock in
            var options = FakeContainers.Options(quota: 250)
            options.replyQuota = 2
            return FakeThreads(options, fetch: Network.fetch, now: clock.read)
        }
        try await withThread(subject) { scene in
            let receipt = try await PlayedQueue(scene: scene).receipt()

            #expect(isThere(scene))
            #expect(receipt.problem == nil)
        }
    }

    @Test func `a part has steps of its own in the journal, and those of the queue stay`() async throws {
        try await withThread(.mastodon) { scene in
            try await scene.journal.record("pics.failures_before_open", 3)
            _ = await PlayedQueue(scene: scene).work()

            #expect(await scene.journal.value("pics.failures_before_open") == 3)
            #expect(await scene.journal.value(JournalKey.thread)?.array?.count == Self.texts.count)
            #expect(
                await scene.journal.value("\(JournalKey.part(2))pics.open_outcome")?["text"]?.string == Self.parts[0])
        }
    }

    @Test func `Pixelfed offers no threads`() {
        let pixelfed: any Submitter = PixelfedSubmitter(servers: .any)
        let mastodon = MastodonSubmitter(servers: .any)

        #expect(!(pixelfed is any ThreadingSubmitter))
        #expect(!mastodon.canThread(["software": "pixelfed"]))
        #expect(mastodon.canThread(["software": "gotosocial"]))
    }
}
