import Crypto
import Domain
import Foundation
import Postgres
import Store
import System
import Testing

@testable import Backups
@testable import Blobs

@Suite(.timeLimit(.minutes(5)))
struct BackupTests {
    @Test(arguments: Root.allCases)
    func `a restored database has what the backup's moment had, and every file`(root: Root) async throws {
        try await withScene(root) { (scene: Scene) async throws in
            let account = try await scene.connect()
            for number in 0..<5 { try await scene.post("Photo \(number)\t\\ \"ä\" 🌅\n", to: [account]) }
            let liked = try await scene.post("Liked")
            _ = try await scene.store.setLike(true, on: liked.id, by: scene.owner.id)
            let (backup, progress) = try await scene.backUp(keyFile: [1, 2, 3])
            #expect(progress.copied == 6 && progress.allFiles == 6)
            try await scene.post("Late")

            let newest = StoredBackup(try await backup.place.manifest(), at: backup.place)
            #expect(newest.manifest.tables == backup.manifest.tables && newest.manifest.id == backup.manifest.id)
            #expect(try await newest.keyFile() == [1, 2, 3])
            #expect(newest.manifest.settings == ["listen": "x"])
            let blobs = try BlobStore(folder: "\(scene.files.scratch)/restored", threads: scene.files.threads)
            let files = try await newest.readFiles(into: blobs) { _ in }
            #expect(files.files == 6 && files.damaged.isEmpty)
            try await withRestored(newest) { (store: PicsStore) async throws in
                let state = try await store.restoredState()
                #expect(state.photos == 6 && state.shortLinks == 6 && state.likes == 1 && state.users == 1)
                #expect(state.photosWithoutFile == 0)
                let photo = try await store.photo(liked.id, viewer: scene.owner.id).photo
                #expect(photo.likeCount == 1 && photo.caption == "Liked")
                #expect(try await blobs.fault(of: liked.blob.digest) == nil)
                for query in [
                    "SELECT count(*) FROM photos WHERE caption LIKE E'Photo _\\t\\\\\\\\ \"ä\" 🌅\\n'",
                    "SELECT count(*) FROM jobs", "SELECT count(*) FROM submissions",
                ] {
                    #expect(try await store.number(query) == 5, "\(query)")
                }
                // Counts that triggers keep, and numbers that sequences give, go on from where they were.
                #expect(
                    try await store.number("SELECT sum(stored_bytes) FROM users")
                        == scene.store.number("SELECT sum(stored_bytes) FROM users"))
                #expect(
                    try await store.number("SELECT nextval('jobs_id_seq')")
                        > scene.store.number("SELECT max(id) FROM jobs"))
            }
        }
    }

    @Test(arguments: Root.allCases)
    func `a single file comes back from a backup, unless its bytes are others there`(root: Root) async throws {
        try await withScene(root) { (scene: Scene) async throws in
            let photo = try await scene.post("One")
            let (backup, _) = try await scene.backUp()
            let path = "\(scene.files.scratch)/copy"
            #expect(try await backup.place.copy(photo.blob.digest, to: path))
            #expect(try SHA256Digest(of: [UInt8](Data(contentsOf: URL(filePath: path)))) == photo.blob.digest)
            try FileManager.default.removeItem(atPath: path)
            #expect(try await !backup.place.copy(SHA256Digest(of: "another"), to: path))
            #expect(!FileManager.default.fileExists(atPath: path))

            let name = backup.place.name(ofBlob: photo.blob.digest)
            try await backup.place.files.put([1, 2, 3], as: name)
            #expect(try await !backup.place.copy(photo.blob.digest, to: path))
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `files that an earlier backup has are not copied again`() async throws {
        try await withScene { (scene: Scene) async throws in
            try await scene.post("One")
            let moment = Date()
            let (first, _) = try await scene.backUp(at: moment)
            try await scene.post("Two")
            let (_, progress) = try await scene.backUp(first.place, at: moment.addingTimeInterval(60))
            #expect(progress.files == 2 && progress.copied == 1)
            #expect(try await first.place.backups().count == 2)
        }
    }

    @Test func `a backup under way sees one state, whatever is written meanwhile`() async throws {
        try await withScene { (scene: Scene) async throws in
            for number in 0..<20 { try await scene.post("Photo \(number)") }
            let isDone = Lock(false)
            let writer = Task {
                var number = 0
                while !isDone.withLock({ $0 }) {
                    let photo = try await scene.post("Meanwhile \(number)")
                    _ = try await scene.store.setLike(true, on: photo.id, by: scene.owner.id)
                    number += 1
                }
                return number
            }
            var backups: [StoredBackup] = []
            let place = try await scene.files.begin()
            for index in 0..<5 {
                backups.append(try await scene.backUp(place, at: Date().addingTimeInterval(Double(index))).0)
            }
            isDone.withLock { $0 = true }
            #expect(try await writer.value > 0)

            for backup in backups {
                #expect(backup.manifest.faulty.isEmpty)
                #expect(try await backup.readFiles(into: nil) { _ in }.damaged.isEmpty)
                // Its foreign keys are made again, which finds any row that names another that is not there.
                try await withRestored(backup) { (store: PicsStore) async throws in
                    let state = try await store.restoredState()
                    #expect(state.photos == state.shortLinks && state.photosWithoutFile == 0)
                    #expect(
                        try await store.number("SELECT count(*) FROM photos WHERE like_count > 0") == Int(state.likes))
                }
            }
        }
    }

    @Test func `a file that is missing or damaged here is told and is in no backup`() async throws {
        try await withScene { (scene: Scene) async throws in
            let (whole, damaged, missing) = (
                try await scene.post("whole"), try await scene.post("damaged"), try await scene.post("missing")
            )
            try Data("other".utf8).write(to: URL(filePath: scene.blobs.path(of: damaged.blob.digest)))
            try FileManager.default.removeItem(atPath: scene.blobs.path(of: missing.blob.digest))

            let (backup, progress) = try await scene.backUp()

            #expect(progress.copied == 1)
            #expect(Set(backup.manifest.faulty) == [damaged.blob.digest.hex, missing.blob.digest.hex])
            let read = try await backup.readFiles(into: nil) { _ in }
            #expect(read.damaged.isEmpty && read.bytes == 5)
            #expect(try await backup.place.backups().count == 1)
            _ = whole
        }
    }

    @Test func `a backup that lacks a file, or has another, says so; one with a damaged table is refused`() async throws
    {
        try await withScene { (scene: Scene) async throws in
            let photos = [try await scene.post("one"), try await scene.post("two"), try await scene.post("three")]
            let (backup, _) = try await scene.backUp()
            let folder = try #require(scene.files.folder)
            let names = photos.map { backup.place.name(ofBlob: $0.blob.digest) }
            try FileManager.default.removeItem(atPath: "\(folder)/\(names[0])")
            try Data("two.".utf8).write(to: URL(filePath: "\(folder)/\(names[1])"))

            let read = try await backup.readFiles(into: nil) { _ in }
            #expect(Set(read.damaged) == Set(photos.prefix(2).map(\.blob.digest.hex)))

            let table = "\(folder)/\(BackupManifest.folder(backup.manifest.id))tables/photos.copy.gz"
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: table)))
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: URL(filePath: table))
            await #expect(throws: BackupError.self) { try await withRestored(backup) { _ in } }
        }
    }

    @Test func `a manifest that names paths or statements is damaged`() async throws {
        try await withScene { (scene: Scene) async throws in
            let (backup, _) = try await scene.backUp()
            let name = BackupManifest.name(backup.manifest.id)
            let text = String(decoding: try #require(try await scene.files.bytes(of: name)), as: UTF8.self)
            for (good, bad) in [
                ("\"photos\"", "\"../photos\""), ("jobs_id_seq", "a'); DROP TABLE users --"),
                (backup.manifest.id, "../x"),
            ] {
                let changed = text.replacing(good, with: bad)
                #expect(changed != text)
                #expect(throws: BackupError.damaged(name)) {
                    try BackupManifest(parsing: Array(changed.utf8), named: name)
                }
            }
        }
    }

    @Test func `old backups go, with the files that no other names`() async throws {
        try await withScene { (scene: Scene) async throws in
            let gone = try await scene.post("gone")
            let kept = try await scene.post("kept")
            let place = try await scene.files.begin()
            let now = Date()
            try await scene.backUp(place, at: now.addingTimeInterval(-3 * 86_400))
            try await scene.store.database.execute(
                Query("forget_gone", "DELETE FROM photos WHERE id = $1", [gone.id.uuid]))
            try await scene.store.database.execute(
                Query("forget_gone_blob", "DELETE FROM blobs WHERE sha256 = $1", [gone.blob.bytes]))
            let (last, _) = try await scene.backUp(place, at: now)
            // An interrupted one.
            try await place.put([1], as: "backups/20200101T000000Z/files.gz")

            let thinned = try await place.thin(BackupSchedule(days: 1, weeks: 0, months: 0), at: now)

            #expect(thinned.count == 1)
            #expect(try await place.backups() == [last.manifest.id])
            #expect(try await place.files.list("blobs/").map(\.name) == [place.name(ofBlob: kept.blob.digest)])
            #expect(try await place.files.list("backups/2020").isEmpty)
            #expect(try await last.readFiles(into: nil) { _ in }.damaged.isEmpty)
        }
    }

    @Test func `what may have been sent since is looked for first, and what cannot have been is not`() async throws {
        try await withScene { (scene: Scene) async throws in
            let account = try await scene.connect()
            let early = try await scene.post("early", to: [account])
            let later = try await scene.post("later", to: [account], scheduledAt: Date().addingTimeInterval(86_400))
            let (backup, _) = try await scene.backUp()

            try await withRestored(backup) { (store: PicsStore) async throws in
                func armed(_ photo: NewPhoto) async throws -> Int {
                    try await store.number(
                        """
                        SELECT count(*) FROM jobs j JOIN submissions s ON s.id = j.submission_id
                         WHERE s.photo_id = '\(photo.id.uuid)' AND j.effect = 'armed'
                           AND j.journal -> 'pics.open_outcome' ->> 'text' = s.text
                           AND (j.journal -> 'pics.open_outcome' ->> 'first')::float8
                               <= extract(epoch FROM j.created_at)
                        """)
                }
                #expect(try await armed(early) == 1)
                #expect(try await armed(later) == 0)
                #expect(try await store.restoredState().postsToLookFor == 1)
            }
        }
    }

    @Test func `a database with users is not restored into`() async throws {
        try await withScene { (scene: Scene) async throws in
            let (backup, _) = try await scene.backUp()
            await #expect(throws: BackupError.notEmpty("The database has 1 user already.")) {
                try await backup.demandEmpty(scene.store.database.settings)
            }
        }
    }

    @Test func `one backup is made at a time, when it is due, and again after one that was lost`() async throws {
        try await withScene { (scene: Scene) async throws in
            let store = scene.store
            func begin(_ id: String, every: Duration? = .seconds(86_400)) async throws -> Bool {
                try await store.beginBackup(id, at: "here", every: every)
            }
            #expect(try await begin("20260101T000000Z"))
            #expect(try await !begin("20260101T000001Z"))
            #expect(try await !begin("20260101T000002Z", every: nil))
            // Its process was killed.
            try await store.change(
                "UPDATE backups SET begun_at = now() - interval '1 hour', seen_at = now() - interval '6 minutes'")
            #expect(try await begin("20260101T000003Z"))
            try await store.endBackup("20260101T000003Z", problem: "no room")
            #expect(try await !begin("20260101T000004Z"))
            #expect(try await begin("20260101T000005Z", every: nil))
            try await store.endBackup("20260101T000005Z", problem: nil)
            #expect(try await !begin("20260101T000006Z"))
            try await store.change("UPDATE backups SET begun_at = begun_at - interval '1 day'")
            #expect(try await begin("20260101T000007Z"))
            #expect(try await store.backups().count == 4)
        }
    }
}

extension PicsStore {
    fileprivate func change(_ sql: String) async throws {
        try await database.execute(Query<Void>("test_\(sql.hashValue)", sql))
    }
}
