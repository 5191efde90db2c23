internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

/// What Threads and Instagram have in common: files that they fetch, and containers.
struct GraphContainerTests {
    static let both = [Subject.threads, .instagram]

    static func containers(_ scene: Scene) throws -> FakeContainers {
        let service = try #require(scene.host?.service)
        return try #require((service as? FakeThreads)?.containers ?? (service as? FakeInstagram)?.containers)
    }

    /// The same service, set up in another way.
    static func changed(
        _ subject: Subject, _ change: @escaping @Sendable (inout FakeContainers.Options) -> Void = { _ in },
        fetch: @escaping FileFetcher = Network.fetch
    ) -> Subject {
        subject.showing(subject.name) { subject in
            subject.fake = { [isThreads = subject.service == "threads"] clock in
                var options = FakeContainers.Options(quota: isThreads ? 250 : 100)
                change(&options)
                return isThreads
                    ? FakeThreads(options, fetch: fetch, now: clock.read)
                    : FakeInstagram(options, fetch: fetch, now: clock.read)
            }
        }
    }

    /// The problem of the next attempts; nil when they publish.
    static func problem(_ scene: Scene) async -> ProblemCode? {
        for _ in 0..<10 {
            do throws(SubmissionError) {
                _ = try await scene.submit()
                return nil
            } catch {
                guard case .notYet(let pause) = error else { return error.problem.code }
                scene.clock.advance(by: pause)
            }
        }
        return nil
    }

    static func steps(_ subject: Subject) -> (make: String, look: String, publish: String) {
        (subject.steps[0], subject.steps[1], subject.steps[2])
    }

    // MARK: Files

    @Test(arguments: both, [false, true])
    func `a file that the service could not fetch is offered again`(service: Subject, isVideo: Bool) async throws {
        let isReachable = Lock(false)
        let subject = Self.changed(
            service.showing(service.name) { $0.isVideo = isVideo },
            fetch: { url in isReachable.withLock { $0 } ? await Network.fetch(url) : nil })
        try await withScene(subject) { scene in
            #expect(await Self.problem(scene) == .fileNotFetched)
            #expect(await scene.meaningOfFirstFailure() == .temporary)
            isReachable.withLock { $0 = true }

            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not published")
                return
            }
            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: both)
    func `a service that works for long is looked at, and nobody waits for it`(service: Subject) async throws {
        try await withScene(Self.changed(service) { $0.processing = 600 }) { scene in
            let start = scene.clock.now
            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not published")
                return
            }
            #expect(scene.isPublishedOnce)
            #expect(scene.clock.now.timeIntervalSince(start) < 660)
            #expect(scene.requests(of: Self.steps(service).make) == 1)
            #expect(scene.requests(of: Self.steps(service).look) < 20)
        }
    }

    @Test(arguments: both)
    func `a service that is never done is asked for another container after an hour`(service: Subject) async throws {
        try await withScene(Self.changed(service) { $0.processing = 4000 }) { scene in
            _ = await meaning { try await scene.submit() }
            scene.clock.advance(by: .seconds(3601))

            #expect(await scene.meaningOfFirstFailure() == .temporary)
            #expect(await meaning { try await scene.submit() } == .notYet)
            #expect(scene.requests(of: Self.steps(service).make) == 2)
        }
    }

    // MARK: Requests without an answer

    @Test(arguments: both)
    func `a post of the same words that is somebody else's is none of ours`(service: Subject) async throws {
        try await withScene(service) { scene in
            let containers = try Self.containers(scene)
            containers.add(Scene.text)
            scene.taken.withLock { $0 = Set(containers.posts.map(\.id)) }
            scene.host?.fail(Self.steps(service).publish, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)

            let ours = try #require(containers.posts.last?.id)
            guard case .found(let receipt) = try await scene.reconcile() else {
                Issue.record("not found")
                return
            }
            #expect(receipt.remoteID == ours)

            containers.add(Scene.text)
            #expect(try await scene.reconcile() == .cannotTell)
        }
    }

    @Test(arguments: both)
    func `the same words in the app, while nothing of ours was published, are left to a person`(
        service: Subject
    ) async throws {
        try await withScene(service) { scene in
            scene.host?.fail(Self.steps(service).publish, .resetBefore)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            try Self.containers(scene).add(Scene.text)

            #expect(await meaning { try await scene.reconcile() } == .notYet)
            scene.clock.advance(by: .seconds(601))
            #expect(try await scene.reconcile() == .cannotTell)
        }
    }

    @Test(arguments: both)
    func `a post that was published and is in no list is looked for, and then left to a person`(
        service: Subject
    ) async throws {
        try await withScene(service) { scene in
            scene.host?.fail(Self.steps(service).publish, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            let containers = try Self.containers(scene)
            containers.remove(post: try #require(containers.posts.first?.id))

            #expect(await meaning { try await scene.reconcile() } == .notYet)
            scene.clock.advance(by: .seconds(3601))
            #expect(try await scene.reconcile() == .cannotTell)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test(arguments: both)
    func `days later, when no container is known any more, the list tells`(service: Subject) async throws {
        for isThere in [true, false] {
            try await withScene(service) { scene in
                scene.host?.fail(Self.steps(service).publish, .resetAfter)
                #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
                let containers = try Self.containers(scene)
                if !isThere { containers.remove(post: try #require(containers.posts.first?.id)) }
                containers.removeContainers()
                scene.clock.advance(by: .seconds(3 * 24 * 3600))

                let found = try await scene.reconcile()

                #expect(isThere ? found.isFound : found == .cannotTell)
            }
        }
    }

    @Test(arguments: both)
    func `a container that somebody has published is not published again`(service: Subject) async throws {
        try await withScene(service) { scene in
            scene.host?.fail(Self.steps(service).publish, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            // The queue was told that nothing was published.
            scene.journal.disarm()
            try await scene.journal.record("pics.open_outcome", nil)

            guard case .done(let receipt) = await PlayedQueue(scene: scene).work() else {
                Issue.record("not found")
                return
            }
            #expect(scene.publishedIDs == [receipt.remoteID])
            #expect(scene.requests(of: Self.steps(service).publish) == 1)
        }
    }

    @Test func `a picture that leaves the post before it is published leaves its carousel too`() async throws {
        let (clock, journal) = (TestClock(), MemoryJournal())
        let time = JSONValue.string(clock.now.formatted(.iso8601).replacing("Z", with: "+0000"))
        let server = Recording(
            // Two pictures, ready, and a carousel of them that is not.
            .response(200, ["id": "1"]), .response(200, ["id": "2"]), .response(200, ["status": "FINISHED"]),
            .response(200, ["status": "FINISHED"]), .response(200, ["id": "3"]),
            .response(200, ["status": "IN_PROGRESS"]),
            // One of them alone, with the words; the answer to its publication is lost.
            .response(200, ["id": "4"]), .response(200, ["status": "FINISHED"]), .failure(.unanswered("reset")),
            .response(200, ["status": "PUBLISHED"]),
            .response(
                200, ["data": [["id": "5", "text": "Föhn", "timestamp": time, "media_type": "IMAGE"]]]),
            .response(200, ["permalink": "https://www.threads.com/@lakes/post/5"]))
        let folder = try TemporaryFolder()
        let photos = try ["a", "b"].map {
            try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: clock.now, name: $0)
        }
        let threads = ThreadsSubmitter(servers: .publicOnly)
        func task(_ companions: [SamplePhoto]) -> SubmissionTask {
            SubmissionTask(
                submission: .make(), outboundKey: "1", photo: photos[0].photo,
                file: { () async throws(SubmissionError) in try photos[0].make() }, address: { "https://pics.test/a" },
                text: "Föhn", caption: "Föhn", altText: "",
                companions: companions.map { photo in
                    OutgoingPicture(
                        code: photo.code, altText: "", file: { () async throws(SubmissionError) in try photo.make() },
                        address: { "https://pics.test/b" }, progress: { _, _ in })
                }, shortURL: "", account: .sample(["access_token": "token"], [:]), journal: journal,
                transport: server, progress: { _, _ in }, now: clock.read)
        }

        #expect(await meaning { try await threads.submit(task([photos[1]])) } == .notYet)
        #expect(FormFields(server[4].text)?["children"] == "1,2")
        #expect(await meaning { try await threads.submit(task([])) } == .unknownOutcome)
        #expect(FormFields(server[6].text)?["text"] == "Föhn" && server[8].text == "creation_id=4")

        let found = try await threads.reconcile(task([]))
        #expect(found == .found(Receipt(remoteID: "5", url: "https://www.threads.com/@lakes/post/5")))
    }

    // MARK: Limits and refusals

    @Test(arguments: both)
    func `a day's posts that are used up hold the account back for an hour`(service: Subject) async throws {
        try await withScene(Self.changed(service) { ($0.quota, $0.processing) = (0, 0) }) { scene in
            let limit = await limitMet { try await scene.submit() }

            #expect(limit?.problem.problem.code == .quotaExceeded && limit?.scope == .account)
            #expect(limit?.until == scene.clock.now.addingTimeInterval(3600))
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test(
        arguments: both,
        [
            (9004, 2_207_052, Meaning.temporary), (-2, 2_207_003, .temporary), (-1, 2_207_032, .temporary),
            (36000, 2_207_004, .rejected), (36001, 2_207_005, .rejected), (36003, 2_207_009, .rejected),
            (352, 2_207_026, .rejected), (36004, 2_207_010, .rejected), (100, 2_207_040, .rejected),
            (25, 2_207_050, .unauthorized), (4, 2_207_051, .limited), (9, 2_207_042, .limited),
            (1, 4_279_013, .unauthorized),
            (80002, 0, .limited), (4, 0, .limited), (10, 0, .unauthorized), (190, 0, .unauthorized),
            (100, 0, .rejected),
            (1, 0, .temporary), (2, 0, .temporary),
        ])
    func `a number says what happens next`(
        service: Subject, refusal: (code: Int, subcode: Int, meaning: Meaning)
    ) async throws {
        try await withScene(service) { scene in
            scene.host?.fail(
                Self.steps(service).make,
                .status(400, body: #"{"error":{"code":\#(refusal.code),"error_subcode":\#(refusal.subcode)}}"#))

            #expect(await scene.meaningOfFirstFailure() == refusal.meaning)
        }
    }

    @Test(arguments: both)
    func `a container that is not ready is waited for`(service: Subject) async throws {
        try await withScene(service) { scene in
            scene.host?.fail(
                Self.steps(service).publish, .status(400, body: #"{"error":{"code":9007,"error_subcode":2207027}}"#))

            #expect(await scene.meaningOfFirstFailure() == .published)
            #expect(scene.isPublishedOnce)
        }
    }
}
