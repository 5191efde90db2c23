internal import Domain
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// The tokens of Threads and Instagram, which last for sixty days.
struct GraphTokensTests {
    @Test(arguments: Subject.consents.filter { ["threads", "instagram"].contains($0.service) })
    func `a token of sixty days is renewed at half of its life, and not on its first day`(
        service: Subject
    ) async throws {
        try await withScene(service) { scene in
            let start = scene.clock.now
            let renewal = try #require(scene.expiry)
            #expect(abs(renewal.timeIntervalSince(start) - 5_183_944 / 2) < 1)
            let young = await unauthorized { try await scene.refreshCredentials() }
            #expect(young?.problem.code == .credentialsRefused)

            scene.clock.advance(to: renewal)
            try await scene.refreshCredentials()
            #expect(scene.expiry.map { $0.timeIntervalSince(renewal) > 2_500_000 } == true)

            // Nobody has used it for so long.
            scene.clock.advance(by: .seconds(5_183_945))
            #expect(await unauthorized { try await scene.refreshCredentials() } != nil)
            #expect(await scene.meaningOfFirstFailure() == .unauthorized)
        }
    }

    @Test(arguments: [Subject.threads, .instagram])
    func `a token that was entered is renewed a day later, whatever its age`(service: Subject) async throws {
        try await withScene(service) { scene in
            let connected = try await scene.connect()
            #expect(scene.expiry == scene.clock.now.addingTimeInterval(25 * 3600))
            #expect(connected.credentials.object?.map(\.name) == ["access_token", "renew_at"])
            #expect(connected.name == "lakes")
        }
    }

    @Test func `a code is taken with and without the mark behind it, and in the form of the documentation`()
        async throws
    {
        for (code, json) in [
            ("AQ1", ["access_token": "hour", "user_id": 1] as JSONValue),
            ("AQ1#_", ["data": [["access_token": "hour", "user_id": "1", "permissions": "a,b"]]]),
        ] {
            let server = Recording(
                .response(200, json), .response(200, ["access_token": "long", "expires_in": 5_183_944]),
                .response(200, ["user_id": "17841405309211844", "username": "lakes"]))
            let account = try await InstagramSubmitter(servers: .publicOnly).finishAuthorization(
                AuthorizationResponse(
                    app: ClientCredentials(["client_id": "1", "client_secret": "s"]),
                    kept: ["callback": "https://pics.test/callback"], parameters: ["code": code]), over: server)

            #expect(account.remoteID == "17841405309211844" && account.name == "lakes")
            #expect(account.credentials["access_token"] == "long")
            #expect(server[0].line == "POST https://api.instagram.com/oauth/access_token")
            #expect(server[0].text.contains("code=AQ1&"))
            #expect(
                server[1].line
                    == "GET https://graph.instagram.com/access_token?grant_type=ig_exchange_token&client_secret=s&access_token=hour"
            )
            #expect(
                server[2].line
                    == "GET https://graph.instagram.com/v26.0/me?fields=user_id,username,profile_picture_url")
            #expect(server[2].fields["Authorization"] == "Bearer long")
        }
    }
}
