internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

struct MastodonSubmitterTests {
    private static let settings: JSONValue = [
        "base_url": "https://social.test", "account_id": "17", "software": "mastodon", "max_characters": 500,
        "characters_reserved_per_url": 23, "description_limit": 1500,
    ]
    private static let account = OpenedAccount.sample(["access_token": "token"], settings)
    private let folder: TemporaryFolder
    private let photo: SamplePhoto
    private let mastodon = MastodonSubmitter(servers: .publicOnly)

    init() throws {
        folder = try TemporaryFolder()
        photo = try folder.photo(Array("picture".utf8), mediaType: "image/jpeg", at: TestClock().now)
    }

    @Test func `a photo is uploaded with its description, then shown by a status`() async throws {
        let server = Recording(
            .response(200, ["id": "22", "url": "https://social.test/22.jpg"]),
            .response(200, ["id": "33", "url": "https://social.test/@alice/33"]))

        let receipt = try await mastodon.submit(
            .sample(photo, to: Self.account, over: server, altText: "A \"lake\""))

        #expect(receipt == Receipt(remoteID: "33", url: "https://social.test/@alice/33"))
        #expect(
            server.sent.map(\.line) == [
                "POST https://social.test/api/v2/media", "POST https://social.test/api/v1/statuses",
            ])
        let boundary = server[0].fields["Content-Type"]?.split(separator: "boundary=").last ?? ""
        #expect(
            server[0].text == """
                --\(boundary)\r
                Content-Disposition: form-data; name="description"\r
                \r
                A "lake"\r
                --\(boundary)\r
                Content-Disposition: form-data; name="file"; filename="\(photo.code).jpg"\r
                Content-Type: image/jpeg\r
                \r
                picture\r
                --\(boundary)--\r

                """)
        #expect(
            server[1].fields == [
                "Idempotency-Key": "key-1", "Content-Type": "application/json", "Authorization": "Bearer token",
                "Accept": "application/json",
            ])
        #expect(server[1].json == ["status": "Föhn", "media_ids": ["22"]])
    }

    @Test func `a server without version 2 of the upload gets version 1`() async throws {
        let server = Recording(
            .response(404), .response(200, ["id": "22", "url": "https://social.test/22.jpg"]),
            .response(200, ["id": "33"]))

        let receipt = try await mastodon.submit(.sample(photo, to: Self.account, over: server))

        #expect(receipt == Receipt(remoteID: "33", url: nil))
        #expect(server[1].line == "POST https://social.test/api/v1/media")
        #expect(server[1].body == server[0].body)
    }

    @Test func `a file in the works is looked at again after pauses that grow to 15 seconds`() async throws {
        let journal = MemoryJournal()
        let clock = TestClock()
        var pauses: [Duration] = []
        let first = Recording(.response(202, ["id": "22", "url": .null]))
        pauses += try await pause(of: .sample(photo, to: Self.account, over: first, journal: journal, clock: clock))

        for _ in 0..<8 {
            let server = Recording(.response(206, ["id": "22", "url": .null]))
            pauses += try await pause(
                of: .sample(photo, to: Self.account, over: server, journal: journal, clock: clock))
            #expect(server.sent.map(\.line) == ["GET https://social.test/api/v1/media/22"])
        }

        #expect(pauses.first == .seconds(1))
        #expect(pauses.dropFirst().first == .seconds(1.5))
        #expect(pauses.last == .seconds(15))
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `a file that the server has is not made again`() async throws {
        let journal = MemoryJournal()
        let ready: JSONValue = ["id": "22", "url": "https://social.test/22.jpg"]
        let first = Recording(.response(200, ready), .response(429))
        #expect(await meaning { try await submit(first, journal) } == .limited)

        let second = Recording(.response(200, ready), .response(200, ["id": "33"]))
        let receipt = try await mastodon.submit(
            .sample(photo.withoutFile, to: Self.account, over: second, journal: journal))

        #expect(receipt.remoteID == "33")
        #expect(
            second.sent.map(\.line) == [
                "GET https://social.test/api/v1/media/22", "POST https://social.test/api/v1/statuses",
            ])
    }

    @Test func `a file that is still in the works after ten minutes is uploaded anew`() async throws {
        let journal = MemoryJournal()
        let clock = TestClock()
        let first = Recording(.response(202, ["id": "22"]))
        _ = try await pause(of: .sample(photo, to: Self.account, over: first, journal: journal, clock: clock))

        clock.advance(by: 601)
        let late = Recording(.response(206, ["id": "22"]))
        #expect(await meaning { try await submit(late, journal, clock) } == .temporary)
        let server = Recording(
            .response(200, ["id": "23", "url": "https://social.test/23.jpg"]), .response(200, ["id": "33"]))
        _ = try await submit(server, journal, clock)

        #expect(server.sent.last?.json?["media_ids"] == ["23"])
    }

    @Test func `a file that the server cannot process is refused for good`() async throws {
        let journal = MemoryJournal()
        let first = Recording(.response(202, ["id": "22"]))
        _ = try await pause(of: .sample(photo, to: Self.account, over: first, journal: journal))

        let server = Recording(.response(422, ["error": "unsupported"]))

        #expect(await meaning { try await submit(server, journal) } == .rejected)
    }

    @Test func `a file that has expired before it was shown is uploaded anew`() async throws {
        let journal = MemoryJournal()
        let first = Recording(.response(200, ["id": "22", "url": "https://social.test/22.jpg"]), .response(429))
        #expect(await meaning { try await submit(first, journal) } == .limited)

        let second = Recording(.response(404))
        #expect(await meaning { try await submit(second, journal) } == .temporary)
        let third = Recording(
            .response(200, ["id": "23", "url": "https://social.test/23.jpg"]), .response(200, ["id": "33"]))
        _ = try await submit(third, journal)

        #expect(third.sent.last?.json?["media_ids"] == ["23"])
    }

    @Test(arguments: [(200, "rejected"), (206, "notYet"), (404, "temporary")])
    func `a status that is refused with 422 is explained by its file`(status: Int, expected: String) async throws {
        let server = Recording(
            .response(200, ["id": "22", "url": "https://social.test/22.jpg"]),
            .response(422, ["error": "Überprüfung gescheitert"]),
            .response(status, ["id": "22", "url": "https://social.test/22.jpg"]))

        #expect(await meaning { try await submit(server, MemoryJournal()) }?.rawValue == expected)
    }

    @Test func `within the hour a request that was not answered is sent again with the same key`() async throws {
        let journal = MemoryJournal()
        let clock = TestClock()
        let first = Recording(
            .response(200, ["id": "22", "url": "https://social.test/22.jpg"]), .failure(.unanswered("reset")))
        #expect(await meaning { try await submit(first, journal, clock) } == .unknownOutcome)

        clock.advance(by: 3000)
        let look = Recording(.response(200, []))
        #expect(try await reconcile(look, journal, clock) == .repeatable)
        let second = Recording(.response(200, ["id": "33"]))
        let receipt = try await submit(second, journal, clock)

        #expect(receipt.remoteID == "33")
        #expect(second.sent.map(\.line) == ["POST https://social.test/api/v1/statuses"])
        #expect(second[0].fields["Idempotency-Key"] == first[1].fields["Idempotency-Key"])
        #expect(second[0].body == first[1].body)
    }

    @Test func `after the hour the account is looked through for the file`() async throws {
        let (journal, clock) = try await unanswered()
        clock.advance(by: 3600)
        let server = Recording(
            .response(
                200,
                [
                    status("51", shows: "99", at: "2026-11-21T20:10:00.000Z"),
                    status("50", shows: "22", at: "2026-11-21T19:42:01.000Z"),
                ]))

        let result = try await reconcile(server, journal, clock)

        #expect(result == .found(Receipt(remoteID: "50", url: "https://social.test/@alice/50")))
        #expect(
            server.sent.map(\.line) == [
                "GET https://social.test/api/v1/accounts/17/statuses?limit=40&exclude_reblogs=true&only_media=true"
            ])
    }

    @Test func `a look ends at the first status from before the request`() async throws {
        let (journal, clock) = try await unanswered()
        clock.advance(by: 3600)
        let server = Recording(
            .response(200, [status("51", shows: "99", at: "2026-11-21T19:50:00.000Z")]),
            .response(200, [status("49", shows: "98", at: "2026-11-21T19:00:00.000Z")]),
            .response(200, ["id": "22", "url": "https://social.test/22.jpg"]))

        #expect(try await reconcile(server, journal, clock) == .absent)
        #expect(server[1].line.hasSuffix("only_media=true&max_id=51"))
        #expect(server[2].line == "GET https://social.test/api/v1/media/22")
    }

    @Test func `a file that was shown by a status that is gone leaves the decision to a person`() async throws {
        let (journal, clock) = try await unanswered()
        clock.advance(by: 3600)

        #expect(try await reconcile(Recording(.response(200, []), .response(404)), journal, clock) == .cannotTell)
    }

    @Test func `a look through many newer statuses goes on where it paused`() async throws {
        let (journal, clock) = try await unanswered()
        clock.advance(by: 3600)
        let pages = (0..<5).map { page -> Result<IncomingResponse, TransportError> in
            .response(200, [status("\(59 - page)", shows: "99", at: "2026-11-21T20:00:00.000Z")])
        }
        let first = Recording(pages[0], pages[1], pages[2], pages[3], pages[4])
        #expect(await meaning { try await reconcile(first, journal, clock) } == .notYet)

        let second = Recording(.response(200, [status("50", shows: "22", at: "2026-11-21T19:42:01.000Z")]))
        let result = try await reconcile(second, journal, clock)

        #expect(result == .found(Receipt(remoteID: "50", url: "https://social.test/@alice/50")))
        #expect(second[0].line.hasSuffix("&max_id=55"))
    }

    @Test func `an outcome that is open for more than an hour is looked at before anything is sent`() async throws {
        let (journal, clock) = try await unanswered()
        clock.advance(by: 3600)
        let server = Recording(.response(200, [status("50", shows: "22", at: "2026-11-21T19:42:01.000Z")]))

        #expect(try await submit(server, journal, clock).remoteID == "50")
        #expect(server.sent.count == 1)
    }

    @Test func `a server that burns keys gets another one once a look has found nothing`() async throws {
        let pixelfed = OpenedAccount.sample(
            ["access_token": "token"], ["base_url": "https://social.test", "account_id": "17", "software": "pixelfed"])
        let journal = MemoryJournal()
        let clock = TestClock()
        let ready: JSONValue = ["id": "22", "url": "https://social.test/22.jpg"]
        let first = Recording(.response(200, ready), .response(400, ["error": "Duplicate idempotency key."]))
        #expect(
            await meaning {
                try await mastodon.submit(
                    .sample(photo, to: pixelfed, over: first, journal: journal, clock: clock))
            } == .unknownOutcome)

        clock.advance(by: 60)
        let look = Recording(.response(200, []))
        #expect(
            try await mastodon.reconcile(.sample(photo, to: pixelfed, over: look, journal: journal, clock: clock))
                == .absent)
        let second = Recording(.response(200, ready), .response(200, ["id": "33"]))
        _ = try await mastodon.submit(.sample(photo, to: pixelfed, over: second, journal: journal, clock: clock))

        #expect(second.sent.last?.fields["Idempotency-Key"] == "key-1-1")
    }

    @Test func `a text that no longer fits is cut by the server's rule of today`() async throws {
        let caption = String(repeating: "word ", count: 90)
        let account = OpenedAccount.sample(
            ["access_token": "token"],
            ["base_url": "https://social.test", "account_id": "17", "software": "mastodon", "max_characters": 100])
        let server = Recording(
            .response(200, ["id": "22", "url": "https://social.test/22.jpg"]), .response(200, ["id": "33"]))

        let receipt = try await mastodon.submit(.sample(photo, to: account, over: server, text: caption))

        let text = try #require(receipt.text)
        #expect(text.hasSuffix("… https://pics.test/Ab3dE9xZ"))
        #expect(CaptionRule.mastodon(limit: 100).length(of: text) <= 100)
        #expect(server[1].json?["status"] == .string(text))
    }

    @Test(arguments: ["POST /api/v2/media", "POST /api/v1/statuses"])
    func `a token that a server refuses with 400 parks the account`(step: String) async throws {
        try await withScene(.takahe) { scene in
            if step == "POST /api/v1/statuses" {
                scene.host?.fail(step, .status(429))
                #expect(await scene.meaningOfFirstFailure() == .limited)
            }
            (scene.host?.service as? FakeMastodon)?.revokeTokens()

            #expect(await scene.meaningOfFirstFailure() == .unauthorized)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test(arguments: [(200, Meaning.rejected), (400, .unauthorized), (401, .unauthorized), (503, .temporary)])
    func `a request that a server refuses with 400 is explained by its token`(
        status: Int, expected: Meaning
    ) async throws {
        let server = Recording(
            .response(200, ["id": "22", "url": "https://social.test/22.jpg"]), .response(400, ["error": "No."]),
            .response(status, ["id": "17", "acct": "alice"]))

        #expect(await meaning { try await submit(server, MemoryJournal()) } == expected)
        #expect(server.sent.last?.line == "GET https://social.test/api/v1/accounts/verify_credentials")
    }

    @Test func `a guard in front of a server that turns a request away does not park the account`() async throws {
        try await withScene(.pixelfed) { scene in
            scene.host?.fail(
                "POST /api/v2/media", .status(403, fields: ["Content-Type": "text/html"], body: "<html>403</html>"))
            #expect(await scene.meaningOfFirstFailure() == .temporary)

            scene.host?.fail(
                "POST /api/v1/statuses", .status(403, fields: ["Content-Type": "text/plain"], body: "error code: 1020"))
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
        }
    }

    @Test func `an edit whose answer was lost is done, whatever the repeat is told`() async throws {
        try await withScene(.gotosocial) { scene in
            let receipt = try await scene.submit()
            scene.host?.fail("PUT /api/v1/statuses/{id}", .resetAfter)
            #expect(await meaning { try await scene.edit(receipt, text: "Fog", altText: "A lake") } == .temporary)

            try await scene.edit(receipt, text: "Fog", altText: "A lake")

            #expect(scene.host?.service.effects.map(\.text) == ["Fog"])
            #expect(scene.publishedAltTexts == ["A lake"])
        }
    }

    @Test func `an edit that the server refuses for another reason is refused`() async throws {
        try await withScene(.gotosocial) { scene in
            let receipt = try await scene.submit()
            scene.host?.fail("PUT /api/v1/statuses/{id}", .status(422))

            #expect(await meaning { try await scene.edit(receipt, text: "Fog", altText: "A lake") } == .rejected)
        }
    }

    // MARK: A little language

    private func submit(
        _ server: Recording, _ journal: MemoryJournal, _ clock: TestClock = TestClock()
    ) async throws(SubmissionError) -> Receipt {
        try await mastodon.submit(.sample(photo, to: Self.account, over: server, journal: journal, clock: clock))
    }

    private func reconcile(
        _ server: Recording, _ journal: MemoryJournal, _ clock: TestClock
    ) async throws(SubmissionError) -> Reconciliation {
        try await mastodon.reconcile(.sample(photo, to: Self.account, over: server, journal: journal, clock: clock))
    }

    /// A submission whose status was sent and not answered.
    private func unanswered() async throws -> (MemoryJournal, TestClock) {
        let (journal, clock) = (MemoryJournal(), TestClock())
        let server = Recording(
            .response(200, ["id": "22", "url": "https://social.test/22.jpg"]), .failure(.unanswered("reset")))
        #expect(await meaning { try await submit(server, journal, clock) } == .unknownOutcome)
        return (journal, clock)
    }

    private func pause(of task: SubmissionTask) async throws -> [Duration] {
        do throws(SubmissionError) {
            _ = try await mastodon.submit(task)
            return []
        } catch .notYet(let pause) {
            return [pause]
        }
    }

    private func status(_ id: String, shows media: String, at time: String) -> JSONValue {
        [
            "id": .string(id), "url": .string("https://social.test/@alice/\(id)"), "created_at": .string(time),
            "media_attachments": [["id": .string(media)]],
        ]
    }
}
