internal import Actions
internal import Crypto
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Store
internal import Submitters
internal import Testing

struct KeyRotationTests {
    /// Connects accounts of alice's server, one a token's name, and enters keys of an application.
    private func fill(_ bench: Bench, _ keys: KeyRing, accounts: Int) async throws {
        for number in 0..<accounts {
            let context = "connection/mastodon/\(number)"
            _ = try await bench.store.connect(
                NewAccount(
                    id: .make(), owner: bench.alice.id, service: "mastodon", remoteID: "\(number)",
                    account: "\(number)", credentials: try keys.seal(Array("{}".utf8), context: context),
                    settings: "{}", lane: NewLane(gate: "mastodon", maximumRunning: 1)))
        }
        try await bench.accounts(keys: keys).applications.put(["client_id": "mine"], for: "twitter")
    }

    @Test func `a rotation that was interrupted goes on with the same key until nothing needs the old one`()
        async throws
    {
        try await withKeyFile { path in
            try await withBench({ _ in FakeMastodon() }) { bench, _ in
                let keys = try KeyFile.loadOrCreate(path)
                let old = keys.current.id
                try await fill(bench, keys, accounts: 5)
                try KeyFile.addKey(path)
                var report = KeyRotation.Report()
                let rotation = KeyRotation(store: bench.store, keys: keys)
                _ = try await rotation.step(2, after: nil, &report)
                #expect(try await rotation.isPending())

                let restarted = try #require(try KeyFile.load(path))
                let rest = try await KeyRotation(store: bench.store, keys: restarted).run(batch: 2)

                #expect(report.sealed == 2 && rest.sealed == 4 && rest.unreadable.isEmpty)
                #expect(restarted.current.id != old && restarted.hasFormer)
                #expect(try await !KeyRotation(store: bench.store, keys: restarted).isPending())
                try KeyFile.deleteFormerKeys(path)
                let accounts = bench.accounts(keys: try KeyFile.loadOrCreate(path))
                for record in try await bench.store.connections(of: bench.alice.id) {
                    #expect(try await accounts.canOpen(record.connection.id, owner: bench.alice.id))
                }
                #expect(try await accounts.applications.known(for: "twitter").keys["client_id"] == "mine")
            }
        }
    }

    @Test func `a process that runs sees the new key, and seals with it`() async throws {
        try await withKeyFile { path in
            let running = try KeyFile.loadOrCreate(path)
            let before = try running.seal([1, 2, 3], context: "here")

            try KeyFile.addKey(path)
            let after = try running.seal([4, 5, 6], context: "here")

            #expect(try running.isOutdated(before) && !running.isOutdated(after))
            #expect(try running.open(before, context: "here") == [1, 2, 3])
            try KeyFile.deleteFormerKeys(path)
            #expect(throws: CryptoError.self) { try running.open(before, context: "here") }
            #expect(try running.open(after, context: "here") == [4, 5, 6])
        }
    }

    @Test func `what no key opens is named, and keeps nothing else from being sealed anew`() async throws {
        try await withKeyFile { path in
            try await withBench({ _ in FakeMastodon() }) { bench, _ in
                let keys = try KeyFile.loadOrCreate(path)
                try await fill(bench, KeyRing(current: .random()), accounts: 1)
                try await fill(bench, keys, accounts: 3)
                _ = try await bench.store.connect(
                    NewAccount(
                        id: .make(), owner: bench.bob.id, service: "mastodon", remoteID: "lost", account: "lost",
                        credentials: try KeyRing(current: .random()).seal([], context: "connection/mastodon/lost"),
                        settings: "{}", lane: NewLane(gate: "mastodon", maximumRunning: 1)))
                try KeyFile.addKey(path)

                let report = try await KeyRotation(store: bench.store, keys: keys).run(batch: 2)

                #expect(report.sealed == 4)
                #expect(report.unreadable.count == 1)
            }
        }
    }

    private func withKeyFile(_ body: (String) async throws -> Void) async throws {
        let folder = "/tmp/pics-keys-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body("\(folder)/secret.key")) } catch { outcome = .failure(error) }
        try FileManager.default.removeItem(atPath: folder)
        try outcome.get()
    }
}
