internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// Accounts that are connected in the browser, and what is done with their posts afterwards.
struct MastodonConsentTests {
    private let mastodon = MastodonSubmitter(servers: .any)

    @Test(arguments: [true, false])
    func `Pics registers itself at a server, and a person agrees there`(knowsPKCE: Bool) async throws {
        let service = FakeMastodon(options { $0.knowsPKCE = knowsPKCE })
        try await withFake(service) { _, server, transport in
            let browser = Browser(app: ClientCredentials([:]), entered: ["base_url": server.url], transport: transport)

            let account = try await browser.connect(mastodon)

            #expect(account.remoteID == "\(server.url)/109348684164391372")
            #expect(account.credentials["client_id"] == "client-id")
            #expect(mastodon.expiry(of: account.credentials) == nil)
            let consent = server.host.requests.first { $0.route == "GET /oauth/authorize" }
            #expect(consent?.request.query.contains("code_challenge_method=S256") == knowsPKCE)
        }
    }

    @Test func `a token that ends is renewed`() async throws {
        let clock = TestClock()
        let service = FakeMastodon(options { $0.tokenLife = 3600 }, now: clock.read)
        let mastodon = MastodonSubmitter(servers: .any, now: clock.read)
        try await withFake(service) { _, server, transport in
            let browser = Browser(app: ClientCredentials([:]), entered: ["base_url": server.url], transport: transport)
            let account = try await browser.connect(mastodon)
            #expect(mastodon.expiry(of: account.credentials) == clock.now.addingTimeInterval(3600))
            clock.advance(by: .seconds(3601))

            let fresh = try await mastodon.refreshCredentials(of: account.opened(), over: transport)

            #expect(mastodon.expiry(of: fresh) == clock.now.addingTimeInterval(3600))
            #expect(fresh["access_token"] != account.credentials["access_token"])
        }
    }

    @Test func `a person who refuses is told so, and nothing is sent`() async {
        let server = Recording()
        let response = AuthorizationResponse(
            app: ClientCredentials([:]),
            kept: [
                "base_url": "https://social.test", "client_id": "a", "client_secret": "b",
                "callback": "https://pics.test",
            ], parameters: ["error": "access_denied", "state": "s"])

        #expect(await meaning { try await mastodon.finishAuthorization(response, over: server) } == .rejected)
        #expect(server.sent.isEmpty)
    }

    @Test func `a revoked account is let in no more, and an entered token is left alone`() async throws {
        try await withFake(FakeMastodon()) { _, server, transport in
            let browser = Browser(app: ClientCredentials([:]), entered: ["base_url": server.url], transport: transport)
            let account = try await browser.connect(mastodon).opened()
            let entered = try await mastodon.connect(
                ["base_url": server.url, "access_token": "mastodon-token"], over: transport)

            try await mastodon.revoke(account, over: transport)
            try await mastodon.revoke(entered.opened(), over: transport)

            let post = PublishedPost(remoteID: "1", url: nil, account: account, transport: transport, now: { Date() })
            #expect(await meaning { try await mastodon.engagement(of: post) } == .unauthorized)
            #expect(server.host.requests.count { $0.route == "POST /oauth/revoke" } == 1)
        }
    }

    @Test func `the words of a post are changed, and its picture stays`() async throws {
        try await withScene(.mastodon) { scene in
            let receipt = try await scene.submit()

            try await mastodon.edit(scene.post(receipt), text: "Sea", altText: "Waves")
            try await mastodon.edit(scene.post(receipt), text: "Sea", altText: "Waves")

            let posts = scene.host?.service.effects
            #expect(posts?.map(\.text) == ["Sea"])
            #expect(posts?.first?.media.map(\.altText) == ["Waves"])
        }
    }

    @Test func `likes, answers and reposts are counted until the post is gone`() async throws {
        try await withScene(.mastodon) { scene in
            let post = scene.post(try await scene.submit())

            #expect(try await mastodon.engagement(of: post) == Engagement(likes: 4, comments: 2, shares: 1))
            try await mastodon.delete(post)
            #expect(await meaning { try await mastodon.engagement(of: post) } == .gone)
            #expect(await meaning { try await mastodon.edit(post, text: "Sea", altText: "") } == .gone)
        }
    }

    private func options(_ change: (inout FakeMastodon.Options) -> Void) -> FakeMastodon.Options {
        var options = FakeMastodon.Options()
        change(&options)
        return options
    }
}
