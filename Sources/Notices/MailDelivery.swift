package import Crypto
package import Domain
package import Formats
package import FoundationEssentials
internal import HTTP
package import Store
package import Submitters

/// Writes mails of the operator's account, and sends one.
package struct MailDelivery: Sendable {
    /// The words of a notice in a language, by its tag; `base` is the address of Pics.
    package typealias Words = @Sendable (MailNotice, _ language: String, _ base: String) -> MailText

    let store: PicsStore
    package let addresses: Addresses
    private let sender: MailSender
    private let keys: KeyRing
    private let words: Words
    private let now: @Sendable () -> Date

    private static let unsubscribeContext = "mail unsubscribe"
    private static let (idCount, codeCount) = (16, 16)

    package init(
        store: PicsStore, sender: MailSender, keys: KeyRing, addresses: Addresses, words: @escaping Words,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.sender = sender
        self.keys = keys
        self.addresses = addresses
        self.words = words
        self.now = now
    }

    /// The address that mails come from.
    package var from: String { sender.sender.address }

    // MARK: Sending

    /// Sends a mail that tells of nothing.
    ///
    /// - Returns: What the server said to it.
    /// - Throws: Why it was not sent, or may not have been.
    package func test(_ recipient: MailAddress, language: String) async throws(SubmissionError) -> String {
        try await send(.test, to: recipient, language: language, key: "test-\(MailID.make())").joined(separator: "\n")
    }

    /// Connects and logs in, and asks whether mail of the sender is taken; nothing is sent.
    package func check() async throws(SubmissionError) { try await sender.check() }

    /// Sends a mail once.
    ///
    /// - Parameters:
    ///   - notice: What it says.
    ///   - recipient: Who gets it.
    ///   - language: Its tag.
    ///   - user: Whose address it is; nil for somebody who is no user.
    ///   - key: Of this attempt alone: a repeat has other links.
    ///   - arm: Called before the line leaves that has it delivered.
    /// - Returns: The lines that the server answered.
    /// - Throws: As `MailSender.send` does.
    @discardableResult
    func send(
        _ notice: MailNotice, to recipient: MailAddress, language: String, user: UserID? = nil, key: String,
        arm: () async throws(SubmissionError) -> Void = { () throws(SubmissionError) in }
    ) async throws(SubmissionError) -> [String] {
        let text = words(notice, language, addresses.base)
        let end = user.map { unsubscribeURL(of: $0, recipient.address) }
        let message = MailMessage(
            from: sender.sender, to: [recipient], subject: text.subject, date: Int64(now().timeIntervalSince1970),
            key: key, text: text.plain(unsubscribeURL: end), html: text.html(in: language, unsubscribeURL: end),
            isAutomatic: true, unsubscribeURL: end)
        return try await sender.send(message, arm: arm).lines
    }

    // MARK: Unsubscribing

    /// The page where a user's address is told of nothing any more, without signing in.
    package func unsubscribeURL(of user: UserID, _ address: String) -> String {
        let id = Self.bytes(of: user)
        let code = keys.authenticationCode(of: id + address.utf8, context: Self.unsubscribeContext).prefix(
            Self.codeCount)
        return "\(addresses.base)/mail/unsubscribe?token=\(Base64URL.encode(id + code))"
    }

    /// Whose address a token of such a page is for; nil for one that is not ours, or for a former address.
    ///
    /// - Throws: `StoreError`.
    package func subscription(_ token: String) async throws(StoreError) -> (user: UserID, address: String)? {
        guard let bytes = Base64URL.decode(token), bytes.count == Self.idCount + Self.codeCount else { return nil }
        var id = UUID().uuid
        withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: bytes.prefix(Self.idCount)) }
        let user = UserID(UUID(uuid: id))
        guard let known = try await store.noticeAddress(of: user) else { return nil }
        let isOurs = keys.isAuthenticationCode(
            bytes.suffix(Self.codeCount), of: Self.bytes(of: user) + known.address.utf8,
            context: Self.unsubscribeContext)
        return isOurs ? (user, known.address) : nil
    }

    private static func bytes(of user: UserID) -> [UInt8] { withUnsafeBytes(of: user.uuid.uuid) { Array($0) } }
}
