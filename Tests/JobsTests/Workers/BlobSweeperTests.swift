import Blobs
import Crypto
import Domain
import Foundation
import Jobs
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BlobSweeperTests {
    private static let later = Date().addingTimeInterval(BlobSweeper.age + 3600)

    @Test func `a deleted photo's file goes once it is a day old`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let file = try await bench.storePhoto(Array("moving".utf8))
            try await bench.store.deletePhoto(file.photo, owner: bench.owner.id)

            let early = try await bench.sweep(file.digest, now: Date())
            let late = try await bench.sweep(file.digest, now: Self.later)

            #expect(early == 0)
            #expect(late == 1)
            #expect(try await bench.context.blobs.size(of: file.digest) == nil)
        }
    }

    @Test func `the file of a photo that is there stays`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let file = try await bench.storePhoto(Array("staying".utf8))

            let removed = try await bench.sweep(file.digest, now: Self.later)

            #expect(removed == 0)
            #expect(try await bench.context.blobs.size(of: file.digest) == 7)
        }
    }

    @Test func `a file that no photo ever had is set aside, and removed four weeks later`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            _ = try await bench.storePhoto(Array("staying".utf8))
            let stored = try await bench.context.blobs.put(Array("refused".utf8))

            let removed = try await bench.sweep(stored.digest, now: Self.later)
            #expect(removed == 1)
            #expect(try await bench.context.blobs.size(of: stored.digest) == nil)
            #expect(try await bench.context.blobs.blobsSetAside().map(\.digest) == [stored.digest])

            let sweeper = bench.sweeper
            let shard = try #require(stored.digest.bytes.first)
            try await sweeper.sweep(shard: shard, now: Date().addingTimeInterval(BlobSweeper.lostAge - 3600))
            #expect(try await bench.context.blobs.blobsSetAside().count == 1)
            try await sweeper.sweep(shard: shard, now: Date().addingTimeInterval(BlobSweeper.lostAge + 3600))
            #expect(try await bench.context.blobs.blobsSetAside().isEmpty)
        }
    }

    @Test func `a file that was set aside and is known again comes back, however long it lay there`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let file = try await bench.storePhoto(Array("known again".utf8))
            #expect(try await bench.context.blobs.setAside(file.digest, storedBefore: .distantFuture))

            _ = try await bench.sweep(file.digest, now: Date().addingTimeInterval(2 * BlobSweeper.lostAge))

            #expect(try await bench.context.blobs.size(of: file.digest) == 11)
            #expect(try await bench.context.blobs.blobsSetAside().isEmpty)
            #expect(bench.log.count(" warning ", "were taken back") == 1)
        }
    }

    @Test func `nothing goes while the database knows no file, and the log says so`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            for number in 0..<40 { _ = try await bench.context.blobs.put(Array("original \(number)".utf8)) }

            let sweeper = bench.sweeper
            for shard in UInt8.min...UInt8.max { try await sweeper.sweep(shard: shard, now: Self.later) }

            #expect(try await bench.context.blobs.count() == 40)
            #expect(bench.log.count("no file is removed") == 1)
        }
    }

    @Test func `the file of a deleted photo stays as long as the photo can be restored`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let file = try await bench.storePhoto(Array("deleted".utf8))
            try await bench.store.database.execute(
                Query("age_blobs", "UPDATE blobs SET created_at = now() - interval '9 days'"))
            try await bench.store.deletePhoto(file.photo, owner: bench.owner.id)

            #expect(try await bench.sweep(file.digest, now: Date()) == 0)
            #expect(try await bench.store.knownBlobs(among: [try #require(BlobID(file.digest.bytes))]).count == 1)
            #expect(try await bench.sweep(file.digest, now: Self.later) == 1)
        }
    }

    @Test func `nothing goes while the database knows far fewer files than there are`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            _ = try await bench.storePhoto(Array("restored".utf8))
            let deleted = try await bench.storePhoto(Array("deleted".utf8))
            try await bench.store.deletePhoto(deleted.photo, owner: bench.owner.id)
            for number in 0..<40 { _ = try await bench.context.blobs.put(Array("original \(number)".utf8)) }

            let sweeper = bench.sweeper
            for shard in UInt8.min...UInt8.max { try await sweeper.sweep(shard: shard, now: Self.later) }

            #expect(try await bench.context.blobs.count() == 42)
        }
    }

    @Test(arguments: [
        (0, 0, true), (0, 5, true), (1, 0, false), (16, 1, true), (18, 1, false), (1000, 1000, true),
        (1000, 750, true), (1000, 749, false), (10, 20, true),
    ])
    func `a sweep is plausible when the database knows most files`(files: Int, known: Int, isPlausible: Bool) {
        #expect(BlobSweeper.isPlausible(files: files, known: known) == isPlausible)
    }

    @Test func `a rendition goes in the sweeps after its photo's file`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let file = try await bench.storePhoto(Array("source".utf8))
            let made = try await bench.context.blobs.put(Array("made".utf8))
            let source = try #require(BlobID(file.digest.bytes))
            try await bench.store.addRendition(
                RenditionRecord(
                    name: "small", blob: try #require(BlobID(made.digest.bytes)), mediaType: "image/jpeg", bytes: 4,
                    width: 1, height: 1), of: source)

            let whileShown = try await bench.sweep(made.digest, now: Self.later)
            try await bench.store.deletePhoto(file.photo, owner: bench.owner.id)
            _ = try await bench.sweep(file.digest, now: Self.later)
            let afterwards = try await bench.sweep(made.digest, now: Self.later)

            #expect(whileShown == 0)
            #expect(afterwards == 1)
        }
    }

    @Test func `a video that is its own public copy goes with its photo`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let file = try await bench.storePhoto(Array("clean".utf8))
            let blob = try #require(BlobID(file.digest.bytes))
            try await bench.store.addRendition(
                RenditionRecord(name: "video", blob: blob, mediaType: "video/mp4", bytes: 5, width: 1, height: 1),
                of: blob)

            let whileShown = try await bench.sweep(file.digest, now: Self.later)
            try await bench.store.deletePhoto(file.photo, owner: bench.owner.id)
            let afterwards = try await bench.sweep(file.digest, now: Self.later)

            #expect(whileShown == 0)
            #expect(afterwards == 1)
        }
    }

    @Test func `storing the same bytes again makes their row young`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let file = try await bench.storePhoto(Array("again".utf8))
            try await bench.store.deletePhoto(file.photo, owner: bench.owner.id)
            let blob = try #require(BlobID(file.digest.bytes))
            try await bench.database.execute(
                Query("age_blobs", "UPDATE blobs SET created_at = now() - interval '9 days'"))
            _ = try await bench.storePhoto(Array("again".utf8))

            let forgotten = try await bench.store.deleteBlobs(
                inShard: blob.bytes[0], before: Date().addingTimeInterval(-3600)
            ) { _ in }
            let known = try await bench.store.knownBlobs(among: [blob])

            #expect(forgotten == 0)
            #expect(known == [blob])
        }
    }
}

extension Bench {
    fileprivate var sweeper: BlobSweeper {
        BlobSweeper(store: store, blobs: context.blobs, logger: context.logger)
    }

    /// A photo that goes nowhere.
    func storePhoto(_ bytes: [UInt8]) async throws -> (photo: PhotoID, digest: SHA256Digest) {
        let stored = try await context.blobs.put(bytes)
        let photo = NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: try #require(BlobID(stored.digest.bytes)),
            bytes: stored.bytes, mediaType: "video/mp4", kind: .video, width: nil, height: nil, takenAt: nil,
            position: nil, exif: "{}", caption: "", altText: "", visibility: .public)
        try await store.create(photo, submissions: [])
        return (photo.id, stored.digest)
    }

    /// Sweeps the shard of a blob, and says how many files that removed.
    fileprivate func sweep(_ digest: SHA256Digest, now: Date) async throws -> Int {
        try await sweeper.sweep(shard: digest.bytes[0], now: now)
    }
}
