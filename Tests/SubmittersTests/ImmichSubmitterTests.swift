internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct ImmichSubmitterTests {
    @Test func `what the library has already is found there, and is not deleted with the post`() async throws {
        try await withScene(.immich) { scene in
            let fake = try #require(scene.host?.service as? FakeImmich)
            let there = fake.add(scene.contents[0])
            let receipt = try await scene.submit()
            #expect(receipt.remoteID == "~\(there)")
            #expect(receipt.url == nil, "a library is its owner's alone")
            #expect(fake.effects.map(\.text) == ["Mine"])
            #expect(await meaning { try await scene.edit(receipt, text: "Other", altText: "") } == .rejected)
            try await scene.delete(receipt)
            #expect(fake.effects.map(\.id) == [there])
        }
    }

    @Test func `what lies in the trash there is taken out of it`() async throws {
        try await withScene(.immich) { scene in
            let fake = try #require(scene.host?.service as? FakeImmich)
            let there = fake.add(scene.contents[0], isTrashed: true)
            _ = try await scene.submit()
            #expect(fake.effects.map(\.id) == [there])
        }
    }

    @Test(arguments: [true, false])
    func `after a lost answer a file is the owner's when it was there before, and the post's when it was not`(
        wasThere: Bool
    ) async throws {
        try await withScene(.immich) { scene in
            let fake = try #require(scene.host?.service as? FakeImmich)
            if wasThere { fake.add(scene.contents[0]) }
            scene.host?.fail("POST /api/assets", .resetAfter)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            let receipt = try await scene.submit()
            #expect(receipt.remoteID.hasPrefix("~") == wasThere)
            try await scene.delete(receipt)
            #expect(fake.effects.isEmpty == !wasThere)
        }
    }

    @Test func `a public link is made once, and ends with the post, also where the file stays`() async throws {
        var subject = Subject.immich
        subject.settings = ["share": true]
        try await withScene(subject) { scene in
            let fake = try #require(scene.host?.service as? FakeImmich)
            let there = fake.add(scene.contents[0])
            let first = try await scene.submit()
            #expect(try await scene.submit() == first)
            #expect(fake.links == [there] && first.url != nil)
            try await scene.delete(first)
            #expect(fake.links.isEmpty && fake.effects.map(\.id) == [there])
        }
    }

    @Test(arguments: [2, 3])
    func `albums are the person's own, and a photo is put into one once`(version: Int) async throws {
        var subject = Subject.immich("immich", version: version)
        subject.settings = ["album": "album-1", "share": true]
        try await withScene(subject) { scene in
            let fake = try #require(scene.host?.service as? FakeImmich)
            let receipt = try await scene.submit()
            #expect(fake.albumNames == ["Holiday"])
            #expect(fake.links == [receipt.remoteID])
            #expect(receipt.url?.hasSuffix("/share/key-of-\(receipt.remoteID)") == true)
            let albums = try #require(scene.submitter as? any AlbumSubmitter)
            let account = scene.post(receipt).account
            #expect(
                try await albums.albums(of: account, over: scene.post(receipt).transport).map(\.name) == ["Holiday"])
        }
    }

    @Test func `a server that is no Immich gets no key`() async throws {
        let server = Recording(.response(404, ["message": "no"]))
        let threads = BlockingThreads(name: "files", count: 1)
        defer { threads.stop() }
        let immich = ImmichSubmitter(servers: .any, threads: threads)
        #expect(
            await meaning {
                try await immich.connect(["base_url": "https://photos.test", "api_key": "secret"], over: server)
            } == .rejected)
        #expect(server.sent.count == 1 && server[0].fields["x-api-key"] == nil)
    }
}
