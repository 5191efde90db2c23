internal import Foundation
internal import HTTP
internal import Testing

@testable internal import Fakes

/// That the fakes are as strict as the services, by what those have published.
struct FakeRulesTests {
    @Test func `a signature is checked as docs.x.com computes it`() throws {
        let request = FakeRequest(
            method: .post, origin: "https://api.x.com", path: "/1.1/statuses/update.json",
            query: "include_entities=true",
            fields: [
                "Authorization": """
                OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", \
                oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", oauth_signature_method="HMAC-SHA1", \
                oauth_timestamp="1318622958", oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", \
                oauth_version="1.0", oauth_signature="Ls93hJiZbQ3akF3HF3x1Bz8%2FzU4%3D"
                """, "Content-Type": "application/x-www-form-urlencoded",
            ], body: Array("status=Hello+Ladies+%2B+Gentlemen%2C+a+signed+OAuth+request%21".utf8))
        let check = try #require(OAuthCheck(request))
        let consumer = ("xvz1evFS4wEEPTGEFPHBog", "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw")
        let token = (
            "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"
        )

        #expect(check.holds(consumer: consumer, token: token, at: Date(timeIntervalSince1970: 1_318_622_958)))
        #expect(!check.holds(consumer: consumer, token: token, at: Date(timeIntervalSince1970: 1_318_623_958)))
        #expect(
            !check.holds(
                consumer: consumer, token: (token.0, "another"), at: Date(timeIntervalSince1970: 1_318_622_958)))
    }

    @Test(arguments: [
        ("Hi http://test.co", 26), ("http://test.co", 23), (String(repeating: "漢", count: 160), 320), ("é", 1),
        ("👨‍👩‍👧‍👦", 2), ("🇯🇵", 2), ("…", 2),
    ])
    func `X counts by weight`(text: String, length: Int) {
        #expect(FakeTwitter.length(of: text) == length)
    }

    @Test(arguments: [
        ("Hi http://test.co", 26), ("@alice@social.example hi", 9), ("👨‍👩‍👧‍👦", 1), ("e\u{301}", 1), ("a\nb", 3),
    ])
    func `Mastodon counts what people see`(text: String, length: Int) {
        #expect(FakeMastodon.length(of: text) == length)
    }
}
