internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct WebDAVSubmitterTests {
    private let webDAV = WebDAVSubmitter(servers: .any)

    @Test(arguments: [
        ("cloud.example/a b/", "https://cloud.example", "/a%20b"),
        ("https://Cloud.Example:443", "https://cloud.example", ""),
        ("https://cloud.example/remote.php/dav/files/alice/", "https://cloud.example", "/remote.php/dav/files/alice"),
    ])
    func `what people enter becomes a folder`(entered: String, origin: String, path: String) throws {
        let folder = try WebDAVFolder(entered, policy: .publicOnly)

        #expect(folder.origin == origin && folder.path == path)
        #expect(WebDAVFolder(folder.settings) == folder)
    }

    @Test func `Nextcloud is known by its path`() throws {
        let folder = try WebDAVFolder("https://c.example/nc/remote.php/dav/files/alice/Pics", policy: .publicOnly)

        #expect(folder.uploads == "/nc/remote.php/dav/uploads/alice")
        #expect(folder.share?.folder == "/Pics")
        #expect(try WebDAVFolder("https://c.example/dav", policy: .publicOnly).uploads == nil)
    }

    @Test(arguments: [
        ("http://cloud.example/dav", Meaning.rejected), ("https://cloud.example/a/../b", .rejected), ("", .rejected),
    ])
    func `what is no folder is refused before anything is sent`(entered: String, expected: Meaning) async {
        let server = Recording()
        let entries = ["base_url": entered, "username": "alice", "password": "x"]

        let result = await meaning {
            try await WebDAVSubmitter(servers: .publicOnly).connect(entries, over: server)
        }
        #expect(result == expected)
        #expect(server.sent.isEmpty)
    }

    @Test func `folders are albums, and one that is there is no error`() async throws {
        try await withFake(FakeWebDAV()) { _, server, transport in
            let entries = ["base_url": "\(server.url)/dav", "username": "alice", "password": "app-password"]
            let account = try await webDAV.connect(entries, over: transport).opened()

            let album = try await webDAV.createAlbum(named: "Föhn & sea", of: account, over: transport)
            _ = try await webDAV.createAlbum(named: "Föhn & sea", of: account, over: transport)

            #expect(try await webDAV.albums(of: account, over: transport).map(\.id) == ["Föhn & sea", "Lakes"])
            #expect(album.id == "Föhn & sea")
            #expect(
                await meaning { try await webDAV.createAlbum(named: "a/b", of: account, over: transport) } == .rejected)
        }
    }

    @Test func `a wrong password connects nobody`() async throws {
        try await withFake(FakeWebDAV()) { _, server, transport in
            let entries = ["base_url": "\(server.url)/dav", "username": "alice", "password": "no"]

            #expect(await meaning { try await webDAV.connect(entries, over: transport) } == .unauthorized)
        }
    }

    @Test func `a folder that is missing is made on the way`() async throws {
        try await withScene(.nextcloudShared) { scene in
            let receipt = try await scene.submit()

            #expect(receipt.remoteID.hasPrefix("Föhn/2026-11-20_194200_"))
            #expect(receipt.url?.contains("/s/token0") == true)
        }
    }

    @Test func `an upload that the server has thrown away begins anew`() async throws {
        try await withScene(.nextcloud) { scene in
            scene.host?.fail(scene.subject.publishingStep, .status(429))
            #expect(await scene.meaningOfFirstFailure() == .limited)
            (scene.host?.service as? FakeWebDAV)?.dropUploads()

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `pieces that have arrived are not sent again`() async throws {
        try await withScene(.nextcloud) { scene in
            let put = "PUT /remote.php/dav/uploads/alice/{a}/{b}"
            scene.host?.fail(scene.subject.publishingStep, .status(429))
            #expect(await scene.meaningOfFirstFailure() == .limited)

            _ = try await scene.submit()

            #expect(
                scene.host?.requests.filter { $0.route == put }.map(\.request.body.count) == [12_000, 12_000, 6_000])
        }
    }

    @Test func `a server without space is asked again later`() async throws {
        try await withScene(.webDAV) { scene in
            scene.host?.fail("PUT /dav/{a}", .status(507))

            #expect(await limitMet { try await scene.submit() }?.until == scene.clock.now.addingTimeInterval(3600))
        }
    }

    @Test(arguments: [
        (".NAME.jpg.part", true), ("a.FilePart", true), (".htaccess", true), ("a\\b", true),
        (String(repeating: "a", count: 251), true), ("2026-11-21_194200_Ab3dE9xZ.jpg", false), (".NAME.jpg.tmp", false),
    ])
    func `the fake takes no name that Nextcloud's FilenameValidator forbids`(name: String, isForbidden: Bool) {
        #expect(FakeWebDAV.isForbidden(name) == isForbidden)
    }

    @Test func `a refused move that moved nothing is tried anew, and leaves no file behind`() async throws {
        try await withScene(.webDAV) { scene in
            scene.host?.fail("MOVE /dav/{a}", .status(412))

            #expect(await scene.meaningOfFirstFailure() == .temporary)
            #expect(scene.publishedIDs.isEmpty)
            #expect(leftovers(scene) == [])
            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
            #expect(leftovers(scene) == [])
        }
    }

    @Test func `a refused move whose file is there already is done, and leaves no file behind`() async throws {
        try await withScene(.webDAV) { scene in
            let receipt = try await scene.submit()
            for key in ["temporary", "pics.open_outcome"] { try await scene.journal.record(key, nil) }

            #expect(try await scene.submit() == receipt)

            #expect(scene.host?.requests.contains { $0.status == 412 } == true)
            #expect(scene.isPublishedOnce)
            #expect(leftovers(scene) == [])
        }
    }

    @Test func `another file of the same name stays as it is, and the photo is refused`() async throws {
        try await withScene(.webDAV) { scene in
            let name = try await scene.submit().remoteID
            for key in ["temporary", "pics.open_outcome"] { try await scene.journal.record(key, nil) }
            fake(scene)?.put(Array("another".utf8), named: name)

            #expect(await meaning { try await scene.submit() } == .rejected)

            #expect(scene.host?.service.effects.map { $0.media[0].bytes } == [7])
            #expect(leftovers(scene) == [])
        }
    }

    @Test func `another file of the same name is not taken for a post whose answer was lost`() async throws {
        try await withScene(.webDAV) { scene in
            scene.host?.fail("MOVE /dav/{a}", .resetBefore)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            let place = await scene.journal.value("place")?["names"]?[0]?.string ?? ""
            fake(scene)?.put(Array("another".utf8), named: place)

            #expect(await PlayedQueue(scene: scene).work() == .rejected)

            #expect(leftovers(scene) == [])
        }
    }

    @Test(arguments: [Subject.webDAV, .nextcloud])
    func `a cancelled submission leaves no file behind`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            scene.journal.cancel()

            #expect(await PlayedQueue(scene: scene).work() == .cancelled)

            #expect(leftovers(scene) == [])
        }
    }

    @Test(arguments: [Subject.webDAV, .nextcloud], [403, 422])
    func `a move that is refused for good leaves no file behind`(subject: Subject, status: Int) async throws {
        try await withScene(subject) { scene in
            scene.host?.fail(subject.publishingStep, .status(status))

            #expect(await scene.meaningOfFirstFailure() == .rejected)

            #expect(leftovers(scene) == [])
        }
    }

    @Test func `an answer that came too late leaves no file behind`() async throws {
        try await withScene(.webDAV) { scene in
            // A gateway says no though the server has moved the file, and the next attempt uploads it anew.
            scene.host?.fail("MOVE /dav/{a}", .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            let place = await scene.journal.value("place")?["names"]?[0]?.string ?? ""
            fake(scene)?.put([1], named: ".\(place).tmp")

            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not done")
                return
            }

            #expect(leftovers(scene) == [])
        }
    }

    @Test func `a server that asks for a digest is named`() async throws {
        var options = FakeWebDAV.Options()
        options.authentication = "Digest"
        try await withFake(FakeWebDAV(options)) { _, server, transport in
            let entries = ["base_url": "\(server.url)/dav", "username": "alice", "password": "app-password"]

            let problem = await unauthorized { try await webDAV.connect(entries, over: transport) }?.problem

            #expect(problem?.code == .authenticationUnsupported && problem?.parameters.scheme == "Digest")
        }
    }

    private func fake(_ scene: Scene) -> FakeWebDAV? { scene.host?.service as? FakeWebDAV }

    private func leftovers(_ scene: Scene) -> [String]? { fake(scene)?.leftovers }
}
