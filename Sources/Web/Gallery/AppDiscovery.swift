/// Where apps find what they speak to, once they know the address of a person (IndieAuth, section 4.1; Micropub, section 5.3).
///
/// Some apps read the header, some nothing but `<link>` in the head, and older ones not the metadata, so all is said twice.
struct AppDiscovery {
    /// Of all addresses.
    let base: String

    private static let endpoints = [
        ("indieauth-metadata", "/.well-known/oauth-authorization-server"),
        ("authorization_endpoint", "/oauth/authorize"), ("token_endpoint", "/oauth/token"), ("micropub", "/micropub"),
    ]

    var links: [HTML] {
        Self.endpoints.map { relation, path in "<link rel=\"\(relation)\" href=\"\(base)\(path)\">\n" }
    }

    /// The value of `Link` (RFC 8288).
    var field: String {
        Self.endpoints.map { relation, path in "<\(base)\(path)>; rel=\"\(relation)\"" }.joined(separator: ", ")
    }
}
