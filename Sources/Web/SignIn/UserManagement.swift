package import Actions
package import HTTP

/// The parts that pages of people who sign in use.
package struct UserManagement: Sendable {
    let signIns: SignInActions
    let tokens: TokenActions
    /// How long an invitation is good.
    let invitationAge: Duration
    /// The problem that an error of a handler is.
    let problem: @Sendable (any Error) -> ProblemDetails

    package init(
        signIns: SignInActions, tokens: TokenActions, invitationAge: Duration,
        problem: @escaping @Sendable (any Error) -> ProblemDetails
    ) {
        self.signIns = signIns
        self.tokens = tokens
        self.invitationAge = invitationAge
        self.problem = problem
    }
}
