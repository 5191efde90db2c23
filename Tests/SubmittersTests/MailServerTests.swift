internal import Curl
internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import TestTools
internal import Testing

/// A mail server, and the folder in which each message that it has delivered becomes a file.
private struct Box: Sendable, CustomTestStringConvertible {
    let server: String
    let folder: String

    var testDescription: String { server }

    /// Of the variable, such as `smtps://localhost:465=/tmp/box/new,smtp://localhost:587=/tmp/other/new`.
    static let all = (ProcessInfo.processInfo.environment["PICS_TEST_MAIL"] ?? "").split(separator: ",").compactMap {
        entry -> Box? in
        let parts = entry.split(separator: "=").map(String.init)
        return parts.count == 2 ? Box(server: parts[0], folder: parts[1]) : nil
    }

    /// The files of messages with this id: how often it has arrived.
    func files(_ id: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") }.map { "\(folder)/\($0)" }.filter { path in
            let file = FileHandle(forReadingAtPath: path)
            let head = (try? file?.read(upToCount: 4096)) ?? nil
            return String(decoding: head ?? Data(), as: UTF8.self).contains("Message-ID: \(id)")
        }
    }
}

/// Mail servers, where some run: `PICS_TEST_MAIL` names them with their folders, `PICS_TEST_MAIL_AUTHORITIES` a file of the certificates that
/// signed theirs. Each has the user `alice@localhost` with the password `pw-alice`, delivers what is for `ann@pics.test`, and knows no
/// `nobody@pics.test`.
@Suite(.enabled(if: !Box.all.isEmpty), .serialized)
struct MailServerTests {
    private let mail: MailSubmitter
    private let folder: TemporaryFolder
    private let loop: EventLoop
    private let transport: CurlTransport

    init() throws {
        let threads = BlockingThreads(name: "mail-server", count: 2)
        mail = MailSubmitter(servers: .any, threads: threads)
        folder = try TemporaryFolder()
        loop = try EventLoop(name: "mail-server")
        transport = try CurlTransport(
            on: loop, threads: threads,
            options: CurlOptions(
                userAgent: "Pics/tests",
                authoritiesFile: ProcessInfo.processInfo.environment["PICS_TEST_MAIL_AUTHORITIES"]))
    }

    private func entries(_ box: Box, _ changes: [String: String] = [:]) -> [String: String] {
        [
            "server": box.server, "sender": "alice@localhost", "password": "pw-alice", "recipients": "ann@pics.test",
        ].merging(changes) { $1 }
    }

    @Test(arguments: Box.all)
    fileprivate func `a photo, ten and a video arrive once`(box: Box) async throws {
        let account = try await mail.connect(entries(box), over: transport).opened()
        for (count, type, bytes) in [
            (1, "image/jpeg", 20_000), (10, "image/jpeg", 900_000), (1, "video/mp4", 9_000_000),
        ] {
            let (task, _) = try task(count, type, bytes, to: account)

            let receipt = try await mail.submit(task)

            let text = await arrived(receipt.remoteID, at: box)
            #expect(box.files(receipt.remoteID).count == 1)
            #expect(text.replacing("\r\n", with: "\n").matches(of: /\nContent-Type: (image|video)\//).count == count)
        }
    }

    @Test(arguments: Box.all)
    fileprivate func `what cannot be used is said when an account is connected`(box: Box) async throws {
        let stranger = try Network.shared.get().transport
        let refusals: [([String: String], ProblemCode, CurlTransport)] = [
            (["password": "wrong"], .credentialsRefused, transport),
            (["recipients": "nobody@pics.test"], .recipientRefused, transport),
            // Nobody known has signed its certificate.
            ([:], .addressUnusable, stranger),
        ]
        for (changes, code, transport) in refusals {
            let problem = await refusal { try await mail.connect(entries(box, changes), over: transport) }
            #expect(problem?.problem.code == code)
        }
    }

    @Test(arguments: Box.all)
    fileprivate func `a message that is too long for the server is refused`(box: Box) async throws {
        let account = try await mail.connect(entries(box), over: transport).opened()
        let (task, _) = try task(1, "video/mp4", 30_000_000, to: account)

        #expect(await meaning { try await mail.submit(task) } == .rejected)
    }

    @Test(arguments: Box.all)
    fileprivate func `wherever the connection is cut, the message arrives once or a person decides`(box: Box)
        async throws
    {
        let account = try await mail.connect(entries(box), over: transport).opened()
        var (number, wasCut) = (0, true)
        while wasCut {
            for hasLeft in [false, true] {
                let cut = Cut(transport, at: number, hasLeft: hasLeft)
                let (task, journal) = try task(2, "image/jpeg", 90_000, to: account, over: cut)

                let first = await meaning { try await mail.submit(task) }
                wasCut = cut.hasCut
                if first == .unknownOutcome {
                    #expect(try await mail.reconcile(task) == .cannotTell)
                } else {
                    journal.disarm()
                    // The cut is behind it now.
                    if first == .temporary { _ = try await mail.submit(task) }
                    _ = await arrived(id(task), at: box)
                }

                try await settle(at: box, account)
                let count = box.files(id(task)).count
                #expect(first == .unknownOutcome ? count <= 1 : count == 1, "send \(number) \(hasLeft)")
            }
            number += 1
        }
        #expect(number > 8)
    }

    @Test(arguments: Box.all)
    fileprivate func `a worker that dies at any write leaves one message, or a person decides`(box: Box) async throws {
        let account = try await mail.connect(entries(box), over: transport).opened()
        for isKept in [true, false] {
            var (write, hasCrashed) = (0, true)
            while hasCrashed {
                let (task, journal) = try task(1, "image/jpeg", 50_000, to: account)
                journal.plan(MemoryJournal.Crash(write: write, isKept: isKept))
                _ = await meaning { try await mail.submit(task) }
                hasCrashed = journal.hasCrashed
                journal.plan(nil)

                var isOpen = false
                if journal.isArmed {
                    isOpen = try await mail.reconcile(task) == .cannotTell
                } else {
                    _ = try await mail.submit(task)
                }
                try await settle(at: box, account)

                let count = box.files(id(task)).count
                #expect(isOpen ? count <= 1 : count == 1, "write \(write)")
                write += 1
            }
        }
    }

    // MARK: The scene

    private func id(_ task: SubmissionTask) -> String { "<\(task.outboundKey).pics@localhost>" }

    private func task(
        _ count: Int, _ type: String, _ bytes: Int, to account: OpenedAccount, over other: (any Transport)? = nil
    ) throws -> (SubmissionTask, MemoryJournal) {
        let photos = try (0..<count).map { place in
            try folder.photo(
                (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* (place + 3)) }, mediaType: type, at: Date(),
                name: UUID().uuidString)
        }
        let journal = MemoryJournal()
        let companions = photos.dropFirst().map { photo in
            OutgoingPicture(
                code: photo.code, altText: "", file: { () async throws(SubmissionError) in try photo.make() },
                address: { () async throws(SubmissionError) in "" }, progress: { _, _ in })
        }
        let task = SubmissionTask(
            submission: .make(), outboundKey: UUID().uuidString, photo: photos[0].photo,
            file: { () async throws(SubmissionError) in try photos[0].make() },
            address: { () async throws(SubmissionError) in "" }, text: "Föhn\n.\nover the lake", caption: "Föhn",
            altText: "A lake", companions: companions, shortURL: "https://pics.test/Ab3dE9xZ", account: account,
            journal: journal, transport: other ?? transport, progress: { _, _ in }, now: { Date() })
        return (task, journal)
    }

    /// Waits for a message; it takes the server some milliseconds.
    private func arrived(_ id: String, at box: Box) async -> String {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            if let path = box.files(id).first {
                return String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            }
            await Task.yield()
        }
        Issue.record("\(id) has not arrived")
        return ""
    }

    /// Waits until the server has delivered all it has taken so far: what is sent later arrives later.
    private func settle(at box: Box, _ account: OpenedAccount) async throws {
        let (task, _) = try task(1, "image/jpeg", 100, to: account)
        _ = try await mail.submit(task)
        _ = await arrived(id(task), at: box)
    }
}

/// Cuts the connection at one of the sends of the first conversation: before the bytes have left, or behind them.
private final class Cut: Transport {
    private let transport: CurlTransport
    private let number: Int
    private let hasLeft: Bool
    private let count = Lock(0)

    init(_ transport: CurlTransport, at number: Int, hasLeft: Bool) {
        (self.transport, self.number, self.hasLeft) = (transport, number, hasLeft)
    }

    var hasCut: Bool { count.withLock { $0 > number } }

    func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
        try await transport.send(request)
    }

    func connect(to server: MailServer) async throws(TransportError) -> MailAnswer {
        let answer = try await transport.connect(to: server)
        guard case .open(let connection, let extensions) = answer else { return answer }
        return .open(Connection(cut: self, connection: connection), extensions: extensions)
    }

    private struct Connection: MailConnection {
        let cut: Cut
        let connection: any MailConnection

        func send(_ bytes: [UInt8], within limit: Duration) async throws(TransportError) {
            let number = cut.count.withLock { count in
                defer { count += 1 }
                return count
            }
            guard number == cut.number else { return try await connection.send(bytes, within: limit) }
            if cut.hasLeft { try await connection.send(bytes, within: limit) }
            connection.close()
            if !cut.hasLeft { throw .unanswered("it was cut off") }
        }

        func receiveLine(within limit: Duration) async throws(TransportError) -> String {
            try await connection.receiveLine(within: limit)
        }

        func close() { connection.close() }
    }
}
