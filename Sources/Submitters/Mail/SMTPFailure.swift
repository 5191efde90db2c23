internal import Domain
internal import HTTP

/// The meaning of a mail server's answer: its first digit decides, the status of RFC 3463 says more.
///
/// Source: RFC 5321, section 4.2; RFC 3463; RFC 4954, section 6; RFC 7372; "SMTP errors and codes" of Google Workspace Admin Help and "NDR error
/// codes" of Microsoft Learn for theirs; read 2026-11-26.
struct SMTPFailure {
    /// The command that was answered.
    enum Phase: Equatable {
        /// Greeting and EHLO.
        case greeting
        case login
        case sender
        case recipient(String)
        case data
        /// The answer to the end of the message.
        case message
        case other
    }

    private let client: ServiceClient

    init(_ client: ServiceClient) { self.client = client }

    /// Before a greylisting server is asked again (RFC 6647, section 3: 1 minute to 24 hours; usual are 5 minutes).
    private static let greylisted = Duration.seconds(600)
    /// Limits on sending: of Google (550 5.4.5, 421 4.7.28) and Microsoft (550 5.1.90, 554 5.2.0 is several things).
    private static let limits: Set<String> = ["5.4.5", "4.7.28", "5.7.28", "5.1.90"]
    /// Microsoft: login by a password is turned off.
    private static let noPasswords: Set<String> = ["5.7.30", "5.7.139"]

    private func problem(
        _ code: ProblemCode, _ reply: MailReply?, _ parameters: ProblemParameters = ProblemParameters()
    ) -> SubmissionProblem {
        SubmissionProblem(client.problem(code, parameters), detail: reply?.text)
    }

    /// Why there is no connection. For who is connecting an account it will not pass; later it may.
    func error(_ refusal: MailRefusal, isConnecting: Bool) -> SubmissionError {
        func unusable(_ reason: ProblemParameters.Reason) -> SubmissionError {
            let problem = problem(.addressUnusable, nil, ProblemParameters(reason: reason))
            return isConnecting ? .rejected(problem) : .temporary(problem, retryAfter: nil)
        }
        switch refusal {
        case .unknownHost where isConnecting:
            return .rejected(
                problem(.destinationMissing, nil, ProblemParameters(label: "A mail server of this name")))
        case .unknownHost:
            return .temporary(
                SubmissionProblem(client.problem(.unreachable), detail: "unknown host", isUnreachable: true),
                retryAfter: nil)
        case .certificate: return unusable(.invalidCertificate)
        case .noTLS: return unusable(.notEncrypted)
        case .noLogin: return unusable(.noLogin)
        case .reply(let reply, let isLogin): return error(reply, isLogin ? .login : .greeting)
        }
    }

    /// Why the server does not go on. Nothing has been sent.
    func error(_ reply: MailReply, _ phase: Phase) -> SubmissionError {
        let status = reply.status ?? ""
        if Self.limits.contains(status) { return .limited(problem(.rateLimited, reply), .account, until: nil) }
        if Self.noPasswords.contains(status) {
            return .unauthorized(problem(.authenticationUnsupported, reply, ProblemParameters(scheme: "OAuth")))
        }
        switch reply.code {
        case 400..<500: return later(reply, status)
        case 530, 535, 538: return .unauthorized(problem(.credentialsRefused, reply))
        case 534: return .unauthorized(problem(.appPasswordRequired, reply))
        case 500..<600: return never(reply, status, phase)
        default:
            return client.unclear(problem(.unreadableResponse, reply), phase == .message ? .publishing : .preparing)
        }
    }

    private func later(_ reply: MailReply, _ status: String) -> SubmissionError {
        // A server that turns somebody away for what they do, at once and whatever they ask for.
        if reply.code == 421, status.hasPrefix("4.7.") {
            return .limited(problem(.rateLimited, reply), .account, until: nil)
        }
        let isGreylisting = [450, 451].contains(reply.code) && status.hasPrefix("4.7.")
        let code: ProblemCode = reply.code == 452 && ["4.2.2", "4.3.1"].contains(status) ? .storageFull : .busy
        return .temporary(problem(code, reply), retryAfter: isGreylisting ? Self.greylisted : nil)
    }

    private func never(_ reply: MailReply, _ status: String, _ phase: Phase) -> SubmissionError {
        switch phase {
        // A list of addresses that send what nobody wants has this one, or a firewall stands before the server.
        case .greeting: return .temporary(problem(.blockedByFirewall, reply), retryAfter: nil)
        case .login: return .unauthorized(problem(.credentialsRefused, reply))
        case .recipient(let address):
            return .rejected(problem(.recipientRefused, reply, ProblemParameters(label: address)))
        default: break
        }
        // 552 is a full mailbox too.
        let isFull = status == "5.2.2"
        if ["5.3.4", "5.2.3"].contains(status) || reply.code == 552 && !isFull {
            return .rejected(problem(.fileTooLarge, reply))
        }
        if phase == .sender, [550, 553, 554].contains(reply.code) {
            return .unauthorized(problem(.senderRefused, reply))
        }
        // Some servers ask only at the end who it is for, and from whom.
        if status == "5.7.60" { return .unauthorized(problem(.senderRefused, reply)) }
        if status.hasPrefix("5.1.") || isFull { return .rejected(problem(.recipientRefused, reply)) }
        return .rejected(problem(.postRefused, reply))
    }
}
