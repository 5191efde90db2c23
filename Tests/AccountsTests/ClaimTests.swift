internal import Actions
internal import Crypto
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Postgres
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

/// Connections that an app begins, whose browser comes back, and that the app ends.
struct ClaimTests {
    private func mastodon(_ clock: TestClock) -> FakeMastodon { FakeMastodon(now: { clock.now }) }

    /// One of alice's that has come back, and its code.
    private func arrived(
        _ bench: Bench, _ server: FakeServer
    ) async throws -> (id: AuthorizationID, code: String, parameters: FormFields) {
        let begun = try await bench.accounts().begin(
            try bench.submitter("mastodon"),
            AuthorizationDraft(
                user: bench.alice, by: .app, entered: ["base_url": server.url], chosen: ["caption": false],
                base: Bench.base))
        let parameters = try await bench.agree(to: begun.url, of: "mastodon")
        let ended = try await bench.accounts().end(
            AuthorizationCallback(service: "mastodon", parameters: parameters))
        guard case .arrived(let code) = ended.outcome else { throw AuthorizationError.unknown }
        return (begun.id, code.reveal(), parameters)
    }

    @Test func `the app that began ends it with the code, once, with what was chosen`() async throws {
        try await withBench(mastodon) { bench, server in
            let (id, code, _) = try await arrived(bench, server)
            #expect(try await bench.store.connections(of: bench.alice.id).isEmpty)
            #expect(!server.host.requests.contains { $0.route == "POST /oauth/token" })

            let made = try await bench.accounts().claim(id, code: code, of: bench.alice.id)

            let record = try await bench.store.connection(made.id, owner: bench.alice.id)
            #expect(record.settings.contains("\"caption\": false"))
            #expect(try await bench.store.authorization(id, of: bench.alice.id).connection == made.id)
            await #expect(throws: AuthorizationError.unknown) {
                try await bench.accounts().claim(id, code: code, of: bench.alice.id)
            }
        }
    }

    @Test func `another user, another code and the state are worth nothing`() async throws {
        try await withBench(mastodon) { bench, server in
            let (id, code, parameters) = try await arrived(bench, server)

            await #expect(throws: AuthorizationError.unknown) {
                try await bench.accounts().claim(id, code: code, of: bench.bob.id)
            }
            await #expect(throws: AuthorizationError.unknown) {
                try await bench.accounts().claim(id, code: code + "1", of: bench.alice.id)
            }
            for user in [nil, bench.alice.id, bench.bob.id] {
                let callback = AuthorizationCallback(service: "mastodon", parameters: parameters, user: user)
                await #expect(throws: user == nil ? AuthorizationError.used : .unknown) {
                    try await bench.accounts().end(callback)
                }
            }
            #expect(try await bench.store.connections(of: bench.bob.id).isEmpty)
            // None of it has spent what is the app's.
            #expect(try await bench.accounts().claim(id, code: code, of: bench.alice.id).service == "mastodon")
        }
    }

    @Test func `after ten minutes a code is nothing worth`() async throws {
        try await withBench(mastodon) { bench, server in
            let (id, code, _) = try await arrived(bench, server)
            bench.clock.advance(by: 601)

            await #expect(throws: AuthorizationError.expired) {
                try await bench.accounts().claim(id, code: code, of: bench.alice.id)
            }
        }
    }

    @Test func `of two claims at once one gets the account`() async throws {
        try await withBench(mastodon) { bench, server in
            let (id, code, _) = try await arrived(bench, server)

            let made = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        (try? await bench.accounts().claim(id, code: code, of: bench.alice.id)) != nil
                    }
                }
                return await group.reduce(into: 0) { count, isMade in count += isMade ? 1 : 0 }
            }

            #expect(made == 1)
            #expect(server.host.requests.filter { $0.route == "POST /oauth/token" }.count == 1)
        }
    }

    @Test func `what waits for its app lies sealed, and a new key opens it too`() async throws {
        try await withBench(mastodon) { bench, server in
            let (id, code, parameters) = try await arrived(bench, server)
            let secret = try #require(parameters["code"])
            let rows = try await bench.store.sealed(notBy: [UInt8](repeating: 0, count: 4), limit: 10)
            #expect(rows.count == 1 && !String(decoding: rows[0].sealed, as: UTF8.self).contains(secret))

            let ring = KeyRing(current: .random(), former: [bench.keys.current])
            _ = try await KeyRotation(store: bench.store, keys: ring).run()

            let made = try await bench.accounts(keys: ring).claim(id, code: code, of: bench.alice.id)
            #expect(made.service == "mastodon")
        }
    }
}
