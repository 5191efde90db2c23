/// What people have done with a post, as its service counts it; nil where it does not tell.
package struct Engagement: Sendable, Equatable {
    package let likes: Int?
    package let comments: Int?
    /// Reposts, shares and quotes.
    package let shares: Int?

    package init(likes: Int? = nil, comments: Int? = nil, shares: Int? = nil) {
        self.likes = likes
        self.comments = comments
        self.shares = shares
    }
}

/// A service that tells how many people liked a post. A read may count against a limit, or cost money: see the service.
package protocol EngagementSubmitter: Submitter {
    /// Whether every read costs money.
    var readsCost: Bool { get }

    /// Counts. Throws `.gone` when the post is not there any more.
    func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement
}

extension EngagementSubmitter {
    package var readsCost: Bool { false }
}
