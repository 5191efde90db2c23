internal import Curl
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import Testing

/// Servers that people may not make Pics reach, whichever service they name them for.
struct NamedServerTests {
    private static let registry = Registry.standard(
        SubmitterConfiguration(
            archive: "/nowhere", threads: BlockingThreads(name: "archive", count: 1), servers: .publicOnly))

    private static let services = registry.names.filter { $0 != "file" }

    /// Something for each value that is asked for.
    private static func entries(_ submitter: any Submitter, at origin: String) -> [String: String] {
        var entries = Dictionary(
            uniqueKeysWithValues: submitter.description.credentialFields.map { ($0.name, "value-1") })
        entries["base_url"] = origin
        if entries["relays"] != nil {
            entries["secret_key"] = FakeNostr.secretKey
            entries["kind"] = "1"
            entries["relays"] = origin
            entries["servers"] = origin
        }
        if entries["webhook"] != nil { entries["webhook"] = "\(origin)/api/webhooks/1/a" }
        if entries["recipients"] != nil {
            entries["server"] = origin.replacing("https://", with: "smtps://").replacing("http://", with: "smtp://")
            entries["sender"] = "alice@example.org"
            entries["recipients"] = "ann@example.org"
        }
        // Its server is the part behind the colon.
        if entries["user_id"] != nil {
            entries["user_id"] = "@alice:\(origin.split(separator: "/").last ?? "")"
            entries["room"] = "!lakes:example.org"
        }
        return entries
    }

    @Test(arguments: services, ["http://127.0.0.1", "https://127.0.0.1", "https://localhost", "https://2130706433"])
    func `no service is sent to a private address that somebody has named`(
        service: String, origin: String
    ) async throws {
        try await withFake(FakeMastodon()) { _, server, transport in
            let submitter = try #require(Self.registry[service])
            let entries = Self.entries(submitter, at: "\(origin):\(server.url.split(separator: ":").last ?? "")")

            let meaning = await meaning { try await submitter.connect(entries, over: transport) }

            #expect(meaning == .rejected)
            #expect(server.host.requests.isEmpty)
        }
    }

    @Test(arguments: services)
    func `no service that is connected in the browser is asked at a private address`(service: String) async throws {
        guard let submitter = Self.registry[service] as? any OAuthSubmitter else { return }
        try await withFake(FakeMastodon()) { _, server, transport in
            let origin = server.url.replacing("http://", with: "https://")
            let values = (submitter.oauth.appFields + submitter.oauth.accountFields).map { ($0.name, "value-1") }
            var entries = Dictionary(values) { first, _ in first }
            entries["base_url"] = origin
            let start = AuthorizationStart(
                app: ClientCredentials(entries), entered: entries, callback: "https://pics.test/callback",
                state: "state-1")

            let meaning = await meaning { try await submitter.authorizationRequest(start, over: transport) }

            // Most begin without a request of their own, and send the browser.
            #expect(meaning == .rejected || meaning == .published)
            #expect(server.host.requests.isEmpty)
        }
    }
}
