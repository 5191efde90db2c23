internal import Crypto
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// Keys, texts, connecting and the form of posts.
struct NostrSubmitterTests {
    private let clock = TestClock()
    private var nostr: NostrSubmitter {
        NostrSubmitter(servers: .any, threads: NostrTesting.threads, now: clock.read)
    }

    // MARK: Wire vectors

    /// Source: NIP-19, "Bare keys and ids" and "Examples", nostr-protocol/nips at db5fe3d.
    @Test(arguments: [
        (
            "npub", "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d",
            "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"
        ),
        (
            "npub", "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e",
            "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
        ),
        (
            "nsec", "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa",
            "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
        ),
    ])
    func `keys are written and read as in NIP-19`(prefix: String, hex: String, text: String) throws {
        let decoded = try #require(Bech32.decode(text))

        #expect(Bech32.encode(prefix, Hex.decode(hex) ?? []) == text)
        #expect(decoded.prefix == prefix && Hex.encode(decoded.bytes) == hex)
        #expect(Bech32.decode(text.uppercased())?.prefix == prefix)
        #expect(Bech32.decode(text.capitalized) == nil)
        for place in [6, 20, text.count - 1] {
            var wrong = Array(text)
            wrong[place] = wrong[place] == "q" ? "p" : "q"
            #expect(Bech32.decode(String(wrong)) == nil)
        }
    }

    @Test func `a key pair is the one of NIP-19`() throws {
        let key = try NostrKey(FakeNostr.secretKey)

        #expect(key.publicKey == FakeNostr.publicKey && key.secretText == FakeNostr.secretKey)
    }

    /// Source: event_test.go of nbd-wtf/go-nostr, and BUD-03 of hzrd149/blossom at ef3c79e; read 2026-11-26.
    private static let published = [
        #"{"id":"dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962","pubkey":"3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d","created_at":1644271588,"kind":1,"tags":[],"content":"now that https://blueskyweb.org/blog/2-7-2022-overview was announced we can stop working on nostr?","sig":"230e9d8f0ddaf7eb70b5f7741ccfa37e87a455c9a469282e3464e2052d3192cd63a167e196e381ef9d7e69e9ea43af2443b839974dc85d8aaab9efe1d9296524"}"#,
        #"{"id":"e4bee088334cb5d38cff1616e964369c37b6081be997962ab289d6c671975d71","pubkey":"781208004e09102d7da3b7345e64fd193cd1bc3fce8fdae6008d77f9cabcd036","created_at":1708774162,"kind":10063,"tags":[["server","https://cdn.self.hosted"],["server","https://cdn.satellite.earth"]],"content":"","sig":"cc5efa74f59e80622c77cacf4dd62076bcb7581b45e9acff471e7963a1f4d8b3406adab5ee1ac9673487480e57d20e523428e60ffcc7e7a904ac882cfccfc653"}"#,
    ]

    @Test(arguments: published)
    func `what others have published is verified, and nothing of it can be changed`(text: String) throws {
        let event = try #require(NostrEvent(text: text))
        #expect(event.text == text)
        for (part, other) in [
            ("created_at\":1", "created_at\":2"), ("\"kind\":1", "\"kind\":2"), ("https", "http"),
            ("\"sig\":\"", "\"sig\":\"00"),
            ("e", "f"),
        ] {
            let changed = text.replacing(part, with: other, maxReplacements: part == "e" ? 300 : 1)
            #expect(NostrEvent(text: changed) == nil, "\(part)")
        }
    }

    @Test func `seven characters are escaped, and no other`() {
        #expect(
            NostrEvent.quoted("a/\"\\\n\r\t\u{08}\u{0C}\u{2028}é🏔️\u{7F}")
                == "\"a/\\\"\\\\\\n\\r\\t\\b\\f\u{2028}é🏔️\u{7F}\"")
    }

    @Test(arguments: ["\u{01}", "\u{1B}[0m", "a\u{0B}b"])
    func `an event with other control characters is taken in either spelling`(text: String) throws {
        let key = try NostrKey()
        let raw = try NostrEvent(kind: 1, content: text, tags: [["t", text]], at: clock.now, by: key)
        let json: JSONValue = [
            "id": .string(raw.id), "pubkey": .string(raw.author), "created_at": .int(raw.createdAt), "kind": 1,
            "tags": [["t", .string(text)]], "content": .string(text), "sig": .string(raw.signature),
        ]
        #expect(NostrEvent(verifying: json) == raw)
    }

    /// Source: the article "Geohash" of Wikipedia; read 2026-11-26.
    @Test(arguments: [
        (57.64911, 10.40744, "u4pruydqq"), (42.605, -5.603, "ezs42"), (-90, -180, "000000000"),
        (90, 180, "zzzzzzzzz"),
    ])
    func `a place is written as a geohash`(latitude: Double, longitude: Double, geohash: String) throws {
        let position = try #require(Position(latitude: latitude, longitude: longitude))

        #expect(Geohash.of(position).hasPrefix(geohash) && Geohash.of(position).count == 9)
    }

    // MARK: Connecting

    private func entries(_ url: String, _ changes: [String: String] = [:]) -> [String: String] {
        ["secret_key": FakeNostr.secretKey, "relays": url, "servers": url, "kind": "20"].merging(changes) { $1 }
    }

    @Test func `an account is its public key, with the name and the picture that its owner has published`() async throws
    {
        try await withFake(FakeNostr()) { fake, server, transport in
            let key = try SchnorrKey(
                Secret(Hex.decode("67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa") ?? []))
            fake.add(0, #"{"name":"old"}"#, [], at: clock.now - 100, by: key)
            fake.add(
                0, #"{"display_name":"Alice\u0007","picture":"https://far.test/a.jpg"}"#, [], at: clock.now, by: key)
            if let other = FakeNostr.key(of: "ben") {
                fake.add(0, #"{"name":"Mallory"}"#, [], at: clock.now + 100, by: other)
            }

            let account = try await nostr.connect(entries(server.url), over: transport)

            #expect(account.remoteID == FakeNostr.publicKey && account.name == "Alice")
            #expect(account.picture == .at("https://far.test/a.jpg"))
            #expect(account.credentials == ["secret_key": .string(FakeNostr.secretKey)])
            #expect(!"\(account.settings)".contains("nsec"))
            let relay = "ws\(server.url.dropFirst(4))"
            #expect(account.settings["relay_list"] == [.string(relay)])
            #expect(account.settings["server_list"] == [.string(server.url)])
            // What was entered is shown to who connects again.
            #expect(account.settings["relays"] == .string(relay) && account.settings["kind"] == "20")
        }
    }

    @Test func `without a key a new one is made, another each time`() async throws {
        try await withFake(FakeNostr()) { _, server, transport in
            let one = try await nostr.connect(entries(server.url, ["secret_key": ""]), over: transport)
            let other = try await nostr.connect(entries(server.url, ["secret_key": " "]), over: transport)

            #expect(one.remoteID != other.remoteID && one.name.hasPrefix("npub1"))
            #expect(try NostrKey(one.credentials["secret_key"]?.string ?? "").publicKey == one.remoteID)
        }
    }

    @Test(arguments: [
        ["secret_key": "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"],
        ["secret_key": "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe6"],
        ["secret_key": String(repeating: "0", count: 64)], ["secret_key": String(repeating: "f", count: 64)],
        ["kind": "2"], ["kind": "one"],
        ["relays": "wss://"], ["relays": "wss://alice@relay.test"], ["relays": "ftp://relay.test"],
        ["servers": "wss://files.test"],
        ["relays": (1...7).map { "wss://relay\($0).test" }.joined(separator: ",")],
        ["servers": "https://a.test https://"],
    ])
    func `what cannot be meant is refused before anybody is asked`(changes: [String: String]) async {
        let server = Recording()
        #expect(
            await meaning { try await nostr.connect(entries("https://a.test", changes), over: server) } == .rejected)
        #expect(server.sent.isEmpty)
    }

    @Test(arguments: [
        ("relay.test", "wss://relay.test"), ("WSS://Relay.test/", "wss://relay.test"),
        ("https://relay.test/a/b", "wss://relay.test/a/b"),
        ("ws://relay.test:7447", "ws://relay.test:7447"), ("wss://relay.test:443/x?y#z", "wss://relay.test/x"),
    ])
    func `a relay is named in several ways`(text: String, address: String) throws {
        #expect(try NostrAddresses.relay(text, policy: .any) == address)
    }

    @Test func `only secure relays are named where others are not allowed`() {
        #expect(throws: SubmissionError.self) { try NostrAddresses.relay("ws://relay.test", policy: .publicOnly) }
    }

    @Test func `lists of a person give relays to write to, to read from, and servers; what is no address is left out`()
        throws
    {
        let (key, other) = (try NostrKey(), try NostrKey())
        let relays = [
            ["r", "wss://both.test/"], ["r", "wss://write.test", "write"], ["r", "wss://read.test", "read"],
            ["r", "ws://open.test"],
            ["r", "javascript:alert(1)"], ["r"], ["x", "wss://x.test"], ["r", "wss://odd.test", "archive"],
        ]
        let events = [
            try NostrEvent(kind: 10002, content: "", tags: [["r", "wss://old.test"]], at: clock.now - 10, by: key),
            try NostrEvent(kind: 10002, content: "", tags: relays, at: clock.now, by: key),
            try NostrEvent(kind: 10002, content: "", tags: [["r", "wss://evil.test"]], at: clock.now + 10, by: other),
            try NostrEvent(
                kind: 10063, content: "",
                tags: [["server", "https://files.test/x"], ["server", "http://plain.test"]], at: clock.now, by: key),
        ]
        let listed = NostrAddresses.listed(events, by: key.publicKey, policy: .publicOnly)

        #expect(listed.relays == ["wss://both.test", "wss://write.test"])
        #expect(listed.inbox == ["wss://both.test", "wss://read.test"])
        #expect(listed.servers == ["https://files.test"])
    }

    @Test func `lists that change are followed by who has named no relays`() async throws {
        try await withFake(FakeNostr()) { fake, server, transport in
            let key = try SchnorrKey(
                Secret(Hex.decode("67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa") ?? []))
            let account = try await nostr.connect(entries(server.url), over: transport)
            fake.add(10002, "", [["r", "wss://new.test"]], at: clock.now, by: key)

            let named = try await nostr.refreshSettings(of: account.opened(), over: transport)
            let listed = try await nostr.refreshSettings(
                of: account.opened(["relays": ""]), over: transport)

            #expect(named?["relay_list"] == account.settings["relay_list"] && named?["inbox"] == ["wss://new.test"])
            #expect(
                listed?["relay_list"] == ["wss://new.test"] && listed?["server_list"] == account.settings["server_list"]
            )
        }
    }

    // MARK: The form of posts

    private func posted(
        _ subject: Subject, _ text: String, _ labels: ContentLabels = ContentLabels(), position: Position? = nil
    ) async throws
        -> JSONValue
    {
        try await NostrTesting.event(subject, text, labels, position: position, clock)
    }

    @Test func `a picture has its title, its file, its hashtags and its warning`() async throws {
        let event = try await posted(
            .nostr, "Föhn #Lake #lake\nmore\u{07} \u{1B}text", ContentLabels(isSensitive: true, warning: "Heights"))
        let tags = (event["tags"]?.array ?? []).map { $0.array?.compactMap(\.string) ?? [] }
        let hash = NostrTesting.hash

        #expect(event["kind"] == 20 && event["content"] == "Föhn #Lake #lake\nmore text")
        #expect(
            tags.contains(["title", "Föhn #Lake #lake"]) && tags.contains(["m", "image/jpeg"])
                && tags.contains(["x", hash]))
        #expect(tags.filter { $0[0] == "t" } == [["t", "lake"]])
        #expect(tags.contains(["content-warning", "Heights"]))
        let file = try #require(tags.first { $0[0] == "imeta" })
        #expect(file[1].hasPrefix("url http://127.0.0.1:") && file[1].hasSuffix("/\(hash).jpg"))
        #expect(Array(file.dropFirst(2)) == ["m image/jpeg", "x \(hash)", "size 3", "dim 4032x3024", "alt A lake"])
        #expect(!tags.contains { $0[0] == "g" })
    }

    @Test func `a note has its files' addresses in its text, and no title`() async throws {
        let event = try await posted(.nostrNotes, "Föhn", ContentLabels(isSensitive: true))
        let tags = (event["tags"]?.array ?? []).map { $0.array?.compactMap(\.string) ?? [] }

        #expect(event["kind"] == 1)
        #expect(event["content"]?.string?.wholeMatch(of: #/Föhn\nhttp:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{64}\.jpg/#) != nil)
        #expect(tags.contains(["content-warning"]) && !tags.contains { $0[0] == "title" })
    }

    @Test(arguments: [(1920, 1080, 21), (1080, 1920, 22), (nil, nil, 21)] as [(Int?, Int?, Int64)])
    func `an upright film is a short one`(width: Int?, height: Int?, kind: Int64) async throws {
        let event = try await NostrTesting.event(.nostr, "Föhn", ContentLabels(), clock, video: (width, height))

        #expect(event["kind"]?.int == kind)
    }
}
