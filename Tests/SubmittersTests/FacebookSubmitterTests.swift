internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct FacebookSubmitterTests {
    private let facebook = FacebookSubmitter(servers: .any)

    @Test(arguments: ["Lake", "104729384756102"])
    func `a person connects one of their pages in the browser`(page: String) async throws {
        try await withFake(FakeFacebook()) { _, server, transport in
            let browser = Browser(app: app(server.url), entered: ["page": page], transport: transport)

            let account = try await browser.connect(facebook)

            #expect(account.remoteID == "104729384756102" && account.name == "Lake")
            #expect(account.credentials == ["access_token": "page-token"])
        }
    }

    @Test(arguments: [("Harbour", "5"), ("7", "7")])
    func `a page of a business portfolio is connected too`(page: String, id: String) async throws {
        try await withFake(FakeFacebook()) { _, server, transport in
            let browser = Browser(app: app(server.url), entered: ["page": page], transport: transport)

            let account = try await browser.connect(facebook)

            #expect(account.remoteID == id)
        }
    }

    @Test func `a person without a portfolio connects a page all the same`() async throws {
        try await withFake(FakeFacebook()) { _, server, transport in
            server.host.fail("GET /v26.0/me/businesses", .status(403))
            let browser = Browser(app: app(server.url), entered: ["page": "Hill"], transport: transport)

            let account = try await browser.connect(facebook)

            #expect(account.remoteID == "2")
        }
    }

    @Test(arguments: ["", "Readers", "Another", "Quay"])
    func `several pages, or none that may be posted to, ask for another choice`(page: String) async throws {
        try await withFake(FakeFacebook()) { _, server, transport in
            let browser = Browser(app: app(server.url), entered: ["page": page], transport: transport)

            #expect(await meaning { try await browser.connect(facebook) } == .rejected)
        }
    }

    @Test(arguments: [-1, 0, 1, 2, 3, 4])
    func `a video is published once, whichever of its requests is lost`(lost: Int) async throws {
        try await withScene(.facebookVideo) { scene in
            // Start, three pieces and the end; the answer to one of them is lost.
            for index in 0..<5 where lost >= 0 && index <= lost {
                scene.host?.fail(scene.subject.publishingStep, index == lost ? .resetAfter : .slow)
            }
            let release = Task {
                for _ in 0..<max(lost, 0) {
                    await scene.host?.untilSlow()
                    scene.host?.releaseSlow()
                }
            }

            let ending = await PlayedQueue(scene: scene).work()
            release.cancel()
            scene.host?.stopHolding()

            #expect(scene.isPublishedOnce)
            guard case .done(let receipt) = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(receipt.url == scene.host?.service.effects.first?.url)
        }
    }

    @Test(arguments: [(0, nil), (100, nil), (499, nil), (500, Reconciliation.cannotTell)])
    func `a post is found behind posts that others made meanwhile`(
        others: Int, otherwise: Reconciliation?
    ) async throws {
        try await withScene(.facebook) { scene in
            scene.host?.fail(scene.subject.publishingStep, .resetAfter)
            _ = await meaning { try await scene.submit() }
            (scene.host?.service as? FakeFacebook)?.add(posts: others)
            scene.clock.advance(by: 60)

            let found = try await scene.reconcile()

            if let otherwise { #expect(found == otherwise) } else { #expect(found.isFound) }
        }
    }

    @Test func `a video that was transferred and not finished is not taken as published`() async throws {
        try await withScene(.facebookVideo) { scene in
            let videos = scene.subject.publishingStep
            scene.host?.fail(videos, .slow, .slow, .slow, .slow, .resetBefore)
            let release = Task {
                for _ in 0..<4 {
                    await scene.host?.untilSlow()
                    scene.host?.releaseSlow()
                }
            }

            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            release.cancel()
            scene.clock.advance(by: 120)
            let looked = try await scene.reconcile()
            #expect(looked == .absent)
            scene.journal.disarm()
            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not published")
                return
            }
            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `pages behind the one that has a post are not asked for`() async throws {
        let shown: JSONValue = ["data": [["target": ["id": "7"]]]]
        let server = Recording(
            .response(
                200,
                [
                    "data": [["id": "1_2", "permalink_url": "https://facebook.test/2", "attachments": shown]],
                    "paging": ["cursors": ["after": "x"], "next": "https://graph.test/next"],
                ]),
            .response(429))

        let graph = AccountAPI(
            client: ServiceClient(service: "Facebook", transport: server, now: { Date() }),
            origin: "https://graph.test", authorization: nil, addresses: .any)
        let found = try await FacebookAPI(graph: graph, video: graph, version: "/v26.0")
            .post(showing: "7", on: "1", since: Date())

        guard case .found("1_2", "https://facebook.test/2") = found else {
            Issue.record("\(found)")
            return
        }
        #expect(server.sent.count == 1)
    }

    @Test(arguments: [
        ("error", Meaning.rejected), ("upload_failed", .rejected), ("expired", .published), ("new", .temporary),
    ])
    func `a video of an unknown outcome is what Facebook says of it`(status: String, expected: Meaning) async throws {
        let clock = TestClock()
        let journal = MemoryJournal()
        let video: JSONValue = ["session": "1", "id": "2", "bytes": 3, "start": 3, "end": 3]
        let outcome: JSONValue = ["first": .double(0), "last": .double(0), "text": ""]
        try await journal.record("video", video)
        try await journal.record("pics.open_outcome", outcome)
        let server = Recording(.response(200, ["status": ["video_status": .string(status)]]))
        let folder = try TemporaryFolder()
        let film = try folder.photo([1, 2, 3], mediaType: "video/mp4", at: clock.now)
        let account = OpenedAccount.sample(["access_token": "a"], [:])

        let result = await meaning {
            try await facebook.reconcile(.sample(film, to: account, over: server, journal: journal, clock: clock))
        }
        #expect(result == expected)
        #expect(await journal.value("video") == (status == "expired" ? nil : video))
    }

    @Test func `reactions, comments and shares are counted until the post is gone`() async throws {
        try await withScene(.facebook) { scene in
            let post = scene.post(try await scene.submit())

            #expect(try await facebook.engagement(of: post) == Engagement(likes: 6, comments: 2, shares: 0))
            try await facebook.delete(post)
            #expect(await meaning { try await facebook.engagement(of: post) } == .gone)
        }
    }

    @Test(arguments: [
        (190, Meaning.unauthorized), (10, .unauthorized), (294, .unauthorized), (4, .limited), (368, .limited),
        (506, .rejected), (100, .rejected), (1, .unknownOutcome), (2, .unknownOutcome),
    ])
    func `a code says what happens next`(code: Int, expected: Meaning) async throws {
        try await withScene(.facebook) { scene in
            scene.host?.fail(
                "POST /v26.0/104729384756102/feed", .status(400, body: #"{"error":{"code":\#(code)}}"#))

            #expect(await scene.meaningOfFirstFailure() == expected)
        }
    }

    @Test(arguments: [
        // A time-out (facebook-sdk-codeigniter issue 8), a code that nobody has listed, and dead credentials.
        (#""code":390,"error_subcode":1363030,"is_transient":true"#, Meaning.temporary, Meaning.unknownOutcome),
        (#""code":390,"error_subcode":1363030"#, .temporary, .unknownOutcome),
        (#""code":100,"error_subcode":1363019,"is_transient":false"#, .temporary, .unknownOutcome),
        (#""code":4711,"is_transient":true"#, .temporary, .unknownOutcome),
        (#""code":4711,"is_transient":false"#, .rejected, .rejected),
        (#""code":100,"error_subcode":1366046,"is_transient":false"#, .rejected, .rejected),
        (#""code":190,"is_transient":true"#, .unauthorized, .unauthorized),
        (#""code":32,"is_transient":true"#, .limited, .limited),
    ])
    func `a subcode, and what passes, say what happens next`(
        error: String, preparing: Meaning, publishing: Meaning
    ) async throws {
        for (route, expected) in [("photos", preparing), ("feed", publishing)] {
            try await withScene(.facebook) { scene in
                scene.host?.fail(
                    "POST /v26.0/104729384756102/\(route)", .status(400, body: #"{"error":{\#(error)}}"#))

                #expect(await scene.meaningOfFirstFailure() == expected, "\(route)")
            }
        }
    }

    @Test func `the same post again is known by its subcode too`() async throws {
        try await withScene(.facebook) { scene in
            let feed = "POST /v26.0/104729384756102/feed"
            let body = #"{"error":{"code":100,"error_subcode":1366051}}"#
            scene.host?.fail(feed, .status(503), .status(400, body: body))
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)

            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
        }
    }

    @Test func `a limit holds as long as the header says`() async throws {
        try await withScene(.facebook) { scene in
            let usage = #"{"1":[{"call_count":100,"estimated_time_to_regain_access":19}]}"#
            scene.host?.fail(
                "POST /v26.0/104729384756102/photos",
                .status(400, fields: ["X-Business-Use-Case-Usage": usage], body: #"{"error":{"code":80001}}"#))

            let end = scene.clock.now.addingTimeInterval(19 * 60)
            #expect(await limitMet { try await scene.submit() }?.until == end)
        }
    }

    private func app(_ url: String) -> ClientCredentials {
        ClientCredentials(["client_id": "client-id", "client_secret": "client-secret", "base_url": url, "web_url": url])
    }
}
