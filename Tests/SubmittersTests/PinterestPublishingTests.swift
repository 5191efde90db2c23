internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

/// Videos at Pinterest, and the looks for pins whose answers were lost.
struct PinterestPublishingTests {
    private static let threads = BlockingThreads(name: "pictures", count: 1)
    private let pinterest = PinterestSubmitter(servers: .any, threads: Self.threads)
    private static let store = "POST /pinterest-media-upload"

    // MARK: Videos

    @Test func `a video that Pinterest works on is looked at again, ever more seldom, then pinned with a cover`()
        async throws
    {
        try await withScene(.pinterest("pinterest", isVideo: true) { $0.processing = 12 }) { scene in
            var pauses: [Duration] = []
            for _ in 0..<10 where scene.publishedIDs.isEmpty {
                do throws(SubmissionError) { _ = try await scene.submit() } catch {
                    guard case .notYet(let pause) = error else { throw error }
                    pauses.append(pause)
                    scene.clock.advance(by: pause)
                }
            }

            #expect(pauses == [.seconds(2), .seconds(3), .seconds(4.5), .seconds(6.75)])
            #expect(scene.isPublishedOnce && scene.requests(of: Self.store) == 1)
            let sent = scene.host?.requests.last { $0.route == "POST /v5/pins" }
                .flatMap { try? JSONValue(parsing: $0.request.body)["media_source"] }
            #expect(sent?["source_type"] == "video_id" && sent?["cover_image_key_frame_time"] == 1)
        }
    }

    @Test func `a video that is never done is sent anew after an hour`() async throws {
        try await withScene(.pinterest("pinterest", isVideo: true) { $0.processing = 1e6 }) { scene in
            #expect(await meaning { try await scene.submit() } == .notYet)
            scene.clock.advance(by: 3600)
            #expect(await meaning { try await scene.submit() } == .temporary)
            #expect(await meaning { try await scene.submit() } == .notYet)
            #expect(scene.requests(of: Self.store) == 2)
        }
    }

    @Test func `a video that turns out to be none is refused`() async throws {
        try await withScene(.pinterest("pinterest", isVideo: true) { $0.failsVideos = true }) { scene in
            #expect(await scene.meaningOfFirstFailure() == .rejected)
        }
    }

    @Test func `a video that Pinterest has forgotten is sent anew`() async throws {
        try await withScene(.pinterestVideo) { scene in
            #expect(await meaning { try await scene.submit() } == .notYet)
            (scene.host?.service as? FakePinterest)?.dropMedia()

            #expect(await scene.meaningOfFirstFailure() == .temporary)
            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `an upload whose answer was lost is not repeated`() async throws {
        try await withScene(.pinterestVideo) { scene in
            scene.host?.fail(Self.store, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .temporary)

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
            #expect(scene.requests(of: Self.store) == 1 && scene.requests(of: "POST /v5/media") == 1)
        }
    }

    @Test func `a form that the store refuses is asked for once more, then the video is given up`() async throws {
        try await withScene(.pinterestVideo) { scene in
            scene.host?.fail(Self.store, .status(403), .status(403))

            #expect(await scene.meaningOfFirstFailure() == .temporary)
            #expect(await scene.meaningOfFirstFailure() == .rejected)
            #expect(scene.requests(of: "POST /v5/media") == 2)
        }
    }

    @Test func `a video that is too large for the store is refused at once, and its answer is not kept`() async throws {
        try await withScene(.pinterestVideo) { scene in
            scene.host?.fail(Self.store, .status(400, body: "<Error><Code>EntityTooLarge</Code></Error>"))
            do throws(SubmissionError) {
                _ = try await scene.submit()
                Issue.record("sent")
            } catch {
                guard case .rejected(let problem) = error else { throw error }
                #expect(problem.problem.code == .fileTooLarge && problem.detail == nil)
            }
        }
    }

    /// The fields of the specification's example (`MediaUploadParameters`): all of them go, in front of the file, and the token does not.
    @Test func `a video goes to the store by the form that Pinterest has signed`() async throws {
        let server = Recording(.response(201, Self.registration()), .form(204, ""))

        _ = await meaning { try await submitVideo(over: server) }

        #expect(server.sent.count == 3)
        #expect(server[1].line == "POST https://pinterest-media-upload.s3-accelerate.amazonaws.com/")
        #expect(server[1].fields["Authorization"] == nil)
        #expect(server[1].fields["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        let names = server[1].text.matches(of: /form-data; name="([^"]+)"/).map { String($0.1) }
        #expect(names == ["Content-Type", "key", "policy", "x-amz-algorithm", "x-amz-signature", "file"])
        #expect(server[2].line == "GET https://api.pinterest.com/v5/media/12345")
    }

    @Test(arguments: [
        "https://evil.example/", "http://pinterest-media-upload.s3-accelerate.amazonaws.com/",
        "https://a.amazonaws.com.evil.example/", "https://evilamazonaws.com/", "https://a.amazonaws.com:8443/",
        "https://u:p@a.amazonaws.com/", "https://evil.example\\@a.amazonaws.com/",
        "https://api.pinterest.com.evil.example/",
        "file:///etc/passwd", "",
    ])
    func `an address that is no store's gets nothing`(url: String) async throws {
        let server = Recording(.response(201, Self.registration(url)), .form(204, ""))

        #expect(await meaning { try await submitVideo(over: server) } == .temporary)
        #expect(server.sent.count == 1)
    }

    @Test func `an answer with the fields of a form is kept nowhere`() async throws {
        var registration = Self.registration().object ?? [:]
        registration["media_id"] = "no-number"
        let (server, journal) = (Recording(.response(201, .object(registration))), MemoryJournal())
        do throws(SubmissionError) {
            _ = try await submitVideo(over: server, journal)
            Issue.record("sent")
        } catch {
            guard case .temporary(let problem, _) = error else { throw error }
            #expect(problem.detail == nil)
        }
        #expect(await journal.value("video") == nil)
    }

    private static func registration(
        _ url: String = "https://pinterest-media-upload.s3-accelerate.amazonaws.com/"
    ) -> JSONValue {
        [
            "media_id": "12345", "media_type": "video", "upload_url": .string(url),
            "upload_parameters": [
                "Content-Type": "multipart/form-data",
                "key": "uploads/11/aa/22/3:video:203014033110991560:5212123920968240771",
                "policy": "eyJleHBpcmF0aW9uIjoiMj..==", "x-amz-algorithm": "AWS4-HMAC-SHA256",
                "x-amz-signature": "fcd6309a6aaee213348666a72abed8b44552a43acb6b340e8e1b288d21a5fe92",
            ],
        ]
    }

    private func submitVideo(
        over server: Recording, _ journal: MemoryJournal = MemoryJournal()
    ) async throws(SubmissionError) -> Receipt {
        let pinterest = PinterestSubmitter(servers: .publicOnly, threads: Self.threads)
        let account = OpenedAccount.sample(["access_token": "pina_a"], ["album": "1"])
        guard let folder = try? TemporaryFolder(),
            let video = try? folder.photo([1, 2, 3], mediaType: "video/mp4", at: TestClock().now)
        else { throw .cancelled }
        return try await pinterest.submit(.sample(video, to: account, over: server, journal: journal))
    }

    // MARK: Looks

    private static let pins = "GET /v5/boards/{board}/pins"

    /// Sends a pin whose request is lost, as `fault` has it, and waits until lists are believed.
    private func lose(_ scene: Scene, _ fault: Fault, _ text: String = Scene.text) async {
        scene.host?.fail("POST /v5/pins", fault)
        #expect(await meaning { try await scene.submit(text) } == .unknownOutcome)
        scene.clock.advance(by: 61)
    }

    @Test func `a pin is found by its link among any number of others, in several looks`() async throws {
        try await withScene(.pinterest) { scene in
            let fake = try #require(scene.host?.service as? FakePinterest)
            await lose(scene, .resetAfter)
            fake.add(pin: "Fog", link: "https://pics.test/other", times: 720)

            #expect(await meaning { try await scene.reconcile() } == .notYet)
            #expect(scene.requests(of: Self.pins) == 5)
            guard case .found(let receipt) = try await scene.reconcile() else {
                Issue.record("not found")
                return
            }
            #expect(scene.requests(of: Self.pins) == 8)
            #expect(scene.publishedIDs.contains(receipt.remoteID) && receipt.text == nil)
        }
    }

    @Test func `a pin is absent when the whole board was read, and not before`() async throws {
        try await withScene(.pinterest) { scene in
            (scene.host?.service as? FakePinterest)?.add(pin: "Fog", link: nil, times: 720)
            await lose(scene, .resetBefore)

            #expect(await meaning { try await scene.reconcile() } == .notYet)
            let found = try await scene.reconcile()
            #expect(found == .absent)
            #expect(scene.requests(of: Self.pins) == 8)
        }
    }

    @Test func `a list that may lag behind is asked once, and believed later`() async throws {
        try await withScene(.pinterest) { scene in
            (scene.host?.service as? FakePinterest)?.add(pin: "Fog", link: nil, times: 720)
            scene.host?.fail("POST /v5/pins", .resetBefore)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)

            do throws(SubmissionError) {
                _ = try await scene.reconcile()
                Issue.record("believed")
            } catch {
                #expect(error == .notYet(checkAfter: .seconds(60)))
            }
            #expect(scene.requests(of: Self.pins) == 1)
        }
    }

    @Test func `a board that leads in circles is not taken for read`() async throws {
        let page: JSONValue = ["items": [], "bookmark": "Y2lyY2xl"]
        let (clock, journal) = (TestClock(), MemoryJournal())
        let server = Recording(.failure(.unanswered("reset")), .response(200, page), .response(200, page))
        let folder = try TemporaryFolder()
        let photo = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: clock.now)
        let task = SubmissionTask.sample(
            photo, to: .sample(["access_token": "a"], ["album": "1"]), over: server, journal: journal, clock: clock)
        #expect(await meaning { try await pinterest.submit(task) } == .unknownOutcome)
        clock.advance(by: 61)

        #expect(await meaning { try await pinterest.reconcile(task) } == .temporary)
    }

    @Test(arguments: [false, true])
    func `a pin that has lost its link is left to a person, unless it is known to be another's`(
        isTaken: Bool
    ) async throws {
        try await withScene(.pinterest("pinterest") { $0.dropsLinks = true }) { scene in
            await lose(scene, isTaken ? .resetBefore : .resetAfter)
            if isTaken {
                let ids = (scene.host?.service as? FakePinterest)?.add(pin: Scene.text, link: nil) ?? []
                scene.taken.withLock { $0.formUnion(ids) }
            }

            let found = try await scene.reconcile()
            #expect(found == (isTaken ? .absent : .cannotTell))
        }
    }

    @Test func `another photo's pin of the same words, and an older one of the same photo, are not taken for it`()
        async throws
    {
        try await withScene(.pinterest) { scene in
            let fake = try #require(scene.host?.service as? FakePinterest)
            fake.add(pin: Scene.text, link: "https://pics.test/Ab3dE9xZ", age: 3600)
            await lose(scene, .resetBefore)
            let ids = fake.add(pin: Scene.text, link: "https://pics.test/other")
            scene.taken.withLock { $0.formUnion(ids) }

            let found = try await scene.reconcile()
            #expect(found == .absent)
        }
    }

    @Test(arguments: [
        ("Fog & sun", Fault.resetAfter), ("Fog & sun", .resetBefore), ("", .resetAfter), ("", .resetBefore),
    ])
    func `a pin without a link is found by its words, and one without words is left to a person`(
        text: String, fault: Fault
    ) async throws {
        try await withFake(FakePinterest()) { fake, server, transport in
            let (clock, journal, folder) = (TestClock(at: Date()), MemoryJournal(), try TemporaryFolder())
            let photo = try folder.photo([1, 2, 3], mediaType: "image/png", at: clock.now).seen(by: .private)
            let app = ClientCredentials([
                "client_id": "client-id", "client_secret": "client-secret", "base_url": server.url,
            ])
            let account = try await Browser(app: app, transport: transport).connect(pinterest)
            let task = SubmissionTask.sample(
                photo, to: account.opened(["album": .string(FakePinterest.board)]), over: transport, journal: journal,
                text: text, clock: clock)
            server.host.fail("POST /v5/pins", fault)
            #expect(await meaning { try await pinterest.submit(task) } == .unknownOutcome)
            clock.advance(by: 61)

            let found = try await pinterest.reconcile(task)

            switch (text.isEmpty, fault) {
            case (false, .resetAfter): #expect(found.isFound)
            case (true, .resetAfter): #expect(found == .cannotTell)
            default: #expect(found == .absent)
            }
        }
    }

    @Test func `whoever sends again looks first`() async throws {
        try await withScene(.pinterest) { scene in
            await lose(scene, .resetAfter)

            let receipt = try await scene.submit()

            #expect(scene.publishedIDs == [receipt.remoteID])
        }
    }
}
