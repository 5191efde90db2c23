internal import Domain
package import Foundation
package import HTTP

/// A post that a submission has made: what may be done to it afterwards.
package struct PublishedPost: Sendable {
    /// As its receipt named it.
    package let remoteID: String
    package let url: String?
    package let account: OpenedAccount
    package let transport: any Transport
    /// The time, which tests move.
    package let now: @Sendable () -> Date

    package init(
        remoteID: String, url: String?, account: OpenedAccount, transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) {
        self.remoteID = remoteID
        self.url = url
        self.account = account
        self.transport = transport
        self.now = now
    }
}

/// A service whose posts can be taken back.
package protocol DeletingSubmitter: Submitter {
    /// Takes a post back. One that is not there any more is no error: deleting twice ends like deleting once.
    func delete(_ post: PublishedPost) async throws(SubmissionError)
}

/// A service whose posts' words can be changed.
package protocol EditingSubmitter: Submitter {
    /// Replaces the words of a post; asking twice ends like asking once. `text` is planned by the account's caption rule.
    ///
    /// - Throws: `.gone` when the post is not there any more.
    func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError)
}

/// A service whose credentials end and can be renewed without their owner.
package protocol RefreshingSubmitter: Submitter {
    /// When the credentials end; nil when they do not say, or last.
    func expiry(of credentials: JSONValue) -> Date?

    /// Asks for new credentials with the old ones. The queue lets one process ask at a time, and stores the answer before
    /// it is used.
    ///
    /// - Throws: `.unauthorized` when only the owner can connect again.
    /// - Returns: All members of the credentials; an empty or missing one keeps what was stored.
    func refreshCredentials(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue
}
