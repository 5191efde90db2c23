internal import Domain
package import EventLoops
package import Formats
package import FoundationEssentials
package import HTTP

/// Sends messages of words alone by one mail account, such as invitations by the operator's.
package struct MailSender: Sendable {
    package let server: MailServer
    package let sender: MailAddress
    private let transport: any Transport
    private let threads: BlockingThreads
    private let now: @Sendable () -> Date

    /// Takes the account, and threads for files, of which there are none.
    package init(
        server: MailServer, from sender: MailAddress, over transport: any Transport, threads: BlockingThreads,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.server, self.sender, self.transport, self.threads, self.now) = (server, sender, transport, threads, now)
    }

    /// Sends a message, whose sender is this one's; a refused recipient stops it for all.
    ///
    /// - Parameters:
    ///   - message: Of words alone.
    ///   - arm: Called before the line leaves that has it delivered, which it may keep back.
    /// - Returns: What the server said to it.
    /// - Throws: `.unknownOutcome` when it may have been sent; any other error says that it was not, but `.cancelled` once `arm` was called.
    @discardableResult
    package func send(
        _ message: MailMessage, arm: () async throws(SubmissionError) -> Void = { () throws(SubmissionError) in }
    ) async throws(SubmissionError) -> MailReply {
        precondition(message.files.isEmpty && message.sender == sender, "a message of words, of this sender")
        return try await SMTPSession.hold(with: server, client, threads: threads) { session throws(SubmissionError) in
            try await session.begin(message)
            try await session.send(message, [])
            try await arm()
            return try await session.finish()
        }
    }

    /// Connects and logs in, and asks whether mail of the sender is taken; nothing is sent.
    package func check() async throws(SubmissionError) {
        try await SMTPSession.hold(with: server, client, threads: threads) { session throws(SubmissionError) in
            try await session.check(from: sender, to: [])
        }
    }

    private var client: ServiceClient { ServiceClient(service: "Mail", transport: transport, now: now) }
}
