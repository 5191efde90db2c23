package import HTTPServer

/// The limits that the API's routes and handlers count by; the program says how much they allow.
extension RatePolicy.Name {
    /// Requests of a user with a token.
    package static let tokens = RatePolicy.Name("token")
    /// Photos that a user posts.
    package static let uploads = RatePolicy.Name("uploads")
    /// Tokens that turned out to be wrong: after too many the database is not asked any more.
    package static let wrongTokens = RatePolicy.Name("wrong-tokens")
}
