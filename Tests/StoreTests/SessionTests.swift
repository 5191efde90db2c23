import Domain
import Foundation
import Postgres
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct SessionTests {
    private static let life = SessionLifetime(idle: .seconds(3600), age: .seconds(7200))
    private static let kept = "$scrypt$one"

    /// A session of the bench's owner.
    private func session(_ bench: Bench) -> NewSession {
        NewSession(
            id: .make(), user: bench.owner.id, hash: BlobID.random().bytes, browser: "Firefox", address: "192.0.2.1")
    }

    private func begin(_ bench: Bench) async throws -> NewSession {
        let new = session(bench)
        #expect(try await bench.store.begin(new, by: .password(Self.kept), Self.life))
        return new
    }

    private func isGood(_ session: NewSession, _ bench: Bench) async throws -> Bool {
        let found = try await bench.store.session(hash: session.hash, Self.life, isEqual: ==)
        return found.map { $0.id == session.id && $0.user == bench.owner } ?? false
    }

    private func withPassword(connections: Int = 2, _ body: (Bench) async throws -> Void) async throws {
        try await withStore(connections: connections) { bench in
            try await bench.store.changePassword(of: bench.owner.id, to: Self.kept, keeping: nil)
            try await body(bench)
        }
    }

    @Test func `a session finds its user until it ends`() async throws {
        try await withPassword { bench in
            let session = try await begin(bench)
            #expect(try await isGood(session, bench))
            let unequal = try await bench.store.session(hash: session.hash, Self.life, isEqual: { _, _ in false })
            #expect(unequal == nil)

            try await bench.store.endSession(session.id, of: bench.owner.id)

            #expect(try await !isGood(session, bench))
            await #expect(throws: StoreError.notFound) {
                try await bench.store.endSession(session.id, of: bench.owner.id)
            }
        }
    }

    @Test(arguments: [
        ("last_seen_at", "59 minutes", true), ("last_seen_at", "61 minutes", false),
        ("created_at", "119 minutes", true),
        ("created_at", "121 minutes", false),
    ])
    func `a session lasts as long as it may rest and be old`(column: String, age: String, isGood: Bool) async throws {
        try await withPassword { bench in
            let session = try await begin(bench)

            try await bench.database.change("UPDATE sessions SET \(column) = now() - $1::interval", [age])

            let listed = try await bench.store.sessions(of: bench.owner.id, Self.life)
            #expect(listed.map(\.id) == (isGood ? [session.id] : []))
            #expect(try await self.isGood(session, bench) == isGood)
            _ = try await begin(bench)
            #expect(try await bench.database.number("SELECT count(*) FROM sessions") == (isGood ? 2 : 1))
        }
    }

    @Test func `of a user's many sessions the newest hundred last`() async throws {
        try await withPassword { bench in
            var sessions: [NewSession] = []
            for _ in 0..<PicsStore.mostSessions + 2 { sessions.append(try await begin(bench)) }

            #expect(try await bench.store.sessions(of: bench.owner.id, Self.life).count == PicsStore.mostSessions)
            #expect(try await !isGood(sessions[1], bench))
            #expect(try await isGood(sessions[2], bench))
        }
    }

    @Test func `that a session was seen is noted at most once a minute`() async throws {
        try await withPassword { bench in
            let session = try await begin(bench)

            #expect(try await bench.database.execute(.noteSessionUse(session.id)) == 0)
            try await bench.database.change("UPDATE sessions SET last_seen_at = now() - interval '61 seconds'")
            #expect(try await isGood(session, bench))

            #expect(try await bench.database.execute(.noteSessionUse(session.id)) == 0)
        }
    }

    @Test func `a new password ends all sessions but the one where it was changed`() async throws {
        try await withPassword { bench in
            let here = try await begin(bench)
            let there = try await begin(bench)

            try await bench.store.changePassword(of: bench.owner.id, to: "$scrypt$two", keeping: here.id)

            #expect(try await isGood(here, bench))
            #expect(try await !isGood(there, bench))
            #expect(try await !bench.store.begin(session(bench), by: .password(Self.kept), Self.life))
            #expect(try await bench.store.begin(session(bench), by: .password("$scrypt$two"), Self.life))
        }
    }

    @Test func `a sign-in with the former password never outlives its change`() async throws {
        try await withPassword(connections: 8) { bench in
            for round in 0..<20 {
                try await bench.store.changePassword(of: bench.owner.id, to: "$scrypt$a\(round)", keeping: nil)
                let new = session(bench)

                async let begun = bench.store.begin(new, by: .password("$scrypt$a\(round)"), Self.life)
                async let changed: Void = bench.store.changePassword(
                    of: bench.owner.id, to: "$scrypt$b\(round)", keeping: nil)
                _ = try await (begun, changed)

                #expect(try await !isGood(new, bench))
            }
        }
    }

    @Test func `the same password under another hash does not undo a change`() async throws {
        try await withPassword { bench in
            try await bench.store.changePassword(of: bench.owner.id, to: "$scrypt$two", keeping: nil)

            try await bench.store.replacePassword(of: bench.owner.id, Self.kept, by: "$scrypt$one again")

            let kept = try await bench.store.password(ofUserNamed: "alice")?.password
            #expect(kept == "$scrypt$two")
        }
    }

    @Test func `nobody ends what is another's`() async throws {
        try await withPassword { bench in
            let mine = try await begin(bench)
            let token = try await bench.store.addToken(
                of: bench.owner.id, hash: BlobID.random().bytes, name: "phone", scopes: [.read])
            let bob = try await bench.store.addUser("bob")

            await #expect(throws: StoreError.notFound) { try await bench.store.endSession(mine.id, of: bob.id) }
            await #expect(throws: StoreError.notFound) { try await bench.store.revokeToken(token, of: bob.id) }
            try await bench.store.endSessions(of: bob.id)

            #expect(try await isGood(mine, bench))
            try await bench.store.revokeToken(token, of: bench.owner.id)
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct InvitationStoreTests {
    private let hash = BlobID.random().bytes

    private func invited(_ name: String) -> InvitedUser {
        InvitedUser(name: name, timeZone: "Asia/Tokyo", password: "$scrypt$one")
    }

    /// Invites somebody by an admin.
    private func invite(_ bench: Bench, as name: String? = nil) async throws {
        try await bench.database.execute(Query("make_admin", "UPDATE users SET is_admin = true"))
        try await bench.store.addInvitation(
            NewInvitation(
                id: .make(), hash: hash, userName: name, isAdmin: false, invitedBy: bench.owner.id, age: .seconds(60)))
    }

    @Test func `of many who accept an invitation at once, one becomes a user`() async throws {
        try await withStore(connections: 8) { bench in
            try await invite(bench)

            let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        do {
                            _ = try await bench.store.accept(invitation: hash, invited("guest\(number)"))
                            return true
                        } catch StoreError.notFound {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { count, isUser in count += isUser ? 1 : 0 }
            }

            #expect(accepted == 1)
            #expect(try await bench.database.number("SELECT count(*) FROM users") == 2)
        }
    }

    @Test func `an invitation of somebody who is no admin any more is not good`() async throws {
        try await withStore { bench in
            try await invite(bench)
            try await bench.database.execute(Query("make_user", "UPDATE users SET is_admin = false"))

            await #expect(throws: StoreError.notFound) {
                _ = try await bench.store.accept(invitation: hash, invited("bob"))
            }
        }
    }

    @Test func `a name that is taken leaves the invitation as it was`() async throws {
        try await withStore { bench in
            try await invite(bench)

            await #expect(throws: StoreError.conflict(constraint: "users_name_key")) {
                _ = try await bench.store.accept(invitation: hash, invited("alice"))
            }

            #expect(try await bench.store.invitation(hash: hash)?.invitedBy == "alice")
            #expect(try await bench.store.accept(invitation: hash, invited("bob")).name == "bob")
            #expect(try await bench.store.invitation(hash: hash) == nil)
        }
    }

    @Test func `an invitation names its user and ends by itself`() async throws {
        try await withStore { bench in
            try await invite(bench, as: "carl")
            #expect(try await bench.store.invitations().map(\.userName) == ["carl"])

            try await bench.database.change("UPDATE invitations SET expires_at = now()")

            #expect(try await bench.store.invitations().isEmpty)
            await #expect(throws: StoreError.notFound) {
                _ = try await bench.store.accept(invitation: hash, invited("carl"))
            }
        }
    }
}
