internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct FlickrSubmitterTests {
    private let flickr = FlickrSubmitter(servers: .any)

    @Test func `an account is connected in the browser in three steps`() async throws {
        try await withFake(FakeFlickr()) { _, server, transport in
            let app = ClientCredentials([
                "consumer_key": "consumer-key", "consumer_secret": "consumer-secret", "base_url": server.url,
            ])

            let account = try await Browser(app: app, transport: transport).connect(flickr)

            #expect(account.remoteID == "12037949629@N01")
            #expect(account.name == "alice")
            #expect(account.credentials["access_token"] == "access-token")
        }
    }

    @Test func `the wrong secret of the app connects nobody`() async throws {
        try await withFake(FakeFlickr()) { _, server, transport in
            let app = ClientCredentials([
                "consumer_key": "consumer-key", "consumer_secret": "no", "base_url": server.url,
            ])

            #expect(
                await meaning { try await Browser(app: app, transport: transport).connect(flickr) } == .unauthorized)
        }
    }

    @Test func `an album cannot be empty, and the first photo makes it`() async throws {
        try await withFake(FakeFlickr()) { service, server, transport in
            let connected = try await flickr.connect(entries(server.url), over: transport)
            let album = try await flickr.createAlbum(named: "Föhn", of: connected.opened(), over: transport)
            #expect(album.id == "new:Föhn")
            let account = connected.opened(["album": .string(album.id)])

            let first = try await submit(to: account, over: transport)
            let second = try await submit(to: account, over: transport)

            #expect(service.albums["Föhn"] == [first.remoteID, second.remoteID])
            let albums = try await flickr.albums(of: account, over: transport)
            #expect(albums.map(\.name) == ["Lakes", "Föhn", "Cream (group)", "Föhn (group)"])
            #expect(try await flickr.createAlbum(named: "Föhn", of: account, over: transport) == albums[1])
        }
    }

    @Test(arguments: ["Cream", "Föhn"])
    func `a group is an album too, whether its moderators look at photos or not`(group: String) async throws {
        try await withFake(FakeFlickr()) { service, server, transport in
            let connected = try await flickr.connect(entries(server.url), over: transport)
            let albums = try await flickr.albums(of: connected.opened(), over: transport)
            let album = try #require(albums.first { $0.name == "\(group) (group)" })

            let receipt = try await submit(to: connected.opened(["album": .string(album.id)]), over: transport)

            #expect(service.pools[group] == [receipt.remoteID])
            #expect(service.albums == ["Lakes": ["1"]])
        }
    }

    @Test(arguments: ["9", "group:9@N00"])
    func `an album that is gone does not undo the photo`(album: String) async throws {
        try await withFake(FakeFlickr()) { service, server, transport in
            let account = try await flickr.connect(entries(server.url), over: transport)
                .opened(["album": .string(album)])

            let receipt = try await submit(to: account, over: transport)

            #expect(service.effects.map(\.id) == [receipt.remoteID])
        }
    }

    @Test func `a photo that is private here is private there`() async throws {
        try await withFake(FakeFlickr()) { service, server, transport in
            let account = try await flickr.connect(entries(server.url), over: transport).opened()

            _ = try await submit(to: account, over: transport, visibility: .private)
            #expect(service.publicPhotos == 0)
            _ = try await submit(to: account, over: transport, visibility: .unlisted)
            #expect(service.publicPhotos == 1)
        }
    }

    @Test func `a photo tells where it was taken, and who may see it`() async throws {
        try await withFake(FakeFlickr()) { service, server, transport in
            let account = try await flickr.connect(entries(server.url), over: transport)
                .opened(["visibility": "private"])

            _ = try await submit(to: account, over: transport, position: Position(latitude: -33.5, longitude: 151.25))

            #expect(service.positions == ["-33.5 151.25"])
            #expect(service.publicPhotos == 0)
        }
    }

    @Test func `likes and comments are counted`() async throws {
        try await withScene(.flickr) { scene in
            let receipt = try await scene.submit()

            #expect(try await flickr.engagement(of: scene.post(receipt)) == Engagement(likes: 5, comments: 2))
        }
    }

    @Test func `a repeated upload that Flickr knows is the same photo`() async throws {
        try await withScene(.flickr) { scene in
            scene.host?.fail("POST /services/upload/", .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)

            // The queue was told, wrongly, that there is nothing.
            let receipt = try await scene.submit()

            #expect(scene.publishedIDs == [receipt.remoteID])
        }
    }

    @Test func `a film of which Flickr makes nothing is refused`() async throws {
        let service = FakeFlickr(options { $0.failsProcessing = true })
        try await withFake(service) { service, server, transport in
            let account = try await flickr.connect(entries(server.url), over: transport).opened()
            let journal = MemoryJournal()
            let folder = try TemporaryFolder()
            let film = try folder.photo([1, 2, 3], mediaType: "video/mp4", at: TestClock().now)
            let clock = TestClock()
            clock.advance(to: .now)
            let task = SubmissionTask.sample(film, to: account, over: transport, journal: journal, clock: clock)

            #expect(await meaning { try await flickr.submit(task) } == .unknownOutcome)
            #expect(await meaning { try await flickr.submit(task) } == .rejected)
        }
    }

    @Test(arguments: [
        (5, Meaning.rejected), (6, .limited), (8, .rejected), (98, .unauthorized), (105, .temporary),
        (3, .unknownOutcome),
    ])
    func `a refused upload says what happens next`(code: Int, expected: Meaning) async throws {
        try await withScene(.flickr) { scene in
            scene.host?.fail(
                "POST /services/upload/",
                .status(200, body: #"<rsp stat="fail"><err code="\#(code)" msg="No."/></rsp>"#))

            #expect(await scene.meaningOfFirstFailure() == expected)
        }
    }

    @Test func `an upload that has to wait says until when`() async throws {
        try await withScene(.flickr) { scene in
            let wait = "<non_pro_desktop_upload_wait_time>90</non_pro_desktop_upload_wait_time>"
            scene.host?.fail(
                "POST /services/upload/",
                .status(200, body: #"<rsp stat="fail"><err code="14" msg="No."/>\#(wait)</rsp>"#))

            #expect(await limitMet { try await scene.submit() }?.until == scene.clock.now.addingTimeInterval(90))
        }
    }

    private func submit(
        to account: OpenedAccount, over transport: any Transport, visibility: Visibility = .public,
        position: Position? = nil
    ) async throws -> Receipt {
        let folder = try TemporaryFolder()
        let clock = TestClock()
        clock.advance(to: .now)
        let sample = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: clock.now)
        let photo = SamplePhoto(
            photo: OutgoingPhoto(
                isVideo: false, code: sample.code, owner: "alice", takenAt: nil, createdAt: clock.now,
                visibility: visibility, position: position), file: sample.file)
        return try await flickr.submit(.sample(photo, to: account, over: transport, clock: clock))
    }

    private func options(_ change: (inout FakeFlickr.Options) -> Void) -> FakeFlickr.Options {
        var options = FakeFlickr.Options()
        change(&options)
        return options
    }

    private func entries(_ url: String) -> [String: String] {
        [
            "base_url": url, "consumer_key": "consumer-key", "consumer_secret": "consumer-secret",
            "access_token": "access-token", "access_token_secret": "access-token-secret",
        ]
    }
}
