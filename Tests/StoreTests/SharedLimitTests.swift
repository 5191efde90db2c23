import Crypto
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SharedLimitTests {
    private let key = SHA256Digest(of: "somebody").bytes

    @Test func `of attempts that come together no more pass than there are tokens`() async throws {
        try await withStore { bench in
            let granted = try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await bench.store.takeShared(self.key, tokenTime: 600, quota: 3).isGranted
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(granted == 3)

            let refused = try await bench.store.takeShared(key, tokenTime: 600, quota: 3)
            #expect(!refused.isGranted)
            #expect(1700...1800 ~= refused.secondsUntilFull)
            let other = SHA256Digest(of: "other").bytes
            #expect(try await bench.store.takeShared(other, tokenTime: 600, quota: 3).isGranted)
        }
    }

    @Test func `a token that is given back can be taken again, and full buckets are forgotten`() async throws {
        try await withStore { bench in
            #expect(try await bench.store.takeShared(key, tokenTime: 600, quota: 1).isGranted)
            #expect(try await !bench.store.takeShared(key, tokenTime: 600, quota: 1).isGranted)
            try await bench.store.giveBackShared(key, tokenTime: 600)
            try await bench.store.pruneSharedLimits()
            #expect(try await bench.database.number("SELECT count(*) FROM shared_limits") == 0)
            #expect(try await bench.store.takeShared(key, tokenTime: 600, quota: 1).isGranted)
        }
    }
}
