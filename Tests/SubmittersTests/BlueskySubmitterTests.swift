internal import Fakes
internal import Foundation
internal import HTTP
internal import Testing

@testable internal import Submitters

struct BlueskySubmitterTests {
    private let bluesky = BlueskySubmitter(servers: .any)

    @Test func `a record key sorts by time and begins as the specification says`() {
        let first = TID.make(Date(timeIntervalSince1970: 0), seed: "a")
        let second = TID.make(Date(timeIntervalSince1970: 1_795_290_120), seed: "a")

        #expect(first.hasPrefix("22222222222"))
        #expect(first < second)
        #expect(second.wholeMatch(of: /[234567a-j][234567a-z]{12}/) != nil)
        #expect(TID.make(Date(timeIntervalSince1970: 0), seed: "b") != first)
    }

    @Test func `the time of a record key can be read back`() {
        let key = TID.make(Date(timeIntervalSince1970: 1_795_290_120.5), seed: "a")
        let alphabet = Array("234567abcdefghijklmnopqrstuvwxyz")

        let value = key.reduce(UInt64(0)) { $0 << 5 | UInt64(alphabet.firstIndex(of: $1) ?? 0) }

        #expect(value >> 10 == 1_795_290_120_500_000)
    }

    @Test func `links, tags and mentions are named by their bytes`() {
        let facets = RichText("Föhn 🏔️ https://a.example/x?y=1. #föhn @bob.bsky.social").facets

        #expect(
            facets == [
                RichText.Facet(bytes: 14..<37, feature: .link("https://a.example/x?y=1")),
                RichText.Facet(bytes: 39..<45, feature: .tag("föhn")),
                RichText.Facet(bytes: 46..<62, feature: .mention("bob.bsky.social")),
            ])
    }

    /// Facets by `detectFacets` of bluesky-social/atproto at 01b0a961 (`packages/api/src/rich-text/detection.ts`).
    @Test(arguments: [
        ("see https://example.com/päth?q=1&x=ü now", "https://example.com/päth?q=1&x=ü"),
        ("https://example.com/a?x=雪.", "https://example.com/a?x=雪"),
        ("(https://example.com/a?x=ü)", "https://example.com/a?x=ü"),
        ("https://example.com/x_(1)", "https://example.com/x_(1)"),
        ("https://example.com/a?b=%C3%BC;", "https://example.com/a?b=%C3%BC"),
        ("https://example.com/a?x=ü#föhn", "https://example.com/a?x=ü#föhn"),
        ("https://example.com/a?x=ü@bob.bsky.social", "https://example.com/a?x=ü@bob.bsky.social"),
        ("example.com/a?x=ü!", "https://example.com/a?x=ü"),
        ("https://pics.test/Ab3dE9xZ", "https://pics.test/Ab3dE9xZ"),
    ])
    func `a link takes all but closing punctuation`(text: String, link: String) {
        #expect(RichText(text).facets.map(\.feature) == [.link(link)])
    }

    @Test func `a mention of nobody stays plain text, and one of somebody names the account`() async throws {
        try await withScene(.bluesky) { scene in
            let record = try await record(of: scene, text: "@bob.bsky.social and @nobody.bsky.social")

            #expect(record["facets"]?.array?.count == 1)
            #expect(record["facets"]?[0]?["features"]?[0]?["did"] == "did:plc:bob")
        }
    }

    @Test func `the picture's form and words are in the record`() async throws {
        try await withScene(.bluesky) { scene in
            let record = try await record(of: scene, text: "Sea")

            #expect(record["embed"]?["images"]?[0]?["aspectRatio"] == ["width": 4032, "height": 3024])
            #expect(record["embed"]?["images"]?[0]?["alt"] == .string(Scene.altText))
            #expect(record["createdAt"] == "2026-11-21T19:42:00.000Z")
        }
    }

    @Test func `a file that the server has thrown away is uploaded again`() async throws {
        try await withScene(.bluesky) { scene in
            scene.host?.fail("POST /xrpc/com.atproto.repo.putRecord", .status(503))
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            (scene.host?.service as? FakeBluesky)?.dropBlobs()

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: [Fault.resetBefore, .resetAfter])
    func `a server that fails to look is given the same record again`(fault: Fault) async throws {
        try await withScene(.bluesky) { scene in
            scene.host?.fail("POST /xrpc/com.atproto.repo.putRecord", fault)
            scene.host?.fail(
                "GET /xrpc/com.atproto.repo.getRecord", .status(500), .status(500), .status(500), .status(500))

            let ending = await PlayedQueue(scene: scene).work()

            guard case .done = ending else {
                Issue.record("it ended \(ending)")
                return
            }
            #expect(scene.isPublishedOnce)
            #expect(scene.requests(of: "GET /xrpc/com.atproto.repo.getRecord") == 1)
        }
    }

    @Test func `a session that was ended is let in no more, and ending it again is no error`() async throws {
        try await withScene(.bluesky) { scene in
            let post = scene.post(Receipt(remoteID: "1", url: nil))

            try await bluesky.revoke(post.account, over: post.transport)
            try await bluesky.revoke(post.account, over: post.transport)

            #expect(await scene.meaningOfFirstFailure() == .unauthorized)
            let renewed = await meaning {
                try await bluesky.refreshCredentials(of: post.account, over: post.transport)
            }
            #expect(renewed == .unauthorized)
        }
    }

    @Test func `people's likes, answers and reposts are counted`() async throws {
        try await withScene(.bluesky) { scene in
            let receipt = try await scene.submit()

            let counts = try await bluesky.engagement(of: scene.post(receipt))

            #expect(counts == Engagement(likes: 3, comments: 2, shares: 2))
            try await scene.delete(receipt)
            #expect(await meaning { try await bluesky.engagement(of: scene.post(receipt)) } == .gone)
        }
    }

    @Test(arguments: [
        (400, "ExpiredToken", Meaning.unauthorized), (401, "AccountTakedown", .unauthorized),
        (401, "AuthFactorTokenRequired", .rejected), (400, "InvalidRequest", .rejected),
        (502, "UpstreamFailure", .temporary),
    ])
    func `an account that cannot be connected says why`(status: Int, error: String, expected: Meaning) async {
        let server = Recording(.response(status, ["error": .string(error), "message": "No."]))
        let entries = ["identifier": "@alice.test", "password": "x"]

        #expect(await meaning { try await bluesky.connect(entries, over: server) } == expected)
        #expect(server[0].json?["identifier"] == "alice.test")
    }

    @Test func `a server of a private network that a document names is refused`() async {
        let service: JSONValue = ["id": "#atproto_pds", "serviceEndpoint": "http://10.0.0.1"]
        let server = Recording(
            .response(
                200,
                [
                    "did": "did:plc:a", "accessJwt": "a", "refreshJwt": "r",
                    "didDoc": ["service": [service]],
                ]))

        let result = await meaning {
            try await BlueskySubmitter(servers: .publicOnly)
                .connect(["identifier": "alice.test", "password": "x"], over: server)
        }

        #expect(result == .rejected)
    }

    /// The record that a photo with this text makes.
    private func record(of scene: Scene, text: String) async throws -> JSONValue {
        _ = try await scene.submit(text)
        let request = scene.host?.requests.last { $0.route == "POST /xrpc/com.atproto.repo.putRecord" }
        return try JSONValue(parsing: try #require(request).request.body)["record"] ?? .null
    }
}
