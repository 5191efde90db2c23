internal import Fakes
internal import Foundation
internal import HTTP
internal import Testing

@testable internal import Submitters

/// Accounts that are connected in the browser, and what is done with their posts afterwards.
struct TwitterConsentTests {
    private let twitter = TwitterSubmitter(servers: .any)

    @Test(arguments: [nil, "client-secret"])
    func `an account is connected by OAuth 2, with and without a secret`(secret: String?) async throws {
        try await withFake(FakeTwitter()) { _, server, transport in
            let app = ClientCredentials(app2(server.url, secret: secret))

            let account = try await Browser(app: app, transport: transport).connect(twitter)

            #expect(account.remoteID == "4711" && account.name == "alice")
            #expect(account.credentials["consumer_key"] == nil)
            #expect(twitter.expiry(of: account.credentials) != nil)
        }
    }

    @Test func `an account is connected by OAuth 1 where there are no other keys`() async throws {
        try await withFake(FakeTwitter()) { _, server, transport in
            let app = ClientCredentials([
                "consumer_key": "consumer-key", "consumer_secret": "consumer-secret", "base_url": server.url,
            ])

            let account = try await Browser(app: app, transport: transport).connect(twitter)

            #expect(account.remoteID == "4711")
            #expect(twitter.expiry(of: account.credentials) == nil)
            try await twitter.revoke(account.opened(), over: transport)
        }
    }

    @Test func `a refresh token is spent with its use`() async throws {
        try await withFake(FakeTwitter()) { _, server, transport in
            let account = try await Browser(app: ClientCredentials(app2(server.url)), transport: transport).connect(
                twitter)

            let fresh = try await twitter.refreshCredentials(of: account.opened(), over: transport)

            #expect(fresh["refresh_token"] != account.credentials["refresh_token"])
            let again = await meaning { try await twitter.refreshCredentials(of: account.opened(), over: transport) }
            #expect(again == .unauthorized)
        }
    }

    @Test func `a revoked account is let in no more`() async throws {
        try await withFake(FakeTwitter()) { _, server, transport in
            let account = try await Browser(app: ClientCredentials(app2(server.url)), transport: transport).connect(
                twitter)

            try await twitter.revoke(account.opened(), over: transport)

            let again = await meaning { try await twitter.refreshCredentials(of: account.opened(), over: transport) }
            #expect(again == .unauthorized)
        }
    }

    @Test func `likes, answers and reposts are counted until the post is gone`() async throws {
        try await withScene(.twitter) { scene in
            let post = scene.post(try await scene.submit())

            #expect(try await twitter.engagement(of: post) == Engagement(likes: 7, comments: 3, shares: 3))
            try await twitter.delete(post)
            #expect(await meaning { try await twitter.engagement(of: post) } == .gone)
        }
    }

    @Test func `credits that ran out hold every account back`() async throws {
        try await withScene(.twitter) { scene in
            let post = scene.post(try await scene.submit())
            scene.host?.fail("GET /2/tweets/{id}", .status(402))

            #expect(await limitMet { try await twitter.engagement(of: post) }?.scope == .app)
        }
    }

    private func app2(_ url: String, secret: String? = nil) -> [String: String] {
        ["client_id": "client-id", "client_secret": secret ?? "", "base_url": url, "web_url": url]
    }
}
