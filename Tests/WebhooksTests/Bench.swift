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
import Webhooks

/// Webhooks with a real database, real requests and real receivers.
struct Bench: Sendable {
    let database: Database
    let store: PicsStore
    let alice: User
    let bob: User
    let transport: CurlTransport
    let keys = KeyRing(current: .random())
    let loop: EventLoop

    /// As its own operator's, or as one whose users name only public addresses.
    func webhooks(_ policy: ServerPolicy = .any, timeout: Duration = .seconds(10)) -> WebhookDelivery {
        WebhookDelivery(store: store, keys: keys, transport: transport, policy: policy, timeout: timeout)
    }

    /// One that looks often and tries again soon.
    func sender(
        _ webhooks: WebhookDelivery? = nil, adjust: (inout WebhookSender.Configuration) -> Void = { _ in }
    ) -> WebhookSender {
        var configuration = WebhookSender.Configuration()
        configuration.pause = .milliseconds(50)
        configuration.backoff = Backoff(base: .milliseconds(200), cap: .milliseconds(400))
        adjust(&configuration)
        return WebhookSender(
            configuration, webhooks: webhooks ?? self.webhooks(), loop: loop, logger: .silent
        ) { submission, json in
            json.member("id", submission.id.description)
            json.member("state", submission.state.rawValue)
            json.member("problem", submission.problem?.text)
        } writeResponse: { response, json in
            json.member("id", response.id.description)
            json.member("text", response.text)
        }
    }

    /// Sends until `body` has returned.
    func sending(_ sender: WebhookSender? = nil, _ body: () async throws -> Void) async throws {
        let sender = sender ?? self.sender()
        let run = Task { await sender.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await sender.stop(within: .zero)
        await run.value
        try result.get()
    }

    /// Adds an account of a user's with so many submissions, their changes in their order.
    @discardableResult
    func submit(_ count: Int = 1, of user: User) async throws -> [String] {
        try await database.change(
            "INSERT INTO blobs (sha256, bytes, media_type) VALUES (sha256('1'), 1, 'image/png') ON CONFLICT DO NOTHING")
        let connection = UUID()
        try await database.change(
            """
            INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
            VALUES ($1, $2, 'file', gen_random_uuid()::text, 'archive', '')
            """, [connection, user.id.uuid])
        var made: [String] = []
        for _ in 0..<count {
            let id = UUID()
            try await database.change(
                """
                WITH photo AS (
                    INSERT INTO photos (id, owner_id, sha256, kind, width, height)
                    VALUES (gen_random_uuid(), $1, sha256('1'), 'photo', 1, 1) RETURNING id
                )
                INSERT INTO submissions (id, photo_id, connection_id, text, is_cut, length)
                SELECT $2, id, $3, '', false, 0 FROM photo
                """, [user.id.uuid, id, connection])
            made.append(id.uuidString.lowercased())
        }
        return made
    }

    /// A photo of a user's, with its link.
    func photo(of user: User) async throws -> UUID {
        let id = UUID()
        try await database.change(
            """
            WITH photo AS (
                INSERT INTO photos (id, owner_id, sha256, kind, width, height)
                VALUES ($2, $1, sha256('1'), 'photo', 1, 1) RETURNING id
            )
            INSERT INTO short_links (code, photo_id) SELECT 'Ab3dE9xZ', id FROM photo
            """, [user.id.uuid, id])
        return id
    }

    /// Changes a submission as the queue does.
    func change(_ submission: String, problem: String) async throws {
        try await database.change(
            "UPDATE submissions SET problem = $2, updated_at = now() WHERE id = $1::text::uuid", [submission, problem])
    }

    /// Another session changes a submission, later than the transaction that waits for it began.
    func later(_ submission: String) async throws(PostgresError) {
        try await database.change(
            "UPDATE submissions SET problem = 'late', updated_at = now() WHERE id = $1::text::uuid", [submission])
    }

    /// The webhook as soon as it is as a test waits for; the test's time limit bounds it.
    func webhook(_ id: WebhookID, _ isIt: (Webhook) -> Bool) async throws -> Webhook {
        var webhook = try await store.webhook(id, owner: alice.id)
        try await until {
            webhook = try await store.webhook(id, owner: alice.id)
            return isIt(webhook)
        }
        return webhook
    }
}

extension Queryable {
    @discardableResult
    func change(_ sql: String, _ parameters: [any ParameterConvertible] = []) async throws(PostgresError) -> Int {
        try await execute(Query("test_\(sql.hashValue)", sql, parameters))
    }
}

private let network = Result { () throws -> (EventLoop, CurlTransport) in
    let loop = try EventLoop(name: "webhook-tests")
    return (
        loop,
        try CurlTransport(
            on: loop, threads: BlockingThreads(name: "tests-disk", count: 1),
            options: CurlOptions(userAgent: "pics-tests"))
    )
}

/// Runs `body` with an empty database of two users. It is alone there: transactions of others hold webhooks back.
func withBench(_ body: (Bench) async throws -> Void) async throws {
    let (loop, transport) = try network.get()
    try await withTestDatabase(migrated: true) { database in
        let store = PicsStore(database: database)
        try await body(
            Bench(
                database: database, store: store,
                alice: try await store.addUser("alice", isAdmin: false, timeZone: "UTC"),
                bob: try await store.addUser("bob", isAdmin: false, timeZone: "UTC"), transport: transport, loop: loop))
    }
}

/// Runs `body` with a receiver besides.
func withReceiver(
    _ react: @escaping @Sendable (WebhookReceiver.Delivery, Int) -> WebhookReceiver.Reaction = { _, _ in .response(204)
    },
    _ body: (Bench, WebhookReceiver) async throws -> Void
) async throws {
    let receiver = try await WebhookReceiver(on: try network.get().0, react)
    do {
        try await withBench { try await body($0, receiver) }
        await receiver.stop()
    } catch {
        await receiver.stop()
        throw error
    }
}
