internal import Crypto
internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

struct PinterestSubmitterTests {
    private static let threads = BlockingThreads(name: "pictures", count: 1)
    private let pinterest = PinterestSubmitter(servers: .any, threads: Self.threads)

    private func app(_ url: String) -> ClientCredentials {
        ClientCredentials(["client_id": "client-id", "client_secret": "client-secret", "base_url": url])
    }

    // MARK: The account

    @Test func `an account is connected in the browser, and gets tokens that are renewed`() async throws {
        try await withFake(FakePinterest()) { fake, server, transport in
            let account = try await Browser(app: app(server.url), transport: transport).connect(pinterest)

            #expect(account.remoteID == FakePinterest.user.id && account.name == "alice")
            #expect(account.picture == .at("https://i.pinimg.com/280x280_RS/a.jpg"))
            #expect(fake.scope == "boards:read,boards:write,pins:read,pins:write,user_accounts:read")
            let forms = server.host.requests.filter { $0.route == "POST /v5/oauth/token" }.map {
                FormFields($0.request.body) ?? [:]
            }
            #expect(forms.map { $0["continuous_refresh"] } == ["true"])
            let fresh = try await pinterest.refreshCredentials(of: account.opened(), over: transport)
            #expect(fresh["refresh_token"]?.string?.isEmpty == false)
            #expect(fresh["refresh_token"] != account.credentials["refresh_token"])
        }
    }

    /// pinterest/api-quickstart at 592b4ba, `python/tests/src/test_access_token.py`; the answer: "Set up authentication and authorization",
    /// "Example response for a continuous refresh token".
    @Test func `a token is asked for as the quickstart does`() async throws {
        let clock = TestClock()
        let server = Recording(
            .response(
                200,
                [
                    "access_token": "pina_a", "response_type": "refresh_token", "token_type": "bearer",
                    "expires_in": 2_592_000, "scope": "boards:read", "refresh_token": "pinr_b",
                    "refresh_token_expires_in": 5_184_000, "refresh_token_expires_at": 1_730_227_664,
                ]))
        let pinterest = PinterestSubmitter(servers: .publicOnly, threads: Self.threads, now: clock.read)
        let account = OpenedAccount.sample(
            ["client_id": "test-app-id", "client_secret": "test-app-secret", "refresh_token": "pinr_a"], [:])

        let fresh = try await pinterest.refreshCredentials(of: account, over: server)

        #expect(server[0].line == "POST https://api.pinterest.com/v5/oauth/token")
        #expect(server[0].fields["Authorization"] == "Basic dGVzdC1hcHAtaWQ6dGVzdC1hcHAtc2VjcmV0")
        #expect(server[0].text == "grant_type=refresh_token&refresh_token=pinr_a")
        #expect(fresh["access_token"] == "pina_a" && fresh["refresh_token"] == "pinr_b")
        #expect(pinterest.expiry(of: fresh) == clock.now + 2_592_000)
    }

    @Test(arguments: [
        ("https://api-sandbox.pinterest.com", "https://www.pinterest.com/oauth/?"),
        ("", "https://www.pinterest.com/oauth/?"), ("https://pins.test", "https://pins.test/oauth/?"),
        ("https://evil-pinterest.com", "https://evil-pinterest.com/oauth/?"),
    ])
    func `the sandbox shares Pinterest's consent page, another server has its own`(
        base: String, page: String
    ) async throws {
        let request = try await pinterest.authorizationRequest(
            AuthorizationStart(app: app(base), callback: "https://pics.test/callback", state: "s"), over: Recording())

        #expect(request.url.hasPrefix(page))
    }

    // MARK: Boards

    @Test func `boards that are secret or hold advertisements are not offered`() async throws {
        try await withScene(.pinterest) { scene in
            let fake = try #require(scene.host?.service as? FakePinterest)
            fake.add(board: "Secret", privacy: "SECRET")
            fake.add(board: "Ads", privacy: "PROTECTED", isAdsOnly: true)
            for number in 0..<300 { fake.add(board: "Board \(number)") }

            let names = try await scene.albumNames()

            #expect(names.count == 301 && names.first == "Lakes" && names.last == "Board 299")
        }
    }

    @Test func `photos go to a board of a usual name, which is made once, and never to another's`() async throws {
        var subject = Subject.pinterest
        subject.settings = [:]
        try await withScene(subject) { scene in
            let fake = try #require(scene.host?.service as? FakePinterest)
            fake.add(board: "Pics", owner: "bob")

            _ = try await scene.submit()
            #expect(scene.requests(of: "POST /v5/boards") == 1)
            #expect(scene.host?.requests.contains { $0.route == "POST /v5/boards" && $0.status == 201 } == true)
            let made = try #require(try await scene.createAlbum("Pics"))
            #expect(scene.requests(of: "POST /v5/boards") == 1)
            let board = scene.host?.requests.last { $0.route == "POST /v5/pins" }
                .flatMap { try? JSONValue(parsing: $0.request.body)["board_id"]?.string }
            #expect(board == made.id)
        }
    }

    @Test func `a secret board of the same name is in the way of a new one, and its owner is told`() async throws {
        try await withScene(.pinterest) { scene in
            (scene.host?.service as? FakePinterest)?.add(board: "Fog", privacy: "SECRET")
            do {
                _ = try await scene.createAlbum("Fog")
                Issue.record("made")
            } catch let error as SubmissionError {
                #expect(Meaning(error) == .rejected && error.problem.code == .nameTaken)
            }
        }
    }

    @Test func `a usual board that is gone is made anew`() async throws {
        var subject = Subject.pinterest
        subject.settings = [:]
        try await withScene(subject) { scene in
            scene.host?.fail("POST /v5/pins", .status(429))
            #expect(await scene.meaningOfFirstFailure() == .limited)
            (scene.host?.service as? FakePinterest)?.delete(board: "Pics")

            #expect(await scene.meaningOfFirstFailure() == .temporary)
            _ = try await scene.submit()

            #expect(scene.host?.service.albumNames == ["Pics"])
        }
    }

    @Test(arguments: ["1234567890", "Lakes", "1/../2"])
    func `a chosen board that is not there is told`(board: String) async throws {
        try await withScene(.pinterest) { scene in
            scene.choose(["album": .string(board)])
            do throws(SubmissionError) {
                _ = try await scene.submit()
                Issue.record("posted")
            } catch {
                #expect(error.problem.code == .albumMissing)
            }
            #expect(await scene.meaningOfFirstFailure() == .rejected)
        }
    }

    // MARK: What a pin says

    @Test func `a pin has the first line as its title, and leads to the photo`() async throws {
        try await withScene(.pinterest) { scene in
            let title = String(repeating: "é", count: 120)
            _ = try await scene.submit("\n  \(title)\nand more")

            let fake = scene.host?.service as? FakePinterest
            #expect(fake?.titles == [String(repeating: "é", count: 99) + "…"])
            #expect(fake?.links == ["https://pics.test/Ab3dE9xZ"])
            #expect(fake?.effects.map(\.text) == ["\n  \(title)\nand more"])
        }
    }

    @Test(arguments: [Visibility.unlisted, .private])
    func `the address of a photo that is not public stays here`(visibility: Visibility) async throws {
        try await withFake(FakePinterest()) { fake, server, transport in
            let folder = try TemporaryFolder()
            let photo = try folder.photo([1, 2, 3], mediaType: "image/png", at: TestClock().now).seen(by: visibility)
            let account = try await Browser(app: app(server.url), transport: transport).connect(pinterest)

            _ = try await pinterest.submit(.sample(photo, to: account.opened(), over: transport))

            #expect(fake.links == [nil] && fake.effects.count == 1)
        }
    }

    /// The members are those of the specification (`PinCreate`, `PinMediaSourceImageBase64`); the answer is of pinterest/api-quickstart issue
    /// 78, from a live account.
    @Test func `a picture goes as the specification has it`() async throws {
        let server = Recording(
            .response(
                201,
                [
                    "alt_text": .null, "board_section_id": "5258814934636085108", "board_id": "999658517227244888",
                    "description": "Details below ▶ $120.0", "title": "Design,shading,Layered file",
                    "created_at": "2022-10-13T01:40:29", "id": "999658448514149467",
                ]))
        let folder = try TemporaryFolder()
        let photo = try folder.photo(Array("Man".utf8), mediaType: "image/png", at: TestClock().now)
        let account = OpenedAccount.sample(["access_token": "pina_a"], ["album": "999658517227244888"])

        let receipt = try await pinterest.submit(.sample(photo, to: account, over: server, altText: "A lake"))

        #expect(receipt.url == "https://www.pinterest.com/pin/999658448514149467/")
        #expect(server.sent.map(\.line) == ["POST https://api.pinterest.com/v5/pins"])
        #expect(server[0].fields["Authorization"] == "Bearer pina_a")
        #expect(server[0].fields["Content-Type"] == "application/json")
        #expect(
            server[0].json == [
                "board_id": "999658517227244888", "title": "Föhn", "description": "Föhn", "alt_text": "A lake",
                "link": "https://pics.test/Ab3dE9xZ",
                "media_source": ["source_type": "image_base64", "content_type": "image/png", "data": "TWFu"],
            ])
    }

    @Test func `the time of a live answer, which names no zone, is UTC`() {
        let pin = PinterestAPI.Pin(["id": "999658448514149467", "created_at": "2022-10-13T01:40:29"])

        #expect(pin?.createdAt == Date(timeIntervalSince1970: 1_665_625_229))
    }

    @Test(arguments: [0, 1, 2, 3, 4, 786_431, 786_432, 786_433, 1_600_000])
    func `Base64 that is made in pieces is that of the whole`(count: Int) async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        let photo = try folder.photo(bytes, mediaType: "image/jpeg", at: TestClock().now)

        let text = try await photo.file.base64(on: Self.threads)

        #expect(String(decoding: text, as: UTF8.self) == Base64.encode(bytes))
    }

    @Test func `several pictures are one pin, in order, and their progress is of all of them`() async throws {
        try await withScene(.pinterestSeveral) { scene in
            let receipt = try await scene.submit()

            #expect(scene.publishedIDs == [receipt.remoteID])
            #expect(scene.isPublishedOnce)
            #expect(scene.publishedAltTexts == [Scene.altText, "", "", ""])
            let progress = scene.progress.withLock { $0 }
            #expect(progress.last?.sent == scene.bytes)
            #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.sent <= $1.sent })
            #expect(scene.requests(of: "POST /v5/pins") == 1)
        }
    }

    // MARK: What may be done with a pin

    @Test func `an edit changes title, description and alternative text`() async throws {
        try await withScene(.pinterest) { scene in
            let receipt = try await scene.submit()
            try await scene.edit(receipt, text: "Other\nwords", altText: "Fog")

            let fake = scene.host?.service as? FakePinterest
            #expect(fake?.titles == ["Other"] && fake?.effects.map(\.text) == ["Other\nwords"])
            #expect(scene.publishedAltTexts == ["Fog"])
            #expect(fake?.links == ["https://pics.test/Ab3dE9xZ"])
            try await scene.delete(receipt)
            #expect(await meaning { try await scene.edit(receipt, text: "x", altText: "") } == .gone)
        }
    }

    @Test func `an app that may not edit is told so, and the account goes on`() async throws {
        try await withScene(.pinterest("pinterest") { $0.letsEdit = false }) { scene in
            let receipt = try await scene.submit()

            do {
                try await scene.edit(receipt, text: "Other", altText: "")
                Issue.record("edited")
            } catch let error as SubmissionError {
                #expect(Meaning(error) == .rejected && error.problem.code == .changeUnsupported)
            }
        }
    }

    /// The numbers of the specification's example of `pin_metrics`.
    private static let metrics: [(answer: JSONValue, counts: Engagement)] = [
        (
            [
                "90d": ["pin_click": 7, "impression": 2, "clickthrough": 3],
                "lifetime_metrics": [
                    "pin_click": 7, "impression": 2, "clickthrough": 3, "reaction": 10, "comment": 2,
                ],
            ], Engagement(likes: 10, comments: 2)
        ),
        (.null, Engagement()), ([:], Engagement()),
    ]

    @Test(arguments: metrics)
    func `reactions and comments of the whole life are counted`(answer: JSONValue, counts: Engagement) async throws {
        let server = Recording(.response(200, ["id": "1", "pin_metrics": answer]))
        let post = Submitters.PublishedPost(
            remoteID: "1", url: nil, account: .sample(["access_token": "a"], [:]), transport: server, now: { Date() })

        #expect(try await pinterest.engagement(of: post) == counts)
        #expect(server[0].line == "GET https://api.pinterest.com/v5/pins/1?pin_metrics=true")
    }

    // MARK: What goes wrong

    @Test func `an app with Trial access leaves photos waiting, and its operator is told`() async throws {
        try await withScene(.pinterest("pinterest") { $0.isTrial = true }) { scene in
            let problem = await unauthorized { try await scene.submit() }

            #expect(problem?.problem.code == .appKeysRefused)
            #expect(problem?.detail?.contains("Trial access") == true)
        }
    }

    @Test(arguments: [
        (
            401,
            #"{"code":3,"message":"Your token does not have sufficient permissions to perform this operation."}"#,
            ProblemCode.permissionDenied
        ),
        (401, #"{"code":2,"message":"Authentication failed."}"#, .credentialsRefused),
        (403, #"{"code":29,"message":"You are not permitted to access that resource."}"#, .permissionDenied),
        (400, #"{"code":1,"message":"Invalid request: title is too long"}"#, .postRefused),
    ])
    func `a body says what a status means`(status: Int, body: String, code: ProblemCode) async throws {
        try await withScene(.pinterest) { scene in
            scene.host?.fail("POST /v5/pins", .status(status, body: body))
            do throws(SubmissionError) {
                _ = try await scene.submit()
                Issue.record("posted")
            } catch {
                #expect(error.problem.code == code)
            }
        }
    }

    @Test(
        arguments: [
            (#"{"code":8,"message":"You have exceeded your rate limit."}"#, ["X-RateLimit-Reset": "30"], 30.0),
            (#"{"code":8}"#, ["X-RateLimit-Reset": "1795290180"], 60),
            (#"{"code":8}"#, ["X-RateLimit-Reset": "30", "Retry-After": "90"], 90),
            (
                #"{"message":"x","message_detail":"Sorry! You've hit a block we have in place to combat spam."}"#, [:],
                14_400
            ),
        ] as [(String, HTTPFields, TimeInterval)])
    func `a limit ends when Pinterest says, and spam is waited out`(
        body: String, fields: HTTPFields, pause: TimeInterval
    ) async throws {
        try await withScene(.pinterest) { scene in
            scene.host?.fail("POST /v5/pins", .status(429, fields: fields, body: body))

            let limit = await limitMet { try await scene.submit() }

            #expect(limit?.until == scene.clock.now + pause)
        }
    }
}

extension SamplePhoto {
    /// The same photo with another audience here.
    func seen(by visibility: Visibility) -> SamplePhoto {
        SamplePhoto(
            photo: OutgoingPhoto(
                isVideo: photo.isVideo, code: photo.code, owner: photo.owner, takenAt: photo.takenAt,
                createdAt: photo.createdAt, visibility: visibility), file: file)
    }
}
