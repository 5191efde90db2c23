import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

struct FirstStartTests {
    @Test(.timeLimit(.minutes(10)))
    func `a first start makes an admin with a token, and a second start finds everything again`() async throws {
        try await withFolder { folder in
            let first = try PicsProcess(
                ["serve"], environment: ["PICS_DATA_DIR": "\(folder)/data", "PICS_LISTEN": "127.0.0.1:0"],
                folder: folder)
            let welcome = try await first.line(beginning: "Welcome to Pics.")
            let link = "http://" + (try await first.line(beginning: "    http://"))
            let told = try await first.line(beginning: "The first admin's token")
            let base = try await first.line(beginning: "listening on ")
            let pics = Pics(
                folder: folder, base: base, process: first, environment: ["PICS_DATA_DIR": "\(folder)/data"])
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "one").body)
            var browser = Browser(pics)
            let signedIn = try await browser.submit(
                InvitationTests.acceptance(link, name: "admin"), to: "/join", from: link)
            let isAdmin = try await browser.open("/settings/people").status == 200
            let again = try await browser.open(link)
            let status = await pics.stop()

            let second = try await Pics.start(in: folder, database: nil)
            let list = try await second.json("/v1/photos")

            #expect(status == 0)
            #expect(
                welcome == " Open this link in a browser to choose a password and sign in. It works once, for a day:")
            #expect(told == " is in \(folder)/data/admin-token.")
            #expect(signedIn.location == "/" && again.status == 410)
            #expect(isAdmin)
            #expect(list["items"]?.array?.compactMap { $0["id"] } == [photo["id"]])
            #expect(await second.stop() == 0)
            #expect(!second.process.logged.contains("creating a PostgreSQL cluster"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `who waits until Pics is ready finds the whole token of the first admin, and it is shown to no log`()
        async throws
    {
        try await withTestDatabase { database in
            try await withFolder { folder in
                let port = try freePorts(1)[0]
                let base = "http://127.0.0.1:\(port)"
                let process = try PicsProcess(
                    ["serve"],
                    environment: [
                        "PICS_DATA_DIR": "\(folder)/data", "PICS_LISTEN": "127.0.0.1:\(port)",
                        "PICS_DATABASE_URL": database.settings.connection, "PICS_ADDRESS_RATE": "0",
                    ], folder: folder)
                let pics = Pics(folder: folder, base: base, process: process, environment: [:])

                await until { (try? await pics.send(.get, "/readyz", isAnonymous: true))?.status == .ok }

                let token = try pics.token
                #expect(try await pics.send(.get, "/v1/photos").status == .ok)
                process.signal(SIGTERM)
                let (status, output) = await process.end()
                #expect(status == 0)
                #expect(!output.contains(token) && !process.logged.contains(token))
            }
        }
    }

    @Test func `a mistake in the settings is told with all others at once and starts nothing`() async throws {
        try await withFolder { folder in
            let pics = try PicsProcess(
                ["serve"],
                environment: ["PICS_WORKER_JOBS": "0", "PICS_LISTN": "x", "PICS_DATA_DIR": "\(folder)/data"],
                folder: folder)

            #expect(await pics.end().status == 2)
            #expect(pics.logged.contains("worker_jobs"))
            #expect(pics.logged.contains("did you mean PICS_LISTEN?"))
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/data"))
        }
    }

    @Test func `the configuration file is what the settings generate`() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/pics.conf")

        let generated = try await withFolder { folder in
            try await PicsProcess(["settings", "--file"], environment: [:], folder: folder).end()
        }

        #expect(generated.status == 0)
        #expect(try String(contentsOf: file, encoding: .utf8) == generated.output)
    }
}
