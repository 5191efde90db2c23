import EventLoops
import Fakes
import Foundation
import TestTools
import Testing

struct StartTests {
    @Test func `an address that another program listens at is told before anything is made`() async throws {
        let loop = try EventLoop(name: "fakes")
        let other = try await FakeServer(FakeHost(FakeMastodon()), on: loop)
        let address = String(other.url.dropFirst("http://".count))
        try await withFolder { folder in
            let pics = try PicsProcess(
                ["serve"], environment: ["PICS_DATA_DIR": "\(folder)/data", "PICS_LISTEN": address], folder: folder)

            #expect(await pics.end().status == 1)
            #expect(
                pics.logged.contains(
                    "Cannot listen on \(address): another program listens there (address already in use). "
                        + "Choose another with --listen."))
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/data"))
        }
        await other.stop()
    }

    @Test(
        arguments: [
            (["PICS_LISTEN": "unix:/tmp/pics.sock"], 2, "Set base_url"),
            (["PICS_LISTEN": "192.0.2.1:8080"], 1, "it is no address of this machine. Choose another with --listen."),
            (["PICS_MEDIA_PROGRAM": "/nowhere/pics-media"], 1, "name it in media_program"),
            (["PICS_MEDIA_PROGRAM": "/etc/passwd"], 1, "cannot be executed"),
            (["PICS_DATA_DIR": "/dev/null/data"], 1, "Choose another with --data-dir."),
        ] as [([String: String], Int32, String)])
    func `what Pics cannot start with is told in a sentence`(
        settings: [String: String], status: Int32, sentence: String
    ) async throws {
        try await withFolder { folder in
            let usual = ["PICS_DATA_DIR": "\(folder)/data", "PICS_LISTEN": "127.0.0.1:0"]

            let pics = try PicsProcess(
                ["serve"], environment: usual.merging(settings) { _, special in special }, folder: folder)

            #expect(await pics.end().status == status)
            #expect(pics.logged.contains(sentence))
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/data"))
        }
    }

    @Test(.disabled(if: isSanitized, "a sanitizer reserves more addresses"), .timeLimit(.minutes(10)))
    func `a limit of addresses under which no thread starts is told`() async throws {
        try await withFolder { folder in
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/prlimit")
            process.arguments = ["--as=419430400", PicsProcess.program, "serve"]
            process.environment = ["PICS_DATA_DIR": "\(folder)/data", "PICS_LISTEN": "127.0.0.1:0"]
            process.standardError = output
            try process.run()
            process.waitUntilExit()

            let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(process.terminationStatus == 1)
            #expect(told.contains("The address space is limited to 400 MiB (ulimit -v)"))
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/data"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `without base_url Pics says at its start that links open nowhere else`() async throws {
        try await withPics { pics in
            #expect(pics.process.logged.contains("base_url is not set"))
        }
        try await withPics(settings: ["PICS_BASE_URL": "https://pics.example"]) { pics in
            #expect(!pics.process.logged.contains("base_url is not set"))
        }
    }
}
