import Crypto
import Curl
import Domain
import EventLoops
import Fakes
import Foundation
import HTTP
import Logging
import Postgres
import Store
import Submitters
import TestSupport
import TestTools
import Web

@testable import Formats
@testable import Notices

private let threads = BlockingThreads(name: "notices", count: 1)

/// Addresses with a real database, real connections and a mail server.
struct Bench: Sendable {
    let database: Database
    let store: PicsStore
    let alice: User
    let fake: FakeMail
    let server: FakeServer
    let delivery: MailDelivery

    func notifier(
        adjust: (inout MailNotifier.Configuration) -> Void = { _ in }
    ) -> MailNotifier {
        var configuration = MailNotifier.Configuration()
        adjust(&configuration)
        return MailNotifier(configuration, delivery: delivery, logger: .silent)
    }

    /// Sends what is due, as the periodic task does.
    @discardableResult
    func send() async throws -> Int { try await notifier().sendDue() }

    /// What waits is due.
    func passTime() async throws { try await database.change("UPDATE mails SET due_at = now() - interval '1 s'") }

    func choose(
        _ address: String = "alice@example.org", kinds: Set<NoticeAddress.Kind> = [.posts, .logins],
        digest: NoticeAddress.Digest = .none, language: String = "en", of user: User? = nil
    ) async throws -> Bool {
        try await store.choose(
            NoticeChoice(address: address, language: language, kinds: kinds, digest: digest), of: (user ?? alice).id,
            addressHash: SHA256Digest(of: address.lowercased()).bytes)
    }

    /// Gives the user a confirmed address, without a mail.
    func confirm(
        _ address: String = "alice@example.org", digest: NoticeAddress.Digest = .none, language: String = "en",
        of user: User? = nil
    ) async throws {
        _ = try await choose(address, digest: digest, language: language, of: user)
        try await database.change("DELETE FROM mails")
        try await database.change(
            "UPDATE mail_addresses SET confirmed_at = now() WHERE user_id = $1", [(user ?? alice).id.uuid])
    }

    var address: NoticeAddress? { get async throws { try await store.noticeAddress(of: alice.id) } }

    var waiting: Int {
        get async throws {
            try await database.run(
                Query<Int32>("test_waiting_mails", "SELECT 1 AS n FROM mails") { row throws(PostgresError) in
                    try row.get("n")
                }
            ).count
        }
    }

    /// All words of a mail as a receiver reads them: fields, text and markup.
    func words(_ place: Int) -> String {
        let bytes = fake.deliveries[place].bytes
        let unfolded = String(decoding: bytes, as: UTF8.self).replacing("=\r\n", with: "").replacing("\r\n ", with: " ")
        return unfolded.replacing("=3D", with: "=").replacing("=2E", with: ".")
    }

    /// The token of the only link below this path in a mail.
    func token(_ path: String, in place: Int) throws -> String {
        let words = words(place)
        let found = try Regex("\(path)[?](?:token|invitation)=([A-Za-z0-9_-]+)").firstMatch(in: words)
        guard let token = found?[1].substring else { throw StoreError.notFound }
        return String(token)
    }

    // MARK: What happens

    func submission(caption: String = "Boat") async throws -> UUID {
        let (photo, account, id) = (try await photo(caption: caption), try await account(), UUID())
        try await database.change(
            """
            INSERT INTO submissions (id, photo_id, connection_id, text, is_cut, length) VALUES ($1, $2, $3, '', false, 0)
            """, [id, photo.uuid, account])
        return id
    }

    func account() async throws -> UUID {
        let id = UUID()
        try await database.change(
            """
            INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
            VALUES ($1, $2, 'flickr', gen_random_uuid()::text, 'alice@flickr', '')
            """, [id, alice.id.uuid])
        try await database.change("INSERT INTO gates (name) VALUES ('flickr') ON CONFLICT DO NOTHING")
        try await database.change(
            "INSERT INTO lanes (connection_id, service, gate, max_running) VALUES ($1, 'flickr', 'flickr', 1)", [id])
        return id
    }

    func photo(caption: String = "Boat") async throws -> PhotoID {
        try await database.change(
            "INSERT INTO blobs (sha256, bytes, media_type) VALUES (sha256('1'), 1, 'image/png') ON CONFLICT DO NOTHING")
        let id = PhotoID.make()
        try await database.change(
            """
            INSERT INTO photos (id, owner_id, sha256, kind, width, height, caption)
            VALUES ($1, $2, sha256('1'), 'photo', 1, 1, $3)
            """, [id.uuid, alice.id.uuid, caption])
        try await database.change(
            "INSERT INTO short_links (code, photo_id) VALUES ($1, $2)", [ShortCode.make().description, id.uuid])
        return id
    }

    func end(_ submission: UUID, _ state: String) async throws {
        try await database.change(
            "UPDATE submissions SET state = $2::text::submission_state, updated_at = now() WHERE id = $1",
            [submission, state])
    }

    func loseLogin(_ account: UUID) async throws {
        try await database.change("UPDATE connections SET state = 'needs_login' WHERE id = $1", [account])
    }

    func respond(to photo: PhotoID, _ key: String, kind: Response.Kind = .comment) async throws {
        _ = try await store.keep(
            FoundResponse(
                kind: kind, key: key, author: FoundAuthor(key: "ann", name: "Ann"), text: "Lovely", isOwn: false),
            to: photo, source: Response.web)
    }
}

extension Queryable {
    @discardableResult
    func change(_ sql: String, _ parameters: [any ParameterConvertible] = []) async throws(PostgresError) -> Int {
        try await execute(Query("test_\(sql.hashValue)", sql, parameters))
    }
}

private let network = Result { () throws -> (EventLoop, CurlTransport) in
    let loop = try EventLoop(name: "notices-tests")
    return (
        loop,
        try CurlTransport(
            on: loop, threads: BlockingThreads(name: "tests-disk", count: 1),
            options: CurlOptions(userAgent: "pics-tests"))
    )
}

/// Runs `body` with a database of one user, and a mail server.
func withBench(
    _ options: FakeMail.Options = FakeMail.Options(), _ body: (Bench) async throws -> Void
) async throws {
    let (loop, transport) = try network.get()
    let fake = FakeMail(options)
    let server = try await FakeServer(FakeHost(fake), on: loop)
    let result: Result<Void, any Error>
    do {
        try await withTestDatabase(migrated: true) { database in
            let store = PicsStore(database: database)
            guard let sender = MailAddress("Pics <\(FakeMail.user)>"),
                let port = server.url.split(separator: ":").last.flatMap({ UInt16($0) })
            else { throw StoreError.notFound }
            let mails = MailSender(
                server: MailServer(
                    host: "127.0.0.1", port: port, security: .none, clientName: "pics.test",
                    login: .password(user: FakeMail.user, password: FakeMail.password), addressPolicy: .any),
                from: sender, over: transport, threads: threads)
            try await body(
                Bench(
                    database: database, store: store,
                    alice: try await store.addUser("alice", isAdmin: false, timeZone: "UTC"), fake: fake,
                    server: server,
                    delivery: MailDelivery(
                        store: store, sender: mails, keys: KeyRing(current: .random()),
                        addresses: Addresses(base: "https://pics.example"),
                        words: MailNoticeWords { $0.capitalized }.callAsFunction)))
        }
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await server.stop()
    try result.get()
}
