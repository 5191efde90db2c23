internal import Crypto
internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct EvernoteSubmitterTests {
    private let evernote = EvernoteSubmitter(servers: .any, threads: BlockingThreads(name: "files", count: 1))

    @Test func `calls have the bytes of the official encoder`() {
        let check = ThriftMessage(.call, "checkVersion", [1: .string("Pics/1.0; Linux"), 2: .i16(1), 3: .i16(28)])
        let list = ThriftMessage(.call, "listNotebooks", [1: .string("S=s1:U=1")])

        #expect(
            Hex.encode(check.serialized)
                == "800100010000000c636865636b56657273696f6e000000000b00010000000f506963732f312e303b204c696e75780600020001060003001c00"
        )
        #expect(
            Hex.encode(list.serialized)
                == "800100010000000d6c6973744e6f7465626f6f6b73000000000b000100000008533d73313a553d3100")
    }

    @Test func `a note has the bytes of the official encoder`() {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
        let hash = HashAlgorithm.md5.hash(of: picture)
        let content = ENML(caption: "a & b", mediaType: "image/jpeg", hash: Hex.encode(hash), altText: "")
        let resource: ThriftStruct = [
            3: .structure([1: .binary(hash), 2: .i32(4), 3: .binary(picture)]), 4: .string("image/jpeg"),
            11: .structure([10: .string("a.jpg")]),
        ]
        let note: ThriftStruct = [
            2: .string("t"), 3: .string(content.text), 6: .i64(1_795_219_200_000),
            11: .string("00000000-0000-0000-0000-000000000001"), 13: .list(of: 12, [.structure(resource)]),
        ]

        let bytes = ThriftMessage(.call, "createNote", [1: .string("S=s1:U=1"), 2: .structure(note)]).serialized

        #expect(bytes.count == 403)
        #expect(
            Hex.encode(bytes)
                == "800100010000000a6372656174654e6f7465000000000b000100000008533d73313a553d310c00020b000200000001740b0003000000cd"
                + Hex.encode(Array(content.text.utf8))
                + "0a0006000001a1fb6718000b000b0000002430303030303030302d303030302d303030302d303030302d303030303030303030303031"
                + "0f000d0c000000010c00030b000100000010f5ee0ec808cb0da7058c84210b3fbb87080002000000040b000300000004ffd8ffd9"
                + "000b00040000000a696d6167652f6a7065670c000b0b000a00000005612e6a706700000000")
    }

    @Test func `answers of the official encoder are read`() throws {
        let yes = try #require(message("800100020000000c636865636b56657273696f6e000000000200000100"))
        let list = try #require(
            message(
                "800100020000000d6c6973744e6f7465626f6f6b73000000000f00000c000000010b00010000002430303030303030302d303030302d303030302d303030302d3030303030303030303030310b00020000000450696373020006010000"
            ))
        let limit = try #require(
            message("800100020000000a6372656174654e6f7465000000000c0002080001000000130800030000003c0000"))

        #expect(yes.kind == .reply && yes.body[0]?.bool == true)
        #expect(list.body[0]?.list?.first?.structure?[2]?.string == "Pics")
        #expect(limit.body[2]?.structure?[1]?.int == 19 && limit.body[2]?.structure?[3]?.int == 60)
    }

    @Test(arguments: [
        "", "80", "8001000200000001", "800100020000000161000000000f00000c7fffffff", "80010002ffffffff",
        "800100020000000161000000000b00007fffffff00",
    ])
    func `what is no message is not read`(hex: String) {
        #expect(message(hex) == nil)
    }

    @Test func `a message that nests without end is not read`() {
        let deep = String(repeating: "0c0001", count: 10_000)

        #expect(message("800100020000000161000000000c0000\(deep)") == nil)
    }

    @Test func `words are escaped, and a title has what Evernote allows`() {
        let note = ENML(caption: "a <b>\n\"c\"", mediaType: "image/jpeg", hash: "0", altText: "x\"y")

        #expect(
            note.text.hasSuffix(
                #"<en-note>a &lt;b&gt;<br/>&quot;c&quot;<br/><en-media type="image/jpeg" hash="0" alt="x&quot;y"/></en-note>"#
            ))
        #expect(ENML.title(" Föhn\u{7} \u{2028}x \nsecond", or: "n") == "Föhn")
        #expect(ENML.title("\n", or: "n") == "n")
        #expect(ENML.title(String(repeating: "a", count: 300), or: "n").count == 255)
    }

    @Test(arguments: [("S=s1:U=1:E=16e:H=0", true), ("nonsense", true), ("", true), (FakeEvernote.token, false)])
    func `a token that has ended, or is none, is refused`(token: String, isRefused: Bool) async throws {
        try await withFake(FakeEvernote()) { _, server, transport in
            let result = await meaning {
                try await evernote.connect(["base_url": server.url, "token": token], over: transport)
            }

            #expect(result == (isRefused ? .rejected : .published))
        }
    }

    @Test(arguments: [(0, Reconciliation.absent), (120, nil), (499, nil), (500, .cannotTell)])
    func `a note is found behind notes that others made meanwhile, whenever its photo was taken`(
        count: Int, otherwise: Reconciliation?
    ) async throws {
        try await withScene(.evernote) { scene in
            let evernote = try #require(scene.host?.service as? FakeEvernote)
            scene.host?.fail("POST /shard/s1/notestore", count == 0 ? .resetBefore : .resetAfter)
            _ = await meaning { try await scene.submit() }
            evernote.add(notes: count, created: scene.clock.now)
            scene.clock.advance(by: 60)

            let found = try await scene.reconcile()

            if let otherwise { #expect(found == otherwise) } else { #expect(found.isFound) }
        }
    }

    @Test func `notes of earlier days end the search for one that is not there`() async throws {
        try await withScene(.evernote) { scene in
            let evernote = try #require(scene.host?.service as? FakeEvernote)
            evernote.add(notes: 600, created: scene.clock.now)
            scene.clock.advance(by: 86_400)
            scene.host?.fail("POST /shard/s1/notestore", .resetBefore)
            _ = await meaning { try await scene.submit() }
            scene.clock.advance(by: 60)

            let found = try await scene.reconcile()
            #expect(found == .absent)
        }
    }

    @Test func `notebooks are albums, made once whatever their capitals`() async throws {
        try await withScene(.evernote) { scene in
            let post = scene.post(try await scene.submit())

            let made = try await evernote.createAlbum(named: "Föhn", of: post.account, over: post.transport)
            let again = try await evernote.createAlbum(named: "föhn", of: post.account, over: post.transport)

            #expect(made == again)
            #expect(try await evernote.albums(of: post.account, over: post.transport).map(\.name) == ["Notes", "Föhn"])
        }
    }

    @Test func `a note lies in its notebook and tells where its photo was taken`() async throws {
        try await withFake(FakeEvernote()) { service, server, transport in
            let connected = try await evernote.connect(
                ["base_url": server.url, "token": FakeEvernote.token], over: transport)
            let album = try await evernote.createAlbum(named: "Lakes", of: connected.opened(), over: transport)
            let folder = try TemporaryFolder()
            let sample = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: .now)
            let photo = SamplePhoto(
                photo: OutgoingPhoto(
                    isVideo: false, code: sample.code, owner: "alice", takenAt: nil, createdAt: .now,
                    position: Position(latitude: -33.5, longitude: 151.25)), file: sample.file)

            _ = try await evernote.submit(
                .sample(photo, to: connected.opened(["album": .string(album.id)]), over: transport))

            #expect(service.places == ["\(album.id) -33.5"])
        }
    }

    @Test func `the words of a note are changed, and its picture stays`() async throws {
        try await withScene(.evernote) { scene in
            let post = scene.post(try await scene.submit())

            try await evernote.edit(post, text: "Sea & <sand>", altText: "Waves")

            let effects = scene.host?.service.effects
            #expect(effects?.map(\.text) == ["Sea & <sand>"])
            #expect(effects?.first?.media.map(\.altText) == ["Waves"])
        }
    }

    @Test func `the account's own limit is read`() async throws {
        try await withScene(.evernote) { scene in
            let account = scene.post(Receipt(remoteID: "1", url: nil)).account

            #expect(evernote.mediaRule(account.settings).maximumPictureBytes == 26_214_400)
            let fresh = try await evernote.refreshSettings(
                of: account, over: scene.post(Receipt(remoteID: "", url: nil)).transport)
            #expect(fresh?["resource_size_limit"] == 26_214_400)
        }
    }

    @Test func `a revoked token is good no more, and revoking it again is no error`() async throws {
        try await withScene(.evernote) { scene in
            let post = scene.post(Receipt(remoteID: "1", url: nil))

            try await evernote.revoke(post.account, over: post.transport)
            try await evernote.revoke(post.account, over: post.transport)

            #expect(await scene.meaningOfFirstFailure() == .unauthorized)
        }
    }

    @Test(arguments: [
        (2, "authenticationToken", Meaning.unauthorized), (3, "authenticationToken", .unauthorized),
        (8, "", .unauthorized), (9, "authenticationToken", .unauthorized), (21, "", .unauthorized),
        (2, "Note.title", .rejected), (3, "Note.notebookGuid", .rejected), (18, "Notebook", .rejected),
        (27, "", .unauthorized),
    ])
    func `a code and what it is about say what happens next`(
        code: Int, parameter: String, expected: Meaning
    ) async throws {
        try await withScene(.evernote) { scene in
            (scene.host?.service as? FakeEvernote)?.refuse(code, parameter)

            #expect(await scene.meaningOfFirstFailure() == expected)
        }
    }

    @Test func `a limit of devices is no closed account`() async throws {
        try await withScene(.evernote) { scene in
            (scene.host?.service as? FakeEvernote)?.refuse(21, "")

            #expect(await unauthorized { try await scene.submit() }?.problem.code == .deviceLimitReached)
        }
    }

    @Test func `a limit holds as long as Evernote says`() async throws {
        let limit = "800100020000000a6372656174654e6f7465000000000c0002080001000000130800030000003c0000"
        let server = Recording(
            .success(IncomingResponse(status: .ok, body: Hex.decode(limit) ?? [])))
        let folder = try TemporaryFolder()
        let clock = TestClock()
        let photo = try folder.photo([1], mediaType: "image/jpeg", at: clock.now)
        let task = SubmissionTask.sample(photo, to: .sample(["token": "t"], [:]), over: server, clock: clock)

        #expect(await limitMet { try await evernote.submit(task) }?.until == clock.now.addingTimeInterval(60))
    }

    private func message(_ hex: String) -> ThriftMessage? { Hex.decode(hex).flatMap { ThriftMessage(parsing: $0) } }
}
