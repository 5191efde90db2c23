internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

struct TwitterReconcileTests {
    private static let account = OpenedAccount.sample(
        ["consumer_key": "ck", "consumer_secret": "cs", "access_token": "t", "access_token_secret": "ts"],
        ["base_url": "https://api.x.com"], remoteID: "4711")
    private let folder: TemporaryFolder
    private let photo: SamplePhoto
    private let twitter = TwitterSubmitter(servers: .publicOnly)
    private let journal = MemoryJournal()
    private let clock = TestClock()
    private let text = "Rain & <wind> over e\u{301}clair.example https://example.com/a?b=c&d"

    init() throws {
        folder = try TemporaryFolder()
        photo = try folder.photo(Array("picture".utf8), mediaType: "image/jpeg", at: TestClock().now)
    }

    @Test func `a post is found by its text, with the links that X has put in`() async throws {
        try await leaveUnanswered()
        let x = Recording(timeline([own]))

        let result = try await reconcile(x)

        #expect(result == .found(Receipt(remoteID: "90", url: "https://x.com/alice/status/90")))
        #expect(
            x.sent.map(\.line) == [
                """
                GET https://api.x.com/2/users/4711/tweets?start_time=2026-11-21T19%3A41%3A58Z&max_results=100\
                &tweet.fields=created_at%2Centities%2Cattachments%2Creferenced_tweets
                """
            ])
    }

    @Test func `a post is found by its media, whatever X has made of the text`() async throws {
        try await leaveUnanswered()
        let post: JSONValue = [
            "id": "90", "text": "something else", "created_at": "2026-11-21T19:42:01.000Z",
            "attachments": ["media_keys": ["3_77"]],
        ]

        #expect(
            try await reconcile(Recording(timeline([post])))
                == .found(Receipt(remoteID: "90", url: "https://x.com/alice/status/90")))
    }

    @Test func `an equal text from before the request is another post`() async throws {
        try await leaveUnanswered()
        clock.advance(by: 60)
        var old = own.object ?? [:]
        old["created_at"] = "2026-11-21T19:41:50.000Z"

        #expect(try await reconcile(Recording(timeline([.object(old)]))) == .absent)
    }

    @Test func `a timeline without the post is believed after a while only`() async throws {
        try await leaveUnanswered()

        await #expect(throws: SubmissionError.notYet(checkAfter: .seconds(15))) {
            try await reconcile(Recording(timeline([])))
        }
        clock.advance(by: 15)
        #expect(try await reconcile(Recording(timeline([]))) == .absent)
    }

    @Test func `a timeline that goes on leaves the decision to a person`() async throws {
        try await leaveUnanswered()
        clock.advance(by: 60)
        let x = Recording(.response(200, ["data": [], "meta": ["next_token": "n"]]))

        #expect(try await reconcile(x) == .cannotTell)
    }

    @Test(arguments: [
        (403, "Forbidden", "https://api.x.com/2/problems/client-forbidden"),
        (403, "You are not permitted to perform this action.", "about:blank"),
        (403, "x", "https://api.x.com/2/problems/user-suspended"),
        (401, "x", "https://api.x.com/2/problems/not-authorized-for-resource"),
        (401, "The token lacks the scope tweet.read.", "about:blank"),
    ])
    func `an account that may not read its timeline leaves the decision to a person`(
        status: Int, detail: String, type: String
    ) async throws {
        try await leaveUnanswered()
        clock.advance(by: 60)
        let x = Recording(.response(status, ["detail": .string(detail), "type": .string(type)]))

        #expect(try await reconcile(x) == .cannotTell)
    }

    @Test func `credentials that X no longer takes are no answer to where the post is`() async throws {
        try await leaveUnanswered()
        let x = Recording(.response(401, ["title": "Unauthorized", "detail": "Unauthorized", "type": "about:blank"]))

        #expect(await meaning { try await reconcile(x) } == .unauthorized)
    }

    @Test func `a file that may be used up by a post nobody can see is not posted again`() async throws {
        try await leaveUnanswered()
        let x = Recording(
            .response(400, ["detail": "Your media IDs are invalid.", "type": "about:blank"]), .response(403))

        #expect(await meaning { try await submit(x) } == .unknownOutcome)
        #expect(x.sent.count == 2)
    }

    @Test func `posts without a text and without media keys leave the decision to a person`() async throws {
        let first = Recording(
            .response(200, uploaded), .response(200, [:]), .response(200, [:]), .failure(.unanswered("reset")))
        let task = { (x: Recording) in
            SubmissionTask.sample(photo, to: Self.account, over: x, journal: journal, text: "", clock: clock)
        }
        #expect(await meaning { try await twitter.submit(task(first)) } == .unknownOutcome)
        #expect(first[3].json == ["media": ["media_ids": ["77"]]])

        clock.advance(by: 60)
        let post: JSONValue = ["id": "90", "text": "", "created_at": "2026-11-21T19:42:01.000Z"]
        #expect(try await twitter.reconcile(task(Recording(timeline([post])))) == .cannotTell)
    }

    @Test func `a duplicate on a second try is the first try's post`() async throws {
        try await leaveUnanswered()
        let x = Recording(duplicate, timeline([own]))

        let receipt = try await submit(x)

        #expect(receipt == Receipt(remoteID: "90", url: "https://x.com/alice/status/90"))
        #expect(x[0].line == "POST https://api.x.com/2/tweets")
    }

    @Test func `a duplicate on a second try that cannot be seen stays unknown`() async throws {
        try await leaveUnanswered()

        #expect(await meaning { try await submit(Recording(duplicate, timeline([]))) } == .unknownOutcome)
    }

    @Test func `a duplicate after a clear refusal is somebody else's`() async throws {
        let first = Recording(.response(200, uploaded), .response(200, [:]), .response(200, [:]), .response(429))
        #expect(await meaning { try await submit(first) } == .limited)

        #expect(await meaning { try await submit(Recording(duplicate)) } == .rejected)
    }

    // MARK: A little language

    private let uploaded: JSONValue = ["data": ["id": "77", "media_key": "3_77", "expires_after_secs": 86_400]]
    private let duplicate = Result<IncomingResponse, TransportError>.response(
        403, ["detail": "You are not allowed to create a Tweet with duplicate content.", "type": "about:blank"])

    /// The post of `text`, as X shows it.
    private let own: JSONValue = [
        "id": "90", "created_at": "2026-11-21T19:42:00.000Z",
        "text": "Rain &amp; &lt;wind&gt; over https://t.co/b https://t.co/a https://t.co/m",
        "entities": [
            "urls": [
                ["url": "https://t.co/b", "expanded_url": "http://éclair.example/"],
                ["url": "https://t.co/a", "expanded_url": "https://example.com/a?b=c&d"],
                ["url": "https://t.co/m", "expanded_url": "https://x.com/alice/status/90/photo/1"],
            ]
        ],
    ]

    private func leaveUnanswered() async throws {
        let x = Recording(
            .response(200, uploaded), .response(200, [:]), .response(200, [:]), .failure(.unanswered("reset")))
        #expect(await meaning { try await submit(x) } == .unknownOutcome)
    }

    private func timeline(_ posts: [JSONValue]) -> Result<IncomingResponse, TransportError> {
        .response(200, ["data": .array(posts), "meta": ["result_count": JSONValue(posts.count)]])
    }

    private func submit(_ x: Recording) async throws(SubmissionError) -> Receipt {
        try await twitter.submit(task(x))
    }

    private func reconcile(_ x: Recording) async throws(SubmissionError) -> Reconciliation {
        try await twitter.reconcile(task(x))
    }

    private func task(_ x: Recording) -> SubmissionTask {
        .sample(photo, to: Self.account, over: x, journal: journal, text: text, clock: clock)
    }
}
