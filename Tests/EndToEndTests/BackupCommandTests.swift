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

/// Backups of a running Pics, and a machine that is lost.
@Suite(.timeLimit(.minutes(10)))
struct BackupCommandTests {
    /// A second Pics, in an empty folder and with an empty database; what `pics restore` said.
    private func restore(
        _ place: String, into folder: String, _ settings: [String: String] = [:],
        _ body: (_ restored: [String: String], _ database: String) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            var environment = testSettings(in: folder).merging(settings) { $1 }
            environment["PICS_DATABASE_URL"] = database.settings.connection
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            try await body(environment, database.settings.connection)
        }
    }

    private func withTwoFolders(
        _ body: (_ database: String, _ first: String, _ second: String) async throws -> Void
    ) async throws {
        try await withTestDatabase(migrated: true) { database in
            try await withFolder { first in
                try await withFolder { second in try await body(database.settings.connection, first, second) }
            }
        }
    }

    private func run(
        _ arguments: [String], _ environment: [String: String], in folder: String
    ) async throws -> (status: Int32, output: String) {
        try await PicsProcess(arguments, environment: environment, folder: folder).end()
    }

    @Test func `what was sent after the backup is not sent again by the restored Pics`() async throws {
        let fake = try await FakeServer(FakeHost(FakeMastodon()), on: try EventLoop(name: "fake"))
        try await withTwoFolders { database, lost, folder in
            let pics = try await Pics.start(in: lost, database: database)
            _ = try await pics.connectMastodon(fake)
            #expect(try await pics.command("queue", "pause", "mastodon").status == 0)
            var ids: [String] = []
            for number in 0..<3 {
                let response = try await pics.post(
                    CameraPhoto.jpeg(number), caption: "Photo \(number)", ["services": "mastodon"])
                ids.append(try #require(try JSONValue(parsing: response.body)["id"]?.string))
            }
            let place = "\(folder)/backups"
            let made = try await pics.command("backup", place, "--backup-with-key", "true")
            #expect(made.status == 0 && made.output.contains("3 photos"))
            #expect(try await pics.command("queue", "resume", "mastodon").status == 0)
            for id in ids { #expect(try await pics.ended(id).allSatisfy { $0["state"]?.string == "done" }) }
            #expect(fake.host.service.effects.count == 3)
            let token = try pics.token
            pics.process.signal(SIGKILL)
            _ = await pics.process.end()
            try FileManager.default.removeItem(atPath: "\(lost)/data")

            try await restore(place, into: folder) { environment, database in
                let restored = try await run(["restore", place], environment, in: folder)
                #expect(restored.status == 0 && restored.output.contains("3 posts may have been sent"))
                // A second time it is not empty any more.
                #expect(try await run(["restore", place], environment, in: folder).status == 1)
                let second = try await Pics.start(in: folder, database: database)
                try token.write(toFile: "\(folder)/data/admin-token", atomically: true, encoding: .utf8)
                // As the backup had it.
                #expect(try await second.command("queue", "resume", "mastodon").status == 0)
                // Nothing in the backup tells this service's posts from others: a person says that they are there.
                for id in ids {
                    let ended = try await second.ended(id)
                    #expect(ended.map { $0["state"]?.string } == ["unknown"], "\(ended)")
                    let submission = try #require(ended.first?["id"]?.string)
                    #expect(try await second.command("queue", "resolve", submission, "--url", fake.url).status == 0)
                }
                for id in ids {
                    let photo = try await second.json("/v1/photos/\(id)")
                    let picture = try await second.send(
                        .get, "/m/\(photo["code"]?.string ?? "")/medium.jpg", isAnonymous: true)
                    #expect(picture.status == .ok)
                }
                #expect(fake.host.service.effects.count == 3)
                let more = try await second.post(CameraPhoto.jpeg(9), caption: "After", ["services": "mastodon"])
                let id = try #require(try JSONValue(parsing: more.body)["id"]?.string)
                #expect(try await second.ended(id).map { $0["state"]?.string } == ["done"])
                #expect(await second.stop() == 0)
            }
        }
        await fake.stop()
    }

    @Test func `what was sent after the moment that PostgreSQL was brought back to is looked for first`() async throws {
        let fake = try await FakeServer(FakeHost(FakeMastodon()), on: try EventLoop(name: "fake"))
        try await withTestDatabase(migrated: true) { database in
            try await withFolder { folder in
                let address = database.settings.connection
                let pics = try await Pics.start(in: folder, database: address)
                _ = try await pics.connectMastodon(fake)
                #expect(try await pics.command("queue", "pause", "mastodon").status == 0)
                let photo = try await pics.post(CameraPhoto.jpeg(), caption: "Photo", ["services": "mastodon"])
                let id = try #require(try JSONValue(parsing: photo.body)["id"]?.string)
                #expect(await pics.stop() == 0)
                let moment = Timestamp(Date()).description
                let name = try #require(connectionKeywords(address)["dbname"])
                let earlier = address.replacing("dbname=\(name)", with: "dbname=\(name)_earlier")
                try await psql("CREATE DATABASE \(name)_earlier TEMPLATE \(name)", address, name)

                let later = try await Pics.start(in: folder, database: address)
                #expect(try await later.command("queue", "resume", "mastodon").status == 0)
                #expect(try await later.ended(id).map { $0["state"]?.string } == ["done"])
                // Not while somebody works on it.
                #expect(try await later.command("restore", "--recovered-to", moment).status == 1)
                #expect(await later.stop() == 0)

                let environment = later.environment.merging(["PICS_DATABASE_URL": earlier]) { $1 }
                let made = try await run(["restore", "--recovered-to", moment], environment, in: folder)
                #expect(made.status == 0 && made.output.contains("1 post may have been sent"), "\(made.output)")
                let recovered = try await Pics.start(in: folder, database: earlier)
                #expect(try await recovered.command("queue", "resume", "mastodon").status == 0)
                #expect(try await recovered.ended(id).map { $0["state"]?.string } == ["unknown"])
                #expect(fake.host.service.effects.count == 1)
                #expect(await recovered.stop() == 0)
                try await psql("DROP DATABASE \(name)_earlier", address, name)
            }
        }
        await fake.stop()
    }

    /// A statement in another database of the server.
    private func psql(_ sql: String, _ address: String, _ name: String) async throws {
        let threads = BlockingThreads(name: "psql", count: 1)
        defer { threads.stop() }
        let other = address.replacing("dbname=\(name)", with: "dbname=postgres")
        let status = await threads.run { system("psql -qd '\(other)' -c '\(sql)'") }
        #expect(status == 0)
    }

    @Test func `a damaged file is restored from an encrypted backup, and the doctor tells of it`() async throws {
        try await withPics { pics in
            let posted = try await pics.post(CameraPhoto.jpeg(), caption: "One", ["services": "none"])
            let id = try #require(try JSONValue(parsing: posted.body)["id"]?.string)
            _ = try await pics.processed(id)
            let backups = ["--backup-to", "\(pics.folder)/backups", "--backup-passphrase", "correct horse battery"]
            func call(_ arguments: String...) async throws -> (status: Int32, output: String) {
                try await run(arguments + backups, pics.environment, in: pics.folder)
            }
            #expect(try await call("backup").status == 0)
            let blobs = "\(pics.folder)/data/blobs"
            for file in try FileManager.default.subpathsOfDirectory(atPath: "\(blobs)/blobs") where file.count > 64 {
                try Data("x".utf8).write(to: URL(filePath: "\(blobs)/blobs/\(file)"))
            }

            let checked = try await call("blobs", "check")

            #expect(checked.status == 0 && checked.output.contains("restored from a copy"), "\(checked.output)")
            let again = try await pics.send(.get, "/v1/photos/\(id)")
            #expect(try JSONValue(parsing: again.body)["file_fault"]?.string == nil)
            #expect(try await call("doctor").output.contains("restored from a copy"))
        }
    }

    @Test func `a backup and a restore that were killed are made anew, and go on from what is there`() async throws {
        try await withPics { pics in
            for number in 0..<12 { _ = try await pics.post(CameraPhoto.jpeg(number), caption: "Photo \(number)") }
            let place = "\(pics.folder)/backups"
            func killed(_ arguments: [String], _ environment: [String: String], _ folder: String) async throws {
                let process = try PicsProcess(arguments, environment: environment, folder: folder)
                while true {
                    guard let line = try? await process.line(beginning: "") else { return }
                    if line.contains("%") { break }
                }
                process.signal(SIGKILL)
                _ = await process.end()
            }
            try await killed(["backup", place], pics.environment, pics.folder)
            // The lease of the killed one.
            try await pics.change("UPDATE backups SET seen_at = now() - interval '1 hour'")
            let made = try await pics.command("backup", place)
            #expect(made.status == 0 && made.output.contains("12 photos"))
            #expect(try await pics.command("backup", "list", place).output.contains("12 photos"))

            let folder = "\(pics.folder)/second"
            try await restore(place, into: folder) { environment, _ in
                // The key is kept apart.
                let refused = try await run(["restore", place], environment, in: folder)
                #expect(refused.status == 1)
                try FileManager.default.copyItem(
                    atPath: "\(pics.folder)/data/secret.key", toPath: "\(folder)/data/secret.key")
                try await killed(["restore", place], environment, folder)
                let restored = try await run(["restore", place], environment, in: folder)
                #expect(restored.status == 0 || restored.output.isEmpty)
                #expect(try await run(["blobs", "check"], environment, in: folder).status == 0)
                #expect(try await run(["user", "list"], environment, in: folder).output.contains("admin"))
            }
        }
    }

    @Test func `verify proves a backup beside the running Pics, and finds what is damaged and missing`() async throws {
        try await withPics { pics in
            for number in 0..<3 { _ = try await pics.post(CameraPhoto.jpeg(number), caption: "Photo \(number)") }
            let place = "\(pics.folder)/backups"
            #expect(try await pics.command("backup", place).status == 0)
            let whole = try await pics.command("backup", "verify", place)
            #expect(whole.status == 0, "\(whole.output)")
            #expect(whole.output.contains("3 photos, 3 short links") && whole.output.contains("The backup is whole."))

            let files = try #require(FileManager.default.enumerator(atPath: "\(place)/blobs")).compactMap {
                $0 as? String
            }
            .filter { $0.count > 60 }.sorted()
            try FileManager.default.removeItem(atPath: "\(place)/blobs/\(files[0])")
            try Data("other".utf8).write(to: URL(filePath: "\(place)/blobs/\(files[1])"))
            let broken = try await pics.command("backup", "verify", place)
            #expect(broken.status == 1 && broken.output.contains("The backup is not whole."))
            #expect(broken.output.contains("\(files.count - 2) of \(files.count) files are whole"))
        }
    }

    @Test func `a running Pics makes backups by itself, encrypted`() async throws {
        try await withFolder { folder in
            try await withTestDatabase(migrated: true) { database in
                let settings = ["PICS_BACKUP_TO": "\(folder)/backups", "PICS_BACKUP_PASSPHRASE": "geheim"]
                let pics = try await Pics.start(in: folder, database: database.settings.connection, settings: settings)
                await until { pics.process.logged.contains("backup made") }
                #expect(try await pics.command("backup", "list").output.contains("0 photos"))
                #expect(
                    try await run(
                        ["backup", "list", "\(folder)/backups"],
                        pics.environment.filter { $0.key != "PICS_BACKUP_PASSPHRASE" }, in: folder
                    ).status == 1)
                #expect(await pics.stop() == 0)
            }
        }
    }
}
