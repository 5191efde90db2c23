internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

struct MixiAndMinusTests {
    private let mixi = MixiSubmitter(servers: .any)
    private let minus = MinusSubmitter(servers: .any)

    @Test func `a mixi account is connected in the browser, and its refresh token is spent`() async throws {
        try await withFake(FakeMixi()) { _, server, transport in
            let app = ClientCredentials([
                "client_id": "client-id", "client_secret": "client-secret", "base_url": server.url,
            ])

            let account = try await Browser(app: app, transport: transport).connect(mixi)

            #expect(account.name == "alice")
            _ = try await mixi.refreshCredentials(of: account.opened(), over: transport)
            let again = await meaning { try await mixi.refreshCredentials(of: account.opened(), over: transport) }
            #expect(again == .unauthorized)
            try await mixi.revoke(account.opened(), over: transport)
        }
    }

    @Test func `albums of mixi are for friends, and made once`() async throws {
        try await withScene(.mixi) { scene in
            let post = scene.post(try await scene.submit())

            let made = try await mixi.createAlbum(named: "Föhn", of: post.account, over: post.transport)
            let again = try await mixi.createAlbum(named: "Föhn", of: post.account, over: post.transport)

            #expect(made == again)
            #expect((scene.host?.service as? FakeMixi)?.albums == ["Lakes friends", "Föhn friends"])
            scene.choose(["album": .string(made.id)])
        }
    }

    @Test func `a lost answer about a mixi photo without words is left to a person`() async throws {
        try await withScene(.mixi) { scene in
            scene.host?.fail("POST /2/photo/mediaItems/@me/@self/{album}", .resetAfter)
            _ = await meaning { try await scene.submit("") }

            let found = try await scene.reconcile()
            #expect(found == .cannotTell)
        }
    }

    @Test func `a lost answer about a mixi photo is left to a person where the list does not reach back to it`()
        async throws
    {
        try await withScene(.mixi) { scene in
            scene.host?.fail("POST /2/photo/mediaItems/@me/@self/{album}", .resetAfter)
            _ = await meaning { try await scene.submit() }
            (scene.host?.service as? FakeMixi)?.add(pictures: 50)
            scene.clock.advance(by: 60)

            let found = try await scene.reconcile()
            #expect(found == .cannotTell)
        }
    }

    @Test func `another photo's picture of the same title is not taken for one that mixi has lost`() async throws {
        try await withScene(.mixi) { scene in
            let places = (scene.host?.service as? FakeMixi)?.add(pictures: 1, titled: Scene.text) ?? []
            scene.taken.withLock { $0.formUnion(places) }
            scene.host?.fail("POST /2/photo/mediaItems/@me/@self/{album}", .resetBefore)
            _ = await meaning { try await scene.submit() }
            scene.clock.advance(by: 60)

            let found = try await scene.reconcile()

            #expect(places.count == 1 && found == .absent)
        }
    }

    @Test(arguments: ["", "https://minus.com", "min.us", "https://www.minus.com/x", "https://I.Min.us:8443"])
    func `Minus has ended, and nothing is sent to its old domain`(address: String) async {
        let server = Recording()
        let entries = ["base_url": address, "username": "alice", "password": "secret"]
        let account = OpenedAccount.sample(["access_token": "a"], [:])
        let post = PublishedPost(remoteID: "1", url: nil, account: account, transport: server, now: { Date() })

        #expect(await meaning { try await minus.connect(entries, over: server) } == .gone)
        #expect(await meaning { try await minus.albums(of: account, over: server) } == .gone)
        #expect(await meaning { try await minus.createAlbum(named: "a", of: account, over: server) } == .gone)
        #expect(await meaning { try await minus.refreshCredentials(of: account, over: server) } == .gone)
        #expect(await meaning { try await minus.delete(post) } == .published)
        #expect(server.sent.isEmpty)
    }

    @Test func `a photo for Minus says why it does not go`() async throws {
        let server = Recording()
        let folder = try TemporaryFolder()
        let photo = try folder.photo([1], mediaType: "image/jpeg", at: TestClock().now)
        let account = OpenedAccount.sample(["access_token": "a"], [:])

        #expect(await meaning { try await minus.submit(.sample(photo, to: account, over: server)) } == .gone)
        #expect(server.sent.isEmpty)
    }

    @Test func `a server that speaks the protocol of Minus keeps no password here`() async throws {
        try await withScene(.minus) { scene in
            let receipt = try await scene.submit()

            let credentials = scene.post(receipt).account.credentials
            #expect(!String(decoding: credentials.serialized, as: UTF8.self).contains("\"secret\""))
            #expect((scene.host?.service as? FakeMinus)?.folders == ["Pics"])
        }
    }
}
