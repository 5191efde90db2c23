internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct Mixi2SubmitterTests {
    private let mixi2 = Mixi2Submitter(servers: .any)

    private static let service = "social.mixi.application.service.application_api.v1.ApplicationService"

    private static func entries(_ url: String) -> [String: String] {
        ["base_url": url, "client_id": FakeMixi2.clientID, "client_secret": FakeMixi2.clientSecret]
    }

    /// An answer by gRPC: its message, and what came of it.
    private static func response(
        _ message: ProtobufMessage, status: String? = "0", fields: HTTPFields = [:]
    ) -> Result<IncomingResponse, TransportError> {
        var fields = fields
        fields.add("Content-Type", "application/grpc+proto")
        if let status { fields.add("grpc-status", status) }
        return .success(IncomingResponse(status: .ok, fields: fields, body: GRPC.framed(message.serialized)))
    }

    private func api(_ server: Recording, servers: ServerPolicy = .publicOnly) -> Mixi2API {
        Mixi2API(
            ServiceClient(service: "mixi2", transport: server, now: { Date() }), origin: "https://mixi2.test",
            accessToken: "token-1", authKey: "key-1", servers: servers)
    }

    private static let post: ProtobufMessage = {
        var post = ProtobufMessage()
        post.add(1, "post-1")
        return post
    }()

    private static func containing(_ message: ProtobufMessage) -> ProtobufMessage {
        ProtobufMessage(parsing: [0x0A, UInt8(message.serialized.count)] + message.serialized) ?? ProtobufMessage()
    }

    @Test func `a call is a POST of one framed message, with what lets the application in`() async throws {
        let server = Recording(Self.response(Self.containing(Self.post)))

        #expect(try await api(server).createPost("Föhn", media: "m1") == "post-1")

        #expect(server[0].line == "POST https://mixi2.test/\(Self.service)/CreatePost")
        #expect(server[0].fields["Authorization"] == "Bearer token-1")
        #expect(server[0].fields["x-auth-key"] == "key-1")
        #expect(server[0].fields["Content-Type"] == "application/grpc")
        #expect(server[0].fields["TE"] == "trailers")
        #expect(server[0].body == [0, 0, 0, 0, 11, 0x0A, 5] + Array("Föhn".utf8) + [0x2A, 2] + Array("m1".utf8))
    }

    @Test(arguments: [
        (3, Meaning.rejected, Meaning.rejected), (4, .temporary, .unknownOutcome), (5, .gone, .rejected),
        (6, .temporary, .unknownOutcome), (7, .rejected, .rejected), (8, .limited, .limited), (9, .rejected, .rejected),
        (10, .temporary, .unknownOutcome), (12, .rejected, .rejected), (13, .temporary, .unknownOutcome),
        (14, .temporary, .unknownOutcome), (16, .unauthorized, .unauthorized), (17, .temporary, .unknownOutcome),
    ])
    func `a status of gRPC says what happens next`(
        status: Int, preparing: Meaning, publishing: Meaning
    ) async throws {
        for message in [ProtobufMessage(), Self.containing(Self.post)] {
            let response = Self.response(message, status: String(status))
            #expect(await meaning { try await api(Recording(response)).mediaState("m1") } == preparing)
            #expect(await meaning { try await api(Recording(response)).createPost("a", media: "m1") } == publishing)
        }
    }

    @Test(arguments: [nil, "", "ok", "-1", "0 "])
    func `a call without its status counts as unanswered`(status: String?) async throws {
        let response = Self.response(Self.containing(Self.post), status: status)

        #expect(await meaning { try await api(Recording(response)).createPost("a", media: "m1") } == .unknownOutcome)
        #expect(await meaning { try await api(Recording(response)).mediaState("m1") } == .temporary)
    }

    @Test func `what a server says of a refusal is kept for operators`() async throws {
        let response = Self.response(
            ProtobufMessage(), status: "8", fields: ["grpc-message": "%E5%88%B6%E9%99%90 100%", "Retry-After": "20"])
        let encoded = Self.response(ProtobufMessage(), status: "8", fields: ["grpc-message": "%E5%88%B6%E9%99%90"])

        let odd = await limitMet { try await api(Recording(response)).mediaState("m1") }
        let even = await limitMet { try await api(Recording(encoded)).mediaState("m1") }

        #expect(odd?.problem.detail == "gRPC 8 %E5%88%B6%E9%99%90 100%" && odd?.until != nil)
        #expect(even?.problem.detail == "gRPC 8 制限" && even?.problem.status == 429)
    }

    @Test(arguments: [
        [], [0], [0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0], [0, 0xFF, 0xFF, 0xFF, 0xFF, 8],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ])
    func `a body that is not one whole message is none`(body: [UInt8]) {
        #expect(GRPC.unframed(body) == nil)
    }

    @Test func `what came behind a body that was not understood leaves an unknown outcome`() async throws {
        let fields: HTTPFields = ["Content-Type": "application/grpc", "grpc-status": "0"]
        for body in [[], GRPC.framed([]), GRPC.framed([0x0A]), Array("<html>".utf8)] {
            let server = Recording(.success(IncomingResponse(status: .ok, fields: fields, body: body)))
            #expect(await meaning { try await api(server).createPost("a", media: "m1") } == .unknownOutcome)
        }
    }

    @Test(arguments: [
        ("https://mixi2.test/up", true), ("http://mixi2.test/up", false), ("file:///a", false), ("", false),
    ])
    func `a file and the token go to no address that an account could not have`(
        url: String, isTaken: Bool
    ) async throws {
        var message = ProtobufMessage()
        message.add(1, "m1")
        message.add(2, url)
        let file = OutgoingFile(path: "/nowhere", bytes: 1, mediaType: "image/png", width: nil, height: nil)

        let meaning = await meaning {
            try await api(Recording(Self.response(message))).initiateUpload(file, description: "")
        }

        #expect(meaning == (isTaken ? .published : .temporary))
    }

    @Test func `an auth key is asked for when an account is connected`() async throws {
        var options = FakeMixi2.Options()
        options.authKey = "key-1"
        try await withFake(FakeMixi2(options)) { _, server, transport in
            var entries = Self.entries(server.url)
            #expect(await meaning { try await mixi2.connect(entries, over: transport) } == .unauthorized)

            entries["auth_key"] = "key-1"
            let account = try await mixi2.connect(entries, over: transport)

            #expect(account.remoteID == FakeMixi2.clientID && account.name == FakeMixi2.clientID)
            #expect(account.credentials["auth_key"]?.string == "key-1")
        }
    }

    @Test func `without the application's name a post has no address`() async throws {
        try await withFake(FakeMixi2()) { service, server, transport in
            let account = try await mixi2.connect(Self.entries(server.url), over: transport)
            let folder = try TemporaryFolder()
            let photo = try folder.photo([1, 2, 3], mediaType: "image/png", at: .now)

            let receipt = try await mixi2.submit(.sample(photo, to: account.opened(), over: transport))

            #expect(receipt == Receipt(remoteID: service.effects[0].id, url: nil))
        }
    }

    @Test func `a file that could not be processed is refused, and sent anew by the next try`() async throws {
        var options = FakeMixi2.Options()
        options.processingFails = true
        try await withFake(FakeMixi2(options)) { service, server, transport in
            let account = try await mixi2.connect(Self.entries(server.url), over: transport).opened()
            let folder = try TemporaryFolder()
            let photo = try folder.photo([1, 2, 3], mediaType: "image/png", at: .now)
            let task = SubmissionTask.sample(photo, to: account, over: transport)

            for _ in 0..<2 { #expect(await meaning { try await mixi2.submit(task) } == .rejected) }

            #expect(server.host.requests.count { $0.route == "POST /upload/{id}" } == 2)
            #expect(service.effects.isEmpty)
        }
    }

    @Test func `a file that mixi2 has lost, or does not finish, is sent anew`() async throws {
        let clock = TestClock()
        var options = FakeMixi2.Options()
        options.processing = 700
        try await withFake(FakeMixi2(options, now: clock.read)) { service, server, transport in
            let mixi2 = Mixi2Submitter(servers: .any, now: clock.read)
            let account = try await mixi2.connect(Self.entries(server.url), over: transport).opened()
            let folder = try TemporaryFolder()
            let photo = try folder.photo([1, 2, 3], mediaType: "image/png", at: .now)
            let task = SubmissionTask.sample(photo, to: account, over: transport, clock: clock)

            #expect(await meaning { try await mixi2.submit(task) } == .notYet)
            service.forgetFiles()
            #expect(await meaning { try await mixi2.submit(task) } == .temporary)
            #expect(await meaning { try await mixi2.submit(task) } == .notYet)
            clock.advance(by: .seconds(601))
            #expect(await meaning { try await mixi2.submit(task) } == .temporary)
            #expect(await meaning { try await mixi2.submit(task) } == .notYet)

            #expect(server.host.requests.count { $0.route == "POST /upload/{id}" } == 3)
        }
    }

    @Test func `a large file arrives whole beside calls over HTTP 2`() async throws {
        try await withFake(FakeMixi2()) { service, server, transport in
            let account = try await mixi2.connect(Self.entries(server.url), over: transport).opened()
            let folder = try TemporaryFolder()
            let photo = try folder.photo(
                [UInt8](repeating: 7, count: 3_000_000), mediaType: "image/jpeg", at: .now)

            _ = try await mixi2.submit(.sample(photo, to: account, over: transport))

            #expect(service.effects.first?.media.first?.bytes == 3_000_000)
        }
    }
}
