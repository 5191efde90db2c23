import EventLoops
import Fakes
import Foundation
import Glibc
import HTTP
import TestPics
import TestTools
import Testing

/// Accounts from the terminal.
struct AccountCommandTests {
    @Test(.timeLimit(.minutes(10)))
    func `connect prints an address and ends when the browser has come back to the server`() async throws {
        try await withServices { services, pics in
            let connect = try PicsProcess(
                ["connect", "mastodon", "base_url=\(services.mastodon.url)", "--browser", "--url", pics.base],
                environment: pics.environment, folder: pics.folder)
            let callback = try await pics.agree(to: try await connect.line(beginning: "open "))

            let page = try await pics.send(.get, callback, isAnonymous: true)

            let (status, output) = await connect.end()
            #expect(page.status == .ok)
            #expect(status == 0 && output.contains("connected Mastodon as alice@"), "\(connect.logged)")
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func `connect ends with what is pasted, an address or its code`(isAddress: Bool) async throws {
        try await withServices { services, pics in
            let terminal = "\(pics.folder)/terminal"
            #expect(mkfifo(terminal, 0o600) == 0)
            let connect = try PicsProcess(
                ["connect", "mastodon", "base_url=\(services.mastodon.url)", "--browser"],
                environment: pics.environment.merging(["PICS_BASE_URL": "https://pics.test"]) { $1 },
                folder: pics.folder, terminal: terminal)
            let callback = try await pics.agree(to: try await connect.line(beginning: "open "))
            let code = try #require(FormFields(String(callback.split(separator: "?")[1]))?["code"])

            let typing = try FileHandle(forWritingTo: URL(filePath: terminal))
            try typing.write(contentsOf: Data("\(isAddress ? callback : code)\n".utf8))

            let (status, output) = await connect.end()
            #expect(callback.hasPrefix("https://pics.test/auth/mastodon/callback?"))
            #expect(status == 0 && output.contains("connected Mastodon as alice@"), "\(connect.logged)")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `connect in the browser says what is missing`() async throws {
        try await withServices { _, pics in
            let twitter = try PicsProcess(
                ["connect", "twitter", "--browser", "--url", pics.base], environment: pics.environment,
                folder: pics.folder)
            #expect(await twitter.end().status == 1)
            #expect(twitter.logged.contains("Set twitter_client_id"))
            let bluesky = try PicsProcess(
                ["connect", "bluesky", "--browser"], environment: pics.environment, folder: pics.folder)
            #expect(await bluesky.end().status == 2)
            let nowhere = try PicsProcess(
                ["connect", "mastodon", "base_url=https://a.example", "--browser"],
                environment: pics.environment.merging([
                    "PICS_DATA_DIR": "\(pics.folder)/elsewhere",
                    "PICS_SECRET_KEY_FILE": "\(pics.folder)/data/secret.key",
                ]) { $1 },
                folder: pics.folder)
            #expect(await nowhere.end().status == 2)
            #expect(nowhere.logged.contains("--url or base_url"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `disconnect takes an account apart, and doctor says what is missing`() async throws {
        try await withServices { services, pics in
            let process = try PicsProcess(["doctor"], environment: pics.environment, folder: pics.folder)
            let doctor = await process.end()
            #expect(doctor.status == (isSanitized ? 1 : 0), "\(doctor.output)")
            let json = try JSONValue(parsing: Array(try await pics.command("doctor", "--json").output.utf8))
            #expect(json["status"]?.string == (isSanitized ? "fail" : "pass"))
            #expect(json["findings"]?.array?.compactMap { $0["area"]?.string }.contains("base_url") == true)
            // Only what somebody uses, and its own look at the programs is nobody's file.
            #expect(doctor.output.contains("file: ready") && !doctor.output.contains("flickr: missing"))
            #expect(!process.logged.contains("media file refused"))
            let flickr = try await pics.command("doctor", "flickr", "mastodon")
            #expect(flickr.output.contains("flickr: missing flickr_consumer_key (API key of your app at flickr.com"))
            #expect(flickr.output.contains("mastodon: ready"))
            let filter = isSanitized ? "Pictures are opened without a filter" : "ready, their processes' system calls"
            #expect(doctor.output.contains("pictures: \(filter)"))
            _ = try await pics.connectMastodon(services.mastodon)
            #expect(try await pics.command("doctor").output.contains("mastodon: ready"))
            #expect(try await pics.command("disconnect").output.contains("mastodon  alice@"))

            let ended = try await pics.command("disconnect", "mastodon")

            #expect(ended.status == 0 && ended.output.contains("disconnected mastodon alice@"))
            #expect(try await pics.command("disconnect", "mastodon").status == 1)
            #expect(try await pics.command("disconnect", "friendster").status == 2)
            #expect(try await pics.json("/v1/connections")["items"]?.array?.count == 1)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `what was chosen for an account is changed without connecting it again`() async throws {
        try await withServices { services, pics in
            _ = try await pics.connectMastodon(services.mastodon)

            let set = try await pics.command(
                "connection", "set", "mastodon", "--caption-template", "Day {day}: {caption}")

            #expect(set.status == 0)
            #expect(set.output.contains("  caption_template: Day {day}: {caption}"))
            let accounts = try await pics.json("/v1/connections")["items"]?.array ?? []
            let mastodon = accounts.first { $0["service"]?.string == "mastodon" }
            #expect(mastodon?["settings"]?["caption_template"]?.string == "Day {day}: {caption}")
            #expect(mastodon?["state"]?.string == "ok")
            let back = try await pics.command("connection", "set", "mastodon", "--caption-template", "")
            #expect(back.output.contains("  caption_template: the service's own"))
            #expect(try await pics.command("connection", "list").output.contains("mastodon  alice@"))
            #expect(try await pics.command("connection", "set", "mastodon").status == 2)
            #expect(try await pics.command("connection", "set", "mastodon", "--caption-rule", "none").status == 2)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `the key is rotated while Pics works`() async throws {
        try await withServices { services, pics in
            _ = try await pics.connectMastodon(services.mastodon)
            func publish(_ number: Int) async throws -> [JSONValue?] {
                let response = try await pics.post(CameraPhoto.jpeg(number), caption: "\(number)")
                let id = try JSONValue(parsing: response.body)["id"]?.string ?? ""
                return try await pics.ended(id).map { $0["state"] }
            }
            let before = try await publish(1)

            let rotated = try await pics.command("rotate-key")
            let between = try await publish(2)
            let forgotten = try await pics.command("rotate-key", "--forget-old")
            let after = try await publish(3)

            #expect(rotated.status == 0 && rotated.output.contains("sealed 3 secrets anew"), "\(rotated.output)")
            #expect(forgotten.status == 0 && forgotten.output.contains("forgot the old keys"))
            #expect([before, between, after].allSatisfy { $0 == ["done", "done"] })
            let lines = try String(contentsOfFile: "\(pics.folder)/data/secret.key", encoding: .utf8)
            #expect(lines.split(separator: "\n").count == 1)
        }
    }
}
