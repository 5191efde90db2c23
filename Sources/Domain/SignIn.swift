/// What the identifier of a browser's session names; its token is never kept.
package enum SessionTag {}
package typealias SessionID = Identifier<SessionTag>

/// What the identifier of an invitation names; its token is never kept.
package enum InvitationTag {}
package typealias InvitationID = Identifier<InvitationTag>

/// How long a browser stays signed in.
package struct SessionLifetime: Sendable, Equatable {
    /// Since it was last seen.
    package let idle: Duration
    /// Since it signed in.
    package let age: Duration

    package init(idle: Duration, age: Duration) {
        self.idle = idle
        self.age = age
    }
}
