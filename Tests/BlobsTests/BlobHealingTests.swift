import Crypto
import Fakes
import Foundation
import TestTools
import Testing

@testable import Blobs

/// What is done about blobs with other bytes than their digests say.
struct BlobHealingTests {
    private let content = Array("a photo of a photo".utf8)
    private var digest: SHA256Digest { SHA256Digest(of: content) }

    @Test func `what is wrong in the folder is put right from a bucket beside it, and stays aside for a time`()
        async throws
    {
        try await withPlace(.folder, beside: true) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            #expect(scene.fake?.keys == [])
            for shard in UInt8.min...UInt8.max { _ = try await scene.store.move(shard: shard, to: .bucket) }
            truncate(scene.store.path(of: digest), 3)
            #expect(try await scene.store.check(digest) == .healed(.damaged))
            #expect(try Data(contentsOf: URL(filePath: scene.store.path(of: digest))) == Data(content))
            #expect(try await scene.store.check(digest) == .whole)

            let aside = "\(scene.folder)/damaged"
            let names = try FileManager.default.contentsOfDirectory(atPath: aside)
            #expect(names.count == 1 && names[0].hasPrefix("\(digest.hex)."))
            #expect(try Data(contentsOf: URL(filePath: "\(aside)/\(names[0])")) == Data(content.prefix(3)))
            #expect(try await scene.store.removeDamaged(before: Date(timeIntervalSinceNow: -3600)) == 0)
            #expect(try await scene.store.removeDamaged(before: Date(timeIntervalSinceNow: 3600)) == 1)
        }
    }

    @Test(arguments: BlobStore.Place.allCases)
    func `what no place has whole is put right from a spare with the right bytes alone`(
        place: BlobStore.Place
    ) async throws {
        let spare: @Sendable ([UInt8]?) -> BlobStore.Spare = { bytes in
            { _, path in
                guard let bytes else { return false }
                return FileManager.default.createFile(atPath: path, contents: Data(bytes))
            }
        }
        try await withPlace(place) { (scene: BlobPlace) async throws in
            _ = try await scene.put(content)
            var store = scene.store
            if place == .bucket {
                scene.fake?.damage("pics/blobs/\(digest.hex.prefix(2))/\(digest.hex)", [1, 2])
                store = try scene.loseFolder()
            } else {
                truncate(store.path(of: digest), 3)
            }
            let bytes = Int64(content.count)
            for wrong in [nil, [], Array(content.reversed())] as [[UInt8]?] {
                #expect(try await store.check(digest, expecting: bytes, spare: spare(wrong)) == .faulty(.damaged))
            }

            #expect(try await store.check(digest, expecting: bytes, spare: spare(content)) == .healed(.damaged))

            #expect(try await store.check(digest, expecting: bytes, readsAll: true) == .whole)
            #expect(try Data(contentsOf: URL(filePath: try await store.checkedPath(of: digest))) == Data(content))
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scene.folder)/temporary") == [])
            #expect(try await store.removeDamaged(before: Date(timeIntervalSinceNow: 3600)) == 1)
            #expect(try await store.remove(digest))
            #expect(try await store.check(digest, expecting: bytes, spare: spare(content)) == .healed(.missing))
        }
    }
}
