package import HTTPServer

extension RatePolicy.Name {
    /// Public pictures that have to be made, by a process each.
    package static let pictures = RatePolicy.Name("pictures")
    /// Webhooks that are made, changed and tried.
    package static let webhooks = RatePolicy.Name("webhooks")
    /// Passwords that turned out to be wrong, by address.
    package static let wrongPasswords = RatePolicy.Name("wrong-passwords")
    /// Passwords that turned out to be wrong, by the name of the user.
    package static let wrongPasswordsOfUser = RatePolicy.Name("wrong-passwords-of-user")
}
