package import FoundationEssentials

package typealias MailID = Identifier<NoticeAddress>

/// The address that a user has themselves written to, and what about.
package struct NoticeAddress: Sendable, Equatable {
    /// The kinds of news that they are told as it happens. Names are the database's.
    package enum Kind: String, Sendable, CaseIterable {
        /// A post that was refused, or whose outcome is unknown.
        case posts
        /// An account that has to be connected again.
        case logins
        /// A photo that was reported, for admins.
        case reports
    }

    /// How often they are told what came back to their photos. Names are the database's.
    package enum Digest: String, Sendable, CaseIterable {
        case none
        case daily
        case weekly
    }

    package let address: String
    /// A tag such as `ja`.
    package let language: String
    package let kinds: Set<Kind>
    package let digest: Digest
    /// Whether somebody who reads it has agreed; nothing but the question goes there before.
    package let isConfirmed: Bool
    /// Whether its server takes no mail for it: nothing goes there any more.
    package let isRefused: Bool
    /// The last refusal of that server, or of the operator's; nil once a mail was taken.
    package let problem: String?
    /// When a mail was taken last.
    package let deliveredAt: Date?

    package init(
        address: String, language: String, kinds: Set<Kind>, digest: Digest, isConfirmed: Bool, isRefused: Bool,
        problem: String?, deliveredAt: Date?
    ) {
        self.address = address
        self.language = language
        self.kinds = kinds
        self.digest = digest
        self.isConfirmed = isConfirmed
        self.isRefused = isRefused
        self.problem = problem
        self.deliveredAt = deliveredAt
    }
}

/// The subject of a mail. Names are the database's.
package enum MailKind: String, Sendable, CaseIterable {
    case invitation
    case reset
    case confirmation
    case post
    case login
    case report
    case digest

    /// Whether a mail that may have left is sent again: one whose link works once only, and which somebody waits for.
    package var isRepeated: Bool {
        switch self {
        case .invitation, .reset, .confirmation: true
        case .post, .login, .report, .digest: false
        }
    }

    /// How long it may wait; then it is old news.
    package var life: Duration {
        switch self {
        case .reset: .seconds(3600)
        case .invitation, .confirmation, .post, .login, .report, .digest: .seconds(3 * 86_400)
        }
    }
}
