import EventLoops
import Fakes
import Foundation
import Postgres
import TestSupport
import TestTools

/// A database and a bucket for nodes without a shared disk: one has its data in `folder`, another in `folder/other`.
func withBucket(
    _ body: (_ database: String, _ folder: String, _ settings: [String: String], FakeS3) async throws -> Void
) async throws {
    let fake = FakeS3()
    let server = try await FakeServer(FakeHost(fake), on: try EventLoop(name: "bucket"))
    try await withTestDatabase(migrated: true) { database in
        try await withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: "\(folder)/other", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o755])
            try await body(
                database.settings.connection, folder,
                [
                    "PICS_STORAGE": "s3", "PICS_S3_URL": server.url, "PICS_S3_BUCKET": FakeS3.bucket,
                    "PICS_S3_REGION": FakeS3.region, "PICS_S3_ACCESS_KEY": FakeS3.accessKey,
                    "PICS_S3_SECRET_KEY": FakeS3.secretKey, "PICS_S3_PREFIX": "pics",
                    "PICS_SECRET_KEY_FILE": "\(folder)/key",
                ], fake)
        }
    }
    await server.stop()
}
