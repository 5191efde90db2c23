import Blobs
import Crypto
import Curl
import Domain
import EventLoops
import Fakes
import Foundation
import HTTP
import Postgres
import S3
import Store
import System
import TestSupport
import TestTools

@testable import Backups

/// Where backups of a test go.
enum Root: CaseIterable {
    case folder
    case bucket
}

/// Files by names, and what a test does behind their back.
struct Files: Sendable {
    let files: NamedFiles
    let threads: BlockingThreads
    let scratch: String
    /// The folder of the files; nil in a bucket.
    let folder: String?

    func begin(_ passphrase: String? = nil, for installation: UUID? = nil) async throws -> BackupPlace {
        try await BackupPlace.begin(
            files, for: installation, passphrase: passphrase.map { Secret($0) }, threads: threads, scratch: scratch)
    }

    func open(_ passphrase: String? = nil) async throws -> BackupPlace? {
        try await BackupPlace.open(
            files, passphrase: passphrase.map { Secret($0) }, threads: threads, scratch: scratch)
    }

    func bytes(of name: String) async throws -> [UInt8]? {
        let path = "\(scratch)/read-\(UUID().uuidString)"
        guard try await files.get(name, to: path) != nil else { return nil }
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
}

/// Runs `body` with an empty place for files.
func withFiles(_ root: Root, _ body: (Files) async throws -> Void) async throws {
    let folder = "\(temporaryPlace)/backups-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let threads = BlockingThreads(name: "backups", count: 4)
    defer {
        threads.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
    guard root == .bucket else {
        return try await body(
            Files(
                files: NamedFiles(.folder("\(folder)/place"), threads: threads), threads: threads, scratch: folder,
                folder: "\(folder)/place"))
    }
    let loop = try EventLoop(name: "bucket")
    let transport = try CurlTransport(on: loop, threads: threads, options: CurlOptions(userAgent: "Pics/test"))
    let server = try await FakeServer(FakeHost(FakeS3(FakeS3.Options())), on: loop)
    let bucket = BlobBucket(
        S3Bucket(origin: server.url, name: FakeS3.bucket, region: FakeS3.region, style: .path),
        keys: S3Keys(S3Credentials(accessKey: FakeS3.accessKey, secretKey: Secret(FakeS3.secretKey))),
        over: transport, threads: threads, pause: { _ in })
    let result: Result<Void, any Error>
    do {
        try await body(
            Files(
                files: NamedFiles(.bucket(bucket), threads: threads), threads: threads, scratch: folder, folder: nil))
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await server.stop()
    try result.get()
}

/// A Pics that is backed up: a database, files, and the place of its backups.
struct Scene: Sendable {
    let store: PicsStore
    let blobs: BlobStore
    let owner: User
    let files: Files

    /// Stores a photo of bytes of its own, which go to `accounts`.
    @discardableResult
    func post(_ content: String, to accounts: [AccountID] = [], scheduledAt: Date? = nil) async throws -> NewPhoto {
        let stored = try await blobs.put(Array(content.utf8))
        let photo = NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: BlobID(stored.digest), bytes: stored.bytes,
            mediaType: "image/jpeg", kind: .photo, width: 40, height: 30, takenAt: nil, position: nil, exif: "{}",
            caption: content, altText: "", visibility: .public)
        let submissions = accounts.map { account in
            NewSubmission(
                id: .make(), connection: account,
                plan: PlannedCaption(
                    text: content, isCut: false, length: content.count, limit: 140, unit: .codePoints),
                bytes: photo.bytes, maximumAttempts: 3,
                maximumAge: .seconds(86_400), scheduledAt: scheduledAt)
        }
        try await store.create(photo, submissions: submissions)
        return photo
    }

    func connect() async throws -> AccountID {
        try await store.connect(
            NewAccount(
                id: .make(), owner: owner.id, service: "file", remoteID: UUID().uuidString, account: "a",
                credentials: [1, 2, 3], settings: "{}",
                lane: NewLane(gate: "file", maximumRunning: 1, gap: .zero, cap: nil)))
    }

    /// Makes a backup; nil `moment` is now.
    @discardableResult
    func backUp(
        _ place: BackupPlace? = nil, at moment: Date = Date(), keyFile: [UInt8]? = nil
    ) async throws -> (StoredBackup, Backup.Progress) {
        let target: BackupPlace
        if let place { target = place } else { target = try await files.begin() }
        let backup = Backup(
            to: target, of: store, at: store.database.settings, blobs, release: "0.2.0", settings: ["listen": "x"],
            keyFile: keyFile)
        let (manifest, progress) = try await backup.make(at: moment) { _ in }
        return (StoredBackup(manifest, at: target), progress)
    }
}

/// Runs `body` with a Pics of one user.
func withScene(_ root: Root = .folder, _ body: (Scene) async throws -> Void) async throws {
    try await withFiles(root) { files in
        try await withTestDatabase(migrated: true, adjust: { $0.connectionsPerLoop = 2 }) { database in
            let store = PicsStore(database: database)
            let blobs = try BlobStore(folder: "\(files.scratch)/blobs", threads: files.threads)
            try await body(
                Scene(store: store, blobs: blobs, owner: try await store.addUser("alice"), files: files))
        }
    }
}

/// Runs `body` with a backup that was restored into an empty database.
func withRestored(_ backup: StoredBackup, _ body: (PicsStore) async throws -> Void) async throws {
    try await withTestDatabase(adjust: { $0.connectionsPerLoop = 2 }) { database in
        let store = PicsStore(database: database)
        try await backup.demandEmpty(database.settings)
        try await backup.restore(into: store, try Migrations.load(migrationsFolder), as: testRelease)
        try await body(store)
    }
}

extension PicsStore {
    /// The numbers of a statement's only row.
    func number(_ sql: String) async throws -> Int {
        try await database.one(
            Query("test_\(sql.hashValue)", "SELECT (\(sql))::bigint AS number") { row throws(PostgresError) in
                Int(try row.get("number", as: Int64.self))
            })
    }
}
