internal import Foundation
internal import HTTP
internal import System

/// A server that takes mail of its users, as RFC 6409, 5321, 4954, 1870 and 3461 describe it (read 2026-11-26): in clear text, with the
/// mechanisms PLAIN, LOGIN and XOAUTH2. What it takes is read as a receiver would (RFC 5322, 2045 to 2047, 2231).
///
/// Each command is a route, such as `MAIL /`; what ends a message is `. /`.
package final class FakeMail: FakeService {
    package struct Options: Sendable {
        /// Words of the answer to EHLO.
        package var extensions = ["SIZE 20000000", "DSN", "ENHANCEDSTATUSCODES"]
        /// In bytes, whatever it says.
        package var largest = 20_000_000
        package var mechanisms = ["PLAIN", "LOGIN", "XOAUTH2"]
        /// Whether mail is taken of those only who have logged in.
        package var needsLogin = true
        /// Recipients that it does not know.
        package var unknown: Set<String> = []
        /// Recipients that are asked to come again, once.
        package var greylisted: Set<String> = []

        package init() {}
    }

    package static let user = "alice@example.com"
    package static let password = "mail-password-1"
    package static let token = "mail-token-1"

    /// What was said on one connection.
    private struct Session {
        var hasSaidHello = false
        var isLoggedIn = false
        /// Of a login in steps: the name, once it is known.
        var loginName: String?
        var sender: String?
        var size = 0
        var envelope: String?
        var recipients: [String] = []
        /// The message is coming.
        var isInData = false
    }

    /// A message as it was taken.
    package struct Delivery: Sendable {
        package let sender: String
        package let recipients: [String]
        /// What comes back with notices, where it was asked for.
        package let envelope: String?
        /// Whole, without the dots of the transmission.
        package let bytes: [UInt8]
    }

    private struct State {
        var sessions: [String: Session] = [:]
        var deliveries: [Delivery] = []
        var greylisted: Set<String>
    }

    let options: Options
    private let state: Lock<State>

    package init(_ options: Options = Options()) {
        self.options = options
        state = Lock(State(greylisted: options.greylisted))
    }

    package var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    package var effects: [PublishedPost] { deliveries.compactMap { FakeMessage($0.bytes)?.post } }

    /// The subjects of all that was taken, as people read them.
    package var subjects: [String] { deliveries.compactMap { FakeMessage($0.bytes)?.subject } }

    // MARK: Refusals

    package func refusal(_ status: Int) -> FakeAnswer { refusal(status, of: "") }

    /// A few of the answers that a server may give to a command.
    package func refusal(_ status: Int, of route: String) -> FakeAnswer {
        switch (status, route) {
        case (401, "AUTH /"): Self.answer(535, "5.7.8 Authentication credentials invalid")
        case (403, "AUTH /"): Self.answer(534, "5.7.9 Application-specific password required")
        case (401, _): Self.answer(530, "5.7.0 Authentication required")
        case (403, _): Self.answer(550, "5.7.60 Client does not have permissions to send as this sender")
        case (404, _): Self.answer(550, "5.1.1 Mailbox does not exist")
        case (409, _): Self.answer(452, "4.3.1 Insufficient system storage")
        case (413, _): Self.answer(552, "5.3.4 Message size exceeds fixed limit")
        case (422, _): Self.answer(554, "5.6.0 Message is not acceptable")
        case (429, _): Self.answer(550, "5.4.5 Daily user sending limit exceeded")
        case (503, _): Self.answer(421, "4.3.2 Service shutting down")
        default: Self.answer(451, "4.3.0 Local error in processing")
        }
    }

    static func answer(_ code: Int, _ lines: String...) -> FakeAnswer { answer(code, lines) }

    private static func answer(_ code: Int, _ lines: [String]) -> FakeAnswer {
        let text = lines.enumerated().map { "\(code)\($0 == lines.count - 1 ? " " : "-")\($1)" }
        return FakeAnswer(HTTPStatus(code: code), body: Array(text.joined(separator: "\r\n").utf8))
    }

    // MARK: Routes

    package var routes: [FakeRoute] {
        let commands: [(String, @Sendable (inout Session, String) -> FakeAnswer)] = [
            ("EHLO", { [options] session, name in Self.hello(&session, name, options) }),
            ("HELO", { [options] session, name in Self.hello(&session, name, options, isOld: true) }),
            ("AUTH", { [options] session, words in Self.logIn(&session, words, options) }),
            ("MAIL", { [options] session, words in Self.begin(&session, words, options) }),
            (
                "DATA",
                { session, _ in
                    guard !session.recipients.isEmpty else { return Self.answer(503, "5.5.1 No valid recipients") }
                    session.isInData = true
                    return Self.answer(354, "Start mail input; end with <CRLF>.<CRLF>")
                }
            ),
            (
                "RSET",
                { session, _ in
                    Self.forget(&session)
                    return Self.answer(250, "2.0.0 OK")
                }
            ),
            ("NOOP", { _, _ in Self.answer(250, "2.0.0 OK") }),
            ("QUIT", { _, _ in Self.answer(221, "2.0.0 Bye") }),
        ]
        return commands.map { verb, act in
            FakeRoute("\(verb) /") { [self] request, _ in
                let line = String(decoding: request.body, as: UTF8.self)
                let words = request.fields["Continues"] == nil ? String(line.dropFirst(verb.count + 1)) : line
                return state.withLock { state in
                    act(&state.sessions[request.connection, default: Session()], words)
                }
            }
        } + [
            FakeRoute("RCPT /") { [self] request, _ in name(request) },
            FakeRoute(". /") { [self] request, _ in take(request) },
        ]
    }

    private static func forget(_ session: inout Session) {
        (session.sender, session.size, session.envelope) = (nil, 0, nil)
        (session.recipients, session.isInData) = ([], false)
    }

    private static func hello(
        _ session: inout Session, _ name: String, _ options: Options, isOld: Bool = false
    ) -> FakeAnswer {
        guard name.wholeMatch(of: /[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]/) != nil else {
            return answer(501, "5.5.4 Syntax: EHLO hostname")
        }
        forget(&session)
        session.hasSaidHello = true
        let login = options.mechanisms.isEmpty ? [] : ["AUTH \(options.mechanisms.joined(separator: " "))"]
        return isOld ? answer(250, "mail.test") : answer(250, ["mail.test"] + options.extensions + login)
    }

    // MARK: The login

    /// RFC 4954; RFC 4616; LOGIN as clients have it; developers.google.com/gmail/imap/xoauth2-protocol.
    private static func logIn(_ session: inout Session, _ words: String, _ options: Options) -> FakeAnswer {
        let refused = answer(535, "5.7.8 Authentication credentials invalid")
        func ended(_ isRight: Bool) -> FakeAnswer {
            session.isLoggedIn = isRight
            session.loginName = nil
            return isRight ? answer(235, "2.7.0 Authentication successful") : refused
        }
        func text(_ word: some StringProtocol) -> String {
            Data(base64Encoded: String(word)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        let parts = words.split(separator: " ")
        if let name = session.loginName {
            if name.isEmpty {
                session.loginName = text(words)
                return answer(334, "UGFzc3dvcmQ6")
            }
            return ended(name == user && text(words) == password)
        }
        guard session.hasSaidHello, !session.isLoggedIn, session.sender == nil else {
            return answer(503, "5.5.1 Bad sequence")
        }
        guard let mechanism = parts.first?.uppercased(), options.mechanisms.contains(mechanism) else {
            return answer(504, "5.5.4 Unrecognized authentication type")
        }
        let first = parts.count > 1 ? text(parts[1]) : nil
        switch mechanism {
        case "PLAIN": return ended(first == "\0\(user)\0\(password)")
        case "XOAUTH2": return ended(first == "user=\(user)\u{1}auth=Bearer \(token)\u{1}\u{1}")
        default:
            session.loginName = first ?? ""
            return answer(334, first == nil ? "VXNlcm5hbWU6" : "UGFzc3dvcmQ6")
        }
    }

    // MARK: The envelope

    /// What stands between the brackets, and the parameters behind them; nil for another form.
    private static func path(_ words: String, behind keyword: String) -> (String, [String: String])? {
        guard words.uppercased().hasPrefix("\(keyword):<"), let end = words.firstIndex(of: ">") else { return nil }
        let path = words[words.index(words.startIndex, offsetBy: keyword.count + 2)..<end]
        guard path.isEmpty || path.wholeMatch(of: /[^\s<>@"\\]+@[A-Za-z0-9.-]+/) != nil else { return nil }
        let parameters = words[words.index(after: end)...].split(separator: " ").map { word in
            (String(word.prefix { $0 != "=" }).uppercased(), String(word.drop { $0 != "=" }.dropFirst()))
        }
        return (String(path), Dictionary(parameters) { first, _ in first })
    }

    private static func has(_ name: String, _ options: Options) -> Bool {
        options.extensions.contains { $0 == name || $0.hasPrefix("\(name) ") }
    }

    private static func begin(_ session: inout Session, _ words: String, _ options: Options) -> FakeAnswer {
        guard session.hasSaidHello, session.sender == nil else { return answer(503, "5.5.1 Bad sequence of commands") }
        guard session.isLoggedIn || !options.needsLogin else { return answer(530, "5.7.0 Authentication required") }
        guard let (sender, parameters) = path(words, behind: "FROM") else {
            return answer(501, "5.5.4 Syntax: MAIL FROM:<address>")
        }
        let known: Set = Set((has("SIZE", options) ? ["SIZE"] : []) + (has("DSN", options) ? ["RET", "ENVID"] : []))
        guard Set(parameters.keys).isSubset(of: known),
            parameters["RET"].map({ ["FULL", "HDRS"].contains($0) }) ?? true
        else {
            return answer(555, "5.5.4 Parameters not recognized or not implemented")
        }
        guard sender == user else { return answer(553, "5.7.1 Sender address rejected: not owned by user") }
        session.size = parameters["SIZE"].flatMap { Int($0) } ?? 0
        guard session.size <= options.largest else {
            return answer(552, "5.3.4 Message size exceeds fixed limit")
        }
        session.sender = sender
        session.envelope = parameters["ENVID"]
        return answer(250, "2.1.0 Sender OK")
    }

    private func name(_ request: FakeRequest) -> FakeAnswer {
        let words = String(String(decoding: request.body, as: UTF8.self).dropFirst(5))
        return state.withLock { state in
            var session = state.sessions[request.connection] ?? Session()
            defer { state.sessions[request.connection] = session }
            guard session.sender != nil, !session.isInData else { return Self.answer(503, "5.5.1 Need MAIL command") }
            guard let (recipient, parameters) = Self.path(words, behind: "TO"), !recipient.isEmpty else {
                return Self.answer(501, "5.5.4 Syntax: RCPT TO:<address>")
            }
            let known: Set = Self.has("DSN", options) ? ["NOTIFY", "ORCPT"] : []
            guard Set(parameters.keys).isSubset(of: known), parameters["ORCPT"].map({ $0.hasPrefix("rfc822;") }) ?? true
            else {
                return Self.answer(555, "5.5.4 Parameters not recognized or not implemented")
            }
            if options.unknown.contains(recipient) { return Self.answer(550, "5.1.1 <\(recipient)>: user unknown") }
            if state.greylisted.remove(recipient) != nil {
                return Self.answer(451, "4.7.1 Greylisted, please try again later")
            }
            session.recipients.append(recipient)
            return Self.answer(250, "2.1.5 Recipient OK")
        }
    }

    // MARK: The message

    private func take(_ request: FakeRequest) -> FakeAnswer {
        state.withLock { state in
            var session = state.sessions[request.connection] ?? Session()
            defer { state.sessions[request.connection] = session }
            guard session.isInData, let sender = session.sender else {
                return Self.answer(503, "5.5.1 Bad sequence of commands")
            }
            let (recipients, envelope) = (session.recipients, session.envelope)
            let size = session.size
            Self.forget(&session)
            guard let message = Self.unstuffed(request.body) else {
                return Self.answer(554, "5.6.0 A line is too long, or ends in another way")
            }
            guard message.count <= options.largest else {
                return Self.answer(552, "5.3.4 Message size exceeds fixed limit")
            }
            // SIZE is an estimate, but of a client that knows.
            guard size == 0 || size == message.count else { return Self.answer(554, "5.6.0 Not as long as was said") }
            guard let read = FakeMessage(message) else { return Self.answer(554, "5.6.0 Message is malformed") }
            guard read.sender == sender else {
                return Self.answer(550, "5.7.1 The sender of the header is not owned by user")
            }
            state.deliveries.append(
                Delivery(sender: sender, recipients: recipients, envelope: envelope, bytes: message))
            return Self.answer(250, "2.0.0 OK: queued as 3F2A\(state.deliveries.count)")
        }
    }

    /// The message of what was sent, its last line left out (RFC 5321, section 4.5.2 and 4.5.3.1.6); nil where a line has more than 1000
    /// bytes, is not ASCII, or ends otherwise than with CR LF.
    private static func unstuffed(_ data: [UInt8]) -> [UInt8]? {
        var message: [UInt8] = []
        message.reserveCapacity(data.count)
        var start = 0
        while start < data.count {
            guard let end = data[start...].firstIndex(of: 0x0A), end > start, data[end - 1] == 0x0D,
                end + 1 - start <= 1000
            else { return nil }
            let line = data[start..<(end - 1)]
            guard !line.contains(0x0D), line.allSatisfy({ 0 < $0 && $0 < 0x80 }) else { return nil }
            if line.elementsEqual([UInt8(ascii: ".")]) { return end + 1 == data.count ? message : nil }
            message += line.first == UInt8(ascii: ".") ? line.dropFirst() : line
            message += [0x0D, 0x0A]
            start = end + 1
        }
        return nil
    }
}

extension FakeRequest {
    fileprivate var connection: String { fields["Connection-Name"] ?? "" }
}
