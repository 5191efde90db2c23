import Domain
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AdminTests {
    @Test func `rights are given and taken, and with them admin tokens and invitations of admins`() async throws {
        try await withStore { bench in
            let alice = try await bench.store.addUser("dora", isAdmin: true)
            let bob = try await bench.store.addUser("bob")
            try await bench.store.setAdmin(true, of: bob.id)
            _ = try await bench.store.addToken(
                of: bob.id, hash: [UInt8](repeating: 1, count: 32), name: "a", scopes: [.admin])
            _ = try await bench.store.addToken(
                of: bob.id, hash: [UInt8](repeating: 2, count: 32), name: "w", scopes: [.write])
            for isAdmin in [true, false] {
                try await bench.store.addInvitation(
                    NewInvitation(
                        id: .make(), hash: [UInt8](repeating: isAdmin ? 3 : 4, count: 32), userName: nil,
                        isAdmin: isAdmin, invitedBy: bob.id, age: .seconds(60)))
            }

            try await bench.store.setAdmin(false, of: bob.id)

            #expect(try await !bench.store.user(bob.id).isAdmin)
            #expect(try await bench.store.user(alice.id).isAdmin)
            let left = try await bench.store.tokens(of: bob.id).filter { $0.revokedAt == nil }
            #expect(left.map(\.name) == ["w"])
            #expect(try await bench.store.invitations().map(\.isAdmin) == [false])
        }
    }

    @Test func `the last admin stays one, also when two take each other's rights at once`() async throws {
        try await withStore { bench in
            // Whoever the bench has made is none.
            let admins = [
                try await bench.store.addUser("dora", isAdmin: true),
                try await bench.store.addUser("carol", isAdmin: true),
            ]

            let store = bench.store
            await withTaskGroup { group in
                for admin in admins {
                    group.addTask { _ = try? await store.setAdmin(false, of: admin.id) }
                }
            }

            #expect(try await bench.store.users().filter(\.isAdmin).count == 1)
            await #expect(throws: StoreError.notFound) { try await store.setAdmin(true, of: .make()) }
        }
    }
}
