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
import TestSupport
import TestTools
import Web

@testable import Push

/// Browsers with a real database, real requests and a push service.
struct Bench: Sendable {
    let database: Database
    let store: PicsStore
    let alice: User
    let bob: User
    let transport: CurlTransport
    let service: FakePushService
    let keys = KeyRing(current: .random())
    let loop: EventLoop

    /// As an operator who allows this machine, or as one who does not.
    func push(_ policy: ServerPolicy = .any, hosts: [PushHost] = [.exactly("127.0.0.1")], keys: KeyRing? = nil)
        -> PushDelivery
    {
        PushDelivery(
            store: store, keys: keys ?? self.keys, transport: transport,
            hosts: PushHosts(others: hosts, policy: policy), addresses: Addresses(base: "https://pics.example"),
            contact: nil, timeout: .seconds(10), logger: .silent,
            words: NotificationWords { $0.capitalized }.callAsFunction)
    }

    /// One that looks often and tries again soon.
    func sender(
        _ push: PushDelivery? = nil, adjust: (inout PushSender.Configuration) -> Void = { _ in }
    ) -> PushSender {
        var configuration = PushSender.Configuration()
        configuration.pause = .milliseconds(50)
        configuration.rest = .milliseconds(10)
        configuration.backoff = Backoff(base: .milliseconds(200), cap: .milliseconds(400))
        adjust(&configuration)
        return PushSender(configuration, push: push ?? self.push(), loop: loop, logger: .silent)
    }

    /// Sends until `body` has returned.
    func sending(_ sender: PushSender? = nil, _ body: () async throws -> Void) async throws {
        let sender = sender ?? self.sender()
        let run = Task { await sender.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await sender.stop(within: .zero)
        await run.value
        try result.get()
    }

    func session(of user: User) async throws -> SessionID {
        let id = SessionID.make()
        try await database.change(
            """
            INSERT INTO sessions (id, user_id, hash, browser, address)
            VALUES ($1, $2, sha256(gen_random_uuid()::text::bytea), 'Firefox', '')
            """, [id.uuid, user.id.uuid])
        return id
    }

    /// Subscribes the service's browser in a new session of the user's.
    @discardableResult
    func subscribe(
        _ user: User? = nil, endpoint: String? = nil, language: String = "en", push: PushDelivery? = nil
    ) async throws -> PushSubscription {
        let user = user ?? alice
        let push = push ?? self.push()
        let session = try await session(of: user)
        try await push.subscribe(
            endpoint ?? service.endpoint, point: service.p256dh, secret: service.auth, session: session,
            owner: user.id, language: language)
        service.subscribe(Base64URL.encode(try await push.key.key().publicPoint))
        return try await store.pushSubscriptions(of: user.id).first { $0.session == session } ?? missing()
    }

    private func missing() throws -> PushSubscription { throw StoreError.notFound }

    func subscriptions(of user: User? = nil) async throws -> [PushSubscription] {
        try await store.pushSubscriptions(of: (user ?? alice).id)
    }

    /// The only subscription, as soon as it is as a test waits for; the test's time limit bounds it.
    func subscription(_ isIt: (PushSubscription) -> Bool) async throws -> PushSubscription {
        var found: PushSubscription?
        try await until {
            found = try await subscriptions().first(where: isIt)
            return found != nil
        }
        return try found ?? missing()
    }

    // MARK: What happens

    /// A submission of alice's that waits.
    func submission(caption: String = "Boat", of user: User? = nil) async throws -> UUID {
        let (photo, account, id) = (try await photo(caption: caption, of: user), try await account(of: user), UUID())
        try await database.change(
            """
            INSERT INTO submissions (id, photo_id, connection_id, text, is_cut, length) VALUES ($1, $2, $3, '', false, 0)
            """, [id, photo.uuid, account])
        return id
    }

    func account(of user: User? = nil) async throws -> UUID {
        let id = UUID()
        try await database.change(
            """
            INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
            VALUES ($1, $2, 'flickr', gen_random_uuid()::text, 'alice@flickr', '')
            """, [id, (user ?? alice).id.uuid])
        try await database.change(
            "INSERT INTO gates (name) VALUES ('flickr') ON CONFLICT DO NOTHING")
        try await database.change(
            "INSERT INTO lanes (connection_id, service, gate, max_running) VALUES ($1, 'flickr', 'flickr', 1)", [id])
        return id
    }

    func photo(caption: String = "Boat", of user: User? = nil) async throws -> PhotoID {
        try await database.change(
            "INSERT INTO blobs (sha256, bytes, media_type) VALUES (sha256('1'), 1, 'image/png') ON CONFLICT DO NOTHING")
        let id = PhotoID.make()
        try await database.change(
            """
            INSERT INTO photos (id, owner_id, sha256, kind, width, height, caption)
            VALUES ($1, $2, sha256('1'), 'photo', 1, 1, $3)
            """, [id.uuid, (user ?? alice).id.uuid, caption])
        try await database.change(
            "INSERT INTO short_links (code, photo_id) VALUES ($1, $2)", [ShortCode.make().description, id.uuid])
        return id
    }

    /// Gives a submission a state, as the queue does.
    func end(_ submission: UUID, _ state: String) async throws {
        try await database.change(
            "UPDATE submissions SET state = $2::text::submission_state, updated_at = now() WHERE id = $1",
            [submission, state])
    }

    func loseLogin(_ account: UUID) async throws {
        try await database.change("UPDATE connections SET state = 'needs_login' WHERE id = $1", [account])
    }

    /// Visitors like a photo.
    func like(_ photo: PhotoID, visitors: Range<Int> = 0..<1) async throws {
        for number in visitors {
            guard let visitor = Visitor(hash: SHA256Digest(of: "\(photo) \(number)").bytes) else { continue }
            try await store.setLike(true, on: photo, by: visitor)
        }
    }

    /// What waits is due.
    func passTime() async throws { try await database.change("UPDATE push_messages SET due_at = now()") }

    var waiting: Int {
        get async throws {
            try await database.run(
                Query<Int32>("test_waiting", "SELECT 1 AS n FROM push_messages") { row throws(PostgresError) in
                    try row.get("n")
                }
            ).count
        }
    }
}

extension Queryable {
    @discardableResult
    func change(_ sql: String, _ parameters: [any ParameterConvertible] = []) async throws(PostgresError) -> Int {
        try await execute(Query("test_\(sql.hashValue)", sql, parameters))
    }
}

private let network = Result { () throws -> (EventLoop, CurlTransport) in
    let loop = try EventLoop(name: "push-tests")
    return (
        loop,
        try CurlTransport(
            on: loop, threads: BlockingThreads(name: "tests-disk", count: 1),
            options: CurlOptions(userAgent: "pics-tests"))
    )
}

/// Runs `body` with an empty database of two users, and a push service.
func withBench(
    _ react: @escaping @Sendable (FakePushService.Message, Int) -> (status: Int, fields: HTTPFields) = { _, _ in
        (201, [:])
    },
    _ body: (Bench) async throws -> Void
) async throws {
    let (loop, transport) = try network.get()
    let service = try await FakePushService(on: loop, react)
    let result: Result<Void, any Error>
    do {
        try await withTestDatabase(migrated: true) { database in
            let store = PicsStore(database: database)
            try await body(
                Bench(
                    database: database, store: store,
                    alice: try await store.addUser("alice", isAdmin: false, timeZone: "UTC"),
                    bob: try await store.addUser("bob", isAdmin: false, timeZone: "UTC"), transport: transport,
                    service: service, loop: loop))
        }
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await service.stop()
    try result.get()
}
