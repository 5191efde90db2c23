import Foundation
import Testing

@testable import Domain

/// Entities that Pics finds beyond twitter-text.
struct CaptionEntityTests {
    @Test(arguments: [
        ("http://localhost:8080/Ab3dE9xZ now", "http://localhost:8080/Ab3dE9xZ"),
        ("http://127.0.0.1:8080/Ab3dE9xZ.", "http://127.0.0.1:8080/Ab3dE9xZ"),
        ("http://[::1]:8080/Ab3dE9xZ", "http://[::1]:8080/Ab3dE9xZ"),
        ("https://pics.example/Ab3dE9xZ!", "https://pics.example/Ab3dE9xZ"),
        ("HTTPS://Pics.Example/x", "HTTPS://Pics.Example/x"),
    ])
    func `a link with a scheme needs no known top-level domain`(text: String, expected: String) {
        #expect(found(in: text) { $0 == .link(hasScheme: true) } == [expected])
    }

    @Test(arguments: ["http://", "https://...", "http:// x", "xhttp://example", "http://[::1", "http://[]/"])
    func `a scheme alone is no link`(text: String) {
        #expect(found(in: text) { $0 == .link(hasScheme: true) } == [])
    }

    @Test func `a link of more than 4,096 characters is none`() {
        let link = "https://example.com/" + String(repeating: "a", count: 4_076)

        #expect(CaptionEntity.find(in: link).count == 1)
        #expect(CaptionEntity.find(in: link + "a").isEmpty)
    }

    @Test func `a host of more than 253 characters or a label of more than 63 is none`() {
        let labels = Array(repeating: String(repeating: "a", count: 61), count: 4).joined(separator: ".")

        #expect(found(in: "https://a." + labels + ".a/x") { _ in true } == ["https://a." + labels + ".a/x"])
        #expect(found(in: "https://a." + labels + ".aa.a/x") { _ in true } == [])
        #expect(found(in: "https://" + String(repeating: "a", count: 63) + ".com") { _ in true }.count == 1)
        #expect(found(in: "https://" + String(repeating: "a", count: 64) + ".com") { _ in true } == [])
    }

    @Test(arguments: [
        ("see https://example.com/صفحة now", "https://example.com/صفحة"),
        ("https://example.com/ar/دليل-المستخدم،", "https://example.com/ar/دليل-المستخدم"),
        ("https://ja.wikipedia.org/wiki/日本", "https://ja.wikipedia.org/wiki/日本"),
        ("地図はja.wikipedia.org/wiki/日本。", "ja.wikipedia.org/wiki/日本"),
        ("https://ja.wikipedia.org/wiki/第1回大会_(野球)", "https://ja.wikipedia.org/wiki/第1回大会_(野球)"),
        ("https://ja.wikipedia.org/wiki/ゆず・レモン・", "https://ja.wikipedia.org/wiki/ゆず・レモン"),
        ("https://fa.wikipedia.org/wiki/نیم\u{200C}فاصله", "https://fa.wikipedia.org/wiki/نیم\u{200C}فاصله"),
        ("https://el.example/Ελλάδα?q=Αθήνα#Ιστορία", "https://el.example/Ελλάδα?q=Αθήνα#Ιστορία"),
        ("https://ko.wikipedia.org/wiki/한국어.", "https://ko.wikipedia.org/wiki/한국어"),
        ("https://example.com/写真.jpg!", "https://example.com/写真.jpg"),
        ("https://example.com/?q=日本", "https://example.com/?q=日本"),
    ])
    func `for people a link goes on in any script`(text: String, expected: String) {
        let found = CaptionEntity.find(in: text, paths: .international).map { String(text[$0.range]) }

        #expect(found == [expected])
        #expect(CaptionEntity.find(in: text).map { String(text[$0.range]) } != found, "counted as services do")
    }

    @Test(arguments: [
        ("https://example.com/pathを見て", "https://example.com/path"),
        ("https://example.com/を見て", "https://example.com/"),
        ("https://example.com/path에서", "https://example.com/path"), ("https://example.comです", "https://example.com"),
        ("https://example.com/a（写真）", "https://example.com/a"), ("https://example.com/日本　東京", "https://example.com/日本"),
        ("https://example.com/日本/abcを見て", "https://example.com/日本/abc"),
    ])
    func `a sentence that goes on without a space is no part of a link`(text: String, expected: String) {
        #expect(CaptionEntity.find(in: text, paths: .international).map { String(text[$0.range]) } == [expected])
    }

    @Test func `a mention on another server is one entity that knows its host`() throws {
        let text = "by @first.last@photos.example.social."

        let entity = try #require(CaptionEntity.find(in: text).first)

        let host = try #require(text.range(of: "@photos.example.social"))
        #expect(entity.kind == .mention(host: host))
        #expect(text[entity.range] == "@first.last@photos.example.social")
    }

    @Test(arguments: [
        ("thanks @alice.bsky.social!", ["@alice.bsky.social"]),
        ("thanks @alice.Great shot", ["@alice"]),
        ("mail alice@example.com", []),
        ("x=@user@example.com", []),
        ("@" + String(repeating: "a", count: 64), ["@" + String(repeating: "a", count: 64)]),
        ("@" + String(repeating: "a", count: 65), []),
    ])
    func `names of domains are mentions and addresses are not`(text: String, expected: [String]) {
        #expect(found(in: text) { if case .mention = $0 { true } else { false } } == expected)
    }

    @Test(arguments: [
        ("nice :blobcat: and :+1:", [":blobcat:", ":+1:"]),
        ("at 10:30:45", []),
        (":a:b:", []),
        ("::x::", []),
        (": x :", []),
    ])
    func `custom emoji stand between colons`(text: String, expected: [String]) {
        #expect(found(in: text) { $0 == .customEmoji } == expected)
    }

    @Test func `entities come in order with everything around them`() {
        let text = "漢字 #tag: see (https://example.com/a_(b)) by @user@host.example, $TICK 👍🏽 :ok: end.com"

        #expect(
            found(in: text) { _ in true } == [
                "#tag", "https://example.com/a_(b)", "@user@host.example", "$TICK", ":ok:", "end.com",
            ])
    }

    /// Each of these once took, or might take, the square of its length.
    @Test(
        arguments: [
            "@", "(", "#", ":", "a.", "@a.", "#1", ":a", "http://", "http://a.co/(", "http://a.co/?!", "a.co@", "é.",
            "\u{301}\u{316}", "\u{F73}", "\u{202B}\u{2067}\u{2069}", "😀\u{200D}", "🇯🇵", "\u{600}", "«", "@a@b.c",
        ])
    func `text made to hurt is planned in time linear in its length`(unit: String) throws {
        let caption = NormalizedCaption(String(repeating: unit, count: 10_000))

        for name in ["twitter_classic", "bluesky", "mastodon:60000", "twitter_weighted:60000"] {
            let rule = try #require(CaptionRule.named(name))
            let planned = CaptionPlanner.plan(caption, rule: rule, shortURL: "https://pics.example/Ab3dE9xZ")
            #expect(planned.length <= planned.limit ?? .max)
        }
    }
}
