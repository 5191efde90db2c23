import Foundation
import Testing

struct UsageTests {
    @Test(
        arguments: [
            (["status", "now"], "now"),
            (["serve", "--frobnicate"], "--frobnicate"),
            (["migrate", "-f"], "-f"),
            (["settings", "--file=pics.conf"], "--file"),
            (["user", "list", "alice"], "alice"),
            (["user", "remove", "alice"], "remove"),
            (["token", "list", "alice", "bob"], "bob"),
            (["connect", "file", "colour=red"], "colour"),
            (["submit", "one.jpg", "two.jpg"], "two.jpg"),
            (["version", "please"], "please"),
            (["help", "servee"], "servee"),
        ] as [([String], String)])
    func `a word that a command has no use for is named`(words: [String], culprit: String) async throws {
        try await withFolder { folder in
            let pics = try PicsProcess(words, environment: ["PICS_DATA_DIR": "\(folder)/data"], folder: folder)

            #expect(await pics.end().status == 2)
            #expect(pics.logged.contains(culprit))
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/data"))
        }
    }

    @Test(arguments: ["serve", "work", "submit", "status", "user", "token", "connect", "migrate", "settings"])
    func `the help of a command tells where settings come from`(command: String) async throws {
        let result = try await withFolder { folder in
            try await PicsProcess([command, "--help"], environment: [:], folder: folder).end()
        }

        #expect(result.status == 0)
        #expect(result.output.contains("--config FILE"))
        #expect(result.output.contains("PICS_CONFIG"))
    }

    @Test func `the settings file is the one that --config or PICS_CONFIG names`() async throws {
        try await withFolder { folder in
            let file = "\(folder)/own.conf"
            try "worker_jobs = 7\n".write(toFile: file, atomically: false, encoding: .utf8)

            let option = try PicsProcess(["settings", "--config", file], environment: [:], folder: folder)
            let variable = try PicsProcess(["settings"], environment: ["PICS_CONFIG": file], folder: folder)

            #expect(await option.end().output.contains("file, line 1"))
            #expect(await variable.end().output.contains("file, line 1"))
        }
    }
}
