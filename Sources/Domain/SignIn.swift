/// The kind of a session's identifier; the token itself is never stored.
package enum SessionTag {}
package typealias SessionID = Identifier<SessionTag>

/// The kind of an invitation's identifier; the token itself is never stored.
package enum InvitationTag {}
package typealias InvitationID = Identifier<InvitationTag>

/// The kind of a passkey's identifier, which is not the one that its authenticator knows.
package enum PasskeyTag {}
package typealias PasskeyID = Identifier<PasskeyTag>

/// The kind of the identifier of who somebody is at an issuer of OpenID Connect.
package enum IdentityTag {}
package typealias IdentityID = Identifier<IdentityTag>

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
