internal import Domain
package import EventLoops
internal import Formats
package import FoundationEssentials
package import HTTP

/// Sends photos by mail, over the server that takes mail of the account's owner.
///
/// Source: RFC 6409, 8314, 5321, 4954, 5322; read 2026-11-26.
package struct MailSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "mail", name: "Mail",
        credentialFields: [
            CredentialField(
                "server", prompt: "Mail server for sending, such as smtp.example.com or smtp.example.com:587"),
            CredentialField("sender", prompt: "Your mail address"),
            CredentialField("username", prompt: "User name; empty: your mail address", defaultValue: ""),
            CredentialField("password", prompt: "Password, or app password", isSecret: true, defaultValue: ""),
            CredentialField("recipients", prompt: "Recipients, apart by commas"),
        ],
        captionRule: CaptionRule(unit: .codePoints, limit: nil), mediaRule: Self.mediaRule(of: nil),
        lane: LanePolicy(concurrency: 1), takesAltText: true, position: .never, hasPublicLinks: false,
        note: "Some providers want an app password in place of your own.", settingsLife: .seconds(7 * 24 * 3600),
        credentialKind: .nameAndPassword)

    /// Of a whole message, in bytes. Receivers take 20 to 50 MB (unconfirmed), whatever the server for sending takes.
    private static let longestMessage: Int64 = 20_000_000
    /// For header, words and alternative texts.
    private static let room: Int64 = 100_000
    /// Of ours.
    private static let maximumPictures = 10

    private let servers: ServerPolicy
    private let threads: BlockingThreads
    private let now: @Sendable () -> Date

    /// Takes which servers users may name, threads that read files, and the time while an account is being connected.
    package init(servers: ServerPolicy, threads: BlockingThreads, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.servers, self.threads, self.now) = (servers, threads, now)
    }

    /// All pictures of a message fit together.
    package func mediaRule(_ settings: JSONValue) -> MediaRule { Self.mediaRule(of: settings["size_limit"]?.int) }

    private static func mediaRule(of limit: Int64?) -> MediaRule {
        let most = MailBody.bytes(inBase64: max(min(limit ?? longestMessage, longestMessage) - room, 78))
        return MediaRule(
            pictureTypes: ["image/jpeg", "image/png"], maximumPictureBytes: most / Int64(maximumPictures),
            longestSide: 2048, videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: most,
            maximumPictures: maximumPictures)
    }

    package func gate(_ settings: JSONValue) -> String { "mail \(settings["host"]?.string ?? "")" }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let account = try MailAccount(entered, policy: servers)
        let password = entered["password"] ?? ""
        // A server that takes mail of anybody is one of the operator's own network.
        guard !password.isEmpty || servers == .any else {
            throw .rejected(.valueRequired, ProblemParameters(field: "password", label: "The password"))
        }
        let sizeLimit = try await SMTPSession.hold(
            with: account.server(password: password, servers), client(transport, now), threads: threads,
            isConnecting: true
        ) { session throws(SubmissionError) in
            try await session.check(from: account.sender, to: account.recipients)
            return session.sizeLimit
        }
        var settings = account.settings(entered)
        settings["size_limit"] = sizeLimit.map(JSONValue.int) ?? .null
        return ConnectedAccount(
            remoteID: account.remoteID, name: account.name, credentials: ["password": .string(password)],
            settings: .object(settings))
    }

    /// Reads how long a message the server takes.
    package func refreshSettings(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue? {
        let (mailbox, password) = try opened(account)
        let sizeLimit = try await SMTPSession.hold(
            with: mailbox.server(password: password, servers), client(transport, now), threads: threads
        ) { session throws(SubmissionError) in session.sizeLimit }
        return ["size_limit": sizeLimit.map(JSONValue.int) ?? .null]
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        let (mailbox, password) = try opened(task.account)
        return try await MailPosting(
            task: task, mailbox: mailbox, server: mailbox.server(password: password, servers),
            client: client(task.transport, task.now), threads: threads
        ).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        await MailPosting.reconcile(task)
    }

    private func opened(_ account: OpenedAccount) throws(SubmissionError) -> (MailAccount, String) {
        guard let mailbox = MailAccount(account.settings), let password = account.credentials["password"]?.string
        else {
            throw .unauthorized(
                SubmissionProblem(Problem(.credentialsDamaged, ProblemParameters(service: description.name))))
        }
        return (mailbox, password)
    }

    private func client(_ transport: any Transport, _ now: @escaping @Sendable () -> Date) -> ServiceClient {
        ServiceClient(service: description.name, transport: transport, now: now)
    }
}
