package import Domain
package import FoundationEssentials
internal import Postgres

// Addresses of users.
extension PicsStore {
    /// Before an address may be asked again whether it is somebody's.
    package static let confirmationPause = Duration.seconds(600)
    /// How often a user may have addresses asked within a day.
    package static let mostConfirmations = 5

    /// The address of a user for notices; nil where they have none.
    package func noticeAddress(of user: UserID) async throws(StoreError) -> NoticeAddress? {
        try await first(.noticeAddress(of: user))
    }

    /// Keeps what a user has chosen; an address that is not confirmed is asked.
    ///
    /// - Parameters:
    ///   - choice: Where, what and how often.
    ///   - user: Who chooses.
    ///   - hash: The SHA-256 of the address, by which questions to it are counted.
    /// - Returns: False when the address has to be asked and may not be now: then nothing is kept.
    /// - Throws: `StoreError`.
    package func choose(
        _ choice: NoticeChoice, of user: UserID, addressHash hash: [UInt8]
    ) async throws(StoreError) -> Bool {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(.lockConfirmations(user.description))
                let known = try await transaction.first(.noticeAddress(of: user))
                if known?.address != choice.address || known?.isConfirmed == false {
                    try await transaction.execute(.lockConfirmations(choice.address.lowercased()))
                    try await transaction.execute(.deleteOldConfirmations(of: user))
                    let counted = try await transaction.run(
                        .countConfirmation(
                            of: user, addressHash: hash, pause: Self.confirmationPause,
                            mostADay: Self.mostConfirmations))
                    guard !counted.isEmpty else { return false }
                }
                try await transaction.execute(.chooseNotices(choice, of: user))
                if known?.address != choice.address {
                    try await transaction.execute(.audit(AuditEntry(.mailAddressChosen, to: user)))
                }
                try await transaction.execute(.askToConfirm(user))
                return true
            }
        }
    }

    /// Forgets a user's address; `.notFound` when there is none.
    package func deleteNoticeAddress(of user: UserID) async throws(StoreError) {
        let deleted = try await execute(
            .deleteNoticeAddress(of: user), audited: AuditEntry(.mailAddressRemoved, to: user))
        guard deleted == 1 else { throw .notFound }
    }

    /// Tells an address of nothing any more, or forgets it where nobody has confirmed it.
    ///
    /// - Returns: False when it is not the user's any more.
    package func unsubscribe(_ user: UserID, from address: String) async throws(StoreError) -> Bool {
        try await execute(.unsubscribe(user, from: address)) == 1
    }

    /// Whose address a link with a token of this SHA-256 confirms; nil when it has ended.
    package func addressToConfirm(token hash: [UInt8]) async throws(StoreError) -> ConfirmedAddress? {
        try await first(.addressToConfirm(token: hash))
    }

    /// Confirms it; nil when the link has ended.
    package func confirmAddress(token hash: [UInt8]) async throws(StoreError) -> ConfirmedAddress? {
        try await first(.confirmAddress(token: hash))
    }
}

// What waits to be sent.
extension PicsStore {
    /// Has an invitation mailed.
    package func inviteByMail(
        _ invitation: InvitationID, to address: String, language: String
    ) async throws(StoreError) {
        try await execute(.inviteByMail(invitation, to: address, language: language))
    }

    /// Has a link for a new password mailed to the user of this name or address, if there is one: that is found out later, so that this takes the
    /// same time for all.
    package func askForReset(_ entered: String, language: String) async throws(StoreError) {
        try await execute(.askForReset(entered, language: language))
    }

    /// Takes the mail that has waited longest, and what leaves with it; nil when nothing is due.
    package func claimMails(lease: Duration) async throws(StoreError) -> MailTurn? {
        let id = UUID()
        let rows = try await rows(.claimMails(as: id, for: lease))
        guard let first = rows.first else { return nil }
        return MailTurn(
            lease: id, user: first.user, address: first.address, language: first.language, mails: rows.map(\.mail),
            failures: Int(rows.map(\.failures).max() ?? 0), createdAt: rows.map(\.createdAt).min() ?? first.createdAt,
            wasArmed: rows.contains(where: \.wasArmed))
    }

    /// Leaves the digests that are due.
    package func makeDigests() async throws(StoreError) { try await execute(.makeDigests()) }

    /// Forgets mails that have waited too long, and links that have ended.
    package func pruneMails() async throws(StoreError) {
        for kind in MailKind.allCases { try await execute(.deleteOldMails(kind)) }
        try await execute(.deleteOldResets())
    }

    /// The line that ends the message is about to leave.
    ///
    /// - Throws: `.changed` when the lease was lost: then it may not leave.
    package func arm(_ turn: MailTurn, lease: Duration) async throws(StoreError) {
        guard try await execute(.armMails(turn, lease: lease)) > 0 else { throw .changed }
    }

    /// There is nothing to send any more.
    package func drop(_ turn: MailTurn) async throws(StoreError) { try await execute(.deleteMails(turn)) }

    /// The server has taken it. A digest has told what was there until `end`.
    package func wasSent(_ turn: MailTurn, digestUntil end: Date?) async throws(StoreError) {
        try await execute(.mailsWereSent(turn, digestUntil: end))
    }

    /// The mails wait for `delay`. With a `problem` the attempt counts as failed.
    package func delay(_ turn: MailTurn, by delay: Duration, problem: String?) async throws(StoreError) {
        try await execute(.delayMails(turn, by: delay, problem: problem))
    }

    /// No mail goes to a user's address any more.
    package func refuse(_ address: String, of user: UserID, problem: String) async throws(StoreError) {
        try await execute(.refuseAddress(address, of: user, problem: problem))
    }

    // MARK: What they say

    /// Photos of the user with responses since the last digest, at most `limit`, and until when that is.
    package func digest(
        of user: UserID, limit: Int
    ) async throws(StoreError) -> (photos: [DigestPhoto], end: Date) {
        let end = try await one(.mailClock())
        return (try await rows(.digest(of: user, until: end, limit: limit)), end)
    }

    /// Whom a name or an address is of that may be sent a link for a new password.
    package func resetRecipients(_ entered: String) async throws(StoreError) -> [ResetRecipient] {
        try await rows(.resetRecipients(entered))
    }

    /// Keeps the SHA-256 of the token of a link for a new password, which is good for `life`; a repeat of the mail has another.
    ///
    /// - Returns: False when the user had `mostAnHour` within an hour.
    package func putReset(
        _ mail: MailID, of user: UserID, hash: [UInt8], life: Duration, mostAnHour: Int
    ) async throws(StoreError) -> Bool {
        try await first(.putReset(mail, of: user, hash: hash, life: life, mostAnHour: mostAnHour)) ?? false
    }

    /// Keeps the SHA-256 of the token that confirms an address; false when there is nothing to confirm any more.
    package func putConfirmationToken(
        _ hash: [UInt8], of user: UserID, address: String, life: Duration
    ) async throws(StoreError) -> Bool {
        try await execute(.putConfirmationToken(hash, of: user, address: address, life: life)) == 1
    }

    /// Keeps the SHA-256 of the token of an invitation that is mailed; nil when it is not good any more.
    package func putInvitationToken(
        _ hash: [UInt8], of invitation: UUID
    ) async throws(StoreError) -> MailedInvitation? {
        try await first(.putInvitationToken(hash, of: invitation))
    }

    // MARK: New passwords

    /// Whose password a link with a token of this SHA-256 sets; nil when it has ended.
    package func userToReset(hash: [UInt8]) async throws(StoreError) -> User? {
        try await first(.userToReset(hash: hash))
    }

    /// Sets a new password by a link, once. All sessions of the user end, and so do the other links.
    ///
    /// - Returns: False when the link has ended: then nothing is changed.
    package func resetPassword(
        of user: UserID, to password: String, reset hash: [UInt8]
    ) async throws(StoreError) -> Bool {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                guard try await transaction.execute(.lockUser(user)) == 1,
                    try await transaction.execute(.useReset(hash: hash, of: user)) == 1
                else { return false }
                try await transaction.execute(.setPassword(of: user, password))
                try await transaction.execute(.deleteSessions(of: user, except: nil))
                try await transaction.execute(.endResets(of: user))
                try await transaction.execute(.audit(AuditEntry(.passwordReset, to: user, by: user)))
                return true
            }
        }
    }
}
