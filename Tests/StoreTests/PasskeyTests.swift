import Domain
import Foundation
import Postgres
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct PasskeyTests {
    private static let life = SessionLifetime(idle: .seconds(3600), age: .seconds(7200))

    private func passkey(of user: UserID, _ credential: UInt8, signCount: UInt32 = 0) -> NewPasskey {
        NewPasskey(
            id: .make(), user: user, credentialID: [credential], publicKey: [1], signCount: signCount,
            isBackupEligible: true, name: "Phone")
    }

    private func begin(_ bench: Bench, by passkey: PasskeyID, of user: UserID) async throws -> Bool {
        let session = NewSession(
            id: .make(), user: user, hash: BlobID.random().bytes, browser: "Firefox", address: "192.0.2.1")
        return try await bench.store.begin(session, by: .passkey(passkey), Self.life)
    }

    @Test func `a session begins with a passkey of the user's that is there`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob", isAdmin: false, timeZone: "UTC")
            let new = passkey(of: bench.owner.id, 1)
            #expect(try await bench.store.add(new))
            #expect(try await bench.store.passkey(credentialID: [1])?.user == bench.owner)
            #expect(try await begin(bench, by: new.id, of: bench.owner.id))
            #expect(try await !begin(bench, by: new.id, of: bob.id))
            #expect(try await !begin(bench, by: .make(), of: bench.owner.id))
            #expect(try await !bench.store.deletePasskey(new.id, of: bob.id, issuer: nil))
            // It is the only way to sign in.
            #expect(try await !bench.store.deletePasskey(new.id, of: bench.owner.id, issuer: nil))
            #expect(try await bench.store.add(passkey(of: bench.owner.id, 2)))

            #expect(try await bench.store.deletePasskey(new.id, of: bench.owner.id, issuer: nil))

            #expect(try await !begin(bench, by: new.id, of: bench.owner.id))
        }
    }

    @Test func `the last way to sign in stays, and an identity of a former issuer is none`() async throws {
        try await withStore { bench in
            let (store, user) = (bench.store, bench.owner.id)
            let (old, new) = ("https://old.example", "https://id.example")
            let identities = [old, "\(new)/"].map {
                NewIdentity(id: .make(), issuer: $0, subject: "4711", label: "ann")
            }
            for identity in identities { try await store.link(identity, to: user) }

            #expect(try await !store.unlink(identities[1].id, of: user, issuer: new))
            #expect(try await store.userRecords(issuer: new).first?.canSignIn == true)
            #expect(try await store.userRecords(issuer: "https://other.example").first?.canSignIn == false)
            let key = passkey(of: user, 1)
            #expect(try await store.add(key))
            #expect(try await !store.deletePasskey(key.id, of: user, issuer: old + "/else"))
            #expect(try await store.unlink(identities[1].id, of: user, issuer: new))
            #expect(try await !store.deletePasskey(key.id, of: user, issuer: new))
            try await store.changePassword(of: user, to: "$scrypt$a", keeping: nil)
            #expect(try await store.deletePasskey(key.id, of: user, issuer: new))
        }
    }

    @Test func `a credential is one user's, and a user has so many`() async throws {
        try await withStore { bench in
            let store = bench.store
            let bob = try await store.addUser("bob", isAdmin: false, timeZone: "UTC")
            for number in 0..<PicsStore.mostPasskeys {
                #expect(try await store.add(passkey(of: bench.owner.id, UInt8(number))))
            }
            #expect(try await !store.add(passkey(of: bench.owner.id, 200)))
            await #expect(throws: StoreError.conflict(constraint: "passkeys_credential_key")) {
                _ = try await store.add(passkey(of: bob.id, 0))
            }

            try await bench.database.change("SELECT leave(id) FROM users WHERE name = 'alice'")

            #expect(try await store.passkey(credentialID: [0]) == nil)
            #expect(try await !store.add(passkey(of: bench.owner.id, 0)))
        }
    }

    @Test func `a counter goes up, or stays away`() async throws {
        try await withStore { (bench: Bench) async throws in
            let (without, with) = (passkey(of: bench.owner.id, 1), passkey(of: bench.owner.id, 2, signCount: 5))
            for passkey in [without, with] { #expect(try await bench.store.add(passkey)) }

            #expect(try await bench.store.use(without.id, signCount: 0))
            #expect(try await bench.store.use(without.id, signCount: 0))
            for count: UInt32 in [0, 4, 5] { #expect(try await !bench.store.use(with.id, signCount: count)) }
            #expect(try await bench.store.use(with.id, signCount: .max))
            #expect(try await !bench.store.use(with.id, signCount: .max))
        }
    }

    @Test func `a challenge is answered once, whoever comes at the same time`() async throws {
        try await withStore(connections: 8) { bench in
            let hash = [UInt8](repeating: 7, count: 32)

            let spent = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { try await bench.store.spendChallenge(hash) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }

            #expect(spent == 1)
        }
    }
}
