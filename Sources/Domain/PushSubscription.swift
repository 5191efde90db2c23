package import FoundationEssentials

package typealias PushSubscriptionID = Identifier<PushSubscription>

/// A browser that its person has asked to be told by, also while no page is open.
package struct PushSubscription: Sendable, Equatable {
    /// Names are the database's.
    package enum State: String, Sendable {
        case active
        /// Pics has given it up; `problem` says why.
        case stopped
    }

    /// How many one user may have.
    package static let mostOfUser = 10

    /// The place that the secret of the subscription with this identifier is sealed for.
    package static func secretContext(of id: String) -> String { "push_subscriptions/\(id)/secret" }

    /// The place that the key of this installation is sealed for.
    package static let keyContext = "push_keys/sealed"

    package let id: PushSubscriptionID
    /// The session that it ends with.
    package let session: SessionID
    /// As the session's browser names itself.
    package let browser: String
    /// Where the browser's push service takes messages for it; whoever knows it may not send them.
    package let endpoint: String
    /// What it is told of.
    package let kinds: Set<PushKind>
    package let state: State
    /// Why the last message was not taken; nil once one was.
    package let problem: PushProblem?
    /// When a message was taken last.
    package let deliveredAt: Date?
    package let createdAt: Date

    package init(
        id: PushSubscriptionID, session: SessionID, browser: String, endpoint: String, kinds: Set<PushKind>,
        state: State, problem: PushProblem?, deliveredAt: Date?, createdAt: Date
    ) {
        self.id = id
        self.session = session
        self.browser = browser
        self.endpoint = endpoint
        self.kinds = kinds
        self.state = state
        self.problem = problem
        self.deliveredAt = deliveredAt
        self.createdAt = createdAt
    }
}

/// What somebody can be told of. Names are the database's.
package enum PushKind: String, Sendable, CaseIterable {
    /// A post that was refused, or whose outcome is unknown.
    case posts
    /// An account that has to be connected again.
    case logins
    /// New likes of a photo.
    case likes
    /// Replies to a photo, quotes and mentions of it.
    case responses
    /// Reports of photos, which admins decide on.
    case reports
}

/// Why a push service has not taken a message.
package enum PushProblem: Sendable, Equatable {
    /// No whole answer came.
    case unreachable
    /// It is in a network that Pics may not send to.
    case privateAddress
    /// The operator does not allow messages to it any more.
    case notAllowed
    /// The browser's secret cannot be opened here.
    case lostSecret
    /// A status that is not 2xx.
    case status(Int)

    /// The word it is stored as.
    package var word: String {
        switch self {
        case .unreachable: "unreachable"
        case .privateAddress: "private_address"
        case .notAllowed: "not_allowed"
        case .lostSecret: "lost_secret"
        case .status(let code): "status_\(code)"
        }
    }

    /// Reads the word; nil for another one.
    package init?(word: String) {
        switch word {
        case "unreachable": self = .unreachable
        case "private_address": self = .privateAddress
        case "not_allowed": self = .notAllowed
        case "lost_secret": self = .lostSecret
        default:
            guard word.hasPrefix("status_"), let code = Int(word.dropFirst("status_".count)) else { return nil }
            self = .status(code)
        }
    }

    /// Whether the push service knows the subscription no more (RFC 8030, sections 5 and 7.3).
    package var isGone: Bool { self == .status(404) || self == .status(410) }

    /// Whether the same message will be refused again: the service has read and refused it, or nobody can send it.
    package var isRefusal: Bool {
        switch self {
        case .unreachable: false
        case .privateAddress, .notAllowed, .lostSecret: true
        case .status(let code): (300..<500).contains(code) && code != 408 && code != 425 && code != 429
        }
    }
}
