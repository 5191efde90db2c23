internal import Curl
internal import Domain
internal import Foundation
internal import HTTP
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

private let server = ProcessInfo.processInfo.environment["PICS_TEST_SYNAPSE_URL"] ?? ""

/// A Synapse, where one runs: `PICS_TEST_SYNAPSE_URL` is its address, such as `http://127.0.0.1:8448`. It has the people `@alice:localhost` and
/// `@ann:localhost` with the passwords `pw-alice` and `pw-ann`, and its rate limits are out of the way.
@Suite(.enabled(if: !server.isEmpty), .serialized)
struct MatrixServerTests {
    private let matrix = MatrixSubmitter(servers: .any)
    private let folder: TemporaryFolder
    private let transport: CurlTransport

    init() throws {
        folder = try TemporaryFolder()
        transport = try Network.shared.get().transport
    }

    @Test func `a photo, several and a video are seen by another member as they were sent`() async throws {
        let (ann, room, account) = try await members()
        for (count, type) in [(1, "image/jpeg"), (4, "image/png"), (1, "video/mp4")] {
            let post = try post(count, type, to: account)

            let receipt = try await arrive(post)

            let events = try await ann.events(of: receipt, in: room)
            #expect(events.count == count)
            #expect(events[0]["content"]?["body"] == "Föhn" && events[0]["sender"] == "@alice:localhost")
            #expect(events.allSatisfy { $0["content"]?["info"]?["mimetype"]?.string == type })
            for (event, content) in zip(events, post.contents) {
                #expect(try await ann.file(event["content"]?["url"]?.string ?? "") == content)
            }
            #expect(try await ann.pictures(in: room) == count)
            try await matrix.delete(published(receipt, account))
            #expect(try await ann.pictures(in: room) == 0)
        }
    }

    @Test func `other words are seen as the newest change, and another member sees that all was emptied`() async throws
    {
        let (ann, room, account) = try await members()
        let receipt = try await arrive(try post(3, "image/jpeg", to: account))
        let post = published(receipt, account)

        for text in ["Fog", "Sun", "Fog", "Fog"] {
            try await matrix.edit(post, text: text, altText: "")
            let event = try await ann.events(of: receipt, in: room)[0]
            let change = event["unsigned"]?["m.relations"]?["m.replace"]
            #expect(change?["content"]?["m.new_content"]?["body"]?.string == text)
        }
        #expect(try await ann.pictures(in: room) == 3)
        for _ in 0..<2 { try await matrix.delete(post) }

        #expect(try await ann.pictures(in: room) == 0)
        for event in try await ann.events(of: receipt, in: room) {
            #expect(event["content"] == [:] && event["unsigned"]?["redacted_because"] != nil)
        }
        #expect(await meaning { try await matrix.edit(post, text: "Rain", altText: "") } == .gone)
        #expect(await meaning { try await matrix.engagement(of: post) } == .gone)
    }

    @Test(arguments: 0..<12)
    func `whichever answers are lost, each picture is there once`(number: Int) async throws {
        let (ann, room, account) = try await members()
        for hasArrived in [true, false] {
            // One request of the post after the other, and the two behind it.
            let cut = Cut(transport, from: number, count: number % 3 + 1, hasArrived: hasArrived)
            let post = try post(3, "image/jpeg", to: account, over: cut)

            let receipt = try await arrive(post)

            #expect(try await ann.events(of: receipt, in: room).count == 3)
            #expect(try await ann.pictures(in: room) == 3)
            try await matrix.delete(published(receipt, account))
        }
    }

    @Test func `a worker that has forgotten what it was told finds all pictures again`() async throws {
        let (ann, room, account) = try await members()
        for write in 0..<14 {
            let post = try post(3, "image/jpeg", to: account)
            post.journal.plan(MemoryJournal.Crash(write: write, isKept: write % 2 == 0))
            _ = await meaning { try await matrix.submit(post.task) }
            post.journal.plan(nil)

            let receipt = try await arrive(post)

            #expect(try await ann.events(of: receipt, in: room).count == 3)
            #expect(try await ann.pictures(in: room) == 3)
            try await matrix.delete(published(receipt, account))
        }
    }

    @Test func `a token is renewed as the same device, and ends when the account is disconnected`() async throws {
        let (_, _, account) = try await members()
        let fresh = try await matrix.refreshCredentials(of: account, over: transport)
        let renewed = OpenedAccount.sample(fresh, account.settings, remoteID: account.remoteID)

        #expect(fresh["access_token"] != account.credentials["access_token"] && matrix.expiry(of: fresh) != nil)
        let receipt = try await arrive(try post(1, "image/jpeg", to: renewed))
        try await matrix.delete(published(receipt, renewed))
        for _ in 0..<2 { try await matrix.revoke(renewed, over: transport) }
        let late = try post(1, "image/jpeg", to: renewed)
        #expect(await meaning { try await matrix.submit(late.task) } == .unauthorized)
        #expect(
            await meaning { try await matrix.refreshCredentials(of: renewed, over: transport) } == .unauthorized)
    }

    @Test func `a wrong secret, a room that is not there and an encrypted room are refused`() async throws {
        let ann = try await Member("ann", transport)
        let encrypted = try await ann.createRoom(isEncrypted: true)
        let refusals: [([String: String], ProblemCode)] = [
            (["password": "wrong"], .credentialsRefused), (["access_token": "wrong"], .credentialsRefused),
            (["room": "#nowhere:localhost"], .destinationMissing),
            (["room": "!nowhere:localhost"], .destinationMissing), (["room": encrypted], .destinationEncrypted),
        ]
        for (change, code) in refusals {
            do throws(SubmissionError) {
                _ = try await matrix.connect(entries("!x:localhost").merging(change) { $1 }, over: transport)
                Issue.record("connected: \(change)")
            } catch { #expect(error.problem.code == code) }
        }
        // One that becomes encrypted later.
        let (maker, room, account) = try await members()
        try await maker.turnOnEncryption(in: room)
        let post = try post(1, "image/jpeg", to: account)
        #expect(await meaning { try await matrix.submit(post.task) } == .unauthorized)
        #expect(try await maker.pictures(in: room) == 0)
    }

    @Test func `what a member says and likes comes back, and is answered and liked once`() async throws {
        let (ann, room, account) = try await members()
        let receipt = try await arrive(try post(2, "image/jpeg", to: account))
        let post = published(receipt, account)
        let ids = receipt.remoteID.split(separator: ",").map(String.init)
        let first = try await ann.say("Lovely", ["m.in_reply_to": ["event_id": .string(ids[0])]], in: room)
        try await ann.say("Indeed", ["rel_type": "m.thread", "event_id": .string(ids[0])], in: room)
        try await ann.react("👍", to: ids[1], in: room)

        let list = try await matrix.responses(to: post, counted: Engagement(), known: [])
        #expect(list.found.filter { $0.kind == .comment }.map(\.text) == ["Lovely", "Indeed"])
        #expect(list.found.filter { $0.kind == .like }.map(\.author.handle) == ["@ann:localhost"])
        #expect(list.complete == [.comment, .like] && list.found.allSatisfy { $0.author.name == "ann" })
        #expect(try await matrix.engagement(of: post) == Engagement(likes: 1, comments: 2))
        for kind in [Interaction.Kind.reply, .favourite] {
            for _ in 0..<2 { _ = try await matrix.perform(interaction(kind, with: first, of: receipt, account)) }
        }
        let answers = try await matrix.responses(to: post, counted: Engagement(), known: []).found.filter(\.isOwn)
        #expect(answers.map(\.text) == ["Thank you"] && answers[0].parent == first)
        #expect(try await ann.reactions(to: first, in: room) == 1)
        _ = try await matrix.perform(interaction(.favourite, with: first, of: receipt, account, isWanted: false))
        #expect(try await ann.reactions(to: first, in: room) == 0)
        _ = try await matrix.perform(interaction(.favourite, with: first, of: receipt, account))
        #expect(try await ann.reactions(to: first, in: room) == 1)
    }

    // MARK: The scene

    /// Ann's new room, and Alice's account that posts there.
    private func members() async throws -> (ann: Member, room: String, account: OpenedAccount) {
        let ann = try await Member("ann", transport)
        let room = try await ann.createRoom()
        return (ann, room, try await matrix.connect(entries(room), over: transport).opened())
    }

    private func entries(_ room: String) -> [String: String] {
        ["base_url": server, "user_id": "@alice:localhost", "password": "pw-alice", "room": room]
    }

    private struct Post {
        let task: SubmissionTask
        let journal: MemoryJournal
        /// Stands still but for the pauses that are asked for.
        let clock: TestClock
        let contents: [[UInt8]]
    }

    private func post(
        _ count: Int, _ type: String, to account: OpenedAccount, over other: (any Transport)? = nil
    ) throws -> Post {
        let contents = (0..<count).map { place in (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* (place + 3)) } }
        let photos = try contents.enumerated().map { place, content in
            try folder.photo(content, mediaType: type, at: Date(), name: UUID().uuidString)
        }
        let (journal, clock) = (MemoryJournal(), TestClock(at: Date()))
        let companions = photos.dropFirst().map { photo in
            OutgoingPicture(
                code: photo.code, altText: "", file: { () async throws(SubmissionError) in try photo.make() },
                address: { () async throws(SubmissionError) in "" }, progress: { _, _ in })
        }
        let task = SubmissionTask(
            submission: .make(), outboundKey: UUID().uuidString, photo: photos[0].photo,
            file: { () async throws(SubmissionError) in try photos[0].make() },
            address: { () async throws(SubmissionError) in "" }, text: "Föhn", caption: "Föhn", altText: "",
            companions: companions, shortURL: "https://pics.test/Ab3dE9xZ", account: account, journal: journal,
            transport: other ?? transport, progress: { _, _ in }, now: clock.read)
        return Post(task: task, journal: journal, clock: clock, contents: contents)
    }

    /// Tries until the post is there, as the queue does.
    private func arrive(_ post: Post) async throws -> Receipt {
        for _ in 0..<60 {
            do throws(SubmissionError) {
                if post.journal.isArmed, case .found(let receipt) = try await matrix.reconcile(post.task) {
                    return receipt
                }
                post.journal.disarm()
                return try await matrix.submit(post.task)
            } catch {
                switch error {
                case .notYet(let checkAfter): post.clock.advance(by: checkAfter)
                case .temporary, .unknownOutcome: continue
                default: throw error
                }
            }
        }
        throw SubmissionError.rejected(.attemptsExhausted)
    }

    private func published(_ receipt: Receipt, _ account: OpenedAccount) -> PublishedPost {
        PublishedPost(
            remoteID: receipt.remoteID, url: receipt.url, account: account, transport: transport, now: { Date() })
    }

    private func interaction(
        _ kind: Interaction.Kind, with target: String, of receipt: Receipt, _ account: OpenedAccount,
        isWanted: Bool = true
    ) -> InteractionTask {
        InteractionTask(
            outboundKey: receipt.remoteID, kind: kind, isWanted: isWanted, targetID: nil, targetKey: target,
            postID: receipt.remoteID, handle: nil, text: "Thank you", remoteID: nil, mayHaveLeft: true,
            createdAt: Date(), account: account, transport: transport, arm: { () async throws(SubmissionError) in },
            now: { Date() })
    }
}

/// Cuts some requests off: their answer is lost, or they never arrive.
private final class Cut: Transport {
    private let transport: CurlTransport
    private let range: Range<Int>
    private let hasArrived: Bool
    private let count = Lock(0)

    init(_ transport: CurlTransport, from first: Int, count: Int, hasArrived: Bool) {
        (self.transport, range, self.hasArrived) = (transport, first..<first + count, hasArrived)
    }

    func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        guard range.contains(number) else { return try await transport.send(request) }
        if hasArrived { _ = try await transport.send(request) }
        throw .unanswered("it was cut off")
    }
}

/// Somebody at the server, who asks it themselves.
private struct Member {
    private let api: AccountAPI

    init(_ name: String, _ transport: CurlTransport) async throws {
        let client = ServiceClient(service: "Synapse", transport: transport, now: { Date() })
        let stranger = AccountAPI(client: client, origin: server, authorization: nil, addresses: .any)
        let response = try await stranger.send(
            .post, "/_matrix/client/v3/login",
            json: [
                "type": "m.login.password", "identifier": ["type": "m.id.user", "user": .string(name)],
                "password": .string("pw-\(name)"),
            ])
        let token = try #require(response.looseJSON?["access_token"]?.string)
        api = AccountAPI(client: client, origin: server, authorization: "Bearer \(token)", addresses: .any)
    }

    private func ask(_ method: HTTPMethod, _ path: String, _ json: JSONValue? = nil) async throws -> JSONValue {
        let response =
            if let json { try await api.send(method, path, json: json) } else { try await api.send(method, path) }
        return try #require(response.status.isSuccess ? response.looseJSON : nil, "\(response.status) \(path)")
    }

    private static func path(_ room: String) -> String { "/_matrix/client/v3/rooms/\(PercentEncoding.encode(room))" }

    func createRoom(isEncrypted: Bool = false) async throws -> String {
        let encryption: JSONValue = ["type": "m.room.encryption", "content": ["algorithm": "m.megolm.v1.aes-sha2"]]
        let room = try await ask(
            .post, "/_matrix/client/v3/createRoom",
            ["preset": "public_chat", "name": "Lakes", "initial_state": isEncrypted ? [encryption] : []])
        return try #require(room["room_id"]?.string)
    }

    func turnOnEncryption(in room: String) async throws {
        _ = try await ask(
            .put, "\(Self.path(room))/state/m.room.encryption", ["algorithm": "m.megolm.v1.aes-sha2"])
    }

    func events(of receipt: Receipt, in room: String) async throws -> [JSONValue] {
        var events: [JSONValue] = []
        for id in receipt.remoteID.split(separator: ",") {
            events.append(try await ask(.get, "\(Self.path(room))/event/\(PercentEncoding.encode(String(id)))"))
        }
        return events
    }

    /// How many pictures and videos the room shows.
    func pictures(in room: String) async throws -> Int {
        let page = try await ask(.get, "\(Self.path(room))/messages?dir=b&limit=500")
        return (page["chunk"]?.array ?? []).count { event in
            event["content"]?["url"] != nil && event["content"]?["m.relates_to"]?["rel_type"] != "m.replace"
        }
    }

    func file(_ uri: String) async throws -> [UInt8] {
        let (server, id) = try #require(MatrixNames.media(uri))
        let response = try await api.send(.get, "/_matrix/client/v1/media/download/\(server)/\(id)")
        return response.status.isSuccess ? response.body : []
    }

    @discardableResult
    func say(_ text: String, _ relation: JSONValue, in room: String) async throws -> String {
        let sent = try await ask(
            .put, "\(Self.path(room))/send/m.room.message/\(UUID().uuidString)",
            ["msgtype": "m.text", "body": .string(text), "m.relates_to": relation])
        return try #require(sent["event_id"]?.string)
    }

    func react(_ key: String, to event: String, in room: String) async throws {
        _ = try await ask(
            .put, "\(Self.path(room))/send/m.reaction/\(UUID().uuidString)",
            ["m.relates_to": ["rel_type": "m.annotation", "event_id": .string(event), "key": .string(key)]])
    }

    func reactions(to event: String, in room: String) async throws -> Int {
        let rooms = "/_matrix/client/v1/rooms/\(PercentEncoding.encode(room))"
        let page = try await ask(
            .get, "\(rooms)/relations/\(PercentEncoding.encode(event))/m.annotation/m.reaction?limit=100")
        return page["chunk"]?.array?.count ?? 0
    }
}
