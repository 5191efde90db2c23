import Curl
import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import Testing

struct CommandTests {
    @Test func `a password that is too short is refused, and the one before stays`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            #expect(try await pics.command("user", "passwd", "admin", input: "too short\n").status == 1)
            var browser = Browser(pics)
            #expect(try await browser.signIn("admin", testPassword).status == 303)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `submit posts a photo, shows its way and ends with 0 when every service has it`() async throws {
        try await withPics { pics in
            let path = "\(pics.folder)/photo.jpg"
            try Data(CameraPhoto.jpeg()).write(to: URL(filePath: path))

            let result = try await pics.command("submit", path, "--caption", "from the terminal")

            #expect(result.status == 0)
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("stored \(pics.base)/") == true)
            #expect(lines.last?.hasPrefix("file  archive  done") == true)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `commands find the running Pics of their data folder, and a killed one is none`() async throws {
        try await withTestDatabase { database in
            try await withFolder { folder in
                let pics = try await Pics.start(in: folder, database: database.settings.connection)
                let status = try await pics.command("status")
                #expect(status.status == 0)
                #expect(status.output.hasPrefix("Pics ") && status.output.contains(" at \(pics.base), up "))
                #expect(status.output.contains("\nfile  waiting 0  running 0  done 0"))
                let link = try await pics.command("user", "invite", "berta").output
                #expect(link.hasPrefix("\(pics.base)/join?invitation="))
                pics.process.signal(SIGKILL)
                _ = await pics.process.end()

                let late = try PicsProcess(["status"], environment: pics.environment, folder: folder)

                #expect(await late.end().status == 2)
                #expect(
                    late.logged.contains(
                        "No Pics runs in \(folder)/data. Name the address of a running one with --url."))
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `only serve, work and migrate migrate, and other commands say what to do`() async throws {
        try await withTestDatabase { database in
            try await withFolder { folder in
                let environment = [
                    "PICS_DATA_DIR": folder, "PICS_DATABASE_URL": database.settings.connection,
                    "PICS_MIGRATIONS_DIR": migrationsFolder,
                ]
                func run(_ arguments: String...) async throws -> (status: Int32, logged: String) {
                    let process = try PicsProcess(arguments, environment: environment, folder: folder)
                    let status = await process.end().status
                    return (status, process.logged)
                }

                let early = try await run("user", "list")
                let migrated = try await run("migrate")
                let late = try await run("user", "list")

                #expect(early.status != 0 && migrated.status == 0 && late.status == 0, "\(migrated), \(late)")
                #expect(early.logged.contains("lacks 0001_create_photos and"))
                #expect(early.logged.contains("Run `pics migrate`"))
            }
        }
    }

    @Test func `what nobody answers at is told with the option that names another address`() async throws {
        try await withFolder { folder in
            let process = try PicsProcess(
                ["status", "--url", "http://127.0.0.1:1"], environment: ["PICS_DATA_DIR": folder], folder: folder)

            #expect(await process.end().status == 1)
            #expect(process.logged.contains("Name the address of a running Pics with --url."))
        }
    }

    @Test(arguments: [("", 2, "No Pics runs in"), ("pics_named", 1, "does not answer")])
    func `the kept token goes to no server that is only guessed`(
        named: String, status: Int32, words: String
    ) async throws {
        try await withFolder { folder in
            try "pics_kept\n".write(toFile: "\(folder)/admin-token", atomically: true, encoding: .utf8)
            let process = try PicsProcess(
                ["status"],
                environment: ["PICS_LISTEN": "127.0.0.1:1", "PICS_DATA_DIR": folder, "PICS_TOKEN": named],
                folder: folder)

            #expect(await process.end().status == status)
            #expect(process.logged.contains(words))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `submit tells a refused file in the server's words and ends with 1`() async throws {
        try await withPics { pics in
            let path = "\(pics.folder)/photo.txt"
            try Data("no picture".utf8).write(to: URL(filePath: path))

            let process = try PicsProcess(
                ["submit", path, "--url", pics.base], environment: pics.environment, folder: pics.folder)

            #expect(await process.end().status == 1)
            #expect(process.logged.contains("415"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `submit takes an address with a slash at its end, and tells how large a file may be`() async throws {
        try await withPics(settings: ["PICS_UPLOAD_LIMIT": "1KiB"]) { pics in
            let path = "\(pics.folder)/photo.jpg"
            try Data(CameraPhoto.jpeg()).write(to: URL(filePath: path))

            let process = try PicsProcess(
                ["submit", path, "--url", "\(pics.base)/"], environment: pics.environment, folder: pics.folder)

            #expect(await process.end().status == 1)
            #expect(process.logged.contains("\(pics.base) answers 413"))
            #expect(process.logged.contains("1024 bytes"))
        }
    }

    @Test func `a command that cannot reach a unix socket asks for an address`() async throws {
        try await withFolder { folder in
            let process = try PicsProcess(
                ["status"], environment: ["PICS_LISTEN": "unix:\(folder)/pics.sock"], folder: folder)

            #expect(await process.end().status == 2)
            #expect(process.logged.contains("Name a web address that leads there with --url."))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a token of another user sees nothing of mine, and a revoked one nothing at all`() async throws {
        try await withPics { pics in
            let mine = try JSONValue(
                parsing: try await pics.post(CameraPhoto.jpeg(), caption: "mine", ["visibility": "private"]).body)
            let id = try #require(mine["id"]?.string)
            #expect(try await pics.command("user", "add", "alice").status == 0)
            let created = try await pics.command("token", "create", "alice", "--scopes", "read")
            let alice = created.output.trimmingCharacters(in: .newlines)

            #expect(try await pics.status(.get, "/v1/photos/\(id)", token: alice) == 404)
            #expect(try await pics.status(.get, "/v1/photos", token: alice) == 200)
            #expect(try await pics.status(.delete, "/v1/photos/\(id)", token: alice) == 403)

            let list = try await pics.command("token", "list", "alice").output
            let tokenID = try #require(list.split(separator: " ").first)
            #expect(try await pics.command("token", "revoke", String(tokenID)).status == 0)
            #expect(try await pics.status(.get, "/v1/photos", token: alice) == 401)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a list with long captions ends early and goes on at its next`() async throws {
        try await withPics { pics in
            let caption = String(repeating: "long ", count: 13_000)
            for number in 0..<5 { _ = try await pics.post(CameraPhoto.jpeg(number), caption: caption) }

            let first = try await pics.json("/v1/photos?limit=5")
            let cursor = try #require(first["next"]?.string)
            let second = try await pics.json("/v1/photos?limit=5&cursor=\(cursor)")

            #expect(first["items"]?.array?.count == 4)
            #expect(second["items"]?.array?.count == 1)
            #expect(second["next"]?.isNull == true)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `one process serves and another works on the queue`() async throws {
        try await withPics(["--no-workers"]) { pics in
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "apart").body)
            let id = try #require(photo["id"]?.string)
            #expect(photo["submissions"]?[0]?["state"]?.string == "waiting")
            var environment = pics.environment
            environment["PICS_BASE_URL"] = pics.base

            let worker = try PicsProcess(["work"], environment: environment, folder: pics.folder)
            _ = try await worker.line(beginning: "working on the queue")

            #expect(try await pics.ended(id).compactMap { $0["state"]?.string } == ["done"])
            worker.signal(SIGTERM)
            #expect(await worker.end().status == 0)
        }
    }
}

/// Runs `body` with a running Pics on a database of its own, and stops it.
func withPics(
    _ arguments: [String] = [], settings: [String: String] = [:], _ body: (Pics) async throws -> Void
) async throws {
    try await withTestDatabase(migrated: true) { database in
        try await withFolder { folder in
            let pics = try await Pics.start(
                in: folder, database: database.settings.connection, arguments, settings: settings)
            try await body(pics)
            let status = await pics.stop()
            #expect(status == 0, "\(pics.process.logged.suffix(8000))")
        }
    }
}
