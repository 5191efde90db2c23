internal import Accounts
internal import Actions
internal import Crypto
internal import Curl
internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import Logging
internal import Postgres
internal import Store
internal import Submitters
internal import TestSupport
internal import TestTools
internal import Testing

/// AccountActions, with a real database, real requests, and fakes in place of the services.
struct Bench: Sendable {
    let database: Database
    let store: PicsStore
    let registry: Registry
    let keys: KeyRing
    let alice: User
    let bob: User
    let transport: CurlTransport
    let clock: TestClock

    static let base = "https://pics.test"

    /// Keys of applications by service and field are as the settings say.
    func accounts(_ settings: [String: [String: String]] = [:], keys: KeyRing? = nil) -> AccountActions {
        AccountActions(
            AccountReader(
                store: store, registry: registry, keys: keys ?? self.keys, transport: transport, now: { clock.now }),
            settings: settings, addresses: Addresses(base: Self.base), logger: .silent)
    }

    /// A service that is connected in the browser.
    func submitter(_ name: String) throws -> any OAuthSubmitter { try #require(registry[name] as? any OAuthSubmitter) }

    /// Opens an address as a browser does; the query of the callback that it is sent to, without following it.
    func agree(to url: String, of service: String) async throws -> FormFields {
        let page = try await transport.send(OutgoingRequest(url: url, addressPolicy: .any))
        let location = try #require(page.fields["Location"])
        let callback = "\(Self.base)/auth/\(service)/callback?"
        #expect(location.hasPrefix(callback))
        return try #require(FormFields(String(location.dropFirst(callback.count))))
    }
}

private let network = Result { () throws -> (EventLoop, CurlTransport) in
    let loop = try EventLoop(name: "accounts-tests")
    return (
        loop,
        try CurlTransport(
            on: loop, threads: BlockingThreads(name: "tests-disk", count: 1),
            options: CurlOptions(userAgent: "pics-tests"))
    )
}

/// Runs `body` with an empty database of two users and a fake; `service` is told the time of the bench's clock.
func withBench<Service: FakeService>(
    servers: ServerPolicy = .any, _ service: (TestClock) -> Service,
    _ body: (Bench, FakeServer) async throws -> Void
) async throws {
    let (loop, transport) = try network.get()
    // The database has a clock too.
    let clock = TestClock(at: Date())
    let server = try await FakeServer(FakeHost(service(clock)), on: loop)
    let threads = BlockingThreads(name: "accounts-tests", count: 1)
    defer { threads.stop() }
    do {
        try await withTestDatabase(migrated: true) { database in
            let store = PicsStore(database: database)
            let bench = Bench(
                database: database, store: store,
                registry: .standard(SubmitterConfiguration(archive: "/nowhere", threads: threads, servers: servers)),
                keys: KeyRing(current: .random()),
                alice: try await store.addUser("alice", isAdmin: false, timeZone: "UTC"),
                bob: try await store.addUser("bob", isAdmin: false, timeZone: "UTC"), transport: transport,
                clock: clock)
            try await body(bench, server)
        }
        await server.stop()
    } catch {
        await server.stop()
        throw error
    }
}
