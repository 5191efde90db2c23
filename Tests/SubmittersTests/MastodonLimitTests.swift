import Domain
import HTTP
import Testing

@testable import Submitters

struct MastodonLimitTests {
    @Test(arguments: [Int64.max, 4_294_967_295, -1, 0])
    func `a server's absurd limits are bounded and can be counted with`(number: Int64) {
        let instance: JSONValue = [
            "configuration": [
                "statuses": ["max_characters": .int(number), "characters_reserved_per_url": .int(number)],
                "media_attachments": ["image_size_limit": .int(number)],
            ]
        ]

        let settings = MastodonSettings(baseURL: "", accountID: "1", software: "mastodon", instance: instance)
        let plan = CaptionPlanner.plan(
            caption: "see https://a.example and https://b.example", rule: settings.captionRule,
            shortURL: "https://p.example/x")

        #expect((1...1_000_000).contains(settings.maxCharacters))
        #expect((1...1000).contains(settings.charactersReservedPerURL))
        #expect(plan.length > 0)
    }
}
