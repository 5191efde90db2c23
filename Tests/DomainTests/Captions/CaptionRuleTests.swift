import Foundation
import Testing

@testable import Domain

struct CaptionRuleTests {
    @Test(arguments: CaptionRule.allNames)
    func `every listed name gives a rule that survives JSON`(name: String) throws {
        let rule = try #require(CaptionRule.named(name))

        let copy = try JSONDecoder().decode(CaptionRule.self, from: JSONEncoder().encode(rule))

        #expect(copy == rule)
    }

    @Test func `the names that clients may rely on are there`() {
        let promised: Set = [
            "twitter_classic", "twitter_weighted", "mastodon", "bluesky", "threads", "telegram", "discord", "tumblr",
            "misskey", "graphemes", "utf8", "unlimited",
        ]

        #expect(promised.isSubset(of: CaptionRule.allNames))
    }

    @Test(arguments: ["", "twitter", "Mastodon", "mastodon:", "mastodon:x", "mastodon:-1", ":5", "mastodon:5:5"])
    func `another name gives none`(name: String) {
        #expect(CaptionRule.named(name) == nil)
    }

    @Test func `a number after the name sets the limit`() {
        #expect(CaptionRule.named("mastodon:5000") == .mastodon(limit: 5_000))
        #expect(CaptionRule.named("mastodon_compatible:5000") == .mastodonCompatible(limit: 5_000))
        #expect(CaptionRule.named("bluesky:100")?.ceiling == CaptionRule.bluesky.ceiling)
    }

    @Test(arguments: [
        ("twitter_classic", 23), ("twitter_weighted", 23), ("mastodon", 23), ("mastodon_compatible", 23),
        ("bluesky", 60), ("discord", 60), ("telegram", 60), ("threads", 60),
    ])
    func `a link counts what the service makes of it`(name: String, length: Int) throws {
        let rule = try #require(CaptionRule.named(name))
        let link = "https://example.com/" + String(repeating: "a", count: 40)

        #expect(rule.length(of: link) == length)
        #expect(rule.length(of: "(" + link + ")") == length + 2)
    }

    @Test func `a short link counts as much as a long one`() {
        #expect(CaptionRule.twitterClassic.length(of: "http://t.co") == 23)
        #expect(CaptionRule.mastodon(reservedPerLink: 25).length(of: "http://t.co") == 25)
    }

    @Test func `a link without a scheme is one for Twitter and none for Mastodon`() {
        #expect(CaptionRule.twitterClassic.length(of: "see example.com") == 4 + 23)
        #expect(CaptionRule.mastodon().length(of: "see example.com") == 4 + 11)
    }

    @Test func `Mastodon leaves out the host of a mention`() {
        let text = "by @alice@photos.example.social and @bob"

        #expect(CaptionRule.mastodon().length(of: text) == "by @alice and @bob".count)
        #expect(CaptionRule.twitterClassic.length(of: text) == text.count)
    }

    @Test func `a combining mark on a link's end is counted beside the link`() {
        #expect(CaptionRule.twitterClassic.length(of: "https://example.com/a\u{20DD}") == 24)
        #expect(CaptionRule.mastodon().length(of: "https://example.com/a\u{20DD} b") >= 25)
    }
}
