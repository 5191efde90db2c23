import Domain
import Foundation
import Postgres
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct TokenTests {
    private let hash = BlobID.random().bytes

    @Test func `a token finds its user and what it may do`() async throws {
        try await withStore { bench in
            let id = try await bench.store.addToken(
                of: bench.owner.id, hash: hash, name: "phone", scopes: [.read, .write])

            let caller = try await bench.store.caller(tokenHash: hash, isEqual: ==)

            #expect(caller == Caller(user: bench.owner, token: id, scopes: [.read, .write]))
            let stranger = try await bench.store.caller(tokenHash: BlobID.random().bytes, isEqual: ==)
            #expect(stranger == nil)
            let unequal = try await bench.store.caller(tokenHash: hash, isEqual: { _, _ in false })
            #expect(unequal == nil)
        }
    }

    @Test func `a revoked token is not found, and is revoked once`() async throws {
        try await withStore { bench in
            let id = try await bench.store.addToken(of: bench.owner.id, hash: hash, name: "phone", scopes: [.read])

            try await bench.store.revokeToken(id)

            let caller = try await bench.store.caller(tokenHash: hash, isEqual: ==)
            #expect(caller == nil)
            await #expect(throws: StoreError.notFound) { try await bench.store.revokeToken(id) }
            let listed = try await bench.store.tokens(of: bench.owner.id)
            #expect(listed.map(\.id) == [id])
            #expect(listed.allSatisfy { $0.revokedAt != nil })
        }
    }

    @Test(arguments: [("1 hour", true), ("-1 microsecond", false)])
    func `a token is found until it expires`(life: String, isFound: Bool) async throws {
        try await withStore { bench in
            _ = try await bench.store.addToken(
                of: bench.owner.id, hash: hash, name: "phone", scopes: [.read], life: .seconds(90))
            let made = try #require(try await bench.store.caller(tokenHash: hash, isEqual: ==)?.expiresAt)
            #expect((60...90).contains(made.timeIntervalSinceNow.rounded()))
            try await bench.database.change("UPDATE tokens SET expires_at = now() + $1::interval", [life])

            let caller = try await bench.store.caller(tokenHash: hash, isEqual: ==)

            #expect((caller != nil) == isFound)
            #expect(try await bench.store.tokens(of: bench.owner.id).allSatisfy { $0.expiresAt != nil })
        }
    }

    @Test func `the use of a token is noted at most once a minute`() async throws {
        try await withStore(connections: 8) { bench in
            let id = try await bench.store.addToken(of: bench.owner.id, hash: hash, name: "phone", scopes: [.read])

            var notes: [Int] = []
            for age in ["59 seconds", "61 seconds"] {
                notes.append(try await bench.database.execute(.noteTokenUse(id)))
                try await bench.database.change("UPDATE tokens SET last_used_at = now() - $1::interval", [age])
            }
            notes.append(try await bench.database.execute(.noteTokenUse(id)))

            #expect(notes == [1, 0, 1])
        }
    }

    @Test func `a request notes the use of its token`() async throws {
        try await withStore { bench in
            _ = try await bench.store.addToken(of: bench.owner.id, hash: hash, name: "phone", scopes: [.read])

            _ = try await bench.store.caller(tokenHash: hash, isEqual: ==)
            let first = try await bench.store.tokens().first?.lastUsedAt
            _ = try await bench.store.caller(tokenHash: hash, isEqual: ==)

            let second = try await bench.store.tokens().first?.lastUsedAt
            #expect(first != nil)
            #expect(second == first)
        }
    }
}
