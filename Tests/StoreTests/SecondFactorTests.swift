import Domain
import Foundation
import Postgres
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct SecondFactorTests {
    private static let life = SessionLifetime(idle: .seconds(3600), age: .seconds(7200))
    private static let kept = "$scrypt$one"
    private static let codes = (0..<10).map { [UInt8](repeating: $0, count: 32) }

    private func withFactor(connections: Int = 2, _ body: (Bench) async throws -> Void) async throws {
        try await withStore(connections: connections) { bench in
            try await bench.store.changePassword(of: bench.owner.id, to: Self.kept, keeping: nil)
            let isAdded = try await bench.store.addSecondFactor(
                of: bench.owner.id, sealed: [1], step: 100, codes: Self.codes)
            #expect(isAdded)
            try await body(bench)
        }
    }

    private func begin(_ bench: Bench, hasCode: Bool) async throws -> Bool {
        let session = NewSession(
            id: .make(), user: bench.owner.id, hash: BlobID.random().bytes, browser: "Firefox", address: "192.0.2.1")
        return try await bench.store.begin(session, by: .password(Self.kept, hasCode: hasCode), Self.life)
    }

    @Test func `no session begins with the password alone`() async throws {
        try await withFactor { bench in
            #expect(try await !begin(bench, hasCode: false))
            #expect(try await begin(bench, hasCode: true))

            try await bench.store.deleteSecondFactor(of: bench.owner.id)

            #expect(try await begin(bench, hasCode: false))
            #expect(try await bench.database.number("SELECT count(*) FROM recovery_codes") == 0)
        }
    }

    @Test func `of many requests with one code one passes, and none with an earlier one`() async throws {
        try await withFactor(connections: 8) { bench in
            let user = bench.owner.id

            let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { try await bench.store.accept(step: 101, of: user, sealed: [1]) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }

            #expect(accepted == 1)
            #expect(try await !bench.store.accept(step: 100, of: user, sealed: [1]))
            // Of another secret, which has taken its place meanwhile.
            #expect(try await !bench.store.accept(step: 102, of: user, sealed: [2]))
        }
    }

    @Test func `a recovery code works once, and not after new ones`() async throws {
        try await withFactor(connections: 8) { bench in
            let user = bench.owner.id

            let used = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { try await bench.store.useRecoveryCode(Self.codes[0], of: user) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }

            #expect(used == 1)
            #expect(try await bench.store.secondFactor(of: user)?.codesLeft == 9)
            try await bench.store.replaceRecoveryCodes(of: user, by: [Self.codes[0]])
            #expect(try await !bench.store.useRecoveryCode(Self.codes[1], of: user))
            #expect(try await bench.store.useRecoveryCode(Self.codes[0], of: user))
        }
    }

    @Test func `a second factor is not replaced, and leaves with its user`() async throws {
        try await withFactor { bench in
            let user = bench.owner.id
            #expect(try await !bench.store.addSecondFactor(of: user, sealed: [2], step: 1, codes: Self.codes))
            #expect(try await bench.store.secondFactor(of: user)?.sealed == [1])
            #expect(try await bench.store.userRecords().first { $0.user.id == user }?.hasSecondFactor == true)

            try await bench.database.change("SELECT leave(id) FROM users WHERE name = 'alice'")

            #expect(try await bench.store.secondFactor(of: user) == nil)
            #expect(try await !bench.store.addSecondFactor(of: user, sealed: [2], step: 1, codes: Self.codes))
            await #expect(throws: StoreError.notFound) {
                try await bench.store.replaceRecoveryCodes(of: user, by: Self.codes)
            }
        }
    }
}
