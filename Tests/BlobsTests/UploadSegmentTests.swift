import Crypto
import Fakes
import Foundation
import System
import Testing

@testable import Blobs

/// Uploads in parts whose stretches are in a bucket: any node goes on.
struct UploadSegmentTests {
    typealias Segment = UploadSegments.Segment

    private static func segment(_ writer: Int, _ offset: Int64, _ bytes: Int64) -> Segment {
        Segment(writer: writer, offset: offset, digest: SHA256Digest(of: "\(writer) \(offset)"), bytes: bytes)
    }

    @Test(arguments: [
        ([], []),
        ([segment(1, 0, 5), segment(1, 5, 3)], [[1, 0, 5], [1, 5, 3]]),
        // A gap: what is behind it was told to nobody.
        ([segment(1, 0, 5), segment(1, 6, 3)], [[1, 0, 5]]),
        // Another goes on where the first had got to.
        ([segment(1, 0, 5), segment(2, 5, 3)], [[1, 0, 5], [2, 5, 3]]),
        // What the first writes late counts no more.
        ([segment(1, 0, 5), segment(1, 5, 9), segment(2, 5, 3)], [[1, 0, 5], [2, 5, 3]]),
        ([segment(1, 0, 5), segment(1, 5, 9), segment(2, 7, 3)], [[1, 0, 5], [1, 5, 2], [2, 7, 3]]),
        // Dropped, and begun again.
        ([segment(1, 0, 5), segment(2, 2, 0)], [[1, 0, 2]]),
        ([segment(1, 0, 5), segment(2, 0, 0), segment(3, 0, 4)], [[3, 0, 4]]),
        ([segment(2, 0, 4), segment(10, 4, 1)], [[2, 0, 4], [10, 4, 1]]),
    ])
    func `the last writer decides what counts from where it began`(segments: [Segment], chain: [[Int64]]) {
        for order in [segments, segments.reversed()] {
            #expect(UploadSegments.chain(order).map { [Int64($0.writer), $0.offset, $0.bytes] } == chain)
        }
        for segment in segments {
            #expect(Segment(name: segment.name, bytes: segment.bytes) == segment)
        }
    }

    @Test func `where a writer has begun, what others wrote behind it counts no more, also before it writes`()
        async throws
    {
        let id = UUID()
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            let files = try UploadFiles(scene.store)
            try await files.create(id)
            let first = try await files.open(id, since: UploadTurn(writer: 0, offset: 0), keeping: nil) { _ in 1 }
            try await first.append([1, 2, 3])
            // Another began at the first byte, of which nothing is in the bucket yet.
            let turn = UploadTurn(writer: 2, offset: 0)
            #expect(try await first.synchronize() == 3)
            #expect(try await files.durableBytes(of: id) == 3)
            #expect(try await files.durableBytes(of: id, since: turn) == 0)
            let third = try await files.open(id, since: turn, keeping: nil) { offset in
                #expect(offset == 0)
                return 3
            }
            try await third.append([1, 2])
            #expect(try await third.synchronize() == 2)
            #expect(try await files.durableBytes(of: id, since: UploadTurn(writer: 3, offset: 0)) == 2)
        }
    }

    @Test func `an upload goes on at another node, from the last byte that was told, also when the first is gone`()
        async throws
    {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let id = UUID()
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            let first = try UploadFiles(scene.store)
            try await first.create(id)
            let file = try await first.open(id, writer: 1)
            try await file.append(bytes[..<100_000])
            #expect(try await file.synchronize() == 100_000)
            // Told to nobody, and gone with the node.
            try await file.append(bytes[100_000..<150_000])

            let second = try UploadFiles(try scene.loseFolder())
            #expect(try await second.durableBytes(of: id) == 100_000)
            let rest = try await second.open(id, writer: 2)
            #expect(rest.bytes == 100_000)
            for start in stride(from: 100_000, to: 300_000, by: 50_000) {
                try await rest.append(bytes[start..<start + 50_000])
                _ = try await rest.synchronize()
            }

            let third = try UploadFiles(try scene.loseFolder())
            #expect(try await third.firstBytes(16, of: id) == Array(bytes.prefix(16)))
            let examined = try await third.examine(id)
            #expect(examined.digest == SHA256Digest(of: bytes) && examined.bytes == 300_000)
            try await third.install(id, as: examined)
            try await third.remove(id)
            #expect(try await third.durableBytes(of: id) == nil)
            #expect(try await scene.loseFolder().fault(of: examined.digest, readsAll: true) == nil)
            #expect(scene.fake?.keys.filter { $0.contains("uploads") } == [])
        }
    }

    @Test func `a part that is dropped leaves what came before, also what another node had left unchecked`()
        async throws
    {
        let id = UUID()
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            let files = try UploadFiles(scene.store)
            try await files.create(id)
            let first = try await files.open(id, writer: 1)
            try await first.append([1, 2, 3])
            _ = try await first.synchronize()
            try await first.append([4, 5])
            _ = try await first.synchronize()
            try await first.append([6])
            try await first.truncate(to: 3)
            #expect(try await files.durableBytes(of: id) == 3)
            try await first.append([4, 4])
            #expect(try await first.synchronize() == 5)

            let second = try await files.open(id, writer: 2, keeping: 3)
            // The first is late.
            try await first.append([9])
            _ = try await first.synchronize()
            #expect(try await files.durableBytes(of: id) == 3 && second.bytes == 3)
            try await second.append([4])
            _ = try await second.synchronize()
            #expect(try await files.examine(id).digest == SHA256Digest(of: [1, 2, 3, 4]))
        }
    }

    @Test func `uploads are joined, and the forgotten ones are found`() async throws {
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            let files = try UploadFiles(scene.store)
            let parts = [UUID(), UUID()]
            for (number, part) in parts.enumerated() {
                try await files.create(part)
                let file = try await files.open(part, writer: 1)
                try await file.append([UInt8(number), UInt8(number)])
                _ = try await file.synchronize()
            }
            let whole = UUID()
            try await files.join(parts.reversed(), as: whole)
            #expect(try await files.examine(whole).digest == SHA256Digest(of: [1, 1, 0, 0]))
            #expect(try await files.files(untouchedSince: .distantPast).isEmpty)
            #expect(Set(try await files.files(untouchedSince: .distantFuture)) == Set(parts + [whole]))
            for id in parts + [whole] { try await files.remove(id) }
            #expect(try await files.files(untouchedSince: .distantFuture).isEmpty)
            await #expect(throws: BlobError.self) { try await files.open(whole, writer: 2) }
        }
    }

    @Test func `copies of an upload that another node has ended go after a day`() async throws {
        let id = UUID()
        try await withPlace(.bucket) { (scene: BlobPlace) async throws in
            let files = try UploadFiles(scene.store)
            try await files.create(id)
            let file = try await files.open(id, writer: 1)
            try await file.append([1, 2, 3])
            _ = try await file.synchronize()
            let folder = "\(scene.folder)/uploads/\(id.uuidString.lowercased())"
            try await scene.store.trimCopies(to: .max, unusedFor: .seconds(86_400))
            #expect(FileManager.default.fileExists(atPath: folder))
            try await scene.store.trimCopies(to: .max, unusedFor: .seconds(86_400), now: Date() + 2 * 86_400)
            #expect(!FileManager.default.fileExists(atPath: folder))
            #expect(try await files.examine(id).digest == SHA256Digest(of: [1, 2, 3]))
        }
    }
}
