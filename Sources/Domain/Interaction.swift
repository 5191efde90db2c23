package import FoundationEssentials

/// A reply, favourite or repost by an owner of photos, of a response or of somebody's post, through one of their accounts.
package struct Interaction: Sendable, Equatable {
    /// Names are the wire's and the database's.
    package enum Kind: String, Sendable, CaseIterable {
        case reply, favourite, repost
    }

    /// What it is with.
    package enum Target: Sendable, Hashable {
        case response(ResponseID)
        case post(TimelinePostID)
    }

    /// How far it has come. Names are the wire's.
    package enum State: String, Sendable, CaseIterable {
        /// The service has not confirmed yet what is wanted.
        case waiting
        case done
        /// The service refused; a reply can be tried again.
        case failed
    }

    package let id: InteractionID
    package let target: Target
    package let connection: AccountID
    package let kind: Kind
    /// Of a reply; else empty.
    package let text: String
    /// Whether it is to be there. What is shown until the service has answered.
    package let isWanted: Bool
    /// Whether it is there, as the service has confirmed.
    package let isConfirmed: Bool
    package let state: State
    package let url: String?
    package let problem: Problem?
    package let createdAt: Date

    package init(
        id: InteractionID, target: Target, connection: AccountID, kind: Kind, text: String, isWanted: Bool,
        isConfirmed: Bool, state: State, url: String?, problem: Problem?, createdAt: Date
    ) {
        (self.id, self.target, self.connection, self.kind, self.text) = (id, target, connection, kind, text)
        (self.isWanted, self.isConfirmed, self.state) = (isWanted, isConfirmed, state)
        (self.url, self.problem, self.createdAt) = (url, problem, createdAt)
    }

    /// In bytes of UTF-8, before a service's own rule.
    package static let longestText = 10_000
}

extension [Interaction] {
    /// Whether a favourite or repost is to be there: as its owner wants it, or else as its service has said.
    package func isWanted(_ kind: Interaction.Kind, orElse read: Bool = false) -> Bool {
        first { $0.kind == kind }?.isWanted ?? read
    }
}

package typealias InteractionID = Identifier<Interaction>
