import Domain
import Foundation
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StorageTests {
    @Test func `each photo counts its file, also one that others have, until it is deleted`() async throws {
        try await withStore { bench in
            let photo = NewPhoto.sample(of: bench.owner.id)
            let first = try await bench.post(as: photo)
            let other = try await bench.store.addUser("bob")
            try await bench.store.create(.sample(of: other.id, blob: photo.blob), submissions: [])
            try await bench.post(as: .sample(of: bench.owner.id, blob: photo.blob))
            let stored = try await bench.store.storage(of: bench.owner.id)

            try await bench.store.deletePhoto(first.photo, owner: bench.owner.id)

            #expect(stored.stored == 2 * photo.bytes && stored.recentlyRemoved == 0 && stored.ownQuota == nil)
            #expect(try await bench.store.storage(of: other.id).stored == photo.bytes)
            let left = try await bench.store.storage(of: bench.owner.id)
            #expect(left.stored == photo.bytes && abs(left.recentlyRemoved - photo.bytes) <= photo.bytes / 100)
        }
    }

    @Test func `long words count too, also those that an edit brings, until they are gone`() async throws {
        try await withStore { bench in
            let words = String(repeating: "ö", count: 30_000)
            let usual = NewPhoto.sample(of: bench.owner.id)
            let photo = try await bench.post(as: usual)
            func edit(_ caption: String, version: Int, quota: Int64) async throws(StoreError) {
                try await bench.store.edit(
                    photo.photo, owner: bench.owner.id, version: version,
                    edit: PhotoEdit(caption: caption, altText: nil, visibility: nil), texts: [], storageQuota: quota)
            }
            func stored() async throws -> Int64 { try await bench.store.storage(of: bench.owner.id).stored }

            await #expect(throws: StoreError.conflict(constraint: "users_storage_quota")) {
                try await edit(words, version: 1, quota: 200_000)
            }
            #expect(try await stored() == usual.bytes)
            try await edit(words, version: 1, quota: 300_000)
            let long = try await stored()
            #expect(220_000...250_000 ~= long)
            try await edit("short", version: 2, quota: 1)
            #expect(try await stored() == usual.bytes)
            try await edit(words, version: 3, quota: 0)
            try await bench.store.deletePhoto(photo.photo, owner: bench.owner.id)
            #expect(try await stored() == 0)
        }
    }

    @Test func `creations that come at once do not pass the quota together`() async throws {
        try await withStore(connections: 8) { bench in
            let bytes = NewPhoto.sample(of: bench.owner.id).bytes

            let results = await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { await create(.sample(of: bench.owner.id), bench, quota: 3 * bytes) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }

            let stored = try await bench.store.storage(of: bench.owner.id).stored
            #expect(results.filter { $0 == nil }.count == 3)
            #expect(results.filter { $0 == .conflict(constraint: "users_storage_quota") }.count == 5)
            #expect(stored == 3 * bytes)
        }
    }

    @Test func `without a quota no creation waits for another of its user`() async throws {
        try await withStore(connections: 2) { bench in
            try await bench.database.transaction { transaction throws(PostgresError) in
                try await transaction.change(
                    "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE", [bench.owner.id.uuid])
                #expect(await create(.sample(of: bench.owner.id), bench, quota: 0) == nil)
            }
        }
    }

    @Test func `what is counted stays the same when it is folded into the counters`() async throws {
        try await withStore { bench in
            let kept = NewPhoto.sample(of: bench.owner.id)
            try await bench.post(as: kept)
            let gone = try await bench.post(as: .sample(of: bench.owner.id))
            try await bench.store.deletePhoto(gone.photo, owner: bench.owner.id)
            let before = try await bench.store.storage(of: bench.owner.id)

            try await bench.store.foldStorage()
            let folded = try await bench.store.storage(of: bench.owner.id)
            try await bench.store.foldStorage()

            #expect(before.stored == kept.bytes && folded.stored == kept.bytes)
            #expect(abs(before.recentlyRemoved - folded.recentlyRemoved) <= 1 + kept.bytes / 100)
            #expect(try await bench.store.storage(of: bench.owner.id).stored == kept.bytes)
        }
    }

    @Test func `what an admin has decided for a user counts more than the settings`() async throws {
        try await withStore { bench in
            let bytes = NewPhoto.sample(of: bench.owner.id).bytes

            try await bench.store.setStorageQuota(of: bench.owner.id, to: 0)
            #expect(await create(.sample(of: bench.owner.id), bench, quota: 1) == nil)
            try await bench.store.setStorageQuota(of: bench.owner.id, to: 2 * bytes)
            #expect(await create(.sample(of: bench.owner.id), bench, quota: 1) == nil)
            #expect(try await bench.store.storage(of: bench.owner.id).room(usual: 1) == 0)
            #expect(await create(.sample(of: bench.owner.id), bench, quota: 0) != nil)
            try await bench.store.setStorageQuota(of: bench.owner.id, to: nil)
            #expect(await create(.sample(of: bench.owner.id), bench, quota: 0) == nil)
            await #expect(throws: StoreError.notFound) { try await bench.store.setStorageQuota(of: .make(), to: 1) }
        }
    }

    @Test func `what was deleted lately leaves room for the quota once more, and not for more`() async throws {
        try await withStore { bench in
            let bytes = NewPhoto.sample(of: bench.owner.id).bytes
            let quota = 2 * bytes
            func replace() async throws -> Bool {
                let photo = NewPhoto.sample(of: bench.owner.id)
                guard await create(photo, bench, quota: quota) == nil else { return false }
                try await bench.store.deletePhoto(photo.id, owner: bench.owner.id)
                return true
            }

            // A little of what was deleted first counts no more when the last comes.
            let replaced = [
                try await replace(), try await replace(), try await replace(), try await replace(), try await replace(),
                try await replace(),
            ]

            #expect(replaced.prefix(3).allSatisfy { $0 } && replaced.last == false)
            try await bench.store.foldStorage()
            try await bench.database.change("UPDATE users SET removed_at = removed_at - interval '12 h'", [])
            let half = try await bench.store.storage(of: bench.owner.id).recentlyRemoved
            #expect(half > bytes && half <= quota + bytes / 10)
            #expect(try await replace())
            try await bench.store.foldStorage()
            try await bench.database.change("UPDATE users SET removed_at = removed_at - interval '1 day'", [])
            #expect(try await bench.store.storage(of: bench.owner.id).room(usual: quota) == quota)
        }
    }

    private func create(_ photo: NewPhoto, _ bench: Bench, quota: Int64) async -> StoreError? {
        do throws(StoreError) {
            try await bench.store.create(photo, submissions: [], storageQuota: quota)
            return nil
        } catch {
            return error
        }
    }
}
