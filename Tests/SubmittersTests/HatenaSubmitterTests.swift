internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

struct HatenaSubmitterTests {
    private let hatena = HatenaSubmitter(servers: .any, threads: BlockingThreads(name: "files", count: 1))

    @Test func `the digest is made of the raw nonce`() throws {
        let time = try #require(Timestamp("2026-11-21T00:00:00Z")).date

        let header = WSSE(username: "alice", key: "secret-key").header(nonce: Array(0...15), at: time)

        #expect(
            header == """
                UsernameToken Username="alice", PasswordDigest="Xaq3wHRFjj+p2fT8fRgz/0Wi1fM=", \
                Nonce="AAECAwQFBgcICQoLDA0ODw==", Created="2026-11-21T00:00:00Z"
                """)
    }

    @Test func `a wrong key connects nobody`() async throws {
        try await withFake(FakeHatena()) { _, server, transport in
            let entries = ["base_url": server.url, "username": "alice", "api_key": "no"]

            #expect(await meaning { try await hatena.connect(entries, over: transport) } == .unauthorized)
        }
    }

    @Test func `a picture goes in its folder and tells where it was taken, and has a title of one line`() async throws {
        try await withFake(FakeHatena()) { service, server, transport in
            let entries = ["base_url": server.url, "username": "alice", "api_key": "atompub-key"]
            let connected = try await hatena.connect(entries, over: transport)
            let album = try await hatena.createAlbum(named: " Lakes & hills ", of: connected.opened(), over: transport)
            let account = connected.opened(["album": .string(album.id)])
            let folder = try TemporaryFolder()
            let clock = TestClock()
            clock.advance(to: .now)
            let sample = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: clock.now)
            let photo = SamplePhoto(
                photo: OutgoingPhoto(
                    isVideo: false, code: sample.code, owner: "alice", takenAt: nil, createdAt: clock.now,
                    position: Position(latitude: 35.5, longitude: 139.75)), file: sample.file)

            let receipt = try await hatena.submit(
                .sample(photo, to: account, over: transport, text: "One\ntwo", clock: clock))

            #expect(service.places == ["Lakes & hills 35.5 139.75"])
            #expect(service.effects.map(\.text) == ["One two"])
            #expect(receipt.text == "One two")
            #expect(try await hatena.albums(of: account, over: transport) == [album])
        }
    }

    @Test func `a lost answer about a picture in a folder is left to a person`() async throws {
        try await withScene(.hatena) { scene in
            scene.choose(["album": "Lakes"])
            scene.host?.fail("POST /atom/post", .resetAfter)

            #expect(await PlayedQueue(scene: scene).work() == .unknown)
            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: [(0, nil), (19, nil), (20, Reconciliation.cannotTell)])
    func `a lost answer is left to a person where the list does not reach back to the picture`(
        others: Int, otherwise: Reconciliation?
    ) async throws {
        try await withScene(.hatena) { scene in
            scene.host?.fail("POST /atom/post", .resetAfter)
            _ = await meaning { try await scene.submit() }
            (scene.host?.service as? FakeHatena)?.add(pictures: others)
            scene.clock.advance(by: 60)

            let found = try await scene.reconcile()

            if let otherwise { #expect(found == otherwise) } else { #expect(found.isFound) }
        }
    }

    @Test func `another photo's picture of the same title is not taken for a lost one`() async throws {
        try await withScene(.hatena) { scene in
            let ids = (scene.host?.service as? FakeHatena)?.add(pictures: 1, titled: Scene.text) ?? []
            scene.taken.withLock { $0.formUnion(ids) }
            scene.host?.fail("POST /atom/post", .resetBefore)
            _ = await meaning { try await scene.submit() }
            scene.clock.advance(by: 60)

            let found = try await scene.reconcile()

            #expect(ids.count == 1 && !found.isFound)
        }
    }

    @Test func `a title is changed`() async throws {
        try await withScene(.hatena) { scene in
            let receipt = try await scene.submit()

            try await hatena.edit(scene.post(receipt), text: "Sea <&>", altText: "")

            #expect(scene.host?.service.effects.map(\.text) == ["Sea <&>"])
        }
    }

    @Test func `a refusal that hides in a field is one`() async throws {
        try await withScene(.hatena) { scene in
            scene.host?.fail("POST /atom/post", .status(200, fields: ["Status": "400 Bad Request"]))

            #expect(await scene.meaningOfFirstFailure() == .rejected)
        }
    }
}
