import Testing

@testable import Domain

/// Links that X does not take for links count every character there, as twitter-text 3.1.0 does (`extractUrlsWithIndices.js`,
/// `validDomain.js`).
struct UnknownHostTests {
    private static let path = String(repeating: "a", count: 300)
    private static let rules = [CaptionRule.twitterClassic, .twitterWeighted, .mastodon()]

    @Test(arguments: [
        "http://nas.local:5000/\(path)", "http://localhost/\(path)", "http://192.168.1.20:8080/\(path)",
        "http://[::1]:8080/\(path)", "http://no-tld", "http://a_b.com", "http://a_b.com/\(path)",
        "https://pics.example/x",
        "http://x.bar1.b_c.com/\(path)",
    ])
    func `a link to an unknown host counts every character`(link: String) {
        for rule in Self.rules {
            #expect(rule.length(of: link) == link.count)
            #expect(rule.length(of: "see \(link).") == link.count + 5)
        }
    }

    @Test(arguments: [
        // X finds the beginning, and counts the rest.
        ("http://x.c_o_m", 14), ("http://x.co_m", 23 + 2), ("http://foo.de.b_c.com", 23 + 8),
        // The query of a text that is no link may be a link.
        ("http://nas.local/?u=a.com", 20 + 23), ("http://nas.local/a.com", 22),
        ("http://nas.local/?u=http://a.com/b", 20 + 23),
        ("http://under_score.example.com/x", 23), ("http://a.b-c.com/x", 23),
    ])
    func `what X finds inside counts as a link`(text: String, length: Int) {
        #expect(CaptionRule.twitterWeighted.length(of: text) == length)
        #expect(CaptionRule.twitterClassic.length(of: text) == length)
    }

    @Test func `a link whose top-level domain X may not know, or know alone, counts the more of both`() {
        for rule in [CaptionRule.twitterClassic, .twitterWeighted] {
            #expect(rule.length(of: "http://a.music") == 23)
            #expect(rule.length(of: "http://a.music/\(Self.path)") == 315)
            #expect(rule.length(of: "off.vista") == 23)
            #expect(rule.length(of: "http://a.vista/\(Self.path)") == 315)
        }
        #expect(CaptionEntity.find(in: "it is on.off now").isEmpty, "no page makes a link of an ended domain")
    }

    @Test(arguments: [
        "http://nas.local:5000/Ab3dE9xZ", "http://localhost:8080/Ab3dE9xZ", "http://192.168.1.20/Ab3dE9xZ",
        "https://pics_at_home.com/Ab3dE9xZ", "https://pics.music/Ab3dE9xZ",
        "https://the-pictures-of-a-family.in-a-house-by-the-sea.internal/Ab3dE9xZ", "https://pics.example.com/Ab3dE9xZ",
    ])
    func `a cut text fits with whatever address Pics has`(shortURL: String) {
        let caption = Array(repeating: "word", count: 110).joined(separator: " ")
        for rule in [CaptionRule.twitterClassic, .twitterWeighted] {
            let plan = CaptionPlanner.plan(caption: caption, rule: rule, shortURL: shortURL)

            #expect(plan.isCut && plan.text.hasSuffix(" \(shortURL)"))
            let link = shortURL.hasPrefix("https://pics.example.com") ? 23 : max(23, shortURL.count)
            let isUnknown = ["local", "192", "_", "internal"].contains { shortURL.contains($0) }
            // X counts the ellipsis twice.
            let words = plan.text.count - shortURL.count + (rule == .twitterWeighted ? 1 : 0)
            #expect(words + (isUnknown ? shortURL.count : link) == plan.length)
            #expect(plan.length <= rule.limit ?? 0)
        }
    }
}
