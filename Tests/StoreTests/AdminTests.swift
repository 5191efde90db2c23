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
            // The user of the bench is no admin.
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

    @Test func `of two admins who are deleted at once one stays, and that one keeps the rights`() async throws {
        try await withStore { bench in
            let store = bench.store
            for round in 0..<8 {
                let admins = [
                    try await store.addUser("dora\(round)", isAdmin: true),
                    try await store.addUser("carol\(round)", isAdmin: true),
                ]
                for former in try await store.users() where former.isAdmin && !admins.contains(former) {
                    try await store.setAdmin(false, of: former.id)
                }

                let ended = try await withThrowingTaskGroup { group in
                    for admin in admins { group.addTask { try await store.beginUserDeletion(admin.id) } }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }

                let left = try await store.users().filter(\.isAdmin)
                #expect(ended == 1 && left.count == 1)
                // A deleted admin does not count as one who remains.
                await #expect(throws: StoreError.changed) { try await store.setAdmin(false, of: left[0].id) }
                #expect(try await !store.beginUserDeletion(left[0].id))
            }
        }
    }

    @Test func `one who is deleted while another gives up the rights leaves an admin`() async throws {
        try await withStore { bench in
            let store = bench.store
            for round in 0..<8 {
                let dora = try await store.addUser("dora\(round)", isAdmin: true)
                let carol = try await store.addUser("carol\(round)", isAdmin: true)
                for former in try await store.users() where former.isAdmin && ![dora, carol].contains(former) {
                    try await store.setAdmin(false, of: former.id)
                }

                async let gone = store.beginUserDeletion(dora.id)
                async let taken: Void? = try? store.setAdmin(false, of: carol.id)
                _ = (try await gone, await taken)

                #expect(try await store.users().filter(\.isAdmin).count == 1)
            }
        }
    }

    @Test func `a deleted user is not found, by whatever way`() async throws {
        try await withStore { bench in
            let store = bench.store
            let bob = try await store.addUser("bob")
            #expect(try await store.beginUserDeletion(bob.id))

            for isAdmin in [true, false] {
                await #expect(throws: StoreError.notFound) { try await store.setAdmin(isAdmin, of: bob.id) }
            }
            await #expect(throws: StoreError.notFound) {
                try await store.changePassword(of: bob.id, to: "x", keeping: nil)
            }
            #expect(try await !store.userRecords().contains { $0.user.id == bob.id })
            let name = "deleted-" + String(bob.id.description.filter { $0 != "-" }.suffix(20))
            #expect(try await store.password(ofUserNamed: name)?.user == nil)
        }
    }
}
