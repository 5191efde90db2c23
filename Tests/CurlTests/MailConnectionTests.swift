import Glibc
import HTTP
import System
import Testing

@testable import Curl

struct MailConnectionTests {
    private static let limit = Duration.seconds(10)

    private static func server(
        _ server: ScriptedServer, _ security: MailServer.Security = .none,
        login: MailServer.Login = .password(user: "alice", password: "secret"),
        timeout: Duration = .seconds(20), policy: AddressPolicy = .publicOnly, clientName: String = "pics.test"
    ) -> MailServer {
        MailServer(
            host: "127.0.0.1", port: server.port, security: security, clientName: clientName, login: login,
            timeout: timeout, addressPolicy: policy)
    }

    /// Answers each line that comes by `answer`, until it has none.
    private static func dialogue(
        _ greeting: String = "220 mail.test ESMTP\r\n", _ answer: @escaping @Sendable (String) -> String?
    ) -> ScriptedServer.Script {
        { connection in
            connection.write(greeting)
            while let line = connection.readMailLine() {
                guard let text = answer(line) else { return }
                connection.write(text)
            }
        }
    }

    private static let usual = "250-mail.test\r\n250-SIZE 1000\r\n250-DSN\r\n250 AUTH GSSAPI PLAIN\r\n"

    @Test func `a server is greeted by the name of the client, logged in to, and heard line by line`() async throws {
        let server = ScriptedServer(
            Self.dialogue { line in
                switch line {
                case "EHLO pics.test": Self.usual
                case "AUTH PLAIN AGFsaWNlAHNlY3JldA==": "235 2.7.0 in\r\n"
                case "NOOP": "250-a\r\n250-\r\n250 b\r\n"
                default: nil
                }
            })
        try await withTransport { transport in
            let answer = try await transport.connect(to: Self.server(server))
            guard case .open(let connection, let extensions) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(extensions == ["SIZE 1000", "DSN", "AUTH GSSAPI PLAIN"])
            try await connection.send(Array("NOOP\r\n".utf8), within: Self.limit)
            for line in ["250-a", "250-", "250 b"] {
                #expect(try await connection.receiveLine(within: Self.limit) == line)
            }
            connection.close()
            await expectNotSent { try await connection.send([0x41], within: Self.limit) }
        }
        #expect(server.requests == ["EHLO pics.test", "AUTH PLAIN AGFsaWNlAHNlY3JldA==", "NOOP"])
    }

    @Test func `a token is shown by XOAUTH2`() async throws {
        let server = ScriptedServer(
            Self.dialogue { line in
                line.hasPrefix("EHLO") ? "250-mail.test\r\n250 AUTH PLAIN XOAUTH2\r\n" : "235 in\r\n"
            })
        try await withTransport { transport in
            let answer = try await transport.connect(to: Self.server(server, login: .bearer(user: "a@b", token: "t")))
            guard case .open = answer else {
                Issue.record("\(answer)")
                return
            }
        }
        // user=a@b^Aauth=Bearer t^A^A
        #expect(server.requests.last == "AUTH XOAUTH2 dXNlcj1hQGIBYXV0aD1CZWFyZXIgdAEB")
    }

    @Test(arguments: [
        ("220 hi\r\n", usual, "535 5.7.8 no\r\n", MailRefusal.reply(MailReply(535, ["5.7.8 no"]), isLogin: true)),
        (
            "220 hi\r\n", usual, "454-4.7.0 wait\r\n454 4.7.0 long\r\n",
            .reply(MailReply(454, ["4.7.0 wait", "4.7.0 long"]), isLogin: true)
        ),
        ("220 hi\r\n", "250-mail.test\r\n250 SIZE 10\r\n", "", .noLogin),
        ("220 hi\r\n", "250-mail.test\r\n250 AUTH GSSAPI\r\n", "", .noLogin),
        ("554 5.7.1 go away\r\n", "", "", .reply(MailReply(554, ["5.7.1 go away"]), isLogin: false)),
        ("421 4.3.2 later\r\n", "", "", .reply(MailReply(421, ["4.3.2 later"]), isLogin: false)),
        ("220 hi\r\n", "550 5.7.1 no\r\n", "", .reply(MailReply(550, ["5.7.1 no"]), isLogin: false)),
    ])
    func `what a server says instead of letting in is told`(
        greeting: String, hello: String, login: String, refusal: MailRefusal
    ) async throws {
        let server = ScriptedServer(
            Self.dialogue(greeting) { line in
                let text = line.hasPrefix("EHLO") ? hello : line.hasPrefix("HELO") ? "250 mail.test\r\n" : login
                return text.isEmpty ? nil : text
            })
        try await withTransport { transport in
            let answer = try await transport.connect(to: Self.server(server))
            guard case .refused(let told) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(told == refusal)
        }
    }

    @Test func `no password leaves for a server without STARTTLS, and none in clear text`() async throws {
        let server = ScriptedServer(Self.dialogue { _ in Self.usual })
        try await withTransport { transport in
            let answer = try await transport.connect(to: Self.server(server, .startTLS))
            guard case .refused(.noTLS) = answer else {
                Issue.record("\(answer)")
                return
            }
        }
        #expect(server.requests.allSatisfy { !$0.hasPrefix("AUTH") })
    }

    @Test func `a server at a private address is not spoken to`() async throws {
        let server = ScriptedServer(Self.dialogue { _ in Self.usual })
        try await withTransport(reachesPrivateAddresses: false) { transport in
            for security in [MailServer.Security.tls, .startTLS, .none] {
                await #expect(throws: TransportError.self) {
                    try await transport.connect(to: Self.server(server, security))
                }
            }
        }
        #expect(server.connections == 0)
    }

    @Test(arguments: ["", "a b", "a/b", "alice:secret@mail.test", "mail.test?x", "mäil.test", "[::1", "a\r\nb"])
    func `a name that could be another place is none`(host: String) async throws {
        try await withTransport { transport in
            let server = MailServer(host: host, port: 25, security: .none, login: .none)
            await #expect(throws: TransportError.notSent("the name of the mail server is malformed")) {
                _ = try await transport.connect(to: server)
            }
        }
    }

    @Test func `a server that never greets is left in time, and one that stalls at the login too`() async throws {
        let silent = ScriptedServer { $0.awaitClose() }
        let stalling = ScriptedServer { connection in
            connection.write("220 hi\r\n")
            connection.awaitClose()
        }
        try await withTransport { transport in
            for server in [silent, stalling] {
                await #expect(throws: TransportError.self) {
                    _ = try await transport.connect(to: Self.server(server, timeout: .milliseconds(200)))
                }
            }
        }
    }

    /// Lends an open connection to a server that plays `script` behind EHLO.
    private func withMail(
        _ script: @escaping ScriptedServer.Script, _ body: @escaping @Sendable (any MailConnection) async throws -> Void
    ) async throws {
        let server = ScriptedServer { connection in
            connection.write("220 hi\r\n")
            _ = connection.readMailLine()
            connection.write("250 mail.test\r\n")
            script(connection)
        }
        try await withTransport { transport in
            let answer = try await transport.connect(to: Self.server(server, login: .none))
            guard case .open(let connection, let extensions) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(extensions.isEmpty)
            try await body(connection)
        }
    }

    @Test func `what a server has said before it closes is heard, then the end`() async throws {
        try await withMail { connection in
            _ = connection.readMailLine()
            connection.write("421 4.3.2 bye\r\n421")
        } _: { connection async throws in
            try await connection.send(Array("NOOP\r\n".utf8), within: Self.limit)
            #expect(try await connection.receiveLine(within: Self.limit) == "421 4.3.2 bye")
            await expectUnanswered { _ = try await connection.receiveLine(within: Self.limit) }
            await expectNotSent { try await connection.send(Array(".\r\n".utf8), within: Self.limit) }
        }
    }

    @Test func `a line without an end is not read for ever`() async throws {
        try await withMail { connection in
            _ = connection.readMailLine()
            connection.write([UInt8](repeating: 0x61, count: 100_000))
            connection.awaitClose()
        } _: { connection async throws in
            try await connection.send(Array("NOOP\r\n".utf8), within: Self.limit)
            await #expect(throws: TransportError.responseTooLarge(limit: 4096)) {
                _ = try await connection.receiveLine(within: Self.limit)
            }
        }
    }

    @Test func `lines that nobody takes stop the reading, and come in order later`() async throws {
        try await withMail { connection in
            // No server speaks before it is asked: libcurl keeps what comes together with the answer to EHLO.
            _ = connection.readMailLine()
            for number in 0..<20_000 { connection.write("250-\(number)\r\n") }
            connection.awaitClose()
        } _: { connection async throws in
            try await connection.send(Array("NOOP\r\n".utf8), within: Self.limit)
            for number in 0..<20_000 {
                let line = try await connection.receiveLine(within: Self.limit)
                guard line == "250-\(number)" else {
                    Issue.record("\(line) for \(number)")
                    return
                }
            }
        }
    }

    @Test func `many bytes arrive whole at a server that reads slowly`() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await withMail { connection in
            guard let first = connection.read(1), let rest = connection.read(bytes.count - 1) else { return }
            connection.write("250 \(first + rest == bytes)\r\n")
            connection.awaitClose()
        } _: { connection async throws in
            try await connection.send(bytes, within: Self.limit)
            #expect(try await connection.receiveLine(within: Self.limit) == "250 true")
        }
    }

    @Test func `bytes of which some may have left are unanswered when the server takes no more`() async throws {
        try await withMail { connection in
            connection.resetAtEnd()
            _ = connection.read(1)
        } _: { connection async throws in
            await expectUnanswered {
                try await connection.send([UInt8](repeating: 0x61, count: 30_000_000), within: Self.limit)
            }
        }
    }

    @Test func `a cancelled wait ends the connection`() async throws {
        try await withMail {
            $0.awaitClose()
        } _: { connection async throws in
            let waiting = Task { try await connection.receiveLine(within: Self.limit) }
            waiting.cancel()
            await #expect(throws: TransportError.cancelled) { _ = try await waiting.value }
            await #expect(throws: TransportError.self) { try await connection.send([0x41], within: Self.limit) }
        }
    }
}

struct MailReplyTests {
    @Test func `lines are joined to an answer`() throws {
        var reader = MailReplyReader()
        #expect(try reader.read("250-mail.test") == nil)
        #expect(try reader.read("250-") == nil)
        #expect(try reader.read("250 SIZE 10") == MailReply(250, ["mail.test", "", "SIZE 10"]))
        #expect(try reader.read("250") == MailReply(250, [""]))
    }

    @Test(arguments: [
        ["<html>"], [""], ["25"], ["150 a"], ["650 a"], ["250x"], ["250-a", "251 b"], ["2 50"], ["２５０ a"],
    ])
    func `what is no answer is refused`(lines: [String]) {
        var reader = MailReplyReader()
        #expect(throws: MalformedMailReply.self) {
            for line in lines { _ = try reader.read(line) }
        }
    }

    @Test func `an answer without an end is refused`() {
        var reader = MailReplyReader()
        #expect(throws: MalformedMailReply.self) {
            for _ in 0...MailReplyReader.mostLines { _ = try reader.read("250-a") }
        }
    }

    @Test(arguments: [
        ("5.7.8 no", "5.7.8"), ("5.7.139", "5.7.139"), ("4.7.8 no", nil), ("no", nil), ("5.7 no", nil), ("", nil),
    ])
    func `the status stands before the words, and is of the code's class`(text: String, status: String?) {
        #expect(MailReply(550, [text]).status == status)
    }
}

extension ScriptedConnection {
    /// Reads a line without its end, and keeps it; nil when the client has closed.
    fileprivate func readMailLine() -> String? {
        var line: [UInt8] = []
        while let byte = read(1) {
            guard byte[0] == 0x0A else {
                line += byte
                continue
            }
            let text = String(decoding: line.dropLast(), as: UTF8.self)
            record(text)
            return text
        }
        return nil
    }
}

/// Expects that no byte has left.
private func expectNotSent(_ body: () async throws -> Void) async {
    do {
        try await body()
        Issue.record("sent")
    } catch TransportError.notSent {
    } catch {
        Issue.record(error)
    }
}
