/// The reader of the status, which decides how much is shown.
package enum StatusAudience: Sendable, Equatable {
    /// Learns whether Pics works, and nothing else.
    case stranger
    /// Sees what concerns the user's own accounts.
    case user(UserID)
    /// Sees everything.
    case admin

    /// The audience of a browser by who is signed in to it; nil for nobody.
    package init(_ user: User?) {
        self = user.map { $0.isAdmin ? .admin : .user($0.id) } ?? .stranger
    }
}
