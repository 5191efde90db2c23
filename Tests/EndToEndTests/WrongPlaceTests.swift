import Foundation
import Postgres
import TestSupport
import Testing

struct WrongPlaceTests {
    @Test(arguments: [
        ["token", "list"], ["token", "create", "admin"], ["user", "list"], ["user", "add", "alice"],
        ["connect", "mastodon", "base_url=https://social.example"], ["work"],
    ])
    func `a command where no Pics is says so and begins none`(words: [String]) async throws {
        try await withFolder { folder in
            let environment = ["PICS_DATA_DIR": "\(folder)/data", "PICS_BASE_URL": "https://pics.example"]

            let pics = try PicsProcess(words, environment: environment, folder: folder)

            #expect(await pics.end().status == 1)
            #expect(
                pics.logged.contains(
                    "There is no Pics in \(folder)/data. Name its folder with --data-dir, or start it with pics serve."
                ))
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/data"))
        }
    }

    @Test func `a relative folder is told with where it is`() async throws {
        try await withFolder { folder in
            let pics = try PicsProcess(
                ["user", "list", "--data-dir", "no-such-folder"], environment: [:], folder: folder)

            #expect(await pics.end().status == 1)
            #expect(pics.logged.contains("There is no Pics in no-such-folder (/"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `with a PostgreSQL elsewhere tokens need no data folder, and accounts do`() async throws {
        try await withTestDatabase(migrated: true) { database in
            try await withFolder { folder in
                let environment = [
                    "PICS_DATA_DIR": "\(folder)/data", "PICS_DATABASE_URL": database.settings.connection,
                ]

                let tokens = try PicsProcess(["token", "list"], environment: environment, folder: folder)
                let account = try PicsProcess(["user", "add", "alice"], environment: environment, folder: folder)

                #expect(await tokens.end().status == 0)
                #expect(await account.end().status == 1)
                #expect(account.logged.contains("There is no Pics in"))
                #expect(!FileManager.default.fileExists(atPath: "\(folder)/data"))
            }
        }
    }

    @Test func `a Pics whose PostgreSQL is elsewhere gets no second one`() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: "\(folder)/data/blobs", withIntermediateDirectories: true)

            let pics = try PicsProcess(
                ["user", "list"], environment: ["PICS_DATA_DIR": "\(folder)/data"], folder: folder)

            #expect(await pics.end().status == 1)
            #expect(pics.logged.contains("database_url"))
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/data/postgres"))
        }
    }
}
