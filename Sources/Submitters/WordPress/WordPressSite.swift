internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

/// Where a WordPress site has its REST interface.
struct WordPressSite: Sendable, Equatable {
    /// `https://blog.example`.
    let origin: String
    /// `/blog/wp-json`, or `/blog/?rest_route=` where the site's addresses are not made of names.
    let root: String

    init(origin: String, root: String) { (self.origin, self.root) = (origin, root) }

    /// Reads an account's settings.
    init(_ settings: JSONValue) {
        self.init(origin: settings["base_url"]?.string ?? "", root: settings["root"]?.string ?? "")
    }

    var settings: JSONObject { ["base_url": .string(origin), "root": .string(root)] }

    /// The path of a route of the interface, such as `/wp/v2/posts`.
    func path(_ route: String, _ query: FormFields = [:]) -> String {
        query.added(to: root + route)
    }

    /// Asks the page that a person has named where the interface is (REST API Handbook, "Discovery").
    ///
    /// - Throws: `.rejected` when there is no WordPress, or one at another origin.
    static func find(
        _ entered: String, policy: ServerPolicy, over client: ServiceClient
    ) async throws(SubmissionError) -> WordPressSite {
        let origin = try ServerOrigin(entered, policy: policy).description
        let url = URLComponents(entered: entered)
        let segments = (url?.path ?? "").split(separator: "/").map(String.init)
            .filter { !["wp-admin", "wp-json", "wp-login.php", "index.php"].contains($0) }
        guard !segments.contains("..") else {
            throw .rejected(.valueInvalid, ProblemParameters(field: "base_url", label: "The address of the site"))
        }
        let folder = segments.map { "/" + PercentEncoding.encode($0) }.joined()
        let api = AccountAPI(client: client, origin: origin, authorization: nil, addresses: policy.addresses)
        let page = try await api.send(.head, "\(folder)/", fields: ["Accept": "text/html"])
        if (300..<400).contains(page.status.code) { throw client.failure(page) }
        for target in Link.targets(in: page.fields.values("Link"), rel: "https://api.w.org/") {
            guard target.hasPrefix("\(origin)/") else { continue }
            let path = target.dropFirst(origin.count)
            return WordPressSite(origin: origin, root: String(path.hasSuffix("/") ? path.dropLast() : path))
        }
        throw .rejected(
            .destinationMissing, ProblemParameters(service: "WordPress", label: "A WordPress site at this address"))
    }
}
