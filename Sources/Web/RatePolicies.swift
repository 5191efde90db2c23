package import HTTPServer

extension RatePolicy.Name {
    /// Public pictures that have to be made, by a process each.
    package static let pictures = RatePolicy.Name("pictures")
    /// What sends requests to a server that a user has named: webhooks that are made, changed and tried, accounts that are connected,
    /// albums that are asked for.
    package static let outgoing = RatePolicy.Name("outgoing")
    /// Passwords that turned out to be wrong, by the address of strangers.
    package static let wrongPasswords = RatePolicy.Name("wrong-passwords")
    /// Passwords of a user that turned out to be wrong: by the name for strangers, by the browser or session for who has signed in.
    package static let wrongPasswordsOfUser = RatePolicy.Name("wrong-passwords-of-user")
}
