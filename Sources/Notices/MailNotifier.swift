internal import Crypto
package import Domain
internal import Formats
internal import FoundationEssentials
package import Logging
internal import Store
internal import Submitters

/// Sends the mails that wait, one at a time. Any number of processes share a database.
///
/// What it says is read, and its links are made, when a mail is sent. Before the line leaves that has it delivered, the mail is armed: one that may have
/// left is not sent again, unless somebody waits for its link.
package struct MailNotifier: Sendable {
    /// The notifier's times and bounds.
    package struct Configuration: Sendable {
        package var backoff = Backoff(base: .seconds(60), cap: .seconds(6 * 3600))
        /// A process that was silent for so long has lost its mail: longer than the end of a message takes.
        package var lease = Duration.seconds(1200)
        /// Where the server's limit is used up.
        package var limitPause = Duration.seconds(900)
        /// How long the link that confirms an address is good.
        package var confirmationLife = Duration.seconds(86_400)
        /// How long a link for a new password is good.
        package var resetLife = Duration.seconds(3600)
        /// How many of them a user is sent within an hour.
        package var mostResets = 3
        /// Photos that a digest names.
        package var digestPhotos = 50

        package init() {}
    }

    private let configuration: Configuration
    private let delivery: MailDelivery
    private let logger: Logger

    private var store: PicsStore { delivery.store }

    package init(_ configuration: Configuration, delivery: MailDelivery, logger: Logger) {
        self.configuration = configuration
        self.delivery = delivery
        self.logger = logger
    }

    /// Sends what is due.
    ///
    /// - Returns: How many mails the server has taken.
    /// - Throws: `StoreError`.
    @discardableResult
    package func sendDue() async throws -> Int {
        // Links need the address of Pics, which a worker knows by the settings alone.
        guard !delivery.addresses.base.isEmpty else { return 0 }
        try await store.makeDigests()
        var count = 0
        while !Task.isCancelled, let turn = try await store.claimMails(lease: configuration.lease) {
            if try await serve(turn) { count += 1 }
        }
        return count
    }

    // MARK: A mail

    /// A mail that is written, and to whom.
    private struct Written {
        let notice: MailNotice
        let address: String
        let language: String
        let user: UserID?
        /// Until when a digest tells.
        var end: Date?
    }

    /// Whether the server has taken it.
    private func serve(_ turn: MailTurn) async throws -> Bool {
        if turn.wasArmed, !turn.kind.isRepeated {
            logger.warning("a mail may have left before this process began, and is not sent again", fields(turn))
            try await store.drop(turn)
            return false
        }
        guard let written = try await write(turn), let recipient = MailAddress(written.address) else {
            try await store.drop(turn)
            return false
        }
        var isArmed = false
        do throws(SubmissionError) {
            try await delivery.send(
                written.notice, to: recipient, language: written.language, user: written.user,
                key: "\(turn.kind.rawValue)-\(turn.lease.uuidString.lowercased())"
            ) { () throws(SubmissionError) in
                do throws(StoreError) { try await store.arm(turn, lease: configuration.lease) } catch {
                    throw error == .changed ? .leaseLost : .cancelled
                }
                isArmed = true
            }
        } catch {
            let mayHaveLeft = isArmed
            try await uncancelled { try await fail(turn, written, error, isArmed: mayHaveLeft) }
            return false
        }
        try await uncancelled { try await store.wasSent(turn, digestUntil: written.end) }
        logger.info("mail sent", fields(turn))
        return true
    }

    private func fields(_ turn: MailTurn, _ problem: SubmissionProblem? = nil) -> LogFields {
        [
            "kind": turn.kind.rawValue, "user": turn.user, "problem": problem?.problem.text, "detail": problem?.detail,
        ]
    }

    /// What is known of a mail is written down also where the process stops.
    private func uncancelled(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await Task { try await body() }.value
    }

    private func fail(_ turn: MailTurn, _ written: Written, _ error: SubmissionError, isArmed: Bool) async throws {
        let (delay, problem): (Duration, SubmissionProblem?)
        func backoff(_ pause: Duration?) -> Duration {
            configuration.backoff.delay(
                afterFailures: turn.failures + 1, retryAfter: pause, fraction: .random(in: 0..<1))
        }
        switch error {
        case .leaseLost: return
        case .cancelled where !isArmed: return try await store.delay(turn, by: .zero, problem: nil)
        case .cancelled, .unknownOutcome:
            guard turn.kind.isRepeated else {
                logger.warning("a mail may have left, and is not sent again", fields(turn))
                return try await store.drop(turn)
            }
            (delay, problem) = (backoff(nil), nil)
        case .rejected(let refused) where refused.problem.code == .recipientRefused:
            logger.notice("an address takes no mail", fields(turn))
            if let user = written.user {
                try await store.refuse(written.address, of: user, problem: Self.text(refused))
            }
            return try await store.drop(turn)
        case .rejected(let refused), .gone(let refused):
            logger.warning("a mail was refused", fields(turn, refused))
            return try await store.drop(turn)
        case .limited(let limit, _, let end):
            (delay, problem) = (
                Backoff.pause(until: end, now: Date(), otherwise: configuration.limitPause), limit
            )
        case .temporary(let trouble, let pause): (delay, problem) = (backoff(pause), trouble)
        case .unauthorized(let trouble), .fileUnavailable(let trouble): (delay, problem) = (backoff(nil), trouble)
        case .notYet(let pause): (delay, problem) = (pause, nil)
        }
        logger.warning("mail not sent yet", fields(turn, problem))
        try await store.delay(turn, by: delay, problem: problem?.problem.text ?? "")
    }

    /// The words of the server, else of the problem.
    private static func text(_ problem: SubmissionProblem) -> String {
        let text = problem.detail ?? problem.problem.text
        return String(decoding: text.utf8.prefix(900), as: UTF8.self)
    }

    // MARK: What it says

    /// Nil when there is nothing to say any more.
    private func write(_ turn: MailTurn) async throws -> Written? {
        func written(_ notice: MailNotice, end: Date? = nil) -> Written {
            Written(notice: notice, address: turn.address, language: turn.language, user: turn.user, end: end)
        }
        switch turn.kind {
        case .invitation:
            guard let id = turn.mails.first?.subject else { return nil }
            let token = makeToken(prefix: "invite").reveal()
            guard let invitation = try await store.putInvitationToken(SHA256Digest(of: token).bytes, of: id) else {
                return nil
            }
            return written(
                .invitation(
                    by: invitation.invitedBy, as: invitation.userName, link: link("/join?invitation=", token)))
        case .reset: return try await reset(turn)
        case .confirmation:
            guard let user = turn.user else { return nil }
            let token = makeToken(prefix: "mail").reveal()
            let isKept = try await store.putConfirmationToken(
                SHA256Digest(of: token).bytes, of: user, address: turn.address, life: configuration.confirmationLife)
            guard isKept else { return nil }
            return written(
                .confirmation(user: try await store.user(user).name, link: link("/mail/confirm?token=", token)))
        case .post, .login, .report:
            let troubles = try await troubles(turn)
            return troubles.isEmpty ? nil : written(.attention(troubles))
        case .digest:
            guard let user = turn.user, let known = try await known(turn), known.digest != .none else { return nil }
            let digest = try await store.digest(of: user, limit: configuration.digestPhotos)
            return digest.photos.isEmpty ? nil : written(.digest(digest.photos), end: digest.end)
        }
    }

    private func link(_ path: String, _ token: String) -> String { "\(delivery.addresses.base)\(path)\(token)" }

    /// The user's address, if the mail still goes there.
    private func known(_ turn: MailTurn) async throws -> NoticeAddress? {
        guard let user = turn.user, let known = try await store.noticeAddress(of: user), known.isConfirmed,
            !known.isRefused, known.address == turn.address
        else { return nil }
        return known
    }

    /// Those of the posts and accounts that still need their owner.
    private func troubles(_ turn: MailTurn) async throws -> [MailNotice.Trouble] {
        guard let user = turn.user, let known = try await known(turn) else { return [] }
        var troubles: [MailNotice.Trouble] = []
        if known.kinds.contains(.posts) {
            let subjects = turn.mails.filter { $0.kind == .post }.compactMap(\.subject)
            troubles += try await store.troubledSubmissions(subjects, of: user).map { .post($0.submission, $0.photo) }
        }
        let accounts = Set(turn.mails.filter { $0.kind == .login }.compactMap(\.subject))
        if known.kinds.contains(.logins), !accounts.isEmpty {
            troubles += try await store.connections(of: user).map(\.connection)
                .filter { $0.state == .needsLogin && accounts.contains($0.id.uuid) }
                .map { .login(service: $0.service, account: $0.account) }
        }
        if known.kinds.contains(.reports) {
            let photos = turn.mails.filter { $0.kind == .report }.compactMap(\.subject)
            troubles += try await store.openReports(of: photos, for: user).map { .report($0.code) }
        }
        return troubles
    }

    /// Links for those whose name or address was entered. A name without a confirmed address gets nothing, and neither does one that had too many.
    private func reset(_ turn: MailTurn) async throws -> Written? {
        guard let mail = turn.mails.first else { return nil }
        var links: [(user: String, link: String)] = []
        let recipients = try await store.resetRecipients(turn.address)
        for recipient in recipients {
            let token = makeToken(prefix: "reset").reveal()
            let isKept = try await store.putReset(
                mail.id, of: recipient.user, hash: SHA256Digest(of: token).bytes, life: configuration.resetLife,
                mostAnHour: configuration.mostResets)
            if isKept { links.append((recipient.name, link("/sign-in/reset?token=", token))) }
        }
        guard let first = recipients.first, !links.isEmpty else { return nil }
        return Written(
            notice: .reset(links), address: first.address, language: first.language, user: first.user)
    }
}
