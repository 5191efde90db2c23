internal import HTTP

/// A service as its documentation describes it, without the network.
package protocol FakeService: Sendable {
    /// The routes and their handlers. `{name}` stands for one segment of the path.
    var routes: [FakeRoute] { get }
    /// The published posts, oldest first.
    var effects: [PublishedPost] { get }
    /// The names of the albums that hold what has been published.
    var albumNames: [String] { get }
    /// Makes an album by hand, where programs cannot.
    func addAlbum(_ name: String)
    /// Where photos were taken, as the service was told: latitude first.
    var positions: [String] { get }
    /// What other people say there; nil where nobody does.
    var talk: FakeConversation? { get }
    /// The service's own way to say no.
    func refusal(_ status: Int) -> FakeAnswer
    /// The same, where it differs from call to call.
    func refusal(_ status: Int, of route: String) -> FakeAnswer
}

extension FakeService {
    package var albumNames: [String] { [] }
    package func addAlbum(_ name: String) {}
    package var positions: [String] { [] }
    package var talk: FakeConversation? { nil }
    package func refusal(_ status: Int, of route: String) -> FakeAnswer { refusal(status) }
}

/// One call of a service.
package struct FakeRoute: Sendable {
    /// `POST /api/v1/statuses`: the name that faults go by.
    package let name: String
    let response: @Sendable (FakeRequest, FakeParameters) async -> FakeAnswer

    init(_ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) async -> FakeAnswer) {
        self.name = name
        self.response = response
    }

    var method: HTTPMethod { HTTPMethod(rawValue: String(name.prefix { $0 != " " })) }
    var path: String { String(name.drop { $0 != " " }.dropFirst()) }

    /// The values in braces; nil when the request is not for this route.
    func match(_ request: FakeRequest) -> FakeParameters? {
        guard request.method == method else { return nil }
        let pattern = path.split(separator: "/", omittingEmptySubsequences: false)
        let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard pattern.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (expected, actual) in zip(pattern, segments) {
            if expected.hasPrefix("{") {
                values[String(expected.dropFirst().dropLast())] = PercentEncoding.decode(actual)
            } else if expected != actual {
                return nil
            }
        }
        return FakeParameters(values: values)
    }
}

/// The segments of a request's path that stand for the names in braces.
struct FakeParameters: Sendable {
    let values: [String: String]

    subscript(name: String) -> String { values[name] ?? "" }
}
