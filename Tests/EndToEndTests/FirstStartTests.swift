import Foundation
import HTTP
import Testing

struct FirstStartTests {
    @Test(.timeLimit(.minutes(3)))
    func `a first start makes an admin with a token, and a second start finds everything again`() async throws {
        try await withFolder { folder in
            let first = try PicsProcess(
                ["serve"], environment: ["PICS_DATA_DIR": "\(folder)/data", "PICS_LISTEN": "127.0.0.1:0"],
                folder: folder)
            _ = try await first.line(beginning: "Welcome to Pics.")
            let shown = try await first.line(beginning: "    pics_")
            let base = try await first.line(beginning: "listening on ")
            let pics = Pics(
                folder: folder, base: base, process: first, environment: ["PICS_DATA_DIR": "\(folder)/data"])
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "one").body)
            let status = await pics.stop()

            let second = try await Pics.start(in: folder, database: nil)
            let list = try await second.json("/v1/photos")

            #expect(status == 0)
            #expect(try pics.token == "pics_\(shown)")
            #expect(list["items"]?.array?.compactMap { $0["id"] } == [photo["id"]])
            #expect(await second.stop() == 0)
            #expect(!second.process.logged.contains("creating a PostgreSQL cluster"))
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
