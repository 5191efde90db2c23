import Crypto
import EventLoops
import Foundation
import System
import Testing

@testable import Blobs

struct BlobStoreTests {
    private let content = Array("a photo of a photo".utf8)
    private var digest: SHA256Digest { SHA256Digest(of: content) }

    @Test func `equal bytes are kept once, and storing them again makes them young`() async throws {
        try await withStore { store, folder in
            let first = try await store.put(content)
            try makeOld(store.path(of: first.digest))
            let before = try status(store.path(of: first.digest))

            let second = try await store.put(content)

            let after = try status(store.path(of: first.digest))
            #expect(first == second)
            #expect(after.st_mtim.tv_sec > before.st_mtim.tv_sec)
            #expect(after.st_mode & 0o777 == 0o600)
            #expect(try files(in: folder).count == 1)
        }
    }

    @Test func `a truncated blob is replaced when its bytes come again`() async throws {
        try await withStore { store, _ in
            _ = try await store.put(content)
            truncate(store.path(of: digest), 3)
            #expect(try await store.fault(of: digest) == .damaged)

            _ = try await store.put(content)

            #expect(try await store.fault(of: digest) == nil)
        }
    }

    @Test func `a blob whose bytes were changed on the disk is whole again when they come again`() async throws {
        try await withStore { store, folder in
            _ = try await store.put(content)
            try Data(content.reversed()).write(to: URL(filePath: store.path(of: digest)))

            try Data(content).write(to: URL(filePath: "\(folder)/upload"))
            _ = try await store.put(movingFileAt: "\(folder)/upload")

            #expect(try await store.fault(of: digest) == nil)
            #expect(try await store.checkedPath(of: digest) == store.path(of: digest))
        }
    }

    @Test func `whoever owns the store is told of each fault that a reader meets`() async throws {
        try await withStore { first, folder in
            let faults = Lock<[BlobFault]>([])
            let store = try BlobStore(folder: folder, threads: first.threads) { _, fault in
                faults.withLock { $0.append(fault) }
            }
            _ = try await store.put(content)
            _ = try await store.open(digest)
            truncate(store.path(of: digest), 3)
            await #expect(throws: BlobError.damaged(digest)) {
                try await store.open(digest, expecting: Int64(content.count))
            }
            await #expect(throws: BlobError.damaged(digest)) { try await store.checkedPath(of: digest) }
            _ = try await store.remove(digest)
            await #expect(throws: BlobError.notFound(digest)) { try await store.open(digest) }

            #expect(faults.withLock(\.self) == [.damaged, .damaged, .missing])
        }
    }

    @Test func `a blob that is set aside comes back whole, and a damaged one does not`() async throws {
        try await withStore { store, folder in
            let other = Array("another".utf8)
            for bytes in [content, other] {
                _ = try await store.put(bytes)
                #expect(try await store.setAside(SHA256Digest(of: bytes), storedBefore: .distantFuture))
            }
            #expect(try await store.count() == 0)
            #expect(try await store.blobsSetAside().count == 2)
            try Data([0]).write(to: URL(filePath: "\(store.lostAndFound)/\(SHA256Digest(of: other).hex)"))

            #expect(try await store.restore(digest))
            #expect(try await store.restore(SHA256Digest(of: other)) == false)

            #expect(try await store.fault(of: digest) == nil)
            #expect(try await store.blobsSetAside().map(\.digest) == [SHA256Digest(of: other)])
            #expect(try await store.removeSetAside(SHA256Digest(of: other)))
        }
    }

    @Test func `what was stored again is not set aside`() async throws {
        try await withStore { store, _ in
            let before = Date().addingTimeInterval(-60)
            _ = try await store.put(content)

            #expect(try await store.setAside(digest, storedBefore: before) == false)
            #expect(try await store.fault(of: digest) == nil)
        }
    }

    @Test func `the identifier of the installation is kept, and what is none is no identifier`() async throws {
        try await withStore { store, folder in
            #expect(try await store.installation() == nil)
            let id = UUID()
            try await store.setInstallation(id)
            #expect(try await store.installation() == id)
            #expect(try await BlobStore(folder: folder, threads: store.threads).installation() == id)

            try Data("something".utf8).write(to: URL(filePath: "\(folder)/installation"))

            await #expect(throws: BlobError.invalidInstallation(path: "\(folder)/installation")) {
                try await store.installation()
            }
        }
    }

    @Test func `an open blob has its size and its bytes`() async throws {
        try await withStore { store, _ in
            _ = try await store.put(content)

            let blob = try await store.open(digest, expecting: Int64(content.count))

            var bytes = [UInt8](repeating: 0, count: 100)
            let count = pread(blob.file.descriptor, &bytes, bytes.count, 0)
            #expect(blob.bytes == content.count)
            #expect(Array(bytes.prefix(count)) == content)
        }
    }

    @Test func `an absent blob is not found, in every question`() async throws {
        try await withStore { store, _ in
            await #expect(throws: BlobError.notFound(digest)) { try await store.open(digest) }
            #expect(try await store.fault(of: digest) == .missing)
            await #expect(throws: BlobError.notFound(digest)) { try await store.checkedPath(of: digest) }
            let size = try await store.size(of: digest)
            #expect(size == nil)
            #expect(try await store.size(of: digest) == nil)
            #expect(try await store.remove(digest) == false)
        }
    }

    @Test func `a blob of another size, or that is no file, is damaged`() async throws {
        try await withStore { store, folder in
            _ = try await store.put(content)
            await #expect(throws: BlobError.damaged(digest)) { try await store.open(digest, expecting: 3) }

            _ = try await store.remove(digest)
            try FileManager.default.createDirectory(
                atPath: store.path(of: digest), withIntermediateDirectories: false)

            await #expect(throws: BlobError.damaged(digest)) { try await store.open(digest) }
        }
    }

    @Test func `a symbolic link is not followed`() async throws {
        try await withStore { store, folder in
            _ = try await store.put(content)
            _ = try await store.remove(digest)
            try FileManager.default.createSymbolicLink(
                atPath: store.path(of: digest), withDestinationPath: "/etc/passwd")

            await #expect(throws: BlobError.self) { try await store.open(digest) }
        }
    }

    @Test func `changed bytes are noticed`() async throws {
        try await withStore { store, _ in
            _ = try await store.put(content)
            #expect(try await store.fault(of: digest) == nil)

            try Data(content.reversed()).write(to: URL(filePath: store.path(of: digest)))

            #expect(try await store.fault(of: digest) == .damaged)
        }
    }

    @Test func `a removed blob can be read to its end by who has it open`() async throws {
        try await withStore { store, folder in
            _ = try await store.put(content)
            let blob = try await store.open(digest)

            #expect(try await store.remove(digest))

            var bytes = [UInt8](repeating: 0, count: 100)
            #expect(pread(blob.file.descriptor, &bytes, bytes.count, 0) == content.count)
            #expect(try await store.size(of: digest) == nil)
            #expect(try files(in: folder).isEmpty)
        }
    }

    @Test func `a file is copied, or moved when nobody needs it any more`() async throws {
        try await withStore { store, folder in
            let large = randomBytes(count: 700_000)
            let path = "\(folder)/upload"
            try Data(large).write(to: URL(filePath: path))

            let copied = try await store.put(fileAt: path)
            #expect(FileManager.default.fileExists(atPath: path))
            _ = try await store.remove(copied.digest)
            let moved = try await store.put(movingFileAt: path)

            #expect(copied == moved)
            #expect(moved.digest == SHA256Digest(of: large))
            #expect(moved.firstBytes == Array(large.prefix(64)))
            #expect(try await store.fault(of: moved.digest) == nil)
            #expect(try files(in: folder).count == 1)
        }
    }

    @Test func `moving a file whose bytes are here already removes it`() async throws {
        try await withStore { store, folder in
            _ = try await store.put(content)
            try Data(content).write(to: URL(filePath: "\(folder)/upload"))

            _ = try await store.put(movingFileAt: "\(folder)/upload")

            #expect(try files(in: folder).count == 1)
        }
    }

    @Test func `a file over the limit is refused, and one that is missing too`() async throws {
        try await withStore { store, folder in
            let path = "\(folder)/upload"
            try Data(content).write(to: URL(filePath: path))

            await #expect(throws: BlobError.tooLarge(limit: 3)) { try await store.put(fileAt: path, limit: 3) }
            await #expect(throws: BlobError.system(call: "open", code: ENOENT)) {
                try await store.put(fileAt: "\(folder)/none")
            }

            #expect(try files(in: folder) == ["upload"])
        }
    }

    @Test func `a store finds what an earlier one kept`() async throws {
        try await withStore { store, folder in
            _ = try await store.put(content)

            let later = try BlobStore(folder: folder, threads: store.threads)

            #expect(try await later.fault(of: digest) == nil)
            #expect(try await later.availableBytes() > 0)
        }
    }

    @Test func `the sweep removes what nobody has written to for long, and nothing else`() async throws {
        try await withStore { store, folder in
            _ = try await store.put(content)
            try makeOld(store.path(of: digest))
            try Data().write(to: URL(filePath: "\(folder)/temporary/left-over"))
            try makeOld("\(folder)/temporary/left-over")
            let writer = store.begin()
            try await writer.write(ArraySlice(randomBytes(count: 300_000)))

            #expect(try await store.sweepTemporary(olderThan: .seconds(3600)) == 1)

            #expect(try await writer.finish().bytes == 300_000)
            #expect(try await store.fault(of: digest) == nil)
        }
    }

    @Test func `shards list every blob once, and no other file`() async throws {
        try await withStore { store, folder in
            var expected: Set<SHA256Digest> = []
            for number in 0..<40 { expected.insert(try await store.put(Array("photo \(number)".utf8)).digest) }
            let first = try #require(expected.first)
            try Data().write(to: URL(filePath: store.path(of: first) + ".bak"))

            var found: [ListedBlob] = []
            for shard in UInt8.min...UInt8.max { found += try await store.blobs(inShard: shard) }

            #expect(found.count == 40)
            #expect(Set(found.map(\.digest)) == expected)
            #expect(found.allSatisfy { 7...8 ~= $0.bytes })
        }
    }

    private func makeOld(_ path: String) throws {
        let date = Date(timeIntervalSinceNow: -7200)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    private func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status
    }
}
