internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct DropboxSubmitterTests {
    private let dropbox = DropboxSubmitter(servers: .any, threads: BlockingThreads(name: "files", count: 1))

    @Test(arguments: [
        (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (4_194_304, "c7e946d101855255d919ef0c70718633adf77d3dfb3adeeecf5d0cb4e951be58"),
        (4_194_305, "14a4d47f23a30177885d9820122f17d2d3a55fe63f7f5c27b95f689e0b2accd6"),
    ])
    func `zero bytes have the content hash that others compute`(count: Int, hash: String) throws {
        let folder = try TemporaryFolder()
        try Data(count: count).write(to: URL(fileURLWithPath: "\(folder.path)/zeros"))

        #expect(
            try DropboxContentHash.of(file: "\(folder.path)/zeros", offset: 0, length: Int64(count)) == hash)
    }

    @Test func `a stretch of a file has its own hash, and one that is not there is an error`() throws {
        let folder = try TemporaryFolder()
        try Data("xabcx".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/abc"))

        #expect(
            try DropboxContentHash.of(file: "\(folder.path)/abc", offset: 1, length: 3)
                == "4f8b42c22dd3729b519ba6f68d2da7cc5b2d606d05daed5ad5128cc03e6c6358")
        #expect(throws: ArchiveError.shortOriginal) {
            try DropboxContentHash.of(file: "\(folder.path)/abc", offset: 1, length: 30)
        }
    }

    @Test func `arguments stand in a header field as ASCII`() {
        #expect(
            DropboxAPI.headerSafe(["path": "/Föhn 🏔\u{7F}"]) == #"{"path":"/F\u00f6hn \ud83c\udfd4\u007f"}"#)
    }

    @Test func `an account is connected in the browser, with PKCE and a token that is renewed`() async throws {
        var options = FakeDropbox.Options()
        options.oauth.clientSecret = nil
        try await withFake(FakeDropbox(options)) { _, server, transport in
            let app = ClientCredentials(["client_id": "client-id", "base_url": server.url])

            let account = try await Browser(app: app, transport: transport).connect(dropbox)

            #expect(account.name == "alice@example.com")
            #expect(account.settings["base_url"] == .string(server.url))
            let fresh = try await dropbox.refreshCredentials(of: account.opened(), over: transport)
            #expect(fresh["access_token"] != account.credentials["access_token"])
            #expect(fresh["refresh_token"] == account.credentials["refresh_token"])
        }
    }

    @Test func `a revoked account is let in no more, and revoking it again is no error`() async throws {
        try await withFake(FakeDropbox()) { _, server, transport in
            let account = try await dropbox.connect(entries(server.url), over: transport).opened()

            try await dropbox.revoke(account, over: transport)
            try await dropbox.revoke(account, over: transport)

            #expect(await meaning { try await dropbox.albums(of: account, over: transport) } == .unauthorized)
            #expect(
                await meaning { try await dropbox.refreshCredentials(of: account, over: transport) } == .unauthorized)
        }
    }

    @Test func `folders are albums, and one that is there is found`() async throws {
        try await withFake(FakeDropbox()) { _, server, transport in
            let account = try await dropbox.connect(entries(server.url), over: transport).opened()

            let made = try await dropbox.createAlbum(named: "Föhn", of: account, over: transport)
            let again = try await dropbox.createAlbum(named: "Föhn", of: account, over: transport)
            let albums = try await dropbox.albums(of: account, over: transport)

            #expect(made == again)
            #expect(albums == [Album(id: "/Pics", name: "Pics"), Album(id: "/Föhn", name: "Föhn")])
            #expect(
                await meaning { try await dropbox.createAlbum(named: "a/b", of: account, over: transport) } == .rejected
            )
        }
    }

    @Test func `a photo lies in its album under the time it was taken`() async throws {
        try await withScene(.dropboxShared) { scene in
            _ = try await scene.submit()

            let path = (scene.host?.service as? FakeDropbox)?.paths.first
            #expect(path?.hasPrefix("/Pics/2026-11-20_194200_") == true)
            #expect(path?.hasSuffix(".jpg") == true)
        }
    }

    @Test func `an upload goes on at the byte that Dropbox has confirmed`() async throws {
        try await withScene(.dropboxVideo) { scene in
            scene.host?.fail("POST /2/files/upload_session/append_v2", .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .temporary)

            _ = try await scene.submit()

            let appends = scene.host?.requests.filter { $0.route.hasSuffix("append_v2") } ?? []
            // The first came twice; the second time Dropbox told where it stands.
            #expect(appends.map(\.request.body.count) == [12_000, 12_000, 12_000, 6_000])
            #expect(appends.map(\.status) == [nil, 409, 200, 200])
            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `an upload that Dropbox has forgotten begins anew`() async throws {
        try await withScene(.dropboxVideo) { scene in
            scene.host?.fail("POST /2/files/upload_session/finish", .status(429))
            #expect(await scene.meaningOfFirstFailure() == .limited)
            (scene.host?.service as? FakeDropbox)?.dropSessions()

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: [
        ("path/conflict/file/..", Meaning.rejected), ("path/insufficient_space/.", .limited),
        ("path/malformed_path/", .rejected), ("path/too_many_write_operations/", .temporary),
        ("content_hash_mismatch/", .temporary),
    ])
    func `a refusal says what happens next`(summary: String, expected: Meaning) async throws {
        try await withScene(.dropbox) { scene in
            scene.host?.fail(
                "POST /2/files/upload", .status(409, body: #"{"error_summary":"\#(summary)","error":{}}"#))

            #expect(await scene.meaningOfFirstFailure() == expected)
        }
    }

    @Test func `a link that may not be made does not undo the upload`() async throws {
        try await withScene(.dropboxShared) { scene in
            scene.host?.fail("POST /2/sharing/create_shared_link_with_settings", .status(403))

            let receipt = try await scene.submit()

            #expect(receipt.url == nil)
            #expect(scene.publishedIDs == [receipt.remoteID])
        }
    }

    @Test func `what has a public link goes without its secrets`() {
        #expect(dropbox.mediaRule([:]).copy == .tagged)
        #expect(dropbox.mediaRule(["share": true]).copy == .cleaned)
    }

    private func entries(_ url: String) -> [String: String] {
        [
            "base_url": url, "client_id": "client-id", "client_secret": "client-secret",
            "refresh_token": "dropbox-refresh",
        ]
    }
}
