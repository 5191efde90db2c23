import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// Actions of a phone and a browser on accounts.
extension Pics {
    /// Connects an account of a fake Mastodon with a token; its identifier.
    func connectMastodon(_ server: FakeServer, token: String? = nil) async throws -> String {
        let response = try await call(
            .post, "/v1/connections",
            [
                "service": "mastodon",
                "fields": ["base_url": .string(server.url), "access_token": "mastodon-token"],
            ], token: token)
        #expect(response.status == 201, "\(response.json)")
        return try #require(response.json["id"]?.string)
    }

    /// Opens an address at a fake that agrees at once; where the browser is sent then.
    func agree(to url: String?) async throws -> String {
        let page = try await send(.get, try #require(url), isAnonymous: true)
        return try #require(page.fields["Location"])
    }
}
