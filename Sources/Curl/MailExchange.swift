internal import CCurl
internal import EventLoops
internal import HTTP

/// A connection to a mail server. Confined to its transport's loop.
///
/// libcurl reads the greeting, says EHLO, begins TLS and logs in (curl's `lib/smtp.c` at 7.88.1); what the server answers to that comes
/// through the header callback. The commands behind the login are the caller's.
final class MailExchange: OpenConnection {
    typealias Opening = CheckedContinuation<Result<Opened, TransportError>, Never>
    typealias Receiving = CheckedContinuation<Result<String, TransportError>, Never>

    enum Opened: Sendable {
        case open(extensions: [String])
        case refused(MailRefusal)
    }

    private let server: MailServer
    /// The task that waits for the login; nil afterwards.
    private var opening: Opening?

    /// Of the answers before the commands of the caller: the first that said no, the last list of extensions, whether the login was taken.
    private var answers = MailReplyReader()
    private var firstRefusal: MailReply?
    private var extensions: [String] = []
    private var hasLoggedIn = false

    /// A line that is not whole yet, the lines that nobody has taken, and the bytes of both.
    private var pending: [UInt8] = []
    private var lines: [String] = []
    private var bytes = 0
    private var receiver: (continuation: Receiving, timer: LoopTimer)?

    /// In bytes; RFC 5321, section 4.5.3.1.5, has 512.
    private static let longestLine = 4096
    /// Bytes that nobody has taken from which on no more are read.
    private static let manyUnread = 64 << 10

    /// - Throws: `.notSent` for a server that no URL can name, or where libcurl cannot be set up.
    init(
        _ server: MailServer, _ options: CurlOptions, on loop: EventLoop, _ opening: Opening,
        leave: @escaping (Multi.ExchangeID) -> Void
    ) throws(TransportError) {
        self.server = server
        self.opening = opening
        var options = options
        // Greeting and login are a part of it, and servers that try the patience of robots greet late.
        options.connectTimeout = server.timeout
        try super.init(
            url: try Self.url(of: server), server.addressPolicy, options, timeout: server.timeout,
            protocols: "smtp,smtps", on: loop, leave: leave)
        try configure()
    }

    /// The path is the name of the client.
    private static func url(of server: MailServer) throws(TransportError) -> String {
        guard server.host.wholeMatch(of: /[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]/) != nil else {
            throw .notSent("the name of the mail server is malformed")
        }
        let scheme = server.security == .tls ? "smtps" : "smtp"
        return "\(scheme)://\(server.host):\(server.port)/\(PercentEncoding.encode(server.clientName))"
    }

    private func configure() throws(TransportError) {
        // Never as good as the server has it: who stands between could take the list of extensions away.
        try easy.set(
            CURLOPT_USE_SSL, Int(server.security == .none ? CURLUSESSL_NONE.rawValue : CURLUSESSL_ALL.rawValue))
        switch server.login {
        case .none: break
        case .password(let user, let password):
            try easy.set(CURLOPT_USERNAME, user)
            try easy.set(CURLOPT_PASSWORD, password)
            // Others that servers offer need more than a password, such as Kerberos.
            try easy.set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
        case .bearer(let user, let token):
            try easy.set(CURLOPT_USERNAME, user)
            try easy.set(CURLOPT_XOAUTH2_BEARER, token)
            try easy.set(CURLOPT_LOGIN_OPTIONS, "AUTH=OAUTHBEARER;AUTH=XOAUTH2")
        }
        try easy.set(CURLOPT_SASL_IR, 1)
        try easy.set(CURLOPT_HEADERDATA, Unmanaged.passUnretained(self).toOpaque())
        try easy.check(
            pics_curl_set_write(easy.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                (Exchange.from(context) as? MailExchange)?.note(line)
                return line.count
            })
    }

    // MARK: Opening

    /// Takes a line of an answer that libcurl has read.
    private func note(_ line: UnsafeRawBufferPointer) {
        guard line.count <= Self.longestLine else { return }
        let text = String(decoding: line.filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        do throws(MalformedMailReply) {
            guard let reply = try answers.read(text) else { return }
            switch reply.code {
            case 400...: firstRefusal = firstRefusal ?? reply
            case 250: extensions = Array(reply.lines.dropFirst())
            case 235: hasLoggedIn = true
            default: break
            }
        } catch {
            // libcurl passes over what is no answer.
            answers = MailReplyReader()
        }
    }

    override func finish(_ code: CURLcode) {
        guard let refusal = refusal(code) else { return super.finish(code) }
        opening?.resume(returning: .success(.refused(refusal)))
        opening = nil
        end(nil)
    }

    /// Nil when it is open, and for trouble on the way.
    private func refusal(_ code: CURLcode) -> MailRefusal? {
        if reason != nil { return nil }
        switch code {
        case CURLE_OK where server.login == .none || hasLoggedIn: return nil
        case CURLE_COULDNT_RESOLVE_HOST: return .unknownHost
        case CURLE_PEER_FAILED_VERIFICATION: return .certificate
        default: break
        }
        // A server that has no EHLO is asked by HELO, and then has no login.
        if let firstRefusal { return .reply(firstRefusal, isLogin: code == CURLE_LOGIN_DENIED) }
        switch code {
        case CURLE_USE_SSL_FAILED: return .noTLS
        // libcurl goes on without a login where the server has none.
        case CURLE_OK, CURLE_LOGIN_DENIED: return .noLogin
        default: return nil
        }
    }

    override var slowOpening: String { "greeting and login take too long" }

    override func begin() {
        opening?.resume(returning: .success(.open(extensions: extensions)))
        opening = nil
        stopTimer()
    }

    override func hasEnded(_ error: TransportError?) {
        opening?.resume(returning: .failure(error ?? serverHasClosed))
        opening = nil
        deliver()
    }

    override func notSent(_ error: TransportError) -> TransportError {
        guard case .unanswered(let reason) = error else { return error }
        return .notSent(reason)
    }

    // MARK: Lines

    override var takesMore: Bool { bytes < Self.manyUnread }

    override func take(_ block: Slice<UnsafeMutableRawBufferPointer>) {
        bytes += block.count
        pending += block
        while let end = pending.firstIndex(of: 0x0A) {
            let line = pending[..<end].last == 0x0D ? pending[..<(end - 1)] : pending[..<end]
            lines.append(String(decoding: line, as: UTF8.self))
            pending.removeFirst(end + 1)
        }
        if pending.count > Self.longestLine { end(.responseTooLarge(limit: Self.longestLine)) }
        deliver()
    }

    private func deliver() {
        guard let receiver, let result = next() else { return }
        self.receiver = nil
        receiver.timer.cancel()
        receiver.continuation.resume(returning: result)
    }

    private func next() -> Result<String, TransportError>? {
        guard lines.isEmpty else {
            let line = lines.removeFirst()
            // A line that is not whole still counts.
            if lines.isEmpty { bytes = pending.count }
            return .success(line)
        }
        switch ended {
        case nil: return nil
        case .success: return .failure(serverHasClosed)
        case .failure(let error): return .failure(error)
        }
    }

    /// Gives the next line to `continuation`.
    func receive(within limit: Duration, _ continuation: Receiving) {
        precondition(receiver == nil, "two tasks wait for lines of one mail server")
        if let result = next() {
            continuation.resume(returning: result)
            return work()
        }
        let timer = loop.schedule(after: limit) { [unowned self] in
            guard let receiver else { return }
            self.receiver = nil
            receiver.continuation.resume(returning: .failure(.unanswered("\(place): nothing comes")))
        }
        receiver = (continuation, timer)
    }
}
