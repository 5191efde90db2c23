package import Accounts
package import Crypto
package import Domain
package import HTTP
package import Logging
package import Store
internal import Submitters

/// Asks services to tell Pics when somebody has responded to an account's posts, and takes what they tell: a sign that there is something to
/// read. Nothing that a message says is kept; it is read back from the service.
///
/// Each account has an address of its own, made of its identifier and a code under the key of this Pics, so that nobody can guess it.
package struct NewsSubscriptions: Sendable {
    private let reader: AccountReader
    private let applications: OAuthClients
    private let keys: KeyRing
    private let addresses: Addresses
    private let logger: Logger

    private var store: PicsStore { reader.store }

    /// Accounts that are worked on at once, and so often in one go.
    private static let (batch, batches) = (8, 25)
    /// A service is asked again after a day, and counted on for two.
    private static let (pause, life) = (Duration.seconds(86_400), Duration.seconds(2 * 86_400))
    /// The pause after a refusal for want of a right, which only a new connection gives.
    private static let longPause = Duration.seconds(7 * 86_400)
    private static let context = "news"
    /// Of the code in an address, in bytes.
    private static let codeLength = 16

    /// The path that addresses for services begin with; the rest names the account or the service.
    package static let path = "/news"

    package init(
        _ reader: AccountReader, applications: OAuthClients, keys: KeyRing, addresses: Addresses, logger: Logger
    ) {
        self.reader = reader
        self.applications = applications
        self.keys = keys
        self.addresses = addresses
        self.logger = logger
    }

    // MARK: Asking

    /// Asks for the accounts that are due, 200 at most; a service reaches none but `https` addresses.
    ///
    /// - Returns: How many were asked for.
    @discardableResult
    package func subscribeDue() async throws(StoreError) -> Int {
        guard addresses.base.hasPrefix("https://") else { return 0 }
        let services = reader.registry.submitters.compactMap { ($0 as? any SubscribingSubmitter)?.description.id }
        return try await store.work(batches: Self.batches) { store throws(StoreError) in
            try await store.claimSubscriptions(of: services, limit: Self.batch)
        } on: {
            await subscribe($0)
        }
    }

    private func subscribe(_ stored: SealedAccount) async {
        guard let submitter = reader.registry[stored.service] as? any SubscribingSubmitter else { return }
        do {
            let account = try await reader.account(stored, for: submitter)
            let subscription = NewsSubscription(
                account: account, accountAddress: address(of: stored.connection),
                serviceAddress: "\(addresses.base)\(Self.path)/\(stored.service)",
                verifyToken: verifyToken(of: stored.service),
                application: try await applications.known(for: stored.service).keys)
            do throws(SubmissionError) { try await submitter.subscribe(subscription, over: reader.transport) } catch {
                switch error {
                case .unauthorized, .gone:
                    try await store.noteSubscription(of: stored.connection, next: Self.longPause, lasts: .zero)
                default: break
                }
                throw error
            }
            try await store.noteSubscription(of: stored.connection, next: Self.pause, lasts: Self.life)
        } catch {
            logger.info("no news by push", ["connection": stored.connection, "error": logText(of: error)])
        }
    }

    private func address(of account: AccountID) -> String {
        let code = keys.authenticationCode(of: "\(account)".utf8, context: Self.context).prefix(Self.codeLength)
        return "\(addresses.base)\(Self.path)/\(account)/\(Base64URL.encode(code))"
    }

    private func verifyToken(of service: String) -> String {
        Base64URL.encode(keys.authenticationCode(of: service.utf8, context: Self.context).prefix(Self.codeLength))
    }

    // MARK: Being told

    /// There is news of an account.
    ///
    /// - Returns: Whether `code` is the one of its address.
    package func isTold(of account: AccountID, code: String) async throws(StoreError) -> Bool {
        guard let code = Base64URL.decode(code), code.count == Self.codeLength,
            keys.isAuthenticationCode(code, of: "\(account)".utf8, context: Self.context)
        else { return false }
        try await store.noteNews(of: account)
        return true
    }

    /// The answer to a service that checks its address; nil where it shows no token of ours.
    package func challenge(of service: String, _ query: FormFields) -> String? {
        (reader.registry[service] as? any SigningSubmitter)?.challenge(in: query, verifyToken: verifyToken(of: service))
    }

    /// Whether a message of a service bears a signature at all.
    package func isSigned(by service: String, field: (String) -> String?) -> Bool {
        (reader.registry[service] as? any SigningSubmitter).map { field($0.signatureField) != nil } ?? false
    }

    /// A service has told of news.
    ///
    /// - Returns: Whether it was the service.
    package func isTold(
        by service: String, _ body: [UInt8], field: (String) -> String?
    ) async throws -> Bool {
        guard let submitter = reader.registry[service] as? any SigningSubmitter,
            let news = submitter.news(
                in: body, field: field, application: try await applications.known(for: service).keys)
        else { return false }
        for (account, posts) in news where !posts.isEmpty {
            try await store.noteNews(posts, of: account, at: service)
        }
        return true
    }
}
