package import FoundationEssentials

/// A post that its owner's app has made itself at a service.
package struct OwnPost: Sendable, Equatable {
    /// At the service, 1 to 512 bytes.
    package let remoteID: String
    /// A web address; nil: it is not known.
    package let url: String?

    package init(remoteID: String, url: String?) { (self.remoteID, self.url) = (remoteID, url) }
}

/// One photo's way to one account: the lasting truth a client reads.
package struct Submission: Sendable, Equatable {
    /// Names are the wire's and the database's.
    package enum State: String, Sendable, CaseIterable {
        case waiting, running, done, rejected, cancelled, unknown, paused
        /// Its post was taken back.
        case deleted
        case needsLogin = "needs_login"

        /// Nothing more will happen unless a person asks for it.
        package var isFinal: Bool {
            switch self {
            case .done, .rejected, .cancelled, .unknown, .deleted: true
            case .waiting, .running, .paused, .needsLogin: false
            }
        }
    }

    /// Whether the post has the photo's last edit. Names are the wire's.
    package enum Edit: String, Sendable, CaseIterable {
        /// It is on its way.
        case waiting
        case done
        /// The service refused it, or it was cancelled.
        case refused
        /// Pics cannot change that of a post there.
        case unsupported
    }

    package let id: SubmissionID
    package let photo: PhotoID
    package let connection: AccountID
    package let service: String
    package let account: String
    package let state: State
    /// The exact text sent or to be sent.
    package let text: String
    package let isCut: Bool
    /// `text` in the service's own count, and that count's limit.
    package let length: Int
    package let limit: Int?
    package let remoteID: String?
    package let remoteURL: String?
    /// Tries that have ended and count; waiting for a service or for its limit is none.
    package let attempts: Int
    /// Not published before; nil: at once.
    package let scheduledAt: Date?
    package let nextAttemptAt: Date?
    package let bytesSent: Int64
    package let bytesTotal: Int64
    /// The last problem.
    package let problem: Problem?
    /// When its state or problem changed last.
    package let updatedAt: Date
    /// The caption that the owner wrote for this account; nil: it has the photo's.
    package var ownText: String?
    /// The texts of its posts, in order, where the caption goes as a thread; empty where it is one post.
    package var thread: [String] = []
    /// Nil when nothing of the photo was edited since it was sent.
    package var edit: Edit?

    package init(
        id: SubmissionID, photo: PhotoID, connection: AccountID, service: String, account: String, state: State,
        text: String, isCut: Bool, length: Int, limit: Int?, remoteID: String?, remoteURL: String?, attempts: Int,
        scheduledAt: Date?, nextAttemptAt: Date?, bytesSent: Int64, bytesTotal: Int64, problem: Problem?,
        updatedAt: Date
    ) {
        self.id = id
        self.photo = photo
        self.connection = connection
        self.service = service
        self.account = account
        self.state = state
        self.text = text
        self.isCut = isCut
        self.length = length
        self.limit = limit
        self.remoteID = remoteID
        self.remoteURL = remoteURL
        self.attempts = attempts
        self.scheduledAt = scheduledAt
        self.nextAttemptAt = nextAttemptAt
        self.bytesSent = bytesSent
        self.bytesTotal = bytesTotal
        self.problem = problem
        self.updatedAt = updatedAt
    }
}
