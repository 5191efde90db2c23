internal import Domain
internal import Foundation
internal import Postgres
internal import Store
internal import System
internal import TestTools
internal import Testing

/// What a sweeper takes away, and what is stored again meanwhile.
struct BlobRemovalTests {
    private func withOldBlob(_ body: (Bench, BlobID) async throws -> Void) async throws {
        try await withStore(connections: 4) { bench in
            let blob = BlobID.random()
            try await bench.database.change(
                """
                INSERT INTO blobs (sha256, bytes, media_type, created_at)
                VALUES ('\\x\(blob)', 7, 'image/jpeg', now() - interval '2 days')
                """)
            try await body(bench, blob)
        }
    }

    @Test func `a blob whose file cannot be removed stays known`() async throws {
        struct Refused: Error {}
        try await withOldBlob { (bench: Bench, blob: BlobID) async throws in
            await #expect(throws: Refused.self) {
                try await bench.store.deleteBlobs(inShard: blob.bytes[0], before: Date() - 86_400) { _ in
                    throw Refused()
                }
            }
            #expect(try await bench.store.knownBlobs(among: [blob]) == [blob])
            #expect(try await bench.forgetBlobs(inShardOf: blob) == [blob])
            #expect(try await bench.store.knownBlobs(among: [blob]).isEmpty)
        }
    }

    @Test func `who stores a blob again waits until its file is gone`() async throws {
        try await withOldBlob { (bench: Bench, blob: BlobID) async throws in
            let order = Lock<[String]>([])
            let claims = Lock<Task<Void, any Error>?>(nil)
            let store = bench.store
            _ = try await store.deleteBlobs(inShard: blob.bytes[0], before: Date() - 86_400) { _ in
                claims.withLock {
                    $0 = Task {
                        try await store.claimBlob(blob)
                        order.withLock { $0.append("claimed") }
                    }
                }
                try await bench.untilBlocked()
                order.withLock { $0.append("removed") }
            }
            try await claims.withLock(\.self)?.value
            #expect(order.withLock(\.self) == ["removed", "claimed"])
        }
    }

    @Test func `a claimed blob is young, and no sweeper takes it`() async throws {
        try await withOldBlob { (bench: Bench, blob: BlobID) async throws in
            try await bench.store.claimBlob(blob)
            #expect(try await bench.forgetBlobs(inShardOf: blob).isEmpty)
        }
    }
}

extension Bench {
    /// The blobs that a sweeper takes away that are older than a day.
    func forgetBlobs(inShardOf blob: BlobID) async throws -> [BlobID] {
        let forgotten = Lock<[BlobID]>([])
        _ = try await store.deleteBlobs(inShard: blob.bytes[0], before: Date() - 86_400) { blob in
            forgotten.withLock { $0.append(blob) }
        }
        return forgotten.withLock(\.self)
    }
}
