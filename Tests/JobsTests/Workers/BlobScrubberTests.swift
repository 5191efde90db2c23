import Blobs
import Crypto
import Domain
import Foundation
import Jobs
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BlobScrubberTests {
    private static let later = Date().addingTimeInterval(BlobScrubber.age + 3600)

    @Test func `a damaged and a missing file are found, and told of their photos`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let whole = try await bench.storePhoto(Array("whole".utf8))
            let damaged = try await bench.storePhoto(Array("damaged".utf8))
            let missing = try await bench.storePhoto(Array("missing".utf8))
            try Data("damagef".utf8).write(to: URL(filePath: bench.context.blobs.path(of: damaged.digest)))
            _ = try await bench.context.blobs.remove(missing.digest)

            #expect(try await bench.scrubber.scrub() == 0)
            #expect(try await bench.scrubber.scrub(now: Self.later) == 3)

            var faults = BlobFaults()
            (faults.missing, faults.damaged) = (1, 1)
            #expect(try await bench.store.blobFaults() == faults)
            #expect(try await bench.fault(of: whole.photo) == nil)
            #expect(try await bench.fault(of: damaged.photo) == .damaged)
            #expect(try await bench.fault(of: missing.photo) == .missing)
            #expect(try await bench.store.faultyPhotos(limit: 10).count == 2)
        }
    }

    @Test func `a file that is stored again has no fault any more`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let photo = try await bench.storePhoto(Array("again".utf8))
            try Data("agaim".utf8).write(to: URL(filePath: bench.context.blobs.path(of: photo.digest)))
            try await bench.scrubber.scrub(now: Self.later)
            #expect(try await bench.fault(of: photo.photo) == .damaged)

            _ = try await bench.storePhoto(Array("again".utf8))

            #expect(try await bench.fault(of: photo.photo) == nil)
            #expect(try await bench.context.blobs.fault(of: photo.digest) == nil)
        }
    }

    @Test func `a file that was restored loses its fault within the hour`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let photo = try await bench.storePhoto(Array("restored".utf8))
            _ = try await bench.context.blobs.remove(photo.digest)
            try await bench.scrubber.scrub(now: Self.later)
            try Data("restored".utf8).write(to: URL(filePath: bench.context.blobs.path(of: photo.digest)))

            try await bench.scrubber.scrub(now: Self.later.addingTimeInterval(2 * BlobScrubber.faultyAge))

            #expect(try await bench.fault(of: photo.photo) == nil)
        }
    }

    @Test func `a damaged and a missing file are restored from a copy, and both are told`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let blobs = bench.context.blobs
            let damaged = try await bench.storePhoto(Array("damaged".utf8))
            let missing = try await bench.storePhoto(Array("missing".utf8))
            try Data("damagef".utf8).write(to: URL(filePath: blobs.path(of: damaged.digest)))
            _ = try await blobs.remove(missing.digest)
            try await bench.scrubber.scrub(now: Self.later)
            #expect(try await bench.fault(of: damaged.photo) == .damaged)
            let copies = [damaged.digest: "damaged", missing.digest: "missing"]
            let spare: BlobStore.Spare = { digest, path in
                FileManager.default.createFile(atPath: path, contents: copies[digest].map { Data($0.utf8) })
            }
            let scrubber = BlobScrubber(store: bench.store, blobs: blobs, spare: spare, logger: bench.context.logger)

            try await scrubber.scrub(now: Self.later.addingTimeInterval(2 * BlobScrubber.faultyAge))

            for photo in [damaged, missing] {
                #expect(try await bench.fault(of: photo.photo) == nil)
                #expect(try await blobs.check(photo.digest) == .whole)
            }
            var faults = BlobFaults()
            faults.healed = 2
            #expect(try await bench.store.blobFaults() == faults)
        }
    }

    @Test func `a missing file that was set aside comes back`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let photo = try await bench.storePhoto(Array("aside".utf8))
            #expect(try await bench.context.blobs.setAside(photo.digest, storedBefore: .distantFuture))

            try await bench.scrubber.scrub(now: Self.later)

            #expect(try await bench.fault(of: photo.photo) == nil)
            #expect(try await bench.context.blobs.fault(of: photo.digest) == nil)
        }
    }

    @Test func `a damaged picture that was made of a photo is made again`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let photo = try await bench.storePhoto(Array("source".utf8))
            let made = try await bench.context.blobs.put(Array("made".utf8))
            let source = BlobID(photo.digest)
            try await bench.store.addRendition(
                RenditionRecord(
                    name: "small", blob: BlobID(made.digest), mediaType: "image/jpeg", bytes: 4, width: 1, height: 1),
                of: source)
            try Data("madf".utf8).write(to: URL(filePath: bench.context.blobs.path(of: made.digest)))

            try await bench.scrubber.scrub(now: Self.later)

            #expect(try await bench.store.rendition("small", of: source) == nil)
            #expect(try await bench.fault(of: photo.photo) == nil)
        }
    }

    @Test func `everything can be checked at once, each file once`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            for number in 0..<40 { _ = try await bench.storePhoto(Array("photo \(number)".utf8)) }
            let begin = Date().addingTimeInterval(3600)

            #expect(try await bench.scrubber.scrub(all: begin) == 40)
            #expect(try await bench.scrubber.scrub(all: begin) == 0)
        }
    }
}

extension Bench {
    fileprivate var scrubber: BlobScrubber {
        BlobScrubber(store: store, blobs: context.blobs, logger: context.logger)
    }

    fileprivate func fault(of photo: PhotoID) async throws -> FileFault? {
        try await store.photo(photo, viewer: owner.id).photo.fileFault
    }
}
