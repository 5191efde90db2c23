import Curl
import EventLoops
import Fakes
import Foundation
import Glibc
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// Files in a bucket: nodes without a shared disk, and moving there and back.
@Suite(.timeLimit(.minutes(10)))
struct BucketTests {
    /// Whether the picture that people see can be made of a photo's file.
    private func isShown(_ photo: JSONValue, by pics: Pics) async throws -> Bool {
        let picture = try await pics.send(
            .get, "/m/\(photo["code"]?.string ?? "")/medium.jpg", isAnonymous: true)
        return picture.status == .ok && picture.body.starts(with: [0xFF, 0xD8])
    }

    @Test func `a photo that one node has acknowledged is shown by another, also when the first is gone for good`()
        async throws
    {
        try await withBucket { database, folder, settings, fake in
            let first = try await Pics.start(in: folder, database: database, settings: settings)
            let second = try await Pics.start(in: "\(folder)/other", database: database, settings: settings)
            let photos = try await (0..<3).asyncMap { number in
                try JSONValue(parsing: try await first.post(CameraPhoto.jpeg(number), caption: "\(number)").body)
            }
            first.process.signal(SIGKILL)
            _ = await first.process.end()
            try FileManager.default.removeItem(atPath: "\(folder)/data")

            for photo in photos { #expect(try await isShown(photo, by: second)) }
            #expect(fake.keys.contains("pics/installation"))
            #expect(await second.stop() == 0)
        }
    }

    @Test func `an upload in parts goes on at another node once the first is gone for good`() async throws {
        try await withBucket { database, folder, settings, fake in
            let settings = settings.merging(["PICS_BASE_URL": "http://pics.test", "PICS_HOSTS": "127.0.0.1"]) { $1 }
            let first = try await Pics.start(in: folder, database: database, settings: settings)
            let second = try await Pics.start(in: "\(folder)/other", database: database, settings: settings)
            let (token, bytes) = (try first.token, CameraPhoto.jpeg())
            let half = bytes.count / 2
            let begun = try await first.ask(
                .post, "/v1/uploads", ["Tus-Resumable": "1.0.0", "Upload-Length": String(bytes.count)])
            #expect(begun.status == .created)
            let path = "/v1/uploads/\((begun.fields["Location"] ?? "").split(separator: "/").last ?? "")"
            #expect(try await first.patchTus(path, at: 0, Array(bytes[..<half])).status == .noContent)
            first.process.signal(SIGKILL)
            _ = await first.process.end()
            try FileManager.default.removeItem(atPath: "\(folder)/data")

            let fields: HTTPFields = ["Tus-Resumable": "1.0.0"]
            let asked = try await second.ask(.head, path, fields, token: token)
            #expect(asked.fields["Upload-Offset"] == String(half))
            let rest = try await second.ask(
                .patch, path,
                [
                    "Tus-Resumable": "1.0.0", "Upload-Offset": String(half),
                    "Content-Type": "application/offset+octet-stream",
                ], Array(bytes[half...]), token: token)
            #expect(rest.status == .noContent && rest.fields["Upload-Offset"] == String(bytes.count))
            let posted = try await second.ask(
                .post, "/v1/photos", ["Content-Type": "application/json"],
                Array(#"{"upload": "\#(path.split(separator: "/").last ?? "")", "caption": "Both"}"#.utf8), token: token
            )
            #expect(posted.status == .created, "\(String(decoding: posted.body, as: UTF8.self))")
            #expect(try await isShown(try JSONValue(parsing: posted.body), by: second))
            #expect(fake.keys.filter { $0.contains("/uploads/") } == [])
            // The bucket went away while its bytes were removed.
            let id = path.split(separator: "/").last ?? ""
            fake.leave("pics/uploads/\(id)/begun")
            let used = try await second.ask(.head, path, fields, token: token)
            #expect(used.status.code / 100 == 2 && used.fields["Upload-Offset"] == String(bytes.count))
            #expect(await second.stop() == 0)
        }
    }

    @Test func `a bucket that is away refuses photos for a while, and keeps no half of one`() async throws {
        try await withBucket { database, folder, settings, fake in
            let pics = try await Pics.start(in: folder, database: database, settings: settings)
            fake.isAway = true
            let doctor = try await pics.command("doctor")
            #expect(doctor.output.contains("bucket: The bucket "))
            let refused = try await pics.post(CameraPhoto.jpeg(), caption: "one")
            #expect(refused.status == .serviceUnavailable && refused.fields["Retry-After"] != nil)
            #expect(try await pics.json("/v1/photos")["items"]?.array?.isEmpty == true)
            fake.isAway = false
            #expect(try await pics.post(CameraPhoto.jpeg(), caption: "one").status == .created)
            #expect(await pics.stop() == 0)
        }
    }

    @Test func `a node with another key, or without one, is refused in words, and makes none of its own`() async throws
    {
        try await withBucket { database, folder, settings, _ in
            let first = try await Pics.start(in: folder, database: database, settings: settings)
            var others = settings
            others["PICS_DATABASE_URL"] = database
            others["PICS_LISTEN"] = "127.0.0.1:0"
            for isMissing in [true, false] {
                let key = "\(folder)/other/key-\(isMissing)"
                if !isMissing {
                    try Data(Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedData()).write(
                        to: URL(filePath: key))
                    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
                }
                others["PICS_SECRET_KEY_FILE"] = key
                let environment = testSettings(in: "\(folder)/other").merging(others) { $1 }
                let second = try PicsProcess(["serve"], environment: environment, folder: folder)
                let (status, _) = await second.end()
                #expect(status == 1)
                #expect(second.logged.contains("in secret_key_file"), "\(second.logged)")
                #expect(FileManager.default.fileExists(atPath: key) == !isMissing)
            }
            let doctor = try await first.command("doctor")
            #expect(!doctor.output.contains("bucket: "))
            #expect(await first.stop() == 0)
        }
    }

    @Test func `files move to a bucket and back while Pics runs`() async throws {
        try await withBucket { database, folder, settings, fake in
            let inFolder = settings.merging(["PICS_STORAGE": "folder"]) { $1 }
            var pics = try await Pics.start(in: folder, database: database, settings: inFolder)
            let one = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(1), caption: "one").body)
            #expect(fake.keys.filter { $0.contains("/blobs/") }.isEmpty)
            // A bucket that holds nothing yet keeps nobody from starting.
            #expect(await pics.stop() == 0)
            fake.isAway = true
            pics = try await Pics.start(in: folder, database: database, settings: inFolder)
            let early = try PicsProcess(["blobs", "move", "s3"], environment: pics.environment, folder: folder)
            let (status, _) = await early.end()
            #expect(status == 1 && early.logged.contains("Check s3_url, s3_bucket and the access key."))
            fake.isAway = false
            let moved = try await pics.command("blobs", "move", "s3")
            #expect(moved.status == 0 && moved.output.contains("all files are in "))
            let two = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(2), caption: "two").body)
            #expect(await pics.stop() == 0)

            pics = try await Pics.start(in: folder, database: database, settings: settings)
            #expect(try await isShown(two, by: pics))
            #expect(try await pics.command("blobs", "move", "s3").status == 0)
            #expect(try await pics.command("blobs", "check").output.contains("all stored files are whole"))
            let three = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(3), caption: "three").body)
            try FileManager.default.removeItem(atPath: "\(folder)/data/blobs/blobs")
            #expect(await pics.stop() == 0)

            pics = try await Pics.start(in: folder, database: database, settings: settings)
            #expect(try await pics.command("blobs", "move", "folder").status == 0)
            #expect(await pics.stop() == 0)
            fake.isAway = true
            let alone = inFolder.filter { !$0.key.hasPrefix("PICS_S3") }
            pics = try await Pics.start(in: folder, database: database, settings: alone)
            for photo in [one, two, three] { #expect(try await isShown(photo, by: pics)) }
            #expect(try await pics.command("blobs", "check").output.contains("all stored files are whole"))
            #expect(await pics.stop() == 0)
        }
    }

    @Test(arguments: [
        (["PICS_STORAGE": "s3"], "set s3_url and s3_bucket"),
        (["PICS_S3_URL": "https://s3.test"], "set s3_bucket, too"),
        (["PICS_S3_URL": "https://s3.test/x", "PICS_S3_BUCKET": "a"], "an address without a path"),
        (
            ["PICS_S3_URL": "https://s3.test", "PICS_S3_BUCKET": "a", "PICS_S3_ACCESS_KEY": "k"],
            "set s3_secret_key, too"
        ),
        (
            [
                "PICS_STORAGE": "s3", "PICS_S3_URL": "http://127.0.0.1:1", "PICS_S3_BUCKET": "a",
                "PICS_S3_ACCESS_KEY": "k", "PICS_S3_SECRET_KEY": "s",
            ],
            "Check s3_url, s3_bucket and the access key."
        ),
    ])
    func `settings that cannot be meant are refused with what is missing`(
        settings: [String: String], sentence: String
    ) async throws {
        try await withTestDatabase(migrated: true) { database in
            try await withFolder { folder in
                let environment = testSettings(in: folder).merging(settings) { $1 }
                    .merging(["PICS_DATABASE_URL": database.settings.connection, "PICS_LISTEN": "127.0.0.1:0"]) { $1 }
                let process = try PicsProcess(["serve"], environment: environment, folder: folder)
                let (status, _) = await process.end()
                #expect(status == 1 && process.logged.contains(sentence), "\(process.logged)")
            }
        }
    }
}

extension Range<Int> {
    fileprivate func asyncMap<Value>(_ body: (Int) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
