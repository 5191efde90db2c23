package import FoundationEssentials

package typealias WebhookID = Identifier<Webhook>

/// An address that its owner's submissions are told to.
package struct Webhook: Sendable, Equatable {
    /// Names are the wire's and the database's.
    package enum State: String, Sendable, CaseIterable {
        case active
        /// Its owner holds it back.
        case paused
        /// Pics has given it up; `problem` says why.
        case disabled
    }

    /// How many one user may have.
    package static let mostOfUser = 10

    /// The place that the secret of the webhook with this identifier is sealed for.
    package static func secretContext(of id: String) -> String { "webhook/\(id)/secret" }

    package let id: WebhookID
    /// `https`, or `http` where the operator allows servers of the own network; at most 2048 bytes.
    package let url: String
    package let state: State
    /// Why the last attempt failed; nil once one has not.
    package let problem: WebhookProblem?
    /// Tries that have failed in a row.
    package let failures: Int
    /// When a failed one is tried again; nil unless it has failed.
    package let nextAttemptAt: Date?
    /// When a change was acknowledged last.
    package let deliveredAt: Date?
    package let createdAt: Date

    package init(
        id: WebhookID, url: String, state: State, problem: WebhookProblem?, failures: Int, nextAttemptAt: Date?,
        deliveredAt: Date?, createdAt: Date
    ) {
        self.id = id
        self.url = url
        self.state = state
        self.problem = problem
        self.failures = failures
        self.nextAttemptAt = nextAttemptAt
        self.deliveredAt = deliveredAt
        self.createdAt = createdAt
    }
}

/// Why a receiver has not taken what was sent to it.
package enum WebhookProblem: Sendable, Equatable {
    /// No connection came about.
    case unreachable
    /// A connection came about, and no whole answer in time.
    case unanswered
    /// It is in a network that Pics may not send to.
    case privateAddress
    /// The answer did not end where answers have to.
    case longAnswer
    /// Its secret cannot be opened here.
    case lostSecret
    /// A status that is not 2xx.
    case status(Int)

    /// The word it is stored as.
    package var word: String {
        switch self {
        case .unreachable: "unreachable"
        case .unanswered: "unanswered"
        case .privateAddress: "private_address"
        case .longAnswer: "long_answer"
        case .lostSecret: "lost_secret"
        case .status(let code): "status_\(code)"
        }
    }

    /// Reads the word; nil for another one.
    package init?(word: String) {
        switch word {
        case "unreachable": self = .unreachable
        case "unanswered": self = .unanswered
        case "private_address": self = .privateAddress
        case "long_answer": self = .longAnswer
        case "lost_secret": self = .lostSecret
        default:
            guard word.hasPrefix("status_"), let code = Int(word.dropFirst("status_".count)) else { return nil }
            self = .status(code)
        }
    }

    /// Whether the receiver says that it wants nothing more (RFC 9110, section 15.5.11; Standard Webhooks).
    package var isFinal: Bool { self == .status(410) }

    /// For people.
    package var sentence: String {
        switch self {
        case .unreachable: "The address cannot be reached."
        case .unanswered: "The receiver did not answer in time."
        case .privateAddress: "It is not at a public address, and Pics may not send to others."
        case .longAnswer: "The receiver gave a far too long answer."
        case .lostSecret: "Its secret cannot be opened here; delete it and make a new one."
        case .status(410): "The receiver answered 410: it wants nothing more."
        case .status(let code) where (300..<400).contains(code):
            "The receiver answered \(code) and names another address, which Pics does not follow."
        case .status(let code): "The receiver answered \(code)."
        }
    }
}
