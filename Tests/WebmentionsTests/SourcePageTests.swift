import Domain
import Foundation
import HTTP
import Testing

@testable import Webmentions

@Suite struct SourcePageTests {
    private static let target = "https://pics.example/Abcdefgh"
    private static let source = "https://ann.example/1"

    private func read(_ html: String, type: String = "text/html", at address: String = source) -> FoundResponse? {
        SourcePage.response(Array(html.utf8), type: MediaType(type), at: address) { $0 == Self.target }
    }

    private func entry(_ property: String, _ rest: String = "") -> String {
        """
        <div class="h-entry"><a class="\(property)" href="\(Self.target)">x</a><a class="p-author h-card" href="https://ann.example/">Ann</a>
        <p class="e-content">Words</p>\(rest)</div>
        """
    }

    @Test(arguments: [
        ("u-in-reply-to", Response.Kind.comment, "Words"), ("u-like-of", .like, ""), ("u-repost-of", .repost, ""),
        ("u-quotation-of", .quote, "Words"), ("u-bookmark-of", .mention, "Words"), ("other", .mention, "Words"),
    ])
    func `the property that names the photo says what a page is`(property: String, kind: Response.Kind, text: String)
        throws
    {
        let found = try #require(read(entry(property)))
        #expect(found.kind == kind && found.text == text && found.key == Self.source && found.url == Self.source)
        #expect(found.author.name == "Ann" && found.author.url == "https://ann.example/")
    }

    @Test func `an author is known by the site that says so, and no site speaks for another`() throws {
        let here = try #require(read(entry("u-like-of")))
        let elsewhere = try #require(read(entry("u-like-of"), at: "https://evil.example/1"))
        #expect(here.author.key == "ann.example https://ann.example/")
        #expect(elsewhere.author.key == "evil.example https://ann.example/")
        #expect(elsewhere.author.handle == "evil.example")
    }

    @Test(arguments: [
        ("2026-11-20T10:00:00+01:00", "2026-11-20T09:00:00.000Z"),
        ("2026-11-20T10:00:00+0100", "2026-11-20T09:00:00.000Z"),
        ("2026-11-20 10:00", "2026-11-20T10:00:00.000Z"), ("2026-11-20", "2026-11-20T00:00:00.000Z"), ("soon", nil),
        ("9999-01-01", nil),
    ])
    func `times are read as they are written, and those of the future are none`(text: String, time: String?) throws {
        let found = try #require(
            read(entry("u-in-reply-to", "<time class=\"dt-published\" datetime=\"\(text)\">t</time>")))
        #expect(found.saidAt.map { Timestamp($0).description } == time)
    }

    @Test func `a page without an entry is a mention by its site`() throws {
        let found = try #require(read("<title>My list</title><a href=\"\(Self.target)\">photo</a>"))
        #expect(found.kind == .mention && found.text == "My list" && found.author.name == "ann.example")
    }

    @Test(arguments: [
        ("<p>nothing</p>", "text/html"), ("<a href=\"https://pics.example/Abcdefgi\">x</a>", "text/html"),
        ("{\"x\": 1}", "application/json"), ("\(target)", "image/png"),
    ])
    func `a page that does not link to the photo is none`(page: String, type: String) {
        #expect(read(page, type: type) == nil)
    }

    @Test func `texts and JSON mention too`() {
        #expect(read("see \(Self.target)", type: "text/plain")?.kind == .mention)
        #expect(read("{\"links\": [\"\(Self.target)\"]}", type: "application/json")?.kind == .mention)
    }

    @Test func `what a page says is text and web addresses, however it is written`() throws {
        let found = try #require(
            read(
                """
                <div class="h-entry"><a class="u-in-reply-to" href="\(Self.target)">x</a>
                <a class="p-author h-card" href="javascript:alert(1)"><img src="data:image/png;base64,AA" alt="&lt;b&gt;Eve"></a>
                <a class="u-url" href="javascript:alert(2)">x</a>
                <div class="e-content">a<script>alert(3)</script><img src=x onerror=alert(4)>&lt;i&gt;b\u{0}</div></div>
                """))
        #expect(found.text == "a<i>b" && found.url == nil)
        #expect(found.author.name == "<b>Eve" && found.author.url == nil && found.author.pictureURL == nil)
    }

    @Test func `long texts and names are cut`() throws {
        let long = String(repeating: "é", count: 100_000)
        let found = try #require(
            read(
                """
                <div class="h-entry"><a class="u-in-reply-to" href="\(Self.target)">x</a><span class="p-author h-card">\(long)</span>
                <p class="e-content">\(long)</p></div>
                """))
        #expect(found.text.utf8.count <= FoundResponse.longestText && found.text.hasSuffix("…"))
        #expect(found.author.name.utf8.count <= 400)
    }

    @Test func `a page is one response, by the address that it gives itself on its own host`() throws {
        let asked = [Self.source, "\(Self.source)?a", "\(Self.source)?b"]
        for (said, keys) in [
            ("<a class=\"u-url\" href=\"/1\">1</a>", [Self.source]), ("<link rel=canonical href=/1>", [Self.source]),
            ("<a class=\"u-url\" href=\"https://other.example/1\">1</a>", asked),
        ] {
            let found = try asked.map { try #require(read(entry("u-in-reply-to", said), at: $0)) }
            #expect(Set(found.map(\.key)) == Set(keys))
        }
    }

    @Test func `one part of a host does not speak for another`() throws {
        func key(_ address: String) throws -> String {
            let page = """
                <div class="h-entry"><a class="u-in-reply-to" href="\(Self.target)">x</a>
                <a class="p-author h-card" href="https://shared.example/~ann/">Ann</a></div>
                """
            return try #require(read(page, at: address)).author.key
        }
        #expect(try key("https://shared.example/~ann/1") == "shared.example https://shared.example/~ann/")
        #expect(try key("https://shared.example/~eve/1") == "shared.example https://shared.example/~ann/ ~eve")
    }
}
