package import Domain
package import HTTP

/// What the pages of those who sign in work with, beside what all pages do.
package struct UserManagement: Sendable {
    let passwords: PasswordHasher
    let life: SessionLifetime
    /// How long an invitation is good.
    let invitationAge: Duration
    /// How many API tokens a user may have.
    let tokens: Int
    /// The problem that an error of a handler is.
    let problem: @Sendable (any Error) -> ProblemDetails

    package init(
        passwords: PasswordHasher, life: SessionLifetime, invitationAge: Duration, tokens: Int,
        problem: @escaping @Sendable (any Error) -> ProblemDetails
    ) {
        self.passwords = passwords
        self.life = life
        self.invitationAge = invitationAge
        self.tokens = tokens
        self.problem = problem
    }
}
