internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct MatrixSubmitterTests {
    private let matrix = MatrixSubmitter(servers: .any)

    private func entries(_ url: String, _ change: [String: String] = [:]) -> [String: String] {
        Subject.matrix.entries(url).merging(change) { $1 }
    }

    private func fake(_ change: (inout FakeMatrix.Options) -> Void = { _ in }) -> FakeMatrix {
        var options = FakeMatrix.Options()
        change(&options)
        return FakeMatrix(options)
    }

    /// The problem's code that refuses an account at such a server; nil when it is connected.
    private func refusal(
        _ change: [String: String] = [:], _ options: (inout FakeMatrix.Options) -> Void
    ) async throws -> (code: ProblemCode?, field: String?) {
        var problem: Problem?
        try await withFake(fake(options)) { _, server, transport in
            do throws(SubmissionError) {
                _ = try await matrix.connect(entries(server.url, change), over: transport)
            } catch { problem = error.problem }
        }
        return (problem?.code, problem?.parameters.field)
    }

    // MARK: Connecting

    @Test(arguments: [
        FakeMatrix.alias, FakeMatrix.room, "https://matrix.to/#/%23lakes%3Alakes.test",
        "https://matrix.to/#/!Nj2xRq:lakes.test?via=lakes.test",
    ])
    func `a room is named by its alias, its id or a link, and joined`(room: String) async throws {
        try await withFake(fake()) { _, server, transport in
            let account = try await matrix.connect(entries(server.url, ["room": room]), over: transport)

            #expect(account.remoteID == "@alice:lakes.test/!Nj2xRq:lakes.test" && account.name == FakeMatrix.alias)
            #expect(server.host.requests.count { $0.route == "POST /_matrix/client/v3/join/{room}" } == 1)
            #expect(account.settings["upload_limit"] == 52_428_800)
        }
    }

    @Test func `a room that the account is in is not joined again`() async throws {
        try await withFake(fake { ($0.isJoined, $0.joinRule) = (true, "invite") }) { _, server, transport in
            _ = try await matrix.connect(entries(server.url), over: transport)

            #expect(!server.host.requests.contains { $0.route == "POST /_matrix/client/v3/join/{room}" })
        }
    }

    @Test func `what cannot be posted to is refused by its own name`() async throws {
        #expect(try await refusal { $0.isEncrypted = true }.code == .destinationEncrypted)
        #expect(try await refusal { $0.joinRule = "invite" }.code == .destinationMissing)
        #expect(try await refusal(["room": "#hills:lakes.test"]) { _ in }.code == .destinationMissing)
        #expect(try await refusal { $0.messageLevel = 50 }.code == .postingNotAllowed)
        #expect(try await refusal { $0.takesPasswords = false } == (.valueRequired, "access_token"))
        #expect(try await refusal(["password": ""]) { _ in } == (.valueRequired, "password"))
        // There who has made the room stands in no list of levels.
        #expect(try await refusal { ($0.messageLevel, $0.roomVersion) = (50, "12") }.code == nil)
    }

    @Test(arguments: [
        "", "alice", "@alice", "alice@lakes.test", "@alice:lakes.test/x", "@al ice:lakes.test", "@a:b:c:d",
    ])
    func `what is no Matrix ID is refused before anybody is asked`(user: String) async {
        let server = Recording()

        #expect(
            await meaning { try await matrix.connect(entries("https://a.test", ["user_id": user]), over: server) }
                == .rejected)
        #expect(server.sent.isEmpty)
    }

    @Test func `a secret goes to no server that is none of Matrix`() async {
        let server = Recording(.response(200, ["versions": []]))

        #expect(await meaning { try await matrix.connect(entries("https://a.test"), over: server) } == .rejected)
        #expect(server.sent.map(\.line) == ["GET https://a.test/_matrix/client/versions"])
    }

    private static let found: [(Int, JSONValue, String)] = [
        // The example of "GET /.well-known/matrix/client" in the specification.
        (200, ["m.homeserver": ["base_url": "https://matrix.example.com"]], "https://matrix.example.com"),
        (200, ["m.homeserver": ["base_url": "https://matrix.example.com/"]], "https://matrix.example.com"),
        (404, [:], "https://example.com:8448"),
    ]

    @Test(arguments: found)
    func `the server is found by the name behind the colon`(status: Int, file: JSONValue, origin: String) async {
        let server = Recording(.response(status, file), .response(404))
        var entries = entries("", ["user_id": "@alice:example.com:8448"])
        entries["base_url"] = ""

        _ = await meaning { try await matrix.connect(entries, over: server) }

        #expect(
            server.sent.map(\.line)
                == ["GET https://example.com/.well-known/matrix/client", "GET \(origin)/_matrix/client/versions"])
    }

    private static let nowhere: [(Int, JSONValue)] = [
        (200, ["m.homeserver": [:]]), (200, ["m.homeserver": ["base_url": "http://10.0.0.1"]]), (403, [:]),
    ]

    @Test(arguments: nowhere)
    func `a file that names no server that may be reached leads nowhere`(status: Int, file: JSONValue) async {
        let server = Recording(.response(status, file))

        let meaning = await meaning {
            try await MatrixSubmitter(servers: .publicOnly).connect(entries("", ["base_url": ""]), over: server)
        }

        #expect(meaning == .rejected && server.sent.count == 1)
    }

    @Test func `the same room is the same device, whose tokens replace each other`() async throws {
        try await withFake(fake()) { _, server, transport in
            let first = try await matrix.connect(entries(server.url), over: transport)
            let second = try await matrix.connect(entries(server.url), over: transport)

            #expect(first.credentials["device"] == second.credentials["device"])
            #expect(first.credentials["access_token"] != second.credentials["access_token"])
            #expect(!matrix.canRevoke(first.credentials, keeping: second.credentials))
            #expect(matrix.expiry(of: second.credentials) != nil)
        }
    }

    @Test func `a token of a client of its owner's is not logged out`() async throws {
        try await withFake(fake()) { _, server, transport in
            let entries = entries(server.url, ["access_token": FakeMatrix.token, "password": ""])
            let account = try await matrix.connect(entries, over: transport).opened()
            let before = server.host.requests.count

            try await matrix.revoke(account, over: transport)

            #expect(server.host.requests.count == before && matrix.expiry(of: account.credentials) == nil)
            #expect(
                await meaning { try await matrix.refreshCredentials(of: account, over: transport) } == .unauthorized)
        }
    }

    @Test func `a refresh whose answer was lost can be repeated`() async throws {
        try await withScene(.matrix) { scene in
            scene.host?.fail("POST /_matrix/client/v3/refresh", .resetAfter)
            await #expect(throws: SubmissionError.self) { try await scene.refreshCredentials() }

            try await scene.refreshCredentials()

            #expect(await scene.meaningOfFirstFailure() == .published)
        }
    }

    @Test func `the limit of uploads is read anew, also at an older server`() async throws {
        try await withFake(fake { ($0.hasMediaConfig, $0.uploadLimit) = (false, 1_000_000) }) { _, server, transport in
            let account = try await matrix.connect(entries(server.url), over: transport).opened()

            let settings = try #require(try await matrix.refreshSettings(of: account, over: transport))

            #expect(settings == ["upload_limit": 1_000_000])
            #expect(matrix.mediaRule(settings).maximumPictureBytes == 1_000_000)
            #expect(matrix.mediaRule([:]).maximumVideoBytes == 52_428_800)
        }
    }

    // MARK: What goes over the wire

    @Test func `a picture is an event with its caption in body and its name in filename`() async throws {
        try await withScene(.matrix) { scene in
            _ = try await scene.submit()

            let event = try #require((scene.host?.service as? FakeMatrix)?.sent.first)
            let name = try #require(event["filename"]?.string)
            #expect(event["msgtype"] == "m.image" && event["body"]?.string == Scene.text)
            #expect(name.hasPrefix("pics-") && name.hasSuffix(".jpg"))
            #expect(event["m.mentions"] == [:] && event["format"] == nil && event["m.relates_to"] == nil)
            #expect(event["info"]?["mimetype"] == "image/jpeg" && event["info"]?["size"]?.int == Scene.bytes)
            #expect(event["url"]?.string?.hasPrefix("mxc://lakes.test/place") == true)
        }
    }

    @Test func `without a caption body is the name`() async throws {
        try await withScene(.matrix) { scene in
            _ = try await scene.submit("")

            let event = try #require((scene.host?.service as? FakeMatrix)?.sent.first)
            #expect(event["body"]?.string?.hasPrefix("pics-") == true && event["filename"] == nil)
        }
    }

    @Test func `several pictures are a thread of the first`() async throws {
        try await withScene(.matrixSeveral) { scene in
            let receipt = try await scene.submit()

            let ids = receipt.remoteID.split(separator: ",").map(String.init)
            let parts = try #require((scene.host?.service as? FakeMatrix)?.sent.dropFirst())
            #expect(ids.count == 4 && parts.count == 3)
            for (part, previous) in zip(parts, ids) {
                #expect(
                    part["m.relates_to"]
                        == [
                            "rel_type": "m.thread", "event_id": .string(ids[0]), "is_falling_back": true,
                            "m.in_reply_to": ["event_id": .string(previous)],
                        ])
                #expect(part["filename"] == nil)
            }
        }
    }

    /// As Synapse 1.163.2 answers; older servers name the pause in the body alone.
    private static let limits: [(Int, JSONValue, Double?)] = [
        (429, ["errcode": "M_LIMIT_EXCEEDED", "error": "Too Many Requests", "retry_after_ms": 2500], 2.5),
        (429, ["errcode": "M_LIMIT_EXCEEDED", "error": "Too Many Requests", "retry_after_ms": -5], nil),
        (403, ["errcode": "M_RESOURCE_LIMIT_EXCEEDED", "error": "Monthly active users"], nil),
    ]

    @Test(arguments: limits)
    func `a limit ends when the server says`(status: Int, body: JSONValue, pause: Double?) async throws {
        try await withScene(.matrix) { scene in
            let text = String(decoding: body.serialized, as: UTF8.self)
            scene.host?.fail(scene.subject.publishingStep, .status(status, body: text))

            let limit = await limitMet { try await scene.submit() }

            #expect(limit?.scope == .account && limit?.until == pause.map { scene.clock.now + $0 })
        }
    }

    @Test(arguments: [
        (401, "M_UNKNOWN_TOKEN", ProblemCode.credentialsRefused), (403, "M_FORBIDDEN", .permissionDenied),
        (403, "M_USER_SUSPENDED", .accountClosed), (401, "M_USER_LOCKED", .accountClosed),
        (413, "M_TOO_LARGE", .textRefused), (400, "M_BAD_JSON", .postRefused),
    ])
    func `what the server says of an event is told`(status: Int, code: String, problem: ProblemCode) async throws {
        try await withScene(.matrix) { scene in
            scene.host?.fail(scene.subject.publishingStep, .status(status, body: #"{"errcode":"\#(code)"}"#))
            do throws(SubmissionError) {
                _ = try await scene.submit()
                Issue.record("posted")
            } catch { #expect(error.problem.code == problem) }
        }
    }

    @Test(arguments: ["$", "event", "$a b", "$a,b", "$" + String(repeating: "a", count: 300), ""])
    func `an event that has no name leaves an unknown outcome`(id: String) async throws {
        try await withScene(.matrix) { scene in
            let body = String(decoding: (["event_id": .string(id)] as JSONValue).serialized, as: UTF8.self)
            scene.host?.fail(scene.subject.publishingStep, .status(200, body: body))

            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
        }
    }

    // MARK: Changes

    @Test func `words come back after others, and each change is seen once`() async throws {
        try await withScene(.matrixSeveral) { scene in
            let fake = try #require(scene.host?.service as? FakeMatrix)
            let receipt = try await scene.submit()

            for text in ["Fog", "Sun", "Fog", "", "Fog", "Fog"] {
                try await scene.edit(receipt, text: text, altText: "")
                #expect(fake.effects.map(\.text) == [text] && fake.effects[0].media.count == 4)
            }

            #expect(fake.sent.count == 4 + 5)
            let change = try #require(fake.sent.last)
            #expect(change["body"] == "* Fog" && change["m.new_content"]?["url"] == fake.sent[0]["url"])
        }
    }

    @Test func `a post is taken back with all its events and its changes`() async throws {
        try await withScene(.matrixSeveral) { scene in
            let fake = try #require(scene.host?.service as? FakeMatrix)
            let receipt = try await scene.submit()
            try await scene.edit(receipt, text: "Fog", altText: "")

            scene.host?.fail(
                "PUT /_matrix/client/v3/rooms/{room}/redact/{event}/{transaction}", .none, .none, .status(503))
            #expect(await meaning { try await scene.delete(receipt) } == .temporary)
            try await scene.delete(receipt)

            #expect(fake.sent.isEmpty)
            #expect(await meaning { try await scene.edit(receipt, text: "Sun", altText: "") } == .gone)
        }
    }
}
