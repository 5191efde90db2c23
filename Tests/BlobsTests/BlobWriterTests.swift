import Crypto
import EventLoops
import Foundation
import System
import TestTools
import Testing

@testable import Blobs

@Suite(.timeLimit(.minutes(5)))
struct BlobWriterTests {
    @Test(arguments: [0, 1, 1000, 65536, 131_072, 131_073, 1_000_000, 3_500_000])
    func `what was written in pieces is a blob under the name that sha256sum gives`(count: Int) async throws {
        try await withStore { store, folder in
            let content = randomBytes(count: count)
            let writer = store.begin()
            for start in stride(from: 0, to: count, by: 50_000) {
                try await writer.write(content[start..<min(start + 50_000, count)])
            }

            let stored = try await writer.finish()

            let hex = stored.digest.hex
            let path = "blobs/\(hex.prefix(2))/\(hex)"
            #expect(try files(in: folder) == [path])
            #expect(store.path(of: stored.digest) == "\(folder)/\(path)")
            #expect(try sha256sum("\(folder)/\(path)") == hex)
            #expect(try bytes(of: "\(folder)/\(path)") == content)
            #expect(stored.bytes == count)
            #expect(stored.firstBytes == Array(content.prefix(64)))
        }
    }

    @Test func `first bytes are collected over small pieces`() async throws {
        try await withStore { store, _ in
            let writer = store.begin()
            for byte in 0..<100 { try await writer.write([UInt8(byte)]) }

            let stored = try await writer.finish()

            #expect(stored.firstBytes == Array(0..<64))
        }
    }

    @Test func `a blob is not visible before it is whole`() async throws {
        try await withStore { store, folder in
            let writer = store.begin()

            try await writer.write(ArraySlice(randomBytes(count: 300_000)))
            try await writer.settle()

            let names = try files(in: folder)
            #expect(names.count == 1)
            #expect(names.allSatisfy { $0.hasPrefix("temporary/") })
            _ = try await writer.finish()
            #expect(try files(in: folder).allSatisfy { $0.hasPrefix("blobs/") })
        }
    }

    @Test func `bytes that are complete are no blob before the end, and go if it never comes`() async throws {
        try await withStore { store, folder in
            let content = randomBytes(count: 100_000)
            var writer: BlobWriter? = store.begin()
            try await writer?.write(content[...])
            let complete = try #require(try await writer?.complete(expecting: SHA256Digest(of: content)))
            #expect(try bytes(of: complete.path) == content)
            #expect(try files(in: folder).allSatisfy { $0.hasPrefix("temporary/") })
            #expect(try await writer?.finish() == complete.blob)
            #expect(try files(in: folder).allSatisfy { $0.hasPrefix("blobs/") })
            #expect(try await store.remove(complete.blob.digest))

            writer = store.begin()
            try await writer?.write(content[...])
            _ = try await writer?.complete()
            writer = nil

            try await until { try files(in: folder).isEmpty }
        }
    }

    @Test func `an abandoned writer leaves nothing and takes nothing more`() async throws {
        try await withStore { store, folder in
            let writer = store.begin()
            try await writer.write(ArraySlice(randomBytes(count: 300_000)))

            await writer.abandon()

            #expect(try files(in: folder).isEmpty)
            await #expect(throws: BlobError.ended) { try await writer.finish() }
        }
    }

    @Test func `a writer that is let go leaves nothing`() async throws {
        try await withStore { store, folder in
            try await store.begin().write(ArraySlice(randomBytes(count: 300_000)))

            // A disk thread removes it.
            try await until { try files(in: folder).isEmpty }
        }
    }

    @Test func `another digest than the announced one is refused`() async throws {
        try await withStore { store, folder in
            let content = Array("photo".utf8)
            let announced = SHA256Digest(of: "another photo")
            let writer = store.begin()
            try await writer.write(content[...])

            await #expect(
                throws: BlobError.unexpectedDigest(expected: announced, actual: SHA256Digest(of: content))
            ) { try await writer.finish(expecting: announced) }

            #expect(try files(in: folder).isEmpty)
        }
    }

    @Test func `the announced digest is accepted`() async throws {
        try await withStore { store, _ in
            let writer = store.begin()
            try await writer.write(Array("photo".utf8)[...])

            let stored = try await writer.finish(expecting: SHA256Digest(of: "photo"))

            #expect(stored.digest == SHA256Digest(of: "photo"))
        }
    }

    @Test func `a byte over the limit ends the writer and leaves nothing`() async throws {
        try await withStore { store, folder in
            let writer = store.begin(limit: 200_000)
            try await writer.write(ArraySlice(randomBytes(count: 200_000)))

            await #expect(throws: BlobError.tooLarge(limit: 200_000)) { try await writer.write([0]) }

            #expect(try files(in: folder).isEmpty)
            await #expect(throws: BlobError.ended) { try await writer.finish() }
        }
    }

    @Test func `exactly the limit is allowed`() async throws {
        try await withStore { store, _ in
            let writer = store.begin(limit: 5)
            try await writer.write([1, 2, 3, 4, 5])

            #expect(try await writer.finish().bytes == 5)
        }
    }

    @Test(arguments: [1000, 16_384, 65_536, 131_071, 131_072, 500_000])
    func `what has not reached the disk is less than a block after each write`(piece: Int) async throws {
        try await withStore { store, folder in
            let writer = store.begin()
            var written = 0
            while written < 1_000_000 {
                try await writer.write(ArraySlice(randomBytes(count: piece)))
                written += piece

                try await writer.settle()
                let onDisk = try files(in: folder).map { name in
                    try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int ?? 0
                }
                #expect(writer.heldBytes < BlobWriter.blockSize)
                #expect(onDisk.reduce(0, +) == written - writer.heldBytes)
            }
            #expect(try await writer.finish().bytes == written)
        }
    }

    @Test func `writes return while threads are busy, and wait once several are under way`() async throws {
        try await withStore { store, _ in
            let content = randomBytes(count: (WriteAhead.most + 1) * BlobWriter.blockSize)
            let disk = DispatchSemaphore(value: 0)
            for _ in 0..<2 { store.threads.start { disk.wait() } }
            let writer = store.begin()
            let blocks = stride(from: 0, to: content.count, by: BlobWriter.blockSize).map {
                content[$0..<$0 + BlobWriter.blockSize]
            }
            for block in blocks.dropLast() { try await writer.write(block) }
            let isLast = Box(false)
            let observer = Task {
                // The last write has had a chance to return, had it not waited.
                for _ in 0..<1000 { await Task.yield() }
                let hasReturned = isLast.value
                for _ in 0..<2 { disk.signal() }
                return hasReturned
            }
            try await writer.write(blocks[WriteAhead.most])
            isLast.update { $0 = true }
            #expect(await !observer.value)

            #expect(try await writer.finish().digest == SHA256Digest(of: content))
        }
    }

    @Test func `a disk that fails behind a write is told by a later one, and by the end`() async throws {
        try await withStore { store, folder in
            let block = ArraySlice(randomBytes(count: BlobWriter.blockSize))
            for isToldByWrite in [true, false] {
                try FileManager.default.removeItem(atPath: folder)
                let writer = store.begin()
                try await writer.write(block)
                if isToldByWrite {
                    // As many as may be under way, and the one that waits for them.
                    await #expect(throws: BlobError.self) {
                        for _ in 0...WriteAhead.most { try await writer.write(block) }
                    }
                }
                await #expect(throws: BlobError.self) { try await writer.finish() }
                await #expect(throws: BlobError.self) { try await writer.write(block) }
                #expect(freePlaces(of: store) == 8)
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
        }
    }

    @Test func `a writer that is let go amid writes gives its places back and leaves nothing`() async throws {
        try await withStore { store, folder in
            let disk = DispatchSemaphore(value: 0)
            var writer: BlobWriter? = store.begin()
            try await writer?.write(ArraySlice(randomBytes(count: BlobWriter.blockSize)))
            try await writer?.settle()
            #expect(try !files(in: folder).isEmpty)
            for _ in 0..<2 { store.threads.start { disk.wait() } }
            for _ in 0..<WriteAhead.most {
                try await writer?.write(ArraySlice(randomBytes(count: BlobWriter.blockSize)))
            }
            writer = nil
            for _ in 0..<2 { disk.signal() }

            try await until { try files(in: folder).isEmpty && freePlaces(of: store) == 8 }
        }
    }

    @Test func `the first failure is the one that is told, also when more comes after it`() async throws {
        try await withStore { store, _ in
            let disk = DispatchSemaphore(value: 0)
            let isFirst = Box(true)
            let ahead = WriteAhead(on: store.threads, places: store.writesAhead) { _ throws(BlobError) in
                disk.wait()
                defer { isFirst.update { $0 = false } }
                throw isFirst.value ? .noSpace : .ended
            }
            let piece: ArraySlice<UInt8> = [1]
            for _ in 0..<3 {
                #expect(store.writesAhead.take())
                ahead.add(piece)
                disk.signal()
                await #expect(throws: BlobError.noSpace) { try await ahead.wait(untilAtMost: 0) }
            }
            #expect(ahead.isIdle && freePlaces(of: store) == 8)
        }
    }

    @Test func `many writers of the same bytes make one blob`() async throws {
        try await withStore { store, folder in
            let content = randomBytes(count: 400_000)

            let digests = try await withThrowingTaskGroup(of: SHA256Digest.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let writer = store.begin()
                        for start in stride(from: 0, to: content.count, by: 40_000) {
                            try await writer.write(content[start..<start + 40_000])
                        }
                        return try await writer.finish().digest
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            let digest = try #require(digests.first)
            #expect(digests.count == 1)
            #expect(try files(in: folder).count == 1)
            #expect(try await store.fault(of: digest) == nil)
        }
    }

    @Test(arguments: [ENOSPC, EDQUOT])
    func `a full disk has a case of its own`(code: Int32) {
        errno = code
        #expect(BlobError.last("write") == .noSpace)
        errno = EIO
        #expect(BlobError.last("write") == .system(call: "write", code: EIO))
    }
}

/// How many writes of a store may begin to run ahead now.
private func freePlaces(of store: BlobStore) -> Int {
    var count = 0
    while store.writesAhead.take() { count += 1 }
    for _ in 0..<count { store.writesAhead.signal() }
    return count
}
