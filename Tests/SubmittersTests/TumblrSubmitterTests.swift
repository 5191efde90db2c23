internal import Fakes
internal import Foundation
internal import HTTP
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

struct TumblrSubmitterTests {
    private let tumblr = TumblrSubmitter(servers: .any)

    @Test(arguments: [("", "alice"), ("second", "second"), ("t:def", "second")])
    func `a person connects one of their blogs in the browser`(blog: String, name: String) async throws {
        try await withFake(FakeTumblr()) { _, server, transport in
            let browser = Browser(app: app(server.url), entered: ["blog": blog], transport: transport)

            let account = try await browser.connect(tumblr)

            #expect(account.name == name)
        }
    }

    @Test func `a blog that is another's is not connected`() async throws {
        try await withFake(FakeTumblr()) { _, server, transport in
            let browser = Browser(app: app(server.url), entered: ["blog": "staff"], transport: transport)

            #expect(await meaning { try await browser.connect(tumblr) } == .rejected)
        }
    }

    @Test func `links and tags are named besides the words`() async throws {
        try await withScene(.tumblr) { scene in
            _ = try await scene.submit("🏔️ https://a.example/x #föhn #sea")

            let service = scene.host?.service as? FakeTumblr
            #expect(service?.links == [["https://a.example/x"]])
            #expect(service?.tags == ["föhn,sea"])
        }
    }

    @Test func `a video gets another id when it is done, and that one is told`() async throws {
        try await withScene(.tumblrVideo) { scene in
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)

            let ending = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
            guard case .done(let receipt) = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(scene.publishedIDs == [receipt.remoteID])
        }
    }

    @Test(arguments: [Fault.resetAfter, .resetBefore, .status(504), .malformed])
    func `a video whose answer was lost is published once`(fault: Fault) async throws {
        try await withScene(.tumblrVideo) { scene in
            scene.host?.fail("POST /v2/blog/{blog}/posts", fault)

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: ["pics-other123", "a-post-of-another-program"])
    func `another post of the same words is not taken for a lost one`(slug: String) async throws {
        try await withScene(.tumblr) { scene in
            (scene.host?.service as? FakeTumblr)?.add(post: Scene.text, slug: slug)
            let ids = scene.host?.service.effects.map(\.id) ?? []
            if !slug.hasPrefix("pics-") { scene.taken.withLock { $0.formUnion(ids) } }
            scene.host?.fail(scene.subject.publishingStep, .resetBefore)
            _ = await meaning { try await scene.submit() }
            scene.clock.advance(by: 60)

            let found = try await scene.reconcile()

            #expect(ids.count == 1 && found == .absent)
        }
    }

    @Test func `likes, answers and reblogs are counted until the post is gone`() async throws {
        try await withScene(.tumblr) { scene in
            let post = scene.post(try await scene.submit())

            let counts = try await tumblr.engagement(of: post)
            #expect(counts == Engagement(likes: 5, comments: 1, shares: 3))
            try await tumblr.delete(post)
            #expect(await meaning { try await tumblr.engagement(of: post) } == .gone)
        }
    }

    @Test(arguments: [
        (400, 8001, Meaning.rejected), (403, 8010, .temporary), (403, 8023, .limited), (403, 8008, .rejected),
    ])
    func `a code says what happens next`(status: Int, code: Int, expected: Meaning) async throws {
        try await withScene(.tumblr) { scene in
            scene.host?.fail(
                "POST /v2/blog/{blog}/posts", .status(status, body: #"{"errors":[{"code":\#(code)}]}"#))

            #expect(await scene.meaningOfFirstFailure() == expected)
        }
    }

    private func app(_ url: String) -> ClientCredentials {
        ClientCredentials(["client_id": "client-id", "client_secret": "client-secret", "base_url": url])
    }
}
