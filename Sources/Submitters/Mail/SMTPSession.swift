internal import Domain
internal import EventLoops
internal import Formats
internal import HTTP
internal import System

/// A conversation with a mail server, behind the login: one message, or a look whether it would be taken.
///
/// Nothing is sent before `finish`: a server that loses the connection within a message throws it away (RFC 5321, section 4.1.1.4).
///
/// Source: RFC 5321, 1870, 3461; read 2026-11-26.
struct SMTPSession: Sendable {
    let client: ServiceClient
    private let threads: BlockingThreads
    private let connection: any MailConnection
    /// By name, in capitals, with what stands behind it: `SIZE` and `35882577`.
    private let extensions: [String: String]

    /// RFC 5321, section 4.5.3.2: 5 minutes for a command, 3 for a block, 10 for the answer to the end.
    private static let patience = Duration.seconds(300)
    private static let blockPatience = Duration.seconds(180)
    private static let endPatience = Duration.seconds(600)
    /// Bytes of a file that are in memory at once: whole lines of base64.
    private static let blockSize = MailBody.bytesOfLine * 1024

    /// Connects and logs in.
    ///
    /// - Throws: Why not; nothing has been sent.
    private init(
        _ server: MailServer, _ client: ServiceClient, threads: BlockingThreads, isConnecting: Bool = false
    ) async throws(SubmissionError) {
        let answer: MailAnswer
        do throws(TransportError) { answer = try await client.transport.connect(to: server) } catch {
            throw client.failure(error, .preparing)
        }
        switch answer {
        case .refused(let refusal): throw SMTPFailure(client).error(refusal, isConnecting: isConnecting)
        case .open(let connection, let lines):
            (self.client, self.threads, self.connection) = (client, threads, connection)
            extensions = Dictionary(
                lines.map { line in
                    let name = line.prefix { $0 != " " }
                    return (name.uppercased(), String(line.dropFirst(name.count + 1)))
                }
            ) { first, _ in first }
        }
    }

    /// Holds a conversation, and ends it: with a good-bye, or at once where it went wrong.
    static func hold<Value>(
        with server: MailServer, _ client: ServiceClient, threads: BlockingThreads, isConnecting: Bool = false,
        _ body: (SMTPSession) async throws(SubmissionError) -> Value
    ) async throws(SubmissionError) -> Value {
        let session = try await SMTPSession(server, client, threads: threads, isConnecting: isConnecting)
        let value: Value
        do throws(SubmissionError) { value = try await body(session) } catch {
            session.close()
            throw error
        }
        await session.quit()
        return value
    }

    /// The longest message that the server takes, in bytes; nil where it states none, or none that is fixed.
    var sizeLimit: Int64? { extensions["SIZE"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil } }

    // MARK: A message

    /// Names sender and recipients of a message, and its size; one that is refused stops it for all. Its key comes back with notices that
    /// it could not be delivered.
    func begin(_ message: MailMessage) async throws(SubmissionError) {
        let size = message.size
        if let sizeLimit, size > sizeLimit {
            throw .rejected(SubmissionProblem(client.problem(.fileTooLarge), detail: "\(size) bytes of \(sizeLimit)"))
        }
        let asksNotices = extensions["DSN"] != nil
        var command = "MAIL FROM:<\(message.sender.address)>"
        if extensions["SIZE"] != nil { command += " SIZE=\(size)" }
        if asksNotices { command += " RET=HDRS ENVID=\(Self.xtext(message.key))" }
        _ = try await ask(command, .sender)
        for recipient in message.recipients { try await name(recipient, asksNotices: asksNotices) }
    }

    private func name(_ recipient: MailAddress, asksNotices: Bool) async throws(SubmissionError) {
        var command = "RCPT TO:<\(recipient.address)>"
        if asksNotices { command += " NOTIFY=FAILURE ORCPT=rfc822;\(Self.xtext(recipient.address))" }
        _ = try await ask(command, .recipient(recipient.address))
    }

    /// Whether the server would take mail of this sender to these recipients; then it forgets them again.
    ///
    /// - Throws: What it refuses for good. That it takes a recipient later only, as greylisting does, is no refusal.
    func check(from sender: MailAddress, to recipients: [MailAddress]) async throws(SubmissionError) {
        _ = try await ask("MAIL FROM:<\(sender.address)>", .sender)
        for recipient in recipients {
            do throws(SubmissionError) { try await name(recipient, asksNotices: false) } catch {
                guard case .temporary(let problem, _) = error, !problem.isUnreachable else { throw error }
            }
        }
        _ = try await ask("RSET", .other)
    }

    /// Sends the message but for its end. `progress` is told how many bytes of all files have left, before they were encoded.
    func send(
        _ message: MailMessage, _ files: [OutgoingFile], progress: (Int64) -> Void = { _ in }
    ) async throws(SubmissionError) {
        _ = try await ask("DATA", .data, expecting: 354)
        var sent: Int64 = 0
        for piece in message.pieces {
            switch piece {
            case .text(let bytes): try await write(Self.stuffed(bytes))
            case .file(let place):
                let file = files[place]
                var position: Int64 = 0
                while position < file.bytes {
                    let (start, count) = (position, Int(min(Int64(Self.blockSize), file.bytes - position)))
                    let block = try await file.read(on: threads) { () throws(ArchiveError) in
                        let descriptor = try OwnedDescriptor(opening: file.path, flags: 0)
                        let content = try descriptor.content(at: start, atMost: count)
                        guard content.count == count else { throw .shortOriginal }
                        return MailBody.base64Lines(content)
                    }
                    try await write(block)
                    position += Int64(count)
                    progress(sent + position)
                }
                sent += file.bytes
            }
        }
    }

    private func write(_ bytes: [UInt8]) async throws(SubmissionError) {
        do throws(TransportError) {
            try await connection.send(bytes, within: Self.blockPatience)
        } catch {
            if error == .cancelled { throw .cancelled }
            // A server that has enough says why before it closes.
            if let reply = await lastWord() { throw SMTPFailure(client).error(reply, .data) }
            throw client.failure(error, .preparing)
        }
    }

    private func lastWord() async -> MailReply? {
        do throws(SubmissionError) {
            let reply = try await reply(within: .seconds(1), .preparing)
            return reply.code >= 400 ? reply : nil
        } catch {
            return nil
        }
    }

    /// Sends the line that ends the message: the server delivers it. Returns what the server says to it.
    ///
    /// - Throws: `.unknownOutcome` when the line may have left and no clear answer came.
    func finish() async throws(SubmissionError) -> MailReply {
        do throws(TransportError) {
            try await connection.send(Array(".\r\n".utf8), within: Self.patience)
        } catch {
            throw client.failure(error, .publishing)
        }
        let reply = try await reply(within: Self.endPatience, .publishing)
        guard reply.code == 250 else { throw SMTPFailure(client).error(reply, .message) }
        return reply
    }

    /// Says good-bye and ends the connection; a message that has not ended is thrown away.
    func quit() async {
        do throws(TransportError) {
            try await connection.send(Array("QUIT\r\n".utf8), within: .seconds(1))
        } catch {
            // Nobody is there to be told.
        }
        connection.close()
    }

    /// Ends the connection at once: within a message there is no other way to take it back.
    func close() { connection.close() }

    // MARK: Commands

    private func ask(
        _ command: String, _ phase: SMTPFailure.Phase, expecting code: Int? = nil
    ) async throws(SubmissionError) -> MailReply {
        do throws(TransportError) {
            try await connection.send(Array("\(command)\r\n".utf8), within: Self.patience)
        } catch {
            if error != .cancelled, let reply = await lastWord() { throw SMTPFailure(client).error(reply, phase) }
            throw client.failure(error, .preparing)
        }
        let reply = try await reply(within: Self.patience, .preparing)
        guard code.map({ $0 == reply.code }) ?? (200..<300 ~= reply.code) else {
            throw SMTPFailure(client).error(reply, phase)
        }
        return reply
    }

    private func reply(within limit: Duration, _ role: RequestRole) async throws(SubmissionError) -> MailReply {
        var reader = MailReplyReader()
        let end = ContinuousClock.now + limit
        while true {
            let line: String
            do throws(TransportError) {
                line = try await connection.receiveLine(within: max(end - .now, .zero))
            } catch {
                throw client.failure(error, role)
            }
            do throws(MalformedMailReply) {
                if let reply = try reader.read(line) { return reply }
            } catch {
                throw client.unclear(
                    SubmissionProblem(client.problem(.unreadableResponse), detail: line), role)
            }
        }
    }

    // MARK: Texts

    /// A line of the message's own that begins with a dot gets one more (RFC 5321, section 4.5.2). Each piece begins a line.
    static func stuffed(_ bytes: [UInt8]) -> [UInt8] {
        var stuffed: [UInt8] = []
        stuffed.reserveCapacity(bytes.count)
        var beginsLine = true
        for byte in bytes {
            if beginsLine, byte == UInt8(ascii: ".") { stuffed.append(byte) }
            stuffed.append(byte)
            beginsLine = byte == 0x0A
        }
        return stuffed
    }

    /// RFC 3461, section 4.
    private static func xtext(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.reduce(into: [UInt8]()) { text, byte in
            if 0x21...0x7E ~= byte, byte != UInt8(ascii: "+"), byte != UInt8(ascii: "=") {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "+"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
