internal import HTTP

/// A service that is also talked to by WebSockets. A text that comes is a request of the route `VERB /path`, with the connection's
/// name in its field `Connection-Name`; each line of the answer is a message.
package protocol FakeSocketService: FakeService {
    /// The word of a message that names its route; nil for one that gets no answer.
    func verb(of message: String) -> String?
    /// What it says when a connection stands, each line a message.
    func greeting(_ connection: String) -> String
    /// Its way to refuse a message.
    func refusal(_ status: Int, to request: FakeRequest) -> FakeAnswer
}

extension FakeSocketService {
    /// Whether a route is of messages.
    func isMessage(_ route: FakeRoute) -> Bool {
        !["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(route.method.rawValue)
    }
}
