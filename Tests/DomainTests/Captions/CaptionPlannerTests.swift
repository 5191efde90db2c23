import Foundation
import Testing

@testable import Domain

struct CaptionPlannerTests {
    private let link = "https://example.info/Ab3dE9xZ"

    private func plan(_ caption: String, _ name: String) throws -> PlannedCaption {
        CaptionPlanner.plan(caption: caption, rule: try #require(CaptionRule.named(name)), shortURL: link)
    }

    // MARK: What fits

    @Test(arguments: CaptionRule.allNames)
    func `a caption of exactly the limit goes unchanged and one more is cut`(name: String) throws {
        let rule = try #require(CaptionRule.named(name))
        let limit = rule.limit ?? 10_000
        let fits = String(repeating: "x", count: limit)

        #expect(
            try plan(fits, name)
                == PlannedCaption(text: fits, isCut: false, length: limit, limit: rule.limit, unit: rule.unit))
        #expect(try plan(fits + "x", name).isCut == (rule.limit != nil))
        #expect(try plan(fits + "x", name).length <= (rule.limit ?? limit + 1))
    }

    @Test(arguments: ["", "   ", "\n\n\r\n", "\u{FEFF}"])
    func `a caption of white space is empty`(caption: String) throws {
        #expect(try plan(caption, "twitter_classic").text == "")
        #expect(try plan(caption, "twitter_classic").isCut == false)
    }

    @Test func `a caption that fits is normalized and gets no link`() throws {
        let planned = try plan(" Cafe\u{301}\r\nat noon ", "twitter_classic")

        #expect(planned.text == "Caf\u{E9}\nat noon")
        #expect(planned.length == 12)
    }

    @Test func `a link that ends at the limit counts 23 however long it is`() throws {
        let url = "https://example.com/" + String(repeating: "a", count: 200)
        let fits = String(repeating: "x", count: 116) + " " + url

        #expect(try plan(fits, "twitter_classic").text == fits)
        #expect(try plan(fits, "twitter_classic").length == 140)
        #expect(try plan("x" + fits, "twitter_classic").text == "x" + fits.prefix(116 - 2) + "\u{2026} " + link)
    }

    @Test func `140 family emoji fit on X and not in 140 code points`() throws {
        let families = String(repeating: "👨‍👩‍👧‍👦", count: 140)

        #expect(try plan(families, "twitter_weighted").text == families)
        #expect(try plan(families + "!", "twitter_weighted").isCut)
        #expect(
            try plan(families, "twitter_classic").text
                == String(repeating: "👨‍👩‍👧‍👦", count: 16) + "\u{2026} " + link)
    }

    @Test func `the caption may be the short URL`() throws {
        #expect(try plan(link, "twitter_classic").text == link)
        #expect(try plan(link, "twitter_classic").isCut == false)
    }

    @Test func `no limit cuts nothing`() throws {
        let caption = String(repeating: "word ", count: 50_000)

        #expect(try plan(caption, "unlimited").text == caption.dropLast())
        #expect(try plan(caption, "unlimited").limit == nil)
    }

    // MARK: Where the cut is

    @Test func `a long caption ends at a word, then an ellipsis and the link`() throws {
        let caption = String(repeating: "A walk along the harbour. ", count: 8)

        let planned = try plan(caption, "twitter_classic")

        #expect(planned.text == String(repeating: "A walk along the harbour. ", count: 4) + "A walk\u{2026} " + link)
        #expect(planned.length == 135)
        #expect(planned.isCut)
    }

    @Test(arguments: [
        // 115 code points are left for the caption in 140.
        ("https://example.com/photos", String(repeating: "x", count: 100)),
        ("@somebody", String(repeating: "x", count: 108)),
        ("@somebody@example.social", String(repeating: "x", count: 108)),
        ("#sunset2026", String(repeating: "x", count: 108)),
        ("$TICKER", String(repeating: "x", count: 112)),
        (":blobcat_heart:", String(repeating: "x", count: 106)),
        ("👨‍👩‍👧‍👦", String(repeating: "x", count: 110)),
        ("\u{2764}\u{FE0F}", String(repeating: "x", count: 113)),
        ("🇯🇵", String(repeating: "x", count: 113)),
    ])
    func `what lies across the cut goes as a whole`(token: String, before: String) throws {
        let planned = try plan(before + " " + token + " " + String(repeating: "y ", count: 60), "twitter_classic")

        #expect(planned.text == before + "\u{2026} " + link)
    }

    @Test func `a huge word is cut between characters`() throws {
        let planned = try plan(String(repeating: "e\u{323}\u{302}\u{20DD}", count: 200), "discord:100")

        // U+1EC7 and U+20DD; 100 less the tail of 31.
        #expect(planned.text == String(repeating: "\u{1EC7}\u{20DD}", count: 34) + "\u{2026} " + link)
    }

    @Test func `a word boundary in the first two thirds is too early`() throws {
        let planned = try plan("short " + String(repeating: "x", count: 300), "twitter_classic")

        #expect(planned.text == "short " + String(repeating: "x", count: 109) + "\u{2026} " + link)
        #expect(planned.length == 140)
    }

    @Test func `CJK is cut between ideographs`() throws {
        let planned = try plan(String(repeating: "漢字", count: 200), "twitter_weighted")

        // 280 less 2 for the ellipsis, 1 for the space and 23 for the link leaves 254.
        #expect(planned.text == String(repeating: "漢字", count: 63) + "漢\u{2026} " + link)
        #expect(planned.length == 280)
    }

    @Test func `a katakana word stays whole`() throws {
        let planned = try plan(
            "これは" + String(repeating: "漢", count: 30) + "フィルムカメラの写真" + String(repeating: "漢字", count: 20), "discord:70")

        #expect(planned.text == "これは" + String(repeating: "漢", count: 30) + "\u{2026} " + link)
    }

    @Test func `Thai without spaces is cut between clusters, not after a vowel that leads`() throws {
        let planned = try plan(String(repeating: "เมือง", count: 60), "discord:100")

        let body = try #require(planned.text.components(separatedBy: "\u{2026}").first)
        #expect(String(repeating: "เมือง", count: 60).hasPrefix(body))
        #expect(body.unicodeScalars.last != "เ")
        #expect(planned.length >= 98)
    }

    @Test func `right-to-left text is cut in the order in which it is read`() throws {
        let planned = try plan(String(repeating: "مرحبا بالعالم ", count: 20) + link, "twitter_classic")

        #expect(planned.text == String(repeating: "مرحبا بالعالم ", count: 8).dropLast() + "\u{2026} " + link)
    }

    @Test(arguments: ["\r\n", "\r", "\n", "\n\n\n\n"])
    func `a line end at the cut leaves nothing behind`(lineEnd: String) throws {
        let before = String(repeating: "x", count: 114)

        let planned = try plan(before + lineEnd + String(repeating: "y", count: 100), "twitter_classic")

        #expect(planned.text == before + "\u{2026} " + link)
    }

    @Test(arguments: [
        " (", " \u{201C}", " \"", ",", ", ", " #", " @", " $", ":", "\u{3001}", "\u{2026}", " \u{AB}", " \u{BF}",
    ])
    func `nothing dangles before the ellipsis`(dangling: String) throws {
        let before = String(repeating: "x", count: 115 - dangling.count)

        let planned = try plan(before + dangling + " " + String(repeating: "y", count: 100), "twitter_classic")

        #expect(planned.text == before + "\u{2026} " + link)
    }

    @Test(arguments: [".", "!", "?", ")", "\u{201D}", "\"", "\u{3002}", "C#"])
    func `what closes a sentence stays`(closing: String) throws {
        let body = String(repeating: "x", count: 115 - closing.count) + closing

        #expect(
            try plan(body + " " + String(repeating: "y", count: 100), "twitter_classic").text == body + "\u{2026} "
                + link)
    }

    @Test(arguments: ["#sunset", "@somebody", "$TICK", ":blobcat:", "https://t.co/#", "@user@example.social"])
    func `what means something stays whatever it begins or ends with`(token: String) throws {
        let body = String(repeating: "x", count: 80) + " " + token

        #expect(
            try plan(body + " " + String(repeating: "y", count: 100), "twitter_classic").text == body + "\u{2026} "
                + link)
    }

    @Test func `a number is not cut at its comma`() throws {
        let planned = try plan(
            String(repeating: "x", count: 108) + " 1,000,000 " + String(repeating: "people ", count: 9),
            "twitter_classic")

        #expect(planned.text == String(repeating: "x", count: 108) + "\u{2026} " + link)
    }

    @Test func `a joiner does not end the text`() throws {
        let before = String(repeating: "x", count: 111)

        for joined in ["क्\u{200D}", "👩\u{200D}", "می\u{200C}"] {
            let planned = try plan(before + " " + joined + "," + String(repeating: "y", count: 100), "twitter_classic")

            #expect(planned.text.unicodeScalars.prefix { $0 != "\u{2026}" }.last?.properties.isJoinControl == false)
            #expect(planned.text.hasPrefix(before))
        }
    }

    @Test(arguments: [
        ("\u{2067}", "\u{2069}"), ("\u{202B}", "\u{202C}"), ("\u{2067}\u{202E}", "\u{202C}\u{2069}"),
        ("\u{202B}\u{2066}\u{2069}", "\u{202C}"), ("\u{2066}\u{202A}\u{2069}", ""), ("\u{202C}\u{2069}", ""),
    ])
    func `what bidi marks have opened is closed before the ellipsis`(opening: String, closing: String) throws {
        let planned = try plan(opening + "x" + String(repeating: " hello", count: 100), "twitter_classic")

        #expect(planned.text.hasSuffix("hello" + closing + "\u{2026} " + link))
        #expect(planned.length <= 140)
    }

    @Test func `bidi marks nested thousandfold leave no room for what closes them`() throws {
        let nested = String(repeating: "\u{2067}", count: 10_000) + "x" + String(repeating: "\u{2069}", count: 10_000)

        #expect(try plan(nested, "discord:20000").text == link)
        #expect(try plan("Look: " + nested, "discord:20000").text == "Look\u{2026} " + link)
    }

    // MARK: What cannot fit

    @Test func `a link that is the only word and does not fit gives way to the short one`() throws {
        let url = "https://example.com/" + String(repeating: "a", count: 400)

        #expect(try plan(url, "bluesky").text == link)
        #expect(try plan(url, "bluesky").isCut)
        #expect(try plan(url, "twitter_classic").text == url)
        #expect(try plan("#" + String(repeating: "a", count: 400), "bluesky").text == link)
    }

    @Test func `ten thousand combining marks are one character, and too many bytes`() throws {
        let caption = "a" + String(repeating: "\u{301}", count: 10_000)

        #expect(try plan(caption, "mastodon").length == 1)
        #expect(try plan(caption, "bluesky").text == link)
        #expect(try plan("Look: " + caption, "bluesky").text == "Look\u{2026} " + link)
    }

    @Test func `without room for a character the text is the link alone`() throws {
        #expect(try plan(String(repeating: "x", count: 50), "twitter_classic:25").text == link)
        #expect(try plan(String(repeating: "x", count: 50), "twitter_classic:26").text == "x\u{2026} " + link)
    }

    @Test func `without room for the link the text is what fits of the caption`() throws {
        #expect(try plan("hello world", "discord:8").text == "hello\u{2026}")
        #expect(try plan("hello world", "discord:1").text == "")
        #expect(try plan("hello world", "discord:0").text == "")
    }

    @Test func `a name becomes no link by the cut`() throws {
        // Before the @, "a.example.com" is part of an address and costs 13; alone it would be a link and cost 23.
        let planned = try plan(
            String(repeating: "x", count: 101) + " a.example.com@" + String(repeating: "y", count: 90),
            "twitter_classic")

        #expect(planned.length <= 140)
        #expect(planned.text.hasSuffix("\u{2026} " + link))
    }

    @Test func `without a short URL the text ends in the ellipsis`() {
        let planned = CaptionPlanner.plan(
            caption: String(repeating: "word ", count: 50), rule: .twitterClassic, shortURL: "")

        #expect(planned.text == String(repeating: "word ", count: 28).dropLast() + "\u{2026}")
        #expect(planned.length == 140)
    }

    // MARK: Two limits, and limits told at run time

    @Test func `Bluesky's bytes are a second limit`() throws {
        let families = String(repeating: "👨‍👩‍👧‍👦", count: 200)

        let planned = try plan(families, "bluesky")

        #expect(planned.text == String(repeating: "👨‍👩‍👧‍👦", count: 118) + "\u{2026} " + link)
        #expect(planned.text.utf8.count <= 3_000)
        #expect(planned.unit == .graphemes)
    }

    @Test func `Mastodon's own count is used on Mastodon and the stricter of two elsewhere`() throws {
        let families = String(repeating: "👨‍👩‍👧‍👦", count: 500)

        #expect(try plan(families, "mastodon").isCut == false)
        #expect(try plan(families, "mastodon_compatible").text.unicodeScalars.count <= 500)
    }

    @Test func `a mention on another server may be longer than the limit of Mastodon`() throws {
        let caption = "hi @alice@a.very.long.host.example.social"

        #expect(try plan(caption, "mastodon:9").text == caption)
        #expect(try plan(caption, "mastodon:8").isCut)
    }

    @Test func `a short URL without a scheme is counted as it will be`() {
        let planned = CaptionPlanner.plan(
            caption: String(repeating: "x", count: 300), rule: .twitterClassic,
            shortURL: "a-very-long-host-without-dots/Ab3dE9xZ")

        #expect(planned.length == 140)
    }
}
