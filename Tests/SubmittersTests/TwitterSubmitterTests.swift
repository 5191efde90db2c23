internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import TestTools
internal import Testing

struct TwitterSubmitterTests {
    private static let keys: JSONValue = [
        "consumer_key": "ck", "consumer_secret": "cs", "access_token": "t", "access_token_secret": "ts",
    ]
    private static let account = OpenedAccount.sample(keys, ["base_url": "https://api.x.com"], remoteID: "4711")
    private static let initialized: JSONValue = [
        "data": ["id": "77", "media_key": "3_77", "expires_after_secs": 1_295_999]
    ]
    private let folder: TemporaryFolder
    private let photo: SamplePhoto
    private let twitter = TwitterSubmitter(servers: .publicOnly, segmentBytes: 4, nonce: { "nonce" })

    init() throws {
        folder = try TemporaryFolder()
        photo = try folder.photo(Array("picture".utf8), mediaType: "image/jpeg", at: TestClock().now)
    }

    @Test func `a photo is uploaded in segments and described, then posted`() async throws {
        let x = Recording(
            .response(200, Self.initialized), .response(200, ["data": ["expires_at": 1_796_586_119]]),
            .response(200, ["data": ["expires_at": 1_796_586_119]]),
            .response(200, ["data": ["id": "77", "media_key": "3_77", "size": 7, "expires_after_secs": 86_400]]),
            .response(200, ["data": ["id": "77"]]), .response(201, ["data": ["id": "88", "text": "Föhn"]]))
        let steps = Lock([Int64]())

        let receipt = try await twitter.submit(
            .sample(
                photo, to: Self.account, over: x, altText: "A lake",
                progress: { sent, _ in steps.withLock { $0.append(sent) } }))

        #expect(receipt == Receipt(remoteID: "88", url: "https://x.com/alice/status/88"))
        #expect(
            x.sent.map(\.line) == [
                "POST https://api.x.com/2/media/upload/initialize",
                "POST https://api.x.com/2/media/upload/77/append", "POST https://api.x.com/2/media/upload/77/append",
                "POST https://api.x.com/2/media/upload/77/finalize", "POST https://api.x.com/2/media/metadata",
                "POST https://api.x.com/2/tweets",
            ])
        #expect(x[0].json == ["media_type": "image/jpeg", "media_category": "tweet_image", "total_bytes": 7])
        let boundary = x[2].fields["Content-Type"]?.split(separator: "boundary=").last ?? ""
        #expect(
            x[2].text == """
                --\(boundary)\r
                Content-Disposition: form-data; name="segment_index"\r
                \r
                1\r
                --\(boundary)\r
                Content-Disposition: form-data; name="media"; filename="media"\r
                Content-Type: application/octet-stream\r
                \r
                ure\r
                --\(boundary)--\r

                """)
        #expect(x[3].json == [:])
        #expect(x[4].json == ["id": "77", "metadata": ["alt_text": ["text": "A lake"]]])
        #expect(x[5].json == ["media": ["media_ids": ["77"]], "text": "Föhn"])
        #expect(steps.withLock { $0 } == [4, 7])
    }

    @Test func `a request is signed with its query, and without its body`() async throws {
        let x = Recording(.response(200, ["data": ["id": "4711", "username": "alice", "name": "Alice"]]))
        let twitter = TwitterSubmitter(
            servers: .publicOnly, nonce: { "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg" },
            now: { Date(timeIntervalSince1970: 1_318_622_958) })

        let account = try await twitter.connect(
            [
                "consumer_key": "ck", "consumer_secret": "cs", "access_token": "t", "access_token_secret": " ts ",
            ], over: x)

        #expect(x[0].line == "GET https://api.x.com/2/users/me?user.fields=profile_image_url")
        #expect(
            x[0].fields["Authorization"] == """
                OAuth oauth_consumer_key="ck", oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", \
                oauth_signature_method="HMAC-SHA1", oauth_timestamp="1318622958", oauth_token="t", \
                oauth_version="1.0", oauth_signature="\(Self.signatureOfMe)"
                """)
        #expect(account.remoteID == "4711")
        #expect(account.name == "alice")
        #expect(account.credentials == Self.keys)
        #expect(account.settings == ["base_url": "https://api.x.com"])
    }

    // Computed with Python's hmac and urllib, apart from this program.
    private static let signatureOfMe = "4eMB2054Y6xHouu18WFlkmpjFvU%3D"

    @Test(arguments: [
        (401, "unauthorized"), (402, "limited"), (403, "rejected"), (404, "gone"), (429, "limited"), (500, "temporary"),
    ])
    func `an account that cannot be connected says why`(status: Int, expected: String) async {
        let x = Recording(.response(status))
        let entries = [
            "consumer_key": "ck", "consumer_secret": "cs", "access_token": "t", "access_token_secret": "ts",
        ]

        #expect(await meaning { try await twitter.connect(entries, over: x) }?.rawValue == expected)
    }

    @Test func `without all four keys nothing is sent`() async {
        let x = Recording()

        #expect(await meaning { try await twitter.connect(["consumer_key": "ck"], over: x) } == .rejected)
        #expect(x.sent.isEmpty)
    }

    @Test func `a segment that is taken without a word is taken`() async throws {
        try await withScene(.twitterSilent) { scene in
            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not published")
                return
            }

            #expect(scene.isPublishedOnce)
            #expect(scene.host?.requests.contains { $0.status == 204 } == true)
        }
    }

    @Test func `an upload goes on with the segment that was not acknowledged`() async throws {
        let journal = MemoryJournal()
        let first = Recording(
            .response(200, Self.initialized), .response(200, ["data": [:]]), .failure(.unanswered("reset")))
        #expect(await meaning { try await submit(first, journal) } == .temporary)

        let second = Recording(
            .response(200, ["data": [:]]), .response(200, ["data": ["id": "77"]]),
            .response(201, ["data": ["id": "88"]]))
        _ = try await submit(second, journal)

        #expect(
            second.sent.map(\.line) == [
                "POST https://api.x.com/2/media/upload/77/append",
                "POST https://api.x.com/2/media/upload/77/finalize", "POST https://api.x.com/2/tweets",
            ])
        #expect(second[0].text.contains("\r\n\r\n1\r\n"))
        #expect(second[0].text.contains("\r\n\r\nure\r\n"))
    }

    @Test func `an upload that X has whole needs no file any more`() async throws {
        let journal = MemoryJournal()
        let first = Recording(
            .response(200, Self.initialized), .response(200, ["data": [:]]), .response(200, ["data": [:]]),
            .response(503))
        #expect(await meaning { try await submit(first, journal) } == .temporary)

        let second = Recording(.response(200, ["data": ["id": "77"]]), .response(201, ["data": ["id": "88"]]))
        let receipt = try await twitter.submit(
            .sample(photo.withoutFile, to: Self.account, over: second, journal: journal))

        #expect(receipt.remoteID == "88")
        #expect(
            second.sent.map(\.line) == [
                "POST https://api.x.com/2/media/upload/77/finalize", "POST https://api.x.com/2/tweets",
            ])
    }

    @Test func `an upload that is not whole waits for its file`() async throws {
        let journal = MemoryJournal()
        let first = Recording(
            .response(200, Self.initialized), .response(200, ["data": [:]]), .failure(.unanswered("reset")))
        #expect(await meaning { try await submit(first, journal) } == .temporary)
        let second = Recording()

        let result = await meaning {
            try await twitter.submit(.sample(photo.withoutFile, to: Self.account, over: second, journal: journal))
        }

        #expect(result == .temporary)
        #expect(second.sent.isEmpty)
    }

    @Test func `an upload that has ended is begun anew`() async throws {
        let (journal, clock) = (MemoryJournal(), TestClock())
        let first = Recording(
            .response(200, ["data": ["id": "77", "expires_after_secs": 600]]), .failure(.unanswered("reset")))
        #expect(await meaning { try await submit(first, journal, clock) } == .temporary)

        clock.advance(by: 400)
        let second = Recording(.response(200, ["data": ["id": "78"]]))
        #expect(await meaning { try await submit(second, journal, clock) } == .temporary)

        #expect(second[0].line == "POST https://api.x.com/2/media/upload/initialize")
        #expect(second[1].line == "POST https://api.x.com/2/media/upload/78/append")
    }

    @Test func `an upload that X refuses is tried once more, then given up`() async throws {
        let journal = MemoryJournal()
        let refusal = Result<IncomingResponse, TransportError>.response(400, ["detail": "Your media IDs are invalid."])
        let first = Recording(.response(200, Self.initialized), refusal)
        #expect(await meaning { try await submit(first, journal) } == .temporary)

        let second = Recording(.response(200, Self.initialized), refusal)

        #expect(await meaning { try await submit(second, journal) } == .rejected)
    }

    @Test(arguments: [("image/gif", "tweet_gif"), ("image/png", "tweet_image"), ("video/mp4", "tweet_video")])
    func `the kind of file is named`(type: String, category: String) async throws {
        let file = try folder.photo([1], mediaType: type, at: TestClock().now)
        let x = Recording()

        _ = await meaning { try await twitter.submit(.sample(file, to: Self.account, over: x)) }

        #expect(x[0].json?["media_category"] == .string(category))
    }

    @Test func `processing is looked at when X says`() async throws {
        let journal = MemoryJournal()
        let working: JSONValue = ["data": ["processing_info": ["state": "pending", "check_after_secs": 7]]]
        let first = Recording(
            .response(200, Self.initialized), .response(200, ["data": [:]]), .response(200, ["data": [:]]),
            .response(200, working))
        await #expect(throws: SubmissionError.notYet(checkAfter: .seconds(7))) { try await submit(first, journal) }

        let second = Recording(
            .response(200, ["data": ["processing_info": ["state": "succeeded"]]]),
            .response(201, ["data": ["id": "88"]]))
        _ = try await submit(second, journal)

        #expect(
            second.sent.map(\.line) == [
                "GET https://api.x.com/2/media/upload?command=STATUS&media_id=77", "POST https://api.x.com/2/tweets",
            ])
    }

    @Test(arguments: [
        (402, "CreditsDepleted", "about:blank", "limited"),
        (403, "You are not allowed to create a Tweet with duplicate content.", "about:blank", "rejected"),
        (403, "You are not permitted to perform this action.", "about:blank", "rejected"),
        (403, "x", "https://api.x.com/2/problems/client-forbidden", "unauthorized"),
        (403, "x", "https://api.x.com/2/problems/user-suspended", "unauthorized"),
        (403, "This account is not permitted to access this feature", "about:blank", "unauthorized"),
        (400, "Your text is invalid.", "https://api.x.com/2/problems/invalid-request", "rejected"),
        (400, "Your media IDs are invalid.", "https://api.x.com/2/problems/invalid-request", "temporary"),
        (429, "x", "https://api.x.com/2/problems/usage-capped", "limited"),
        (429, "x", "https://api.x.com/2/problems/rate-limit-exceeded", "limited"),
    ])
    func `a refusal says what happens next`(
        status: Int, detail: String, type: String, expected: String
    ) async throws {
        let x = Recording(
            .response(200, Self.initialized), .response(200, ["data": [:]]), .response(200, ["data": [:]]),
            .response(200, ["data": [:]]), .response(status, ["detail": .string(detail), "type": .string(type)]))

        #expect(await meaning { try await submit(x, MemoryJournal()) }?.rawValue == expected)
    }

    @Test(
        arguments: [
            (["x-rate-limit-remaining": "0", "x-rate-limit-reset": "1795290720"], 600, LimitScope.account),
            (
                [
                    "x-rate-limit-remaining": "0", "x-rate-limit-reset": "1795290720",
                    "x-user-limit-24hour-remaining": "0",
                    "x-user-limit-24hour-reset": "1795300120",
                ], 10_000, .account
            ),
            (
                [
                    "x-rate-limit-remaining": "40", "x-rate-limit-reset": "1795290720",
                    "x-app-limit-24hour-remaining": "0",
                    "x-app-limit-24hour-reset": "1795300120", "x-user-limit-24hour-remaining": "3",
                    "x-user-limit-24hour-reset": "1795360120",
                ], 10_000, .app
            ),
        ] as [(HTTPFields, TimeInterval, LimitScope)])
    func `a limit ends with the last of those that are used up`(
        fields: HTTPFields, seconds: TimeInterval, scope: LimitScope
    ) async throws {
        try await withScene(.twitter) { scene in
            scene.host?.fail("POST /2/media/upload/initialize", .status(429, fields: fields))

            let limit = await limitMet { try await scene.submit() }

            #expect(limit?.until == scene.clock.now.addingTimeInterval(seconds))
            #expect(limit?.scope == scope)
        }
    }

    @Test func `credits that ran out hold every account of the app back`() async throws {
        let clock = TestClock()
        let x = Recording(.response(402, ["title": "CreditsDepleted"]))

        let limit = await limitMet { try await submit(x, MemoryJournal(), clock) }

        #expect(
            limit
                == Limit(
                    scope: .app, until: clock.now.addingTimeInterval(3600),
                    problem: SubmissionProblem(
                        Problem(
                            .quotaExceeded,
                            ProblemParameters(
                                service: "X", until: clock.now.addingTimeInterval(3600), scope: .app)),
                        status: 402, detail: #"{"title":"CreditsDepleted"}"#)))
    }

    private func submit(
        _ x: Recording, _ journal: MemoryJournal, _ clock: TestClock = TestClock()
    ) async throws(SubmissionError) -> Receipt {
        try await twitter.submit(.sample(photo, to: Self.account, over: x, journal: journal, clock: clock))
    }
}
