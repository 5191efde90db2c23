internal import Curl
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

private let servers = (ProcessInfo.processInfo.environment["PICS_TEST_WEBDAV"] ?? "").split(separator: " ")
    .map(String.init)

/// WebDAV servers that somebody else wrote, where some run: `PICS_TEST_WEBDAV` holds the addresses of folders of a user `alice`
/// with the password `app-password`, with spaces between, such as `http://127.0.0.1:8081/dav`.
@Suite(.enabled(if: !servers.isEmpty))
struct WebDAVServerTests {
    private let webDAV = WebDAVSubmitter(servers: .any)
    /// Each test's own.
    private let album: String
    private let folder: TemporaryFolder
    private let photo: SamplePhoto
    private let transport: CurlTransport

    init() throws {
        folder = try TemporaryFolder()
        photo = try folder.photo(Array("picture".utf8), mediaType: "image/jpeg", at: TestClock().now)
        album = "Föhn & sea/\(photo.code)"
        transport = try Network.shared.get().transport
    }

    @Test(arguments: servers)
    func `a photo arrives once in a folder that is made for it, and nothing else`(server: String) async throws {
        let account = try await connect(to: server)
        _ = try await webDAV.createAlbum(named: "Harbour", of: account, over: transport)
        _ = try await webDAV.createAlbum(named: "Harbour", of: account, over: transport)

        let receipt = try await webDAV.submit(task(for: account, MemoryJournal()))

        #expect(receipt.remoteID.hasPrefix("\(album)/"))
        #expect(try await names(account) == [receipt.remoteID.split(separator: "/").last.map(String.init)])
        try await delete(receipt, account)
        try await delete(receipt, account)
        #expect(try await names(account) == [])
    }

    @Test(arguments: servers)
    func `a move that the server refuses is looked at, and leaves nothing behind`(server: String) async throws {
        let account = try await connect(to: server)
        let receipt = try await webDAV.submit(task(for: account, MemoryJournal()))

        // The same photo once more, as after a receipt that was lost.
        #expect(try await webDAV.submit(task(for: account, MemoryJournal())) == receipt)
        #expect(try await names(account).count == 1)
        // Another file of that name.
        let another = try folder.photo(Array("another picture".utf8), mediaType: "image/jpeg", at: TestClock().now)
        let other = task(for: account, MemoryJournal(), another.file)
        #expect(await meaning { try await webDAV.submit(other) } == .rejected)
        #expect(try await names(account).count == 1)
        try await delete(receipt, account)
    }

    @Test(arguments: servers)
    func `a wrong password connects nobody`(server: String) async {
        let entries = ["base_url": server, "username": "alice", "password": "wrong"]

        let problem = await refusal { try await webDAV.connect(entries, over: transport) }

        #expect(problem?.problem.code == .credentialsRefused)
    }

    private func connect(to server: String) async throws -> OpenedAccount {
        let entries = ["base_url": server, "username": "alice", "password": "app-password"]
        return try await webDAV.connect(entries, over: transport).opened(["album": .string(album)])
    }

    private func task(
        for account: OpenedAccount, _ journal: MemoryJournal, _ file: OutgoingFile? = nil
    ) -> SubmissionTask {
        let sample = SamplePhoto(photo: photo.photo, file: file ?? photo.file)
        return .sample(sample, to: account, over: transport, journal: journal)
    }

    private func delete(_ receipt: Receipt, _ account: OpenedAccount) async throws {
        try await webDAV.delete(
            Submitters.PublishedPost(
                remoteID: receipt.remoteID, url: nil, account: account, transport: transport, now: TestClock().read))
    }

    /// The names in the album's folder, hidden files too.
    private func names(_ account: OpenedAccount) async throws -> [String?] {
        let folder = WebDAVFolder(account.settings)
        let pair = Data("alice:app-password".utf8).base64EncodedString()
        let api = WebDAVAPI(
            api: AccountAPI(
                client: ServiceClient(service: "WebDAV", transport: transport, now: TestClock().read),
                origin: folder.origin, authorization: "Basic \(pair)", addresses: .any), folder: folder)
        let path = folder.path(of: WebDAVSubmitter.folders(album)) + "/"
        return try await api.resources(at: path, depth: 1)?.dropFirst().map(\.name) ?? []
    }
}
