internal import Fakes
internal import Foundation
internal import HTTP
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

    @Test(arguments: ["", "Readers", "Another"])
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

    private func app(_ url: String) -> AppKeys {
        AppKeys(["client_id": "client-id", "client_secret": "client-secret", "base_url": url, "web_url": url])
    }
}
