/// How a transport behaves towards every server.
package struct CurlOptions: Sendable {
    /// The field `User-Agent`, as in `Pics/1.0 (+https://pics.example)`.
    package var userAgent: String
    /// For resolving, connecting and TLS together.
    package var connectTimeout: Duration
    /// An exchange in which less than a byte a second moves for this long is given up; whole seconds.
    package var stallTimeout: Duration
    /// Lifts the address guard from every request: for tests and closed networks.
    package var reachesPrivateAddresses: Bool

    /// Takes the options; the defaults suit services on the Internet.
    package init(
        userAgent: String, connectTimeout: Duration = .seconds(10), stallTimeout: Duration = .seconds(30),
        reachesPrivateAddresses: Bool = false
    ) {
        self.userAgent = userAgent
        self.connectTimeout = connectTimeout
        self.stallTimeout = stallTimeout
        self.reachesPrivateAddresses = reachesPrivateAddresses
    }
}
