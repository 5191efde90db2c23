internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct DiscordSubmitterTests {
    private let discord = DiscordSubmitter(servers: .any)

    @Test(arguments: [
        "https://discord.com/api/webhooks/1234/a-B_9", " discord.com/api/v10/webhooks/1234/a-B_9/ ",
        "https://discord.com/api/webhooks/1234/a-B_9?wait=true",
    ])
    func `a copied address is a webhook`(entered: String) throws {
        let webhook = try DiscordWebhook(entered, policy: .publicOnly)

        #expect(webhook.origin == "https://discord.com")
        #expect(webhook.id == "1234")
        #expect(webhook.token == "a-B_9")
    }

    @Test(arguments: [
        "", "https://discord.com/channels/1/2", "https://discord.com/api/webhooks/1234",
        "http://discord.com/api/webhooks/1/a",
        "https://alice@discord.com/api/webhooks/1/a", "https://discord.com/api/webhooks/1/a/../b",
    ])
    func `what is no webhook is refused before anything is sent`(entered: String) async {
        let server = Recording()

        let strict = DiscordSubmitter(servers: .publicOnly)
        #expect(await meaning { try await strict.connect(["webhook": entered], over: server) } == .rejected)
        #expect(server.sent.isEmpty)
    }

    @Test func `a webhook that was taken away, or has another token, connects nobody`() async throws {
        try await withFake(FakeDiscord()) { service, server, transport in
            let address = "\(server.url)/api/webhooks/\(FakeDiscord.webhook)/"
            func connect(_ token: String) async -> Meaning? {
                await meaning { try await discord.connect(["webhook": address + token], over: transport) }
            }

            #expect(await connect(FakeDiscord.token) == .published)
            #expect(await connect("another") == .unauthorized)
            service.removeWebhook()
            #expect(await connect(FakeDiscord.token) == .gone)
        }
    }

    @Test(arguments: [#"{"id":"1","token":"hush-hush"}"#, #"{"token":"hush-hush""#])
    func `an answer with the token that cannot be read leaves nothing of it behind`(body: String) async {
        let server = Recording(
            .success(IncomingResponse(status: .ok, fields: [:], body: Array(body.utf8))))

        let error = await #expect(throws: SubmissionError.self) {
            try await discord.connect(["webhook": "https://discord.test/api/webhooks/1/hush-hush"], over: server)
        }

        #expect(server.sent.count == 1)
        #expect(!"\(String(describing: error))".contains("hush"))
    }

    @Test(arguments: [
        ("a*b_c", "a\\*b\\_c"), ("# one\n# two # three", "\\# one\n\\# two # three"), ("- a - b", "\\- a - b"),
        ("see https://example.com/a_b_c_d", "see https://example.com/a_b_c_d"), ("[a](b) <@1>", "\\[a](b) \\<@1>"),
        ("5 > 4", "5 > 4"), ("> said", "\\> said"), ("back\\slash", "back\\\\slash"), ("", ""),
    ])
    func `a caption is no markup, and its links stay`(caption: String, sent: String) {
        #expect(DiscordMarkdown(caption).text == sent)
    }

    @Test func `a caption that would become too long by its backslashes goes as it is`() {
        let caption = String(repeating: "*", count: 1500)

        #expect(DiscordMarkdown(caption).text == caption)
    }

    @Test func `a caption calls nobody, and the file says whose it is`() async throws {
        let server = Recording(.response(200, ["id": "77"]))
        let folder = try TemporaryFolder()
        let photo = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: Date())
        let account = OpenedAccount.sample(
            ["token": "t"], ["base_url": "https://discord.test", "guild": "8", "channel": "9"], remoteID: "1234")

        let receipt = try await discord.submit(
            .sample(photo, to: account, over: server, text: "@everyone", altText: "A lake"))

        #expect(receipt.remoteID == "77")
        #expect(receipt.url == "https://discord.test/channels/8/9/77")
        #expect(server[0].line == "POST https://discord.test/api/v10/webhooks/1234/t?wait=true")
        #expect(server[0].text.contains(#""allowed_mentions":{"parse":[]}"#))
        #expect(server[0].text.contains(#"filename="pics-\#(photo.code).jpg""#))
    }

    @Test func `other words leave the file where it is`() async throws {
        try await withScene(.discord) { scene in
            let receipt = try await PlayedQueue(scene: scene).receipt()

            try await scene.edit(receipt, text: "*Fog*", altText: "Dusk")

            #expect(scene.host?.service.effects.first?.text == "*Fog*")
            #expect(scene.publishedAltTexts == ["Dusk"])
        }
    }

    @Test func `reactions are counted`() async throws {
        try await withScene(.discord) { scene in
            let receipt = try await PlayedQueue(scene: scene).receipt()

            let counts = try await scene.engagement(receipt)

            #expect(counts == Engagement(likes: 5))
        }
    }

    @Test(arguments: [
        (400, 220_001, Meaning.rejected), (400, 200_000, .rejected), (400, 50_045, .rejected),
        (401, 50_027, .unauthorized),
        (404, 10_015, .gone), (403, 50_013, .unauthorized), (400, 50_035, .rejected),
    ])
    func `a code says what happens next`(status: Int, code: Int, expected: Meaning) async throws {
        try await withScene(.discord) { scene in
            let body = JSONValue(["code": JSONValue(code), "message": "No."] as JSONObject)
            scene.host?.fail(
                Subject.discord.publishingStep, .status(status, body: String(decoding: body.serialized, as: UTF8.self)))

            #expect(await scene.meaningOfFirstFailure() == expected)
        }
    }

    @Test func `a limit of the whole address holds every account back`() async throws {
        try await withScene(.discord) { scene in
            scene.host?.fail(
                Subject.discord.publishingStep,
                .status(
                    429, fields: ["X-RateLimit-Global": "true"],
                    body: #"{"message":"You are being rate limited.","retry_after":1.5,"global":true}"#))

            let limit = await limitMet { try await scene.submit() }

            #expect(limit?.scope == .app)
            #expect(limit?.until == scene.clock.now.addingTimeInterval(1.5))
        }
    }
}
