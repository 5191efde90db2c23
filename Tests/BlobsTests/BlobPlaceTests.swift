import Crypto
import Fakes
import Foundation
import HTTP
import System
import TestTools
import Testing

@testable import Blobs

/// What holds for blobs wherever they are kept, and what the bucket adds.
struct BlobPlaceTests {
    private static let lengths = [0, 1, 1000, 40_000, 40_001, 100_000, 100_001, 350_000]

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    private let content = Array("a photo of a photo".utf8)
    private var digest: SHA256Digest { SHA256Digest(of: content) }

    // MARK: Both places

    @Test(arguments: BlobStore.Place.allCases, lengths)
    func `what was stored is read as it was, also after a restart`(place: BlobStore.Place, count: Int) async throws {
        let bytes = Self.bytes(count)
        try await withPlace(place) { (scene: BlobPlace) async throws in
            let stored = try await scene.store.put(bytes)
            #expect(stored.digest == SHA256Digest(of: bytes) && stored.bytes == Int64(count))
            for store in [scene.store, try scene.again()] {
                #expect(try await store.size(of: stored.digest) == Int64(count))
                let open = try await store.open(stored.digest, expecting: Int64(count))
                #expect(
                    try FileHandle(fileDescriptor: open.file.descriptor, closeOnDealloc: false).readToEnd() ?? Data()
                        == Data(bytes))
                #expect(
                    try Data(contentsOf: URL(filePath: try await store.checkedPath(of: stored.digest))) == Data(bytes))
                #expect(try await store.fault(of: stored.digest, expecting: Int64(count), readsAll: true) == nil)
            }
        }
    }

    @Test(arguments: BlobStore.Place.allCases)
    func `an absent blob is not found, in every question`(place: BlobStore.Place) async throws {
        try await withPlace(place) { (scene: BlobPlace) async throws in
            await #expect(throws: BlobError.notFound(digest)) { try await scene.store.open(digest) }
            await #expect(throws: BlobError.notFound(digest)) { try await scene.store.checkedPath(of: digest) }
            #expect(try await scene.store.size(of: digest) == nil)
            #expect(try await scene.store.fault(of: digest) == .missing)
            #expect(try await !scene.store.remove(digest))
            #expect(try await !scene.store.setAside(digest, storedBefore: .distantFuture))
            #expect(try await !scene.store.restore(digest))
            #expect(try await !scene.store.removeSetAside(digest))
        }
    }

    @Test(arguments: BlobStore.Place.allCases)
    func `a blob that was stored again is young, and stays`(place: BlobStore.Place) async throws {
        try await withPlace(place) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            let old = Date(timeIntervalSinceNow: -3600)
            #expect(try await !scene.store.remove(digest, storedBefore: old))
            #expect(try await !scene.store.setAside(digest, storedBefore: old))
            #expect(try await scene.store.size(of: digest) != nil)
            #expect(try await scene.store.remove(digest, storedBefore: .distantFuture))
            #expect(try await scene.again().size(of: digest) == nil)
        }
    }

    @Test(arguments: BlobStore.Place.allCases)
    func `what is set aside is listed, comes back and goes`(place: BlobStore.Place) async throws {
        try await withPlace(place) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            let store = place == .bucket ? try scene.loseFolder() : scene.store
            #expect(try await store.setAside(digest, storedBefore: .distantFuture))
            #expect(try await store.fault(of: digest) == .missing)
            #expect(try await store.count() == 0)
            #expect(try await store.blobsSetAside().map(\.digest) == [digest])
            #expect(try await store.restore(digest))
            #expect(try await store.fault(of: digest, readsAll: true) == nil)
            #expect(try await store.count() == 1)
            #expect(try await store.setAside(digest, storedBefore: .distantFuture))
            #expect(try await store.removeSetAside(digest))
            #expect(try await store.blobsSetAside().isEmpty)
        }
    }

    @Test(arguments: BlobStore.Place.allCases)
    func `shards list every blob once, over all pages`(place: BlobStore.Place) async throws {
        var options = FakeS3.Options()
        options.longestPage = 3
        try await withPlace(place, options) { (scene: BlobPlace) async throws in
            var expected: Set<SHA256Digest> = []
            for number in 0..<20 { expected.insert(try await scene.put(Array("\(number)".utf8))) }
            var found: [SHA256Digest] = []
            for shard in UInt8.min...UInt8.max { found += try await scene.store.blobs(inShard: shard).map(\.digest) }
            #expect(found.count == 20 && Set(found) == expected)
            #expect(try await scene.store.count() == 20)
        }
    }

    @Test(arguments: BlobStore.Place.allCases)
    func `the identifier of the installation is kept`(place: BlobStore.Place) async throws {
        try await withPlace(place) { (scene: BlobPlace) async throws in
            #expect(try await scene.store.installation() == nil)
            for id in [UUID(), UUID()] {
                try await scene.store.setInstallation(id)
                #expect(try await scene.again().installation() == id)
            }
        }
    }

    @Test(arguments: BlobStore.Place.allCases)
    func `other bytes than were announced are kept nowhere`(place: BlobStore.Place) async throws {
        try await withPlace(place) { (scene: BlobPlace) async throws in
            let writer = scene.store.begin()
            try await writer.write(content[...])
            await #expect(throws: BlobError.self) { try await writer.finish(expecting: SHA256Digest(of: [1])) }
            #expect(try await scene.store.count() == 0)
            #expect(try files(in: "\(scene.folder)/temporary").isEmpty)
        }
    }

    @Test(arguments: BlobStore.Place.allCases)
    func `uploads in parts become blobs`(place: BlobStore.Place) async throws {
        try await withPlace(place) { (scene: BlobPlace) async throws in
            let (uploads, id) = (try UploadFiles(scene.store), UUID())
            try await uploads.create(id)
            let file = try await uploads.open(id)
            try await file.append(content[...])
            _ = try await file.synchronize()
            try await uploads.install(id, as: try await uploads.examine(id))
            #expect(try await scene.again().fault(of: digest, readsAll: true) == nil)
        }
    }

    // MARK: The bucket

    @Test(arguments: [1000, 350_000])
    func `a disk that is lost takes no blob along`(count: Int) async throws {
        let bytes = Self.bytes(count)
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            let digest = try await scene.put(bytes)
            let store = try scene.loseFolder()
            #expect(try Data(contentsOf: URL(filePath: try await store.checkedPath(of: digest))) == Data(bytes))
        }
    }

    @Test func `a blob comes once, however many ask at once`() async throws {
        let bytes = Self.bytes(350_000)
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            let digest = try await scene.put(bytes)
            let store = try scene.loseFolder()
            try await withThrowingTaskGroup(of: Int64.self) { group in
                for _ in 0..<50 { group.addTask { try await store.open(digest).bytes } }
                for try await count in group { #expect(count == 350_000) }
            }
            #expect(scene.requests(.get) == 9, "pieces of 40,000 bytes")
        }
    }

    @Test func `a copy that is damaged is replaced, and what is damaged in the bucket is not shown`() async throws {
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            truncate(scene.store.path(of: digest), 3)
            #expect(try await scene.store.open(digest, expecting: Int64(content.count)).bytes == Int64(content.count))

            let key = "pics/blobs/\(digest.hex.prefix(2))/\(digest.hex)"
            scene.fake?.damage(key, Array(content.reversed()))
            let store = try scene.loseFolder()
            await #expect(throws: BlobError.damaged(digest)) { try await store.open(digest) }
            #expect(try await store.fault(of: digest, expecting: Int64(content.count)) == nil, "sizes agree")
            #expect(try await store.fault(of: digest, readsAll: true) == .damaged)
        }
    }

    @Test func `what is wrong in the bucket is put right from a copy`() async throws {
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            let key = "pics/blobs/\(digest.hex.prefix(2))/\(digest.hex)"
            scene.fake?.damage(key, [1, 2, 3])
            #expect(try await scene.store.fault(of: digest, expecting: Int64(content.count)) == nil)
            #expect(scene.fake?.bytes(of: key) == content)
        }
    }

    @Test func `a fault that is put right is told to nobody`() async throws {
        let faults = Lock<[BlobFault]>([])
        let note: @Sendable (SHA256Digest, BlobFault) -> Void = { _, fault in faults.withLock { $0.append(fault) } }
        try await withPlace(.bucket, noteFault: note) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            scene.fake?.damage("pics/blobs/\(digest.hex.prefix(2))/\(digest.hex)", [1])
            #expect(try await scene.store.fault(of: digest, expecting: Int64(content.count)) == nil)
            #expect(faults.withLock(\.self) == [])
            scene.fake?.damage("pics/blobs/\(digest.hex.prefix(2))/\(digest.hex)", [1])
            let store = try scene.loseFolder()
            #expect(try await store.fault(of: digest, expecting: Int64(content.count)) == .damaged)
            #expect(faults.withLock(\.self) == [.damaged])
        }
    }

    @Test(arguments: [
        Fault.status(503), .resetBefore, .resetAfter, .status(400, body: "<Error><Code>BadDigest</Code></Error>"),
    ])
    func `trouble that passes is waited out`(fault: Fault) async throws {
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            scene.host?.fail("PUT /{bucket}/{a}/{b}/{c}/{d}", fault, fault)
            _ = try await scene.put(content)
            #expect(scene.fake?.keys.count == 1)
        }
    }

    @Test func `a store that is away keeps nothing, says so, and has it the next time`() async throws {
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            for _ in 0..<4 { scene.host?.fail("PUT /{bucket}/{a}/{b}/{c}/{d}", .status(503)) }
            await #expect(throws: BlobError.self) { try await scene.put(content) }
            #expect(try await scene.store.size(of: digest) == nil)
            #expect(try files(in: "\(scene.folder)/temporary").isEmpty)
            _ = try await scene.put(content)
            #expect(try await scene.store.fault(of: digest, readsAll: true) == nil)
        }
    }

    @Test func `a large blob whose parts fail leaves no part behind`() async throws {
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            scene.host?.fail("PUT /{bucket}/{a}/{b}/{c}/{d}", .none, .status(403))
            await #expect(throws: BlobError.self) { try await scene.put(Self.bytes(350_000)) }
            #expect(scene.fake?.openUploads == 0 && scene.fake?.keys == [])
        }
    }

    @Test func `an end whose answer was lost is the end`() async throws {
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            scene.host?.fail("POST /{bucket}/{a}/{b}/{c}/{d}", .none, .resetAfter)
            let digest = try await scene.put(Self.bytes(350_000))
            #expect(try await scene.store.fault(of: digest, readsAll: true) == nil)
            #expect(scene.fake?.openUploads == 0)
        }
    }

    @Test func `uploads that nobody has ended are ended when they are old`() async throws {
        let clock = Lock(Date(timeIntervalSince1970: 1_795_000_000))
        try await withPlace(.bucket, now: { clock.withLock(\.self) }) { (scene: BlobPlace) async throws in
            for _ in 0..<5 { scene.host?.fail("PUT /{bucket}/{a}/{b}/{c}/{d}", .status(403)) }
            for _ in 0..<5 { scene.host?.fail("DELETE /{bucket}/{a}/{b}/{c}/{d}", .status(403)) }
            await #expect(throws: BlobError.self) { try await scene.put(Self.bytes(350_000)) }
            #expect(scene.fake?.openUploads == 1)
            scene.host?.clearFaults()
            let begun = clock.withLock(\.self)
            #expect(try await scene.store.bucket?.abortUploads(begunBefore: begun) == 0)
            #expect(try await scene.store.bucket?.abortUploads(begunBefore: begun.addingTimeInterval(1)) == 1)
            #expect(scene.fake?.openUploads == 0)
        }
    }

    @Test(arguments: [true, false])
    func `whether a store keeps checksums is found out, and what it lacks costs a look`(keeps: Bool) async throws {
        var options = FakeS3.Options()
        options.hasChecksums = keeps
        try await withPlace(.bucket, options) { (scene: BlobPlace) async throws in
            try await scene.store.probe()
            let looks = scene.requests(.head)
            _ = try await scene.put(content)
            #expect(scene.requests(.head) - looks == (keeps ? 0 : 1))
            #expect(scene.fake?.keys.count == 1, "the probe leaves nothing")
        }
    }

    @Test func `a blob is claimed before it goes to the bucket`() async throws {
        struct Away: Error {}
        let claims = Lock<[Int64]>([])
        let note: @Sendable (SHA256Digest, Int64) -> Void = { _, bytes in claims.withLock { $0.append(bytes) } }
        try await withPlace(.bucket, claim: note) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            #expect(claims.withLock(\.self) == [Int64(content.count)])
        }
        try await withPlace(.bucket, claim: { _, _ in throw Away() }) { (scene: BlobPlace) async throws in
            await #expect(throws: BlobError.self) { try await scene.put(content) }
            #expect(scene.fake?.keys == [])
        }
    }

    @Test func `what was set aside comes back when somebody asks for it`() async throws {
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            #expect(try await scene.store.setAside(digest, storedBefore: .distantFuture))
            let store = try scene.loseFolder()
            #expect(try await store.open(digest).bytes == Int64(content.count))
            #expect(try await store.count() == 1)
            #expect(try await store.blobsSetAside().isEmpty)
        }
    }

    // MARK: Copies

    @Test func `copies go when there are too many or nobody uses them, the longest unused first`() async throws {
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            var digests: [SHA256Digest] = []
            for number in 0..<4 {
                let digest = try await scene.put([UInt8](repeating: UInt8(number), count: 1000))
                let date = Date(timeIntervalSinceNow: -7200 + 60 * Double(number))
                try FileManager.default.setAttributes(
                    [.modificationDate: date], ofItemAtPath: scene.store.path(of: digest))
                digests.append(digest)
            }
            _ = try await scene.store.open(digests[0])

            let trimmed = try await scene.store.trimCopies(to: 2500, unusedFor: .seconds(86_400))

            #expect(trimmed.removed == 2 && trimmed.bytes == 2000)
            let left = digests.map { FileManager.default.fileExists(atPath: scene.store.path(of: $0)) }
            #expect(left == [true, false, false, true])
            #expect(try await scene.store.trimCopies(to: 10_000, unusedFor: .seconds(3600)).removed == 1)
            for digest in digests { #expect(try await scene.store.fault(of: digest, readsAll: true) == nil) }
        }
    }

    @Test func `a file that the bucket lacks is written there before its copy goes`() async throws {
        try await withPlace(.folder, beside: true) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            let store = try scene.again(.bucket)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: store.path(of: digest))
            #expect(try await store.open(digest).bytes == Int64(content.count))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: store.path(of: digest))
            #expect(try await store.trimCopies(to: 0, unusedFor: .seconds(86_400)).removed == 1)
            #expect(try await store.fault(of: digest, readsAll: true) == nil)
        }
    }

    // MARK: Moving

    @Test func `blobs move to the bucket and back, and moving again goes on`() async throws {
        func moveAll(_ store: BlobStore, to target: BlobStore.Place) async throws -> BlobStore.Moved {
            var sum = BlobStore.Moved()
            for shard in UInt8.min...UInt8.max {
                let moved = try await store.move(shard: shard, to: target)
                sum.copied += moved.copied
                sum.known += moved.known
                sum.damaged += moved.damaged
            }
            return sum
        }
        try await withPlace(.folder, beside: true) { (scene: BlobPlace) async throws in
            var digests: [SHA256Digest] = []
            for number in 0..<30 { digests.append(try await scene.put(Array("\(number)".utf8))) }
            for _ in 0..<4 { scene.host?.fail("PUT /{bucket}/{a}/{b}/{c}/{d}", .status(503)) }
            await #expect(throws: BlobError.self) { try await moveAll(scene.store, to: .bucket) }
            let broken = digests[7]
            truncate(scene.store.path(of: broken), 0)

            let moved = try await moveAll(scene.store, to: .bucket)
            #expect(moved.copied + moved.known == 29 && moved.damaged == [broken])
            #expect(try await moveAll(scene.store, to: .bucket).copied == 0)

            let store = try scene.loseFolder()
            #expect(try await store.open(digests[0]).bytes == 1, "found in the other place")
            let back = try await moveAll(store, to: .folder)
            #expect(back.copied == 28 && back.known == 1)
            for digest in digests where digest != broken { #expect(try await store.localFault(of: digest) == nil) }
        }
    }
}
