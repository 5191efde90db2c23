import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

struct ConnectTests {
    @Test(.timeLimit(.minutes(10)))
    func `what a service says cannot act on the terminal`() async throws {
        let loop = try EventLoop(name: "fakes")
        let mastodon = try await FakeServer(FakeHost(FakeMastodon()), on: loop)
        let hostile = "al\u{1B}[2J\u{9B}31m\u{202E}ice"
        let harmless = "al\u{FFFD}[2J\u{FFFD}31m\u{FFFD}ice"
        let account: JSONValue = ["id": "1", "acct": .string(hostile), "username": "alice"]
        mastodon.host.fail(
            "GET /api/v1/accounts/verify_credentials", .status(500, body: "trouble \(hostile)"),
            .status(200, body: String(decoding: account.serialized, as: UTF8.self)))
        try await withPics { pics in
            let refused = try connect("mastodon", "base_url=\(mastodon.url)", input: "mastodon-token\n", to: pics)
            #expect(await refused.end().status == 1)
            #expect(refused.logged.contains("trouble \(harmless)"))

            let connected = try connect("mastodon", "base_url=\(mastodon.url)", input: "mastodon-token\n", to: pics)
            let (status, output) = await connected.end()
            #expect(status == 0)
            #expect(output.contains("connected Mastodon as \(harmless)@"))
        }
        await mastodon.stop()
    }

    @Test(.timeLimit(.minutes(10)))
    func `a refused address tells of private_servers, and several users of --user`() async throws {
        try await withPics { pics in
            let refused = try connect(
                "mastodon", "base_url=http://127.0.0.1:1", "--private-servers", "false", input: "token\n", to: pics)
            #expect(await refused.end().status == 1)
            #expect(refused.logged.contains("need the setting private_servers"))

            #expect(try await pics.command("user", "add", "alice").status == 0)
            #expect(try await connect("file", to: pics).end().output.contains("--user NAME"))
            #expect(try await connect("file", "--user", "alice", to: pics).end().output.contains("for alice"))
            let nobody = try connect("file", "--user", "bob", to: pics)
            #expect(await nobody.end().status == 1)
            #expect(nobody.logged.contains("There is no user bob."))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `whether the position leaves is yes or no`() async throws {
        try await withPics { pics in
            let unsure = try connect("file", "--keep-position", "maybe", to: pics)
            #expect(await unsure.end().status != 0)
            #expect(unsure.logged.contains("--keep-position is yes or no"))
            let original = try connect("file", "--keep-position", "yes", to: pics)
            #expect(await original.end().status == 2)
            #expect(original.logged.contains("--keep-position: This cannot be chosen for File."))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a caption rule stays with its account until it is taken back`() async throws {
        let services = try await ForeignServices()
        try await withPics { pics in
            let asTheServiceAsks = try await limit(at: services, in: pics)
            let chosen = try await limit(at: services, in: pics, "--caption-rule", "twitter_weighted")
            let kept = try await limit(at: services, in: pics)
            let takenBack = try await limit(at: services, in: pics, "--caption-rule", "")

            #expect([asTheServiceAsks, chosen, kept, takenBack] == [140, 280, 280, 140])
        }
        await services.stop()
    }

    @Test(
        arguments: [
            (["--caption-template", "Day {dya}: {caption}"], "{caption}, {day}, {days}, {date}, {short_url}"),
            (["--caption-template", "Day {day}"], "must have {caption}"),
            (["--caption-rule", "twiter"], "There are twitter_classic, twitter_weighted,"),
        ] as [([String], String)])
    func `a template or rule that cannot be meant is refused with what there is`(
        options: [String], sentence: String
    ) async throws {
        try await withFolder { folder in
            let pics = try PicsProcess(
                ["connect", "mastodon"] + options, environment: ["PICS_DATA_DIR": "\(folder)/data"], folder: folder)

            #expect(await pics.end().status == 2)
            #expect(pics.logged.contains(sentence))
        }
    }

    private func connect(_ words: String..., input: String = "", to pics: Pics) throws -> PicsProcess {
        try PicsProcess(["connect"] + words, environment: pics.environment, folder: pics.folder, input: input)
    }

    /// Connects Twitter with further words; how long a caption may be there from then on.
    private func limit(at services: ForeignServices, in pics: Pics, _ words: String...) async throws -> Int64? {
        let account = [
            "connect", "twitter", "consumer_key=consumer-key", "access_token=4711-access-token",
            "base_url=\(services.twitter.url)",
        ]
        let process = try PicsProcess(
            account + words, environment: pics.environment, folder: pics.folder,
            input: "consumer-secret\naccess-token-secret\n")
        #expect(await process.end().status == 0, "\(process.logged)")
        let body: JSONValue = ["caption": "short", "services": ["twitter"]]
        let response = try await pics.send(
            .post, "/v1/captions/preview", body: .bytes(body.serialized), type: "application/json")
        return try JSONValue(parsing: response.body)["previews"]?[0]?["limit"]?.int
    }
}
