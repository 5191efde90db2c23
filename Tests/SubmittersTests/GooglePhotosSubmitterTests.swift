internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct GooglePhotosSubmitterTests {
    private let google = GooglePhotosSubmitter(servers: .any)

    @Test func `an account is connected in the browser, and gets a token that is renewed`() async throws {
        try await withFake(FakeGooglePhotos()) { _, server, transport in
            let app = ClientCredentials([
                "client_id": "client-id", "client_secret": "client-secret", "base_url": server.url,
            ])
            let browser = Browser(app: app, entered: ["account": "alice@example.com"], transport: transport)

            let account = try await browser.connect(google)

            #expect(account.name == "alice@example.com")
            let consent = server.host.requests.first { $0.route == "GET /o/oauth2/v2/auth" }?.request.query ?? ""
            #expect(consent.contains("access_type=offline") && consent.contains("photoslibrary.appendonly"))
            let fresh = try await google.refreshCredentials(of: account.opened(), over: transport)
            #expect(fresh["refresh_token"] == account.credentials["refresh_token"])
            try await google.revoke(account.opened(), over: transport)
            let again = await meaning { try await google.refreshCredentials(of: account.opened(), over: transport) }
            #expect(again == .unauthorized)
        }
    }

    @Test func `albums are made once, and photos go there`() async throws {
        try await withScene(.googlePhotos) { scene in
            let receipt = try await scene.submit()
            let post = scene.post(receipt)

            let made = try await google.createAlbum(named: "Föhn", of: post.account, over: post.transport)
            let again = try await google.createAlbum(named: "Föhn", of: post.account, over: post.transport)

            #expect(made == again)
            #expect(try await google.albums(of: post.account, over: post.transport).map(\.name) == ["Lakes", "Föhn"])
            #expect((scene.host?.service as? FakeGooglePhotos)?.albums == ["album-0"])
        }
    }

    @Test func `the words of a photo are changed`() async throws {
        try await withScene(.googlePhotos) { scene in
            let receipt = try await scene.submit()

            try await google.edit(scene.post(receipt), text: "Sea", altText: "")

            #expect(scene.host?.service.effects.map(\.text) == ["Sea"])
        }
    }

    @Test func `an upload token that has ended is made anew, once`() async throws {
        try await withScene(.googlePhotos) { scene in
            scene.host?.fail("POST /v1/mediaItems:batchCreate", .status(503))
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            (scene.host?.service as? FakeGooglePhotos)?.dropTokens()

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: [
        (
            400,
            #"{"error":{"code":400,"message":"Request must contain a valid upload token.","status":"INVALID_ARGUMENT"}}"#
        ),
        (200, #"{"newMediaItemResults":[{"status":{"code":3,"message":"BAD_IMAGE"}}]}"#),
    ])
    func `an upload that Google refuses is made anew once, then given up`(status: Int, body: String) async throws {
        try await withScene(.googlePhotos) { scene in
            let create = "POST /v1/mediaItems:batchCreate"
            scene.host?.fail(create, .status(status, body: body), .status(status, body: body))

            #expect(await scene.meaningOfFirstFailure() == .temporary)
            #expect(await scene.meaningOfFirstFailure() == .rejected)
            #expect(scene.requests(of: "POST /v1/uploads") == 2)
        }
    }

    @Test func `an upload goes on at the byte that Google has`() async throws {
        try await withScene(.googlePhotosVideo) { scene in
            scene.host?.fail("POST /v1/uploads/{id}", .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .temporary)

            _ = try await scene.submit()

            let pieces = scene.host?.requests.filter { $0.route == "POST /v1/uploads/{id}" }.map(\.request.body.count)
            // The second asks how much has arrived.
            #expect(pieces == [12_000, 0, 12_000, 6_000])
            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `an address of another server gets no bytes and no token`() async throws {
        let server = Recording(.form(200, "", fields: ["X-Goog-Upload-URL": "https://evil.example/v1/uploads/1"]))
        let google = GooglePhotosSubmitter(servers: .any, segmentBytes: 1)
        let folder = try TemporaryFolder()
        let film = try folder.photo([1, 2, 3], mediaType: "video/mp4", at: TestClock().now)
        let account = OpenedAccount.sample(["access_token": "a"], [:])

        #expect(await meaning { try await google.submit(.sample(film, to: account, over: server)) } == .temporary)
        #expect(server.sent.count == 1)
    }

    @Test(arguments: [
        (429, "Quota exceeded for quota metric 'All requests' and limit 'All requests per day'", LimitScope.app),
        (429, "Quota exceeded", .account), (403, "The remaining storage in the user's account is not enough", .account),
    ])
    func `a limit says whose it is`(status: Int, message: String, scope: LimitScope) async throws {
        try await withScene(.googlePhotos) { scene in
            scene.host?.fail("POST /v1/uploads", .status(status, body: #"{"error":{"message":"\#(message)"}}"#))

            #expect(await limitMet { try await scene.submit() }?.scope == scope)
        }
    }
}
