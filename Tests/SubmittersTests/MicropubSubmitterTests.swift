internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct MicropubSubmitterTests {
    private let micropub = MicropubSubmitter(servers: .any)

    private func site(_ answers: Result<IncomingResponse, TransportError>...) async throws -> (
        MicropubSite, Recording
    ) {
        let server = Recording(answers)
        let client = ServiceClient(service: "Micropub", transport: server, now: { Date() })
        return (try await MicropubSite.find("blog.test/alice", policy: .publicOnly, over: client), server)
    }

    private static func page(_ html: String, _ fields: HTTPFields = [:]) -> Result<IncomingResponse, TransportError> {
        .success(IncomingResponse(status: .ok, fields: fields, body: Array(html.utf8)))
    }

    @Test func `the endpoints are those of the page, its header before its text, relative to where it is`() async throws
    {
        let (found, server) = try await site(
            .response(301, fields: ["Location": "/alice/"]),
            Self.page(
                """
                <link rel="micropub" href="https://old.test/x"><a href="../auth?x=1" rel="me authorization_endpoint">y</a>
                <link rel=token_endpoint href="tokens">
                """, ["Link": "<https://pub.test/m?user=7>; rel=\"micropub\""]))
        #expect(server.sent.map(\.line) == ["GET https://blog.test/alice", "GET https://blog.test/alice/"])
        #expect(found.url == "https://blog.test/alice/")
        #expect(found.micropub == "https://pub.test/m?user=7")
        #expect(found.authorization == "https://blog.test/auth?x=1")
        #expect(found.token == "https://blog.test/alice/tokens")
        #expect(found.issuer == nil)
    }

    @Test func `a document of the sign-in comes before links of the page`() async throws {
        let (found, server) = try await site(
            Self.page(
                "<link rel=token_endpoint href=/old><link rel=micropub href=/m>"
                    + "<link rel=indieauth-metadata href=/.well-known/oauth-authorization-server>"),
            .response(
                200,
                [
                    "issuer": "https://blog.test/", "authorization_endpoint": "https://blog.test/a",
                    "token_endpoint": "/t", "revocation_endpoint": "https://blog.test/r",
                ]))
        #expect(server[1].line == "GET https://blog.test/.well-known/oauth-authorization-server")
        #expect(found.token == "https://blog.test/t" && found.revocation == "https://blog.test/r")
        #expect(found.issuer == "https://blog.test/")
    }

    @Test(arguments: [
        "<link rel=micropub href='http://blog.test/m'>", "<link rel=micropub href='ftp://blog.test/m'>",
        "<link rel=micropub href='https://user:pass@blog.test/m'>", "<p>Welcome",
        "<link rel=micropub href=/m><link rel=token_endpoint href='http://127.0.0.1/t'>",
    ])
    func `a page that names no endpoint, or one that may not be asked, is none`(html: String) async throws {
        #expect(await meaning { try await site(Self.page(html)) } == .rejected)
    }

    @Test func `a site that redirects for ever is left`() async throws {
        let around = Result<IncomingResponse, TransportError>.response(302, fields: ["Location": "/around"])
        #expect(await meaning { try await site(around, around, around, around, around) } == .rejected)
    }

    @Test func `Pics is known by a document beside its callback`() {
        #expect(
            MicropubSubmitter.clientID(of: "https://pics.example/auth/micropub/callback")
                == "https://pics.example/auth/client")
        #expect(
            MicropubSubmitter.clientID(of: "https://example.org/pics/auth/micropub/callback")
                == "https://example.org/pics/auth/client")
    }

    @Test func `a token that is said to be somebody else's connects nobody`() async throws {
        var options = FakeMicropub.Options()
        options.me = "https://victim.test/"
        try await withFake(FakeMicropub(options)) { _, server, transport in
            let browser = Browser(app: ClientCredentials([:]), entered: ["base_url": server.url], transport: transport)
            #expect(await meaning { try await browser.connect(micropub) } != .published)
        }
    }

    @Test func `a proof that another site has issued is not taken`() async throws {
        try await withFake(FakeMicropub()) { _, server, transport in
            let browser = Browser(app: ClientCredentials([:]), entered: ["base_url": server.url], transport: transport)
            let forged = try #require(try await browser.agree(micropub, forging: "iss"))
            #expect(await meaning { try await browser.finish(micropub, forged) } == .rejected)
        }
    }

    @Test(arguments: [["public"], []])
    func `a post for its owner alone goes to no site that may not hide it`(known: [String]) async throws {
        var subject = Subject.micropub("micropub") { $0.visibilities = known }
        subject.settings = ["visibility": "private"]
        try await withScene(subject) { scene in
            #expect(await meaning { try await scene.submit() } == .rejected)
            #expect(scene.publishedIDs.isEmpty)
        }
        subject.settings = ["visibility": "public"]
        try await withScene(subject) { scene in
            _ = try await scene.submit()
            #expect((scene.host?.service as? FakeMicropub)?.visibilities == ["public"])
        }
    }

    @Test func `a post that is found by its list alone has no address, and is changed at the site`() async throws {
        try await withScene(.micropub("micropub") { $0.tellsAddresses = false }) { scene in
            scene.host?.fail("POST /micropub", .resetAfter)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            guard case .found(let receipt) = try await scene.reconcile() else {
                Issue.record("it is in the list")
                return
            }
            #expect(receipt.url == nil && receipt.remoteID == "pics:0198c2b0-submission")
            #expect(await meaning { try await scene.delete(receipt) } == .rejected)
            #expect(await meaning { try await scene.edit(receipt, text: "Fog", altText: "") } == .rejected)
        }
    }

    @Test func `a list that does not reach back to the request proves nothing`() async throws {
        try await withScene(.micropub("micropub")) { scene in
            scene.host?.fail("POST /micropub", .resetBefore)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            scene.clock.advance(by: 300)
            (scene.host?.service as? FakeMicropub)?.postOthers(60, at: scene.clock.now)
            let found = try await scene.reconcile()
            #expect(found == .cannotTell)
        }
    }

    @Test func `disconnecting ends the token that renews too`() async throws {
        let server = Recording(.response(200), .response(400))
        let account = OpenedAccount.sample(
            ["access_token": "a1", "refresh_token": "r1", "client_id": "https://pics.test/auth/client"],
            ["base_url": "https://blog.test/", "micropub": "https://blog.test/m", "revocation": "https://blog.test/r"])

        try await micropub.revoke(account, over: server)

        #expect(server.sent.map(\.line) == ["POST https://blog.test/r", "POST https://blog.test/r"])
        #expect(server[0].text.contains("token=r1") && server[1].text.contains("token=a1"))
    }

    // MARK: WordPress

    private static func wordPress(
        _ change: @escaping @Sendable (inout FakeMicropub.Options) -> Void = { _ in }
    ) -> Subject {
        .micropub("micropub, WordPress") {
            $0.isWordPress = true
            $0.tellsAddresses = false
            change(&$0)
        }
    }

    private static let endpoint = "POST /wp-json/micropub/1.0/endpoint"

    @Test(arguments: [(false, true), (true, false)], [Fault.resetBefore, .resetAfter])
    func `of a post that no list shows nobody says that it is not there`(
        kind: (isPrivate: Bool, isDraft: Bool), fault: Fault
    ) async throws {
        var subject = Self.wordPress { $0.makesDrafts = kind.isDraft }
        if kind.isPrivate { subject.settings = ["visibility": "private"] }
        try await withScene(subject) { scene in
            scene.host?.fail(Self.endpoint, fault)

            let ending = await PlayedQueue(scene: scene).work()

            #expect(scene.publishedIDs.count <= 1)
            // A draft's file is known to be in no post; private ones are not looked for.
            if kind.isDraft, fault == .resetBefore {
                #expect(scene.publishedIDs.count == 1)
            } else {
                #expect(ending == .unknown)
            }
        }
    }

    @Test func `an edit leaves the pictures on the page, and an empty caption is empty`() async throws {
        var subject = Self.wordPress()
        subject.companions = 1
        try await withScene(subject) { scene in
            let receipt = try await scene.submit()
            for (text, altText) in [("Fog", "A lake"), ("Fog", "A sea"), ("", "A sea")] {
                try await scene.edit(receipt, text: text, altText: altText)
                #expect(scene.publishedAltTexts == [altText, "Picture 2"])
                #expect(scene.host?.service.effects.map(\.text) == [text])
            }
        }
    }

    @Test func `an edit leaves the words of the other pictures`() async throws {
        var subject = Subject.micropub("micropub")
        subject.companions = 1
        try await withScene(subject) { scene in
            let receipt = try await scene.submit()
            try await scene.edit(receipt, text: "Fog", altText: "A lake")
            #expect(scene.publishedAltTexts == ["A lake", "Picture 2"])
            #expect(scene.host?.service.effects.map(\.text) == ["Fog"])
        }
    }

    @Test(arguments: [
        (401, "unauthorized", Meaning.unauthorized), (401, "insufficient_scope", .unauthorized),
        (403, "insufficient_scope", .unauthorized), (403, "forbidden", .unauthorized),
        (400, "invalid_request", .rejected),
    ])
    func `an error means what the specification says, wherever a site says it`(
        status: Int, error: String, expected: Meaning
    ) async throws {
        try await withScene(.micropub("micropub")) { scene in
            scene.host?.fail("POST /micropub", .status(status, body: "{\"error\":\"\(error)\"}"))
            #expect(await meaning { try await scene.submit() } == expected)
        }
    }
}
