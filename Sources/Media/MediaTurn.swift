internal import Domain

/// Whose picture work it is, and how soon it is wanted.
package struct MediaTurn: Sendable, Equatable {
    package enum Priority: Int, Sendable {
        /// The owner waits for it, or one of their posts.
        case owner
        /// It is made for a view, or ahead of one.
        case view
    }

    /// Nil for Pics itself.
    let owner: UserID?
    let priority: Priority

    init(owner: UserID?, priority: Priority = .owner) {
        self.owner = owner
        self.priority = priority
    }
}
