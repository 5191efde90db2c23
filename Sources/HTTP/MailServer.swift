/// A server that takes mail of its users (RFC 6409), and who comes.
package struct MailServer: Sendable, Equatable {
    /// How the connection is made safe. A server whose certificate is not in order is never spoken to.
    package enum Security: String, Sendable {
        /// TLS from the first byte on (RFC 8314).
        case tls
        /// TLS before anything but the greeting is said (RFC 3207); a server without it is left.
        case startTLS = "starttls"
        /// None: for a server in the operator's own network.
        case none
    }

    /// The credentials of a login (RFC 4954).
    package enum Login: Sendable, Equatable {
        case none
        case password(user: String, password: String)
        /// A token of OAuth 2 (RFC 7628, and XOAUTH2 of Google and Microsoft).
        case bearer(user: String, token: String)
    }

    /// A name or an address; of version 6 in brackets.
    package var host: String
    package var port: UInt16
    package var security: Security
    /// What the client calls itself: a name of the domain system, or an address in brackets (RFC 5321, section 4.1.3).
    package var clientName: String
    package var login: Login
    /// For connecting, TLS, greeting and login together.
    package var timeout: Duration
    /// Which addresses the host may have.
    package var addressPolicy: AddressPolicy

    /// Takes the parts; only public addresses are reached unless the caller says otherwise.
    package init(
        host: String, port: UInt16, security: Security, clientName: String = "[127.0.0.1]", login: Login,
        timeout: Duration = .seconds(60), addressPolicy: AddressPolicy = .publicOnly
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.clientName = clientName
        self.login = login
        self.timeout = timeout
        self.addressPolicy = addressPolicy
    }
}

/// The outcome of a connection to a mail server.
package enum MailAnswer: Sendable {
    /// The server waits for the first command behind the login. `extensions` are the lines of its answer to EHLO but for the first.
    case open(any MailConnection, extensions: [String])
    case refused(MailRefusal)
}

/// Why there is no connection to a mail server. Nothing has been sent.
package enum MailRefusal: Sendable, Equatable {
    /// The domain system has no such name.
    case unknownHost
    /// The server's certificate is not in order, or another's.
    case certificate
    /// It has no STARTTLS.
    case noTLS
    /// It has no login, or none by such credentials.
    case noLogin
    /// It said no: in its greeting, to EHLO, or to the login.
    case reply(MailReply, isLogin: Bool)
}

/// An open connection to a mail server. It ends with its last reference, or by `close`.
package protocol MailConnection: Sendable {
    /// Sends bytes; returns when the network has taken them.
    ///
    /// Cancelling the task ends the connection with `.cancelled`.
    ///
    /// - Throws: `.notSent` when no byte has left. `.unanswered` when some may have, or the network does not take them within `limit`.
    func send(_ bytes: [UInt8], within limit: Duration) async throws(TransportError)

    /// The next line, without its end; what has come is given also when the connection has ended since. One task may wait at a time.
    ///
    /// Cancelling the task ends the connection with `.cancelled`.
    ///
    /// - Throws: `.unanswered` when the connection has ended, or nothing comes within `limit`; `.responseTooLarge`.
    func receiveLine(within limit: Duration) async throws(TransportError) -> String

    /// Ends the connection at once.
    func close()
}

extension Transport {
    /// Transports that know no mail reach nobody with it.
    package func connect(to server: MailServer) async throws(TransportError) -> MailAnswer {
        throw .notSent("this transport has no mail")
    }
}

/// An answer of a mail server (RFC 5321, section 4.2).
package struct MailReply: Sendable, Equatable {
    /// From 200 to 559.
    package let code: Int
    /// Of each line what stands behind the code.
    package let lines: [String]

    package init(_ code: Int, _ lines: [String]) { (self.code, self.lines) = (code, lines) }

    /// As it came.
    package var text: String { lines.map { "\(code) \($0)" }.joined(separator: "\n") }

    /// The status of RFC 3463, such as `5.7.8`; nil where the server gives none of the same class.
    package var status: String? {
        guard let word = lines.first?.prefix(while: { $0 != " " }), let class_ = word.first,
            word.wholeMatch(of: /[245]\.[0-9]{1,3}\.[0-9]{1,3}/) != nil, class_ == String(code).first
        else { return nil }
        return String(word)
    }
}

/// Joins the lines of a server to answers.
package struct MailReplyReader: Sendable {
    /// Lines of one answer; servers have a dozen of extensions.
    package static let mostLines = 200

    private var code: Int?
    private var lines: [String] = []

    package init() {}

    /// Takes a line without its end; the answer when it is whole.
    ///
    /// - Throws: `MalformedMailReply` for what is no line of an answer; then nothing more can be read.
    package mutating func read(_ line: String) throws(MalformedMailReply) -> MailReply? {
        let bytes = Array(line.utf8.prefix(4))
        guard bytes.count >= 3, 0x32...0x35 ~= bytes[0], 0x30...0x39 ~= bytes[1], 0x30...0x39 ~= bytes[2],
            bytes.count == 3 || bytes[3] == UInt8(ascii: " ") || bytes[3] == UInt8(ascii: "-"),
            let number = Int(String(decoding: bytes.prefix(3), as: UTF8.self)),
            code == nil || code == number, lines.count < Self.mostLines
        else { throw MalformedMailReply() }
        lines.append(String(decoding: line.utf8.dropFirst(4), as: UTF8.self))
        guard bytes.count == 3 || bytes[3] == UInt8(ascii: " ") else {
            code = number
            return nil
        }
        defer { (code, lines) = (nil, []) }
        return MailReply(number, lines)
    }
}

/// A line that no mail server may send.
package struct MalformedMailReply: Error {}
