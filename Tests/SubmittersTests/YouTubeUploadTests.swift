internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// How a file becomes a video at YouTube, whatever is lost on the way.
struct YouTubeUploadTests {
    private let youtube = YouTubeSubmitter(servers: .any)
    private static let put = "PUT /upload/youtube/v3/videos"

    private func bodies(_ scene: Scene) -> [Int] {
        scene.host?.requests.filter { $0.route == Self.put }.map(\.request.body.count) ?? []
    }

    private func fake(_ scene: Scene) throws -> FakeYouTube { try #require(scene.host?.service as? FakeYouTube) }

    // The requests and answers of "Resumable uploads" (developers.google.com/youtube/v3/guides), with its identifiers.
    @Test func `a session is begun and fed as Google's guide shows it`() async throws {
        let session = "https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=xa298sd_f"
        let server = Recording(
            .form(200, "", fields: ["Location": "\(session)&part=snippet,status,contentDetails"]),
            .form(308, "", fields: ["Range": "bytes=0-1"]),
            .response(201, ["kind": "youtube#video", "id": "dQw4w9WgXcQ", "status": ["uploadStatus": "uploaded"]]))
        let folder = try TemporaryFolder()
        var film = try folder.photo([1, 2, 3], mediaType: "video/mp4", at: TestClock().now)
        film.photo.takenOffset = 9 * 60
        film.photo.labels = ContentLabels(language: "ja-JP")
        let account = OpenedAccount.sample(["access_token": "ya29.a"], ["made_for_kids": "yes"], remoteID: "UC1")
        let youtube = YouTubeSubmitter(servers: .any, segmentBytes: 2)

        let receipt = try await youtube.submit(
            .sample(film, to: account, over: server, text: "Föhn #lake\n<b> #Lake #sea"))

        #expect(
            receipt == Receipt(remoteID: "dQw4w9WgXcQ", url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ"))
        #expect(
            server.sent.map(\.line) == [
                "POST https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet%2Cstatus%2CrecordingDetails",
                "PUT \(session)&part=snippet,status,contentDetails",
                "PUT \(session)&part=snippet,status,contentDetails",
            ])
        #expect(server.sent.allSatisfy { $0.fields["Authorization"] == "Bearer ya29.a" })
        #expect(server[0].fields["X-Upload-Content-Length"] == "3")
        #expect(server[0].fields["X-Upload-Content-Type"] == "video/mp4")
        #expect(server[0].fields["Slug"] == "pics-key-1.mp4")
        #expect(
            server[0].json == [
                "snippet": [
                    "title": "Föhn #lake", "description": "Föhn #lake\n‹b› #Lake #sea", "categoryId": "22",
                    "tags": ["lake", "sea"], "defaultLanguage": "ja",
                ],
                "status": ["privacyStatus": "public", "selfDeclaredMadeForKids": true],
                // The camera's day.
                "recordingDetails": ["recordingDate": "2026-11-21T00:00:00Z"],
            ])
        #expect(server.sent.map { $0.fields["Content-Range"] } == [nil, "bytes 0-1/3", "bytes 2-2/3"])
        #expect(server.sent.dropFirst().map(\.body) == [[1, 2], [3]])
    }

    @Test(
        arguments: [
            ("bytes=0-524287", 524_288), ("0-42", 43), (nil, 0), ("bytes=1-42", nil), ("bytes=0-999999", 1_000_000),
            ("bytes=0-1000000", nil), ("bytes=0--1", nil), ("bytes=0-99999999999999999999", nil), ("", nil),
        ] as [(String?, Int64?)])
    func `how much has arrived is what the range says, and a range that makes no sense is none`(
        range: String?, expected: Int64?
    ) {
        let response = IncomingResponse(
            status: HTTPStatus(code: 308), fields: range.map { ["Range": $0] } ?? [:], body: [])

        #expect(YouTubeAPI.offset(response, of: 1_000_000) == expected)
    }

    @Test(arguments: [
        "https://evil.example/upload/youtube/v3/videos?upload_id=1",
        "https://www.googleapis.com.evil.example/upload/youtube/v3/videos?upload_id=1",
        "https://www.googleapis.com/youtube/v3/videos?upload_id=1",
        "https://www.googleapis.com/upload/youtube/v3/videos?upload_id= 1", "",
    ])
    func `an address of another server gets no bytes and no token`(location: String) async throws {
        let server = Recording(.form(200, "", fields: ["Location": location]))
        let folder = try TemporaryFolder()
        let film = try folder.photo([1, 2, 3], mediaType: "video/mp4", at: TestClock().now)

        let submission = SubmissionTask.sample(film, to: .sample(["access_token": "a"], [:]), over: server)
        #expect(await meaning { try await youtube.submit(submission) } == .temporary)
        #expect(server.sent.count == 1)
    }

    @Test func `a picture is refused before anything is asked`() async throws {
        let server = Recording()
        let folder = try TemporaryFolder()
        let picture = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: TestClock().now)

        let problem = await refusal {
            try await youtube.submit(.sample(picture, to: .sample(["access_token": "a"], [:]), over: server))
        }

        #expect(problem?.problem.code == .unsupportedType && problem?.problem.parameters.service == "YouTube")
        #expect(server.sent.isEmpty)
        #expect(!youtube.description.mediaRule.takesPictures)
    }

    @Test func `an upload goes on at the byte that YouTube has`() async throws {
        try await withScene(.youtubePieces) { scene in
            scene.host?.fail(Self.put, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .temporary)

            _ = try await scene.submit()

            // The second asks how much has arrived.
            #expect(bodies(scene) == [12_000, 0, 12_000, 6_000])
            #expect(scene.isPublishedOnce)
            #expect(try fake(scene).sessions == 1)
        }
    }

    @Test func `what YouTube has not kept of a piece is sent again`() async throws {
        var subject = Subject.youtubePieces
        subject.fake = { clock in
            var options = FakeYouTube.Options()
            options.mostKept = 8_000
            options.granularity = 2_000
            return FakeYouTube(options, now: clock.read)
        }
        try await withScene(subject) { scene in
            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not published")
                return
            }

            // 0 to 8, 16 and 24 thousand, then the rest.
            #expect(bodies(scene) == [12_000, 12_000, 12_000, 6_000])
            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: 0..<3, [Fault.resetBefore, .resetAfter, .malformed, .status(503), .status(404), .status(409)])
    func `a video is made once, whichever of its pieces is lost`(lost: Int, fault: Fault) async throws {
        try await withScene(.youtubePieces) { scene in
            for _ in 0..<lost { scene.host?.fail(Self.put, .none) }
            scene.host?.fail(Self.put, fault)

            guard case .done(let receipt) = await PlayedQueue(scene: scene).work() else {
                Issue.record("not published")
                return
            }

            #expect(scene.isPublishedOnce)
            #expect(scene.publishedIDs == [receipt.remoteID])
        }
    }

    @Test(arguments: [(1199, Meaning.published), (1200, .notYet), (3480, .notYet)] as [(TimeInterval, Meaning)])
    func `a file that takes long goes in several attempts, each with a token that is good`(
        seconds: TimeInterval, expected: Meaning
    ) async throws {
        try await withScene(.youtubePieces) { scene in
            scene.host?.fail(Self.put, .slow)
            let work = Task { await meaning { try await scene.submit() } }
            await scene.host?.untilSlow()
            scene.clock.advance(by: seconds)
            scene.host?.stopHolding()

            #expect(await work.value == expected)
            if scene.expiry.map({ $0 < scene.clock.now + 120 }) == true { try await scene.refreshCredentials() }
            if expected == .notYet { _ = try await scene.submit() }
            #expect(scene.isPublishedOnce)
            #expect(try fake(scene).sessions == 1)
        }
    }

    @Test func `a session that is over before the last piece is begun anew`() async throws {
        try await withScene(.youtubePieces) { scene in
            scene.host?.fail(Self.put, .none, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .temporary)
            try fake(scene).dropSessions()

            _ = try await scene.submit()

            #expect(scene.isPublishedOnce)
            #expect(bodies(scene) == [12_000, 12_000, 0, 12_000, 12_000, 6_000])
        }
    }

    @Test(arguments: [(0, true), (49, true), (50, true), (499, true), (500, false)])
    func `a video whose session is over is found by its file's name, behind others too`(
        others: Int, isFound: Bool
    ) async throws {
        try await withScene(.youtube) { scene in
            scene.host?.fail(Self.put, .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            try fake(scene).dropSessions()
            try fake(scene).add(videos: others)
            scene.clock.advance(by: .seconds(700))

            let found = try await scene.reconcile()

            if isFound { #expect(found.isFound) } else { #expect(found == .cannotTell) }
        }
    }

    @Test func `where the session is over and no list tells, a person decides, and nothing is sent again`() async throws
    {
        try await withScene(.youtube) { scene in
            scene.host?.fail(Self.put, .resetBefore)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            try fake(scene).dropSessions()

            #expect(await meaning { try await scene.reconcile() } == .notYet)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            scene.clock.advance(by: .seconds(700))
            let end = try await scene.reconcile()

            #expect(end == .cannotTell)
            #expect(try fake(scene).sessions == 0 && scene.publishedIDs.isEmpty)
        }
    }

    @Test func `a lost last piece is sent again in its session alone, though the words have changed`() async throws {
        try await withScene(.youtube) { scene in
            scene.host?.fail(Self.put, .resetBefore)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            let looked = try await scene.reconcile()

            let receipt = try await scene.submit("Other words")

            #expect(looked == .repeatable)
            #expect(scene.isPublishedOnce)
            #expect(receipt.text == Scene.text)
            #expect(try fake(scene).sessions == 1)
        }
    }

    @Test func `words that have changed before the last piece begin another session`() async throws {
        try await withScene(.youtube) { scene in
            scene.host?.fail(Self.put, .status(429))
            #expect(await scene.meaningOfFirstFailure() == .limited)

            let receipt = try await scene.submit("Other words")

            #expect(scene.host?.service.effects.map(\.text) == ["Other words"])
            #expect(receipt.text == nil)
            #expect(try fake(scene).sessions == 2)
        }
    }

    @Test(arguments: [false, true])
    func `a file that YouTube refuses is no post, also when the answer was lost`(isLost: Bool) async throws {
        var subject = Subject.youtube
        subject.fake = { clock in
            var options = FakeYouTube.Options()
            options.uploadStatus = "rejected"
            return FakeYouTube(options, now: clock.read)
        }
        try await withScene(subject) { scene in
            if isLost { scene.host?.fail(Self.put, .resetAfter) }

            #expect(await PlayedQueue(scene: scene).work() == .rejected)

            #expect(scene.requests(of: "POST /upload/youtube/v3/videos") == 1)
        }
    }
}
