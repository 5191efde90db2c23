internal import Crypto
package import Domain
package import Formats
package import Logging
package import Notices
package import Store
package import Submitters

/// Why an address is not written to.
package enum MailAddressRefusal: Error, Equatable {
    /// It is none.
    case malformed
    /// It, or its user, was asked too often.
    case tooOften
}

/// The addresses that people are written to, and the links that mails hold.
package struct MailActions: Sendable {
    private let delivery: MailDelivery
    private let store: PicsStore
    private let logger: Logger

    /// Of an address or a name that somebody enters, in bytes.
    private static let longestEntry = 254

    package init(_ delivery: MailDelivery, store: PicsStore, logger: Logger) {
        self.delivery = delivery
        self.store = store
        self.logger = logger
    }

    /// The address that mails come from.
    package var from: String { delivery.from }

    /// A bare address; nil for anything else.
    package static func address(_ text: String) -> MailAddress? { MailAddress(address: text, name: nil) }

    // MARK: A user's address

    /// The address of a user for notices; nil where they have none.
    package func address(of user: UserID) async throws(StoreError) -> NoticeAddress? {
        try await store.noticeAddress(of: user)
    }

    /// Writes to a user at this address from now on, once somebody who reads it has confirmed it.
    ///
    /// - Throws: `MailAddressRefusal`; `StoreError`.
    package func choose(
        _ text: String, kinds: Set<NoticeAddress.Kind>, digest: NoticeAddress.Digest, language: String, for user: User
    ) async throws {
        guard let address = Self.address(text)?.address else { throw MailAddressRefusal.malformed }
        let choice = NoticeChoice(address: address, language: language, kinds: kinds, digest: digest)
        let isKept = try await store.choose(
            choice, of: user.id, addressHash: SHA256Digest(of: address.lowercased()).bytes)
        guard isKept else { throw MailAddressRefusal.tooOften }
        logger.notice("mail chosen", ["user": user.name])
    }

    /// Writes to a user no more.
    ///
    /// - Throws: `StoreError.notFound` where nobody did.
    package func delete(of user: User) async throws(StoreError) {
        try await store.deleteNoticeAddress(of: user.id)
        logger.notice("mail address removed", ["user": user.name])
    }

    /// Whose address a link confirms; nil when it has ended.
    package func addressToConfirm(_ token: String) async throws(StoreError) -> ConfirmedAddress? {
        try await store.addressToConfirm(token: SHA256Digest(of: token).bytes)
    }

    /// Confirms an address; nil when the link has ended.
    package func confirm(_ token: String) async throws(StoreError) -> ConfirmedAddress? {
        let confirmed = try await store.confirmAddress(token: SHA256Digest(of: token).bytes)
        if let confirmed { logger.notice("mail address confirmed", ["user": confirmed.userName]) }
        return confirmed
    }

    /// The address that a link of a mail unsubscribes; nil for a link that is not ours, or of a former address.
    package func subscription(_ token: String) async throws(StoreError) -> String? {
        try await delivery.subscription(token)?.address
    }

    /// Tells an address of nothing any more; nil for a link that is not ours, or of a former address.
    package func unsubscribe(_ token: String) async throws(StoreError) -> String? {
        guard let (user, address) = try await delivery.subscription(token),
            try await store.unsubscribe(user, from: address)
        else { return nil }
        logger.notice("mail unsubscribed", ["user": user])
        return address
    }

    // MARK: Mails

    /// Sends a mail that tells of nothing.
    ///
    /// - Returns: What the server said to it.
    /// - Throws: Why it was not sent, or may not have been.
    package func test(_ recipient: MailAddress, language: String) async throws(SubmissionError) -> String {
        try await delivery.test(recipient, language: language)
    }

    /// Has an invitation mailed, with a token of its own.
    package func invite(
        _ invitation: InvitationID, _ recipient: MailAddress, language: String
    ) async throws(StoreError) {
        try await store.inviteByMail(invitation, to: recipient.address, language: language)
    }

    /// Has a link for a new password mailed to the user of this name or confirmed address, if there is one. It does the same for all.
    package func askForReset(_ entered: String, language: String) async throws(StoreError) {
        // A byte of zero is none of PostgreSQL's.
        let text = entered.lowercased().filter { !$0.isWhitespace && $0 != "\0" }
        let short = String(text.unicodeScalars.filter(\.isASCII).prefix(Self.longestEntry).map(Character.init))
        try await store.askForReset(short.isEmpty ? "?" : short, language: language)
    }

    /// Whose password a link sets; nil when it has ended.
    package func userToReset(_ token: String) async throws(StoreError) -> User? {
        try await store.userToReset(hash: SHA256Digest(of: token).bytes)
    }
}
