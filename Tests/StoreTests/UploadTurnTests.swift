import Domain
import Postgres
import Store
import Testing

/// Writers of an upload in a bucket, which know of each other through the database alone.
@Suite(.timeLimit(.minutes(5)))
struct UploadTurnTests {
    private func withUpload(_ body: (PicsStore, UploadID) async throws -> Void) async throws {
        try await withStore { bench in
            let id = UploadID.make()
            try await bench.database.change(
                "INSERT INTO uploads (id, owner_id, protocol, expires_at) VALUES ($1, $2, 'tus', now() + interval '1 day')",
                [id.uuid, bench.owner.id.uuid])
            try await body(bench.store, id)
        }
    }

    @Test func `of writers that begin together one goes on, and tells no more once another has begun`() async throws {
        try await withUpload { (store: PicsStore, id: UploadID) async throws in
            #expect(try await store.writing(of: id) == UploadWriting(writer: 0, offset: 0, told: 0))
            #expect(try await store.beginWriting(id, at: 0, after: 0) == 1)
            #expect(try await store.beginWriting(id, at: 0, after: 0) == nil)
            #expect(try await store.beginWriting(id, at: 0, after: 1) == 2)

            #expect(try await !store.touch(id, livingFor: .seconds(60), as: 1, telling: 8000))
            #expect(try await !store.tell(8000, of: id, after: 1))
            #expect(try await store.writing(of: id).told == 0)
            #expect(try await store.touch(id, livingFor: .seconds(60), as: 2, telling: 5000))
            #expect(try await store.writing(of: id) == UploadWriting(writer: 2, offset: 0, told: 5000))
        }
    }

    @Test func `nobody begins before what a client was told of, and what was told never shrinks`() async throws {
        try await withUpload { (store: PicsStore, id: UploadID) async throws in
            #expect(try await store.tell(8000, of: id, after: 0))
            #expect(try await store.beginWriting(id, at: 0, after: 0) == nil)
            #expect(try await store.tell(3000, of: id, after: 0))
            #expect(try await store.writing(of: id).told == 8000)
            #expect(try await store.beginWriting(id, at: 8000, after: 0) == 1)
            #expect(try await store.writing(of: id).offset == 8000)
        }
    }

    @Test func `what has arrived and is no photo is found once nobody works on it any more`() async throws {
        try await withUpload { (store: PicsStore, id: UploadID) async throws in
            func found(quiet: Duration) async throws -> [UploadID] {
                try await store.unpublishedUploads(after: nil, quiet: quiet, age: .seconds(3600), limit: 10).map(\.id)
            }
            func live(for rest: String) async throws {
                try await store.database.change(
                    "UPDATE uploads SET state = 'complete', length = 1, draft = '{}', expires_at = now() + '\(rest)'::interval"
                )
            }
            try await live(for: "1 hour")
            #expect(try await found(quiet: .zero) == [id])
            #expect(try await found(quiet: .seconds(60)) == [])

            try await live(for: "58 minutes")
            #expect(try await found(quiet: .seconds(60)) == [id])
        }
    }
}
