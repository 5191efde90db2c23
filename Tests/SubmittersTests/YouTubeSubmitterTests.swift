internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct YouTubeSubmitterTests {
    private let youtube = YouTubeSubmitter(servers: .any)

    private func fake(_ scene: Scene) throws -> FakeYouTube { try #require(scene.host?.service as? FakeYouTube) }

    private func app(_ url: String) -> ClientCredentials {
        ClientCredentials(["client_id": "client-id", "client_secret": "client-secret", "base_url": url])
    }

    // MARK: The channel

    @Test(arguments: [
        ([:], false), (["made_for_kids": "no"], false), (["made_for_kids": "Yes"], true),
        (["made_for_kids": "はい"], true),
    ])
    func `a channel is connected in the browser, with one permission and an answer about children`(
        entered: [String: String], isForKids: Bool
    ) async throws {
        try await withFake(FakeYouTube()) { _, server, transport in
            let browser = Browser(app: app(server.url), entered: entered, transport: transport)

            let account = try await browser.connect(youtube)

            #expect(account.remoteID == "UClakes00000000000000000" && account.name == "@lakes")
            #expect(account.picture == .at("https://yt3.ggpht.test/88"))
            #expect(
                account.settings == [
                    "base_url": .string(server.url), "uploads": "UUlakes00000000000000000",
                    "made_for_kids": isForKids ? "yes" : "no",
                ])
            let consent = server.host.requests.first { $0.route == "GET /o/oauth2/v2/auth" }?.request.query ?? ""
            #expect(FormFields(consent)?["scope"] == "https://www.googleapis.com/auth/youtube.force-ssl")
            #expect(consent.contains("access_type=offline"))
        }
    }

    @Test func `an answer that is neither yes nor no is asked for again`() async throws {
        try await withFake(FakeYouTube()) { _, server, transport in
            let browser = Browser(app: app(server.url), entered: ["made_for_kids": "maybe"], transport: transport)

            #expect(await refusal { try await browser.connect(youtube) }?.problem.code == .valueInvalid)
        }
    }

    @Test func `a Google account without a channel is told so`() async throws {
        var options = FakeYouTube.Options()
        options.hasChannel = false
        try await withFake(FakeYouTube(options)) { _, server, transport in
            let browser = Browser(app: app(server.url), transport: transport)

            #expect(await refusal { try await browser.connect(youtube) }?.problem.code == .destinationMissing)
        }
        let server = Recording(.response(200, ["kind": "youtube#channelListResponse"]))
        let code = await refusal { try await youtube.picture(of: .sample([:], [:]), over: server) }?.problem.code
        #expect(code == .destinationMissing)
    }

    // MARK: Words

    @Test(
        arguments: [
            ("Föhn", "Föhn", "Föhn", []),
            ("", "2026-11-20", "", []),
            ("\n  \n Föhn \nover the lake", "Föhn", "\n  \n Föhn \nover the lake", []),
            ("a < b > c", "a ‹ b › c", "a ‹ b › c", []),
            (
                "Föhn #lake #LAKE https://example.com/#no #sea", "Föhn #lake #LAKE https://example.com/#no #sea", nil,
                ["lake", "sea"]
            ),
            (String(repeating: "word ", count: 40), String(repeating: "word ", count: 19) + "word…", nil, []),
        ] as [(String, String, String?, [String])])
    func `a title is the first line, and tags are hashtags`(
        text: String, title: String, description: String?, tags: [String]
    ) {
        let words = YouTubeWords(text, titleWithoutWords: "2026-11-20")

        #expect(words.title == title)
        #expect(words.description == description ?? text)
        #expect(words.tags == tags)
    }

    @Test func `words that are too long are cut to what YouTube takes`() {
        let family = "👨‍👩‍👧‍👦"
        let text = String(repeating: "<\(family)> ", count: 400)
        let tags = (0..<200).map { "#föhn\($0)" }.joined(separator: " ")

        let words = YouTubeWords(text, titleWithoutWords: "")

        #expect((4000...5000).contains(words.description.utf8.count))
        #expect(words.title.utf16.count <= 100 && words.title.hasPrefix("‹\(family)›") && words.title.hasSuffix("…"))
        let fitting = YouTubeWords(tags, titleWithoutWords: "").tags
        #expect((490...500).contains(fitting.joined(separator: ",").utf16.count))
        #expect(YouTubeWords.fitting(["Lake", String(repeating: "a b ", count: 124), "lake", "sea"]) == ["Lake"])
    }

    @Test func `a text that its signs make too long is cut before the link, and people are told`() async throws {
        try await withScene(.youtube) { scene in
            let text = String(repeating: "a<b ", count: 1200)

            let receipt = try await scene.submit(text)

            let sent = try #require(scene.host?.service.effects.first?.text)
            #expect(sent.utf8.count <= 5000 && sent.hasSuffix("… https://pics.test/Ab3dE9xZ"))
            #expect(receipt.text == sent)
        }
    }

    @Test func `other words keep category, language and tags, but for the hashtags of the old words`() async throws {
        try await withScene(.youtube) { scene in
            let receipt = try await scene.submit("Föhn #lake")
            try fake(scene).change(
                receipt.remoteID,
                ["categoryId": "19", "tags": ["lake", "alps"], "defaultLanguage": "de", "defaultAudioLanguage": "gsw"])

            try await scene.edit(receipt, text: "Sea\n<#wave>", altText: "")

            let snippet = try fake(scene).resources[0]["snippet"]
            #expect(snippet?["title"] == "Sea" && snippet?["description"] == "Sea\n‹#wave›")
            #expect(snippet?["categoryId"] == "19" && snippet?["tags"] == ["alps", "wave"])
            #expect(snippet?["defaultLanguage"] == "de" && snippet?["defaultAudioLanguage"] == "gsw")

            try await scene.edit(receipt, text: "", altText: "")
            #expect(try fake(scene).resources[0]["snippet"]?["title"] == "2026-11-21")
            try await scene.delete(receipt)
            #expect(await meaning { try await scene.edit(receipt, text: "Sea", altText: "") } == .gone)
        }
    }

    @Test(
        arguments: [
            (Visibility.public, nil, "public"), (.unlisted, nil, "unlisted"), (.private, nil, "private"),
            (.public, "unlisted", "unlisted"), (.unlisted, "public", "unlisted"), (.unlisted, "private", "private"),
            (.public, "later", "public"),
        ] as [(Visibility, String?, String)])
    func `a video is seen by no more people than it is here`(here: Visibility, chosen: String?, expected: String) {
        #expect(YouTubeVisibility.ofVideo(here, chosen: ["visibility": JSONValue(chosen)]) == expected)
    }

    // MARK: Playlists

    @Test func `playlists are made once, for whom the account's videos are`() async throws {
        try await withScene(.youtubePlaylist) { scene in
            scene.choose(["visibility": "unlisted"])
            let receipt = try await scene.submit()
            let post = scene.post(receipt)

            let made = try await youtube.createAlbum(named: "Föhn", of: post.account, over: post.transport)
            let again = try await youtube.createAlbum(named: "Föhn", of: post.account, over: post.transport)

            #expect(made == again)
            #expect(try await youtube.albums(of: post.account, over: post.transport).map(\.name) == ["Lakes", "Föhn"])
            #expect(try fake(scene).playlistVisibilities == ["public", "unlisted"])
            #expect(try fake(scene).resources[0]["status"]?["privacyStatus"] == "unlisted")
            #expect(scene.host?.service.albumNames == ["Lakes"])
            let refused = await refusal {
                try await youtube.createAlbum(named: "a < b", of: post.account, over: post.transport)
            }
            #expect(refused?.problem.code == .albumNameInvalid)
        }
    }

    @Test(arguments: [(45, ["Lakes"]), (3600, [])] as [(TimeInterval, [String])])
    func `a video that its playlist does not know yet is put in later, and is posted in any case`(
        delay: TimeInterval, albums: [String]
    ) async throws {
        var subject = Subject.youtubePlaylist
        subject.fake = { clock in
            var options = FakeYouTube.Options()
            options.playlistDelay = delay
            return FakeYouTube(options, now: clock.read)
        }
        try await withScene(subject) { scene in
            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not published")
                return
            }

            #expect(scene.isPublishedOnce)
            #expect(scene.host?.service.albumNames == albums)
        }
    }

    @Test func `a playlist that is gone keeps no video back`() async throws {
        try await withScene(.youtubePlaylist) { scene in
            scene.choose(["album": "PLgone"])

            _ = try await scene.submit()

            #expect(scene.isPublishedOnce && scene.host?.service.albumNames == [])
        }
    }

    // MARK: Limits and errors

    @Test(
        arguments: [
            (403, "quotaExceeded", "You have exceeded your quota.", LimitScope.app, "2026-11-22T08:00:00Z"),
            (403, "dailyLimitExceeded", "Daily Limit Exceeded.", .app, "2026-11-22T08:00:00Z"),
            // google-api-python-client issue 2753.
            (
                429, "rateLimitExceeded",
                "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day' of service 'youtube.googleapis.com'",
                .app, "2026-11-22T08:00:00Z"
            ),
            // porjo/youtubeuploader issue 212.
            (
                400, "uploadLimitExceeded", "The user has exceeded the number of videos they may upload.", .account,
                "2026-11-22T19:42:00Z"
            ),
            (403, "userRateLimitExceeded", "Slow down", .account, nil),
        ] as [(Int, String, String, LimitScope, String?)])
    func `a limit says whose it is, and when it ends`(
        status: Int, reason: String, message: String, scope: LimitScope, end: String?
    ) async throws {
        for route in ["POST", "PUT"] {
            try await withScene(.youtube) { scene in
                let body = #"""
                    {"error":{"code":\#(status),"message":"\#(message)",\#
                    "errors":[{"domain":"youtube.video","reason":"\#(reason)","message":"\#(message)"}]}}
                    """#
                scene.host?.fail("\(route) /upload/youtube/v3/videos", .status(status, body: body))

                let limit = await limitMet { try await scene.submit() }

                #expect(limit?.scope == scope)
                #expect(limit?.until.map { $0.formatted(.iso8601) } == end)
            }
        }
    }

    @Test(arguments: [
        ("2026-11-21T07:59:59Z", "2026-11-21T08:00:00Z"), ("2026-11-21T08:00:00Z", "2026-11-22T08:00:00Z"),
        ("2026-07-01T06:59:59Z", "2026-07-01T07:00:00Z"), ("2026-07-01T12:00:00Z", "2026-07-02T07:00:00Z"),
        // A day of 23 hours, and one of 25.
        ("2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"), ("2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z"),
    ])
    func `a day ends at midnight in California`(time: String, end: String) throws {
        let time = try #require(Timestamp(time)?.date)

        #expect(YouTubeAPI.midnight(after: time).formatted(.iso8601) == end)
    }

    @Test(arguments: [
        (400, "invalidTitle", Meaning.rejected, ProblemCode.textRefused),
        (400, "invalidDescription", .rejected, .textRefused), (400, "invalidTags", .rejected, .textRefused),
        (400, "invalidCategoryId", .rejected, .postRefused),
        (400, "failedPrecondition", .rejected, .postRefused),
        (403, "forbidden", .unauthorized, .permissionDenied),
        (403, "insufficientPermissions", .unauthorized, .permissionDenied),
        (403, "accessNotConfigured", .unauthorized, .appKeysRefused),
        (403, "authenticatedUserAccountSuspended", .unauthorized, .accountClosed),
        (401, "youtubeSignupRequired", .unauthorized, .credentialsRefused),
    ])
    func `a reason says what happens next`(
        status: Int, reason: String, expected: Meaning, code: ProblemCode
    ) async throws {
        try await withScene(.youtube) { scene in
            scene.host?.fail(
                "POST /upload/youtube/v3/videos",
                .status(status, body: #"{"error":{"errors":[{"reason":"\#(reason)"}]}}"#))

            do {
                _ = try await scene.submit()
                Issue.record("no error")
            } catch let error as SubmissionError {
                #expect(Meaning(error) == expected && error.problem.code == code)
            }
        }
    }

    // MARK: What people do

    @Test func `likes and comments are counted until YouTube shows nothing of the video`() async throws {
        let counts: JSONValue = ["viewCount": "12", "likeCount": "6", "commentCount": "2"]
        let server = Recording(
            .response(200, ["items": [["id": "a", "statistics": counts, "status": ["uploadStatus": "processed"]]]]),
            .response(200, ["items": [["id": "a", "statistics": ["viewCount": "1"], "status": [:]]]]),
            .response(200, ["items": [["id": "a", "status": ["uploadStatus": "rejected"]]]]),
            .response(200, ["items": []]))
        let post = PublishedPost(
            remoteID: "a", url: nil, account: .sample(["access_token": "a"], [:]), transport: server, now: { Date() })

        #expect(try await youtube.engagement(of: post) == Engagement(likes: 6, comments: 2))
        #expect(try await youtube.engagement(of: post) == Engagement())
        #expect(await meaning { try await youtube.engagement(of: post) } == .gone)
        #expect(await meaning { try await youtube.engagement(of: post) } == .gone)
        #expect(
            server[0].line == "GET https://www.googleapis.com/youtube/v3/videos?part=statistics%2Cstatus&id=a")
    }

    @Test func `comments come with their threads, however long, with pictures and edits`() async throws {
        try await withScene(.youtube) { scene in
            let post = scene.post(try await scene.submit())
            let said = try fake(scene).conversation
            let first = said.say("Lovely <b>light</b>", by: "ann", to: post.remoteID, picture: "https://far.test/1.jpg")
            for number in 0..<7 { said.say("answer \(number)", by: "ben", to: first) }
            for number in 0..<120 { said.say("top \(number)", by: "cat", to: post.remoteID) }
            said.edit(first, "Lovely light")

            let list = try await youtube.responses(to: post, counted: Engagement(comments: 1), known: [])

            #expect(list.found.count == 128 && list.complete == [.comment])
            let found = try #require(list.found.first { $0.key == first })
            #expect(found.text == "Lovely light" && found.editedAt != nil && found.parent == nil)
            #expect(found.media.map(\.url) == ["https://far.test/1.jpg"])
            #expect(found.author.name == "@ann" && found.author.handle == "@ann" && found.author.key == "UCann")
            #expect(found.url == "https://www.youtube.com/watch?v=\(post.remoteID)&lc=\(first)")
            #expect(list.found.count { $0.parent == first } == 7)
            let nothing = try await youtube.responses(to: post, counted: Engagement(comments: 0), known: [])
            #expect(nothing == ResponseList())
        }
    }

    @Test func `comments that are switched off are no trouble, and say nothing of what is gone`() async throws {
        var subject = Subject.youtube
        subject.fake = { clock in
            var options = FakeYouTube.Options()
            options.takesComments = false
            return FakeYouTube(options, now: clock.read)
        }
        try await withScene(subject) { scene in
            let post = scene.post(try await scene.submit())

            let list = try await youtube.responses(to: post, counted: Engagement(), known: [.comment])

            #expect(list == ResponseList())
        }
    }
}
