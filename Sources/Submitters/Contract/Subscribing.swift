package import HTTP

/// A service that tells an address of ours when somebody has responded to the posts of an account, so that they are read back at once.
package protocol SubscribingSubmitter: RespondingSubmitter {
    /// Asks for it, for two days at least; asked again, the last request counts.
    ///
    /// - Throws: `.unauthorized` when the token lacks the right: the account is read back by the clock alone.
    func subscribe(_ subscription: NewsSubscription, over transport: any Transport) async throws(SubmissionError)
}

/// Where a service is to tell of an account's news.
package struct NewsSubscription: Sendable {
    package let account: OpenedAccount
    /// `https`, of this account alone; nobody can guess it.
    package let accountAddress: String
    /// `https`, of all accounts at the service.
    package let serviceAddress: String
    /// What the service shows when it checks `serviceAddress`.
    package let verifyToken: String
    /// The keys of the application at the service; empty where it has none.
    package let application: ClientCredentials

    package init(
        account: OpenedAccount, accountAddress: String, serviceAddress: String, verifyToken: String,
        application: ClientCredentials
    ) {
        self.account = account
        self.accountAddress = accountAddress
        self.serviceAddress = serviceAddress
        self.verifyToken = verifyToken
        self.application = application
    }
}

/// A service that tells one address about all accounts of an application, in messages that it signs.
package protocol SigningSubmitter: SubscribingSubmitter {
    /// The header field that has the signature.
    var signatureField: String { get }

    /// What is answered to a check of the address; nil when it does not show `verifyToken`.
    func challenge(in query: FormFields, verifyToken: String) -> String?

    /// The posts that a message names, by account; nil when the application's key has not signed it. `field` is a header field of it.
    func news(
        in body: [UInt8], field: (String) -> String?, application: ClientCredentials
    ) -> [(account: String, posts: [String])]?
}
