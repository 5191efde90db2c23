import Domain
import Foundation
import HTTP
import HTTPServer
import Testing

@testable import Web

/// Texts of people, cameras and services are text on every page, whatever they look like.
struct HostileTextTests {
    private static let markup = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'-alert(1)-'",
        "</title></head><body onload=x>",
        "</script><script>alert(1)</script>", "<!--", "]]>", "&lt;b&gt;", "javascript:alert(1)",
        "https://example.com/\"onmouseover=alert(1)", "#<b>x", "@alice\"@evil.example",
    ]

    @Test(arguments: markup)
    func `markup from outside shows as text everywhere`(text: String) throws {
        let camera = "{\"make\": \(Self.json(text)), \"model\": \(Self.json(text)), \"lens\": \(Self.json(text))}"
        let innocent = try elements(
            of: document(caption: "x", altText: "x", owner: "x", camera: "{\"make\": \"x\"}").text)
        let links = CaptionEntity.find(in: text).count

        let page = try document(caption: text, altText: text, owner: text, camera: camera).text

        // No element more than an innocent page has, but the links that the text may have become.
        #expect(try elements(of: page) <= innocent + 2 * links)
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("<img src=x"))
        #expect(!page.replacing("\\\"", with: "").contains("\"onmouseover"))
        #expect(!page.contains("href=\"javascript:"))
    }

    @Test(arguments: ["\u{202E}", "\u{202D}", "\u{202A}", "\u{202B}", "\u{2066}", "\u{2067}", "\u{2068}"])
    func `a mark that turns the direction does not reach the page`(mark: String) throws {
        let page = try document(
            caption: "a\(mark)b", altText: "a\(mark)b", owner: "a\(mark)b", camera: "{\"lens\": \"a\(mark)b\"}"
        ).text.replacing(#/<script type="application\/ld\+json">.*<\/script>/#, with: "")

        #expect(!page.unicodeScalars.contains { mark.unicodeScalars.contains($0) })
        #expect(page.contains("<bdi class=\"p-name\">ab</bdi>"))
    }

    @Test func `control characters and noncharacters do not reach the page`() {
        let nothing = [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1_FFFF].compactMap(Unicode.Scalar.init).map { String($0) }

        #expect(HTML.text("a\u{0}b\u{8}c\u{7F}d\u{85}e\nf\tg").markup == "abcde\nf\tg")
        #expect(nothing.count == 5)
        for text in nothing { #expect(HTML.text("a\(text)b").markup == "ab") }
    }

    @Test func `ten thousand combining marks stay in their caption, and out of title and head`() throws {
        let zalgo = "e" + String(repeating: "\u{301}", count: 10_000)

        let page = try document(caption: zalgo, altText: zalgo).text

        let title = try #require(page.firstMatch(of: #/<title>([^<]*)<\/title>/#)).output.1
        let description = try #require(page.firstMatch(of: #/name="description" content="([^"]*)"/#)).output.1
        #expect(title.unicodeScalars.count <= 300)
        #expect(description.unicodeScalars.count <= 1000)
        // Piles of marks are clipped at the edge of the caption's element, and nothing else in the body holds them.
        let body = try #require(page.firstMatch(of: #/<body>(.*)<\/body>/#.dotMatchesNewlines())).output.1
        let holders = body.matches(of: #/<[a-z0-9]+([^<>]*)>[^<>]*\u{301}{9}/#.matchingSemantics(.unicodeScalar))
        #expect(holders.map(\.output.1) == [" class=\"caption e-content\" dir=\"auto\""])
        let styles = String(decoding: StaticFile.stylesheet.bytes, as: UTF8.self)
        #expect(styles.contains(#/\.caption \{[^}]*overflow: clip;/#))
    }

    @Test func `data for search engines cannot end its element`() throws {
        let page = try document(caption: "</script><b>").text

        let data = try #require(page.firstMatch(of: #/<script type="application\/ld\+json">(.*?)<\/script>/#)).output.1
        #expect(data.contains("\\u003c/script\\u003e\\u003cb\\u003e"))
        #expect(try JSONSerialization.jsonObject(with: Data(data.utf8)) is [String: Any])
    }

    @Test func `a page lets no script run but its own files`() throws {
        let page = try document(caption: "x").page
        let policy = try #require(page.response(cache: "no-store").fields["Content-Security-Policy"])
        let directives = Dictionary(
            uniqueKeysWithValues: policy.split(separator: "; ").map { directive in
                let words = directive.split(separator: " ").map(String.init)
                return (words[0], Set(words.dropFirst()))
            })
        let scripts = page.html.markup.matches(of: #/<script([^>]*)>/#).map { String($0.output.1) }

        #expect(directives["default-src"] == ["'none'"])
        #expect(directives["script-src"] == ["'self'"])
        #expect(directives["style-src"] == ["'self'"])
        #expect(directives["base-uri"] == ["'none'"])
        #expect(directives["require-trusted-types-for"] == ["'script'"])
        #expect(directives["trusted-types"] == ["pics-worker"])
        #expect(directives.values.allSatisfy { !$0.contains { $0.hasPrefix("'unsafe") || $0 == "*" } })
        #expect(!scripts.isEmpty)
        for script in scripts where script != " type=\"application/ld+json\"" {
            let path = try #require(script.firstMatch(of: #/src="([^"]*)"/#)).output.1
            #expect(StaticFile.at(String(path)) != nil)
        }
    }

    private func elements(of page: String) throws -> Int { page.matches(of: #/<[a-z]/#).count }

    private static func json(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
