internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct InstagramSubmitterTests {
    private static let user = "17841405309211844"

    private let instagram = InstagramSubmitter(servers: .publicOnly)
    private let account = OpenedAccount(
        connection: .make(), remoteID: user, name: "lakes", credentials: ["access_token": "token"], settings: [:])
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The requests and answers of "Content Publishing" of the Instagram Platform.
    @Test(arguments: [false, true])
    func `a picture or a reel is asked for, looked at, published and read as the documentation shows`(
        isVideo: Bool
    ) async throws {
        let server = Recording(
            .response(200, ["id": "17889455560051444"]),
            .response(200, ["status_code": "FINISHED", "id": "17889455560051444"]),
            .response(200, ["id": "17920238422030506"]),
            .response(200, ["permalink": "https://www.instagram.com/p/abc/", "id": "17920238422030506"]))
        let photo = try folder.photo(
            [1, 2, 3], mediaType: isVideo ? "video/mp4" : "image/jpeg", at: TestClock().now)

        let receipt = try await instagram.submit(
            .sample(photo, to: account, over: server, text: "Föhn", altText: "A lake"))

        #expect(receipt == Receipt(remoteID: "17920238422030506", url: "https://www.instagram.com/p/abc/"))
        let base = "https://graph.instagram.com/v26.0"
        #expect(
            server.sent.map(\.line) == [
                "POST \(base)/\(Self.user)/media", "GET \(base)/17889455560051444?fields=status_code,status",
                "POST \(base)/\(Self.user)/media_publish", "GET \(base)/17920238422030506?fields=permalink",
            ])
        let form = try #require(FormFields(server[0].text))
        let address = "https://pics.test/media/\(photo.code)"
        #expect(form["caption"] == "Föhn" && form["is_carousel_item"] == nil)
        if isVideo {
            #expect(form["media_type"] == "REELS" && form["video_url"] == address && form["share_to_feed"] == "true")
            #expect(form["alt_text"] == nil)
        } else {
            #expect(form["image_url"] == address && form["alt_text"] == "A lake" && form["media_type"] == nil)
        }
        #expect(server[2].text == "creation_id=17889455560051444")
        #expect(server.sent.allSatisfy { $0.fields["Authorization"] == "Bearer token" })
    }

    @Test(arguments: [("#a", 30, true), ("#a", 31, false), ("@ann", 20, true), ("@ann", 21, false)])
    func `more hashtags or mentions than Instagram takes are refused before anything is sent`(
        word: String, count: Int, isTaken: Bool
    ) async throws {
        let text = (0..<count).map { "\(word)\($0)" }.joined(separator: " ")
        try await withScene(.instagramAtOnce) { scene in
            do throws(SubmissionError) {
                _ = try await scene.submit(text)
                #expect(isTaken)
            } catch {
                #expect(!isTaken && error.problem.code == .tooManyTags)
                #expect(error.problem.text.hasPrefix("Instagram does not allow so many hashtags or mentions."))
                #expect(scene.requests(of: scene.subject.steps[0]) == 0)
            }
        }
    }

    @Test func `pictures leave between four to five and 1.91 to one, and small enough`() {
        let rule = instagram.mediaRule([:])
        #expect(rule.aspectRatios == 0.8...1.91 && rule.longestSide == 1800 && rule.pictureTypes == ["image/jpeg"])
        #expect(rule.amongSeveral.aspectRatios == rule.aspectRatios && rule.amongSeveral.longestSide == 1800)
    }

    @Test func `likes and comments are counted until the post is gone, and likes may be hidden`() async throws {
        try await withScene(.instagramAtOnce) { scene in
            let post = scene.post(try await scene.submit())
            let instagram = InstagramSubmitter(servers: .any)
            #expect(try await instagram.engagement(of: post) == Engagement(likes: 6, comments: 2))

            (scene.host?.service as? FakeInstagram)?.containers.remove(post: post.remoteID)
            #expect(await meaning { try await instagram.engagement(of: post) } == .gone)
        }
        let server = Recording(.response(200, ["comments_count": 1, "id": "1"]))
        let post = PublishedPost(remoteID: "1", url: nil, account: account, transport: server, now: TestClock().read)
        #expect(try await instagram.engagement(of: post) == Engagement(comments: 1))
    }

    @Test func `comments are read with their replies, without those that are hidden`() async throws {
        try await withScene(.instagramAtOnce) { scene in
            let receipt = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeInstagram)
            let first = fake.conversation.say("Lovely", by: "ann", to: receipt.remoteID)
            fake.conversation.say("Indeed", by: "ben", to: first)
            fake.conversation.say("hide me", by: "cat", to: receipt.remoteID)

            let list = try await InstagramSubmitter(servers: .any).responses(
                to: scene.post(receipt), counted: Engagement(comments: 2), known: [])

            #expect(list.complete == [.comment] && list.found.map(\.text) == ["Lovely", "Indeed"])
            #expect(list.found.map(\.parent) == [nil, first] && list.found.allSatisfy { !$0.isOwn })
            let author = try #require(list.found.first?.author)
            #expect(author.key == "9ann" && author.handle == "ann" && author.url == "https://www.instagram.com/ann/")
        }
    }

    @Test func `more replies than a page has make a list that is not complete`() async throws {
        let server = Recording(
            .response(
                200,
                [
                    "data": [
                        [
                            "id": "2", "text": "Lovely", "timestamp": "2017-08-31T18:10:30+0000", "username": "lakes",
                            "replies": [
                                "data": [["id": "3", "text": "Indeed"]],
                                "paging": ["cursors": ["after": "A"], "next": "https://elsewhere.test/"],
                            ],
                        ]
                    ]
                ]))
        let post = PublishedPost(remoteID: "1", url: nil, account: account, transport: server, now: TestClock().read)

        let list = try await instagram.responses(to: post, counted: Engagement(comments: 9), known: [])

        #expect(list.complete.isEmpty && list.found.map(\.key) == ["2", "3"])
        #expect(list.found.map(\.isOwn) == [true, false] && list.found[1].author.name == "Somebody")
    }

    @Test(arguments: [
        ("Error: Media upload has failed with error code 2207026", GraphContainer.State.failed(.unfit)),
        ("Error: Media upload has failed with error code 2207003", .failed(.notFetched)),
        ("Error: Media upload has failed with error code 2207082", .failed(.other)), ("", .failed(.other)),
    ])
    func `the number in the status of a container says why it has failed`(
        status: String, expected: GraphContainer.State
    ) async throws {
        let server = Recording(.response(200, ["status_code": "ERROR", "status": .string(status), "id": "1"]))
        let api = instagram.api(of: account, over: server, now: TestClock().read)

        #expect(try await api.state(of: "1") == expected)
    }
}
