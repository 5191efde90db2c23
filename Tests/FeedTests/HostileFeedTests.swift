import Crypto
import Domain
import Foundation
import FoundationXML
import HTTP
import Store
import Testing

@testable import Web

/// Captions, alternative texts and albums as attackers write them.
private let hostileTexts = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]>&amp;<!--", "</description></item></rss>",
    "\u{1}\u{8}\u{b}\u{c}\u{1f}\u{7f}\u{85}"
        + [0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFF].compactMap(Unicode.Scalar.init as (UInt32) -> Unicode.Scalar?).map(
            String.init
        ).joined(), "\u{202E}gnp.exe\u{2066}\u{202D}",
    "a" + String(repeating: "\u{301}", count: 10_000), "line\r\nbreak\u{2028}\u{2029}", "javascript:alert(1)",
    "https://example.org/?a=1&b=\"<'>", "&#0;&bogus;", "{{7*7}} ${7*7} <% 7*7 %>",
]

struct HostileFeedTests {
    private func feed(_ text: String, processing: Photo.Processing = .done) -> Feed {
        let photo = Photo(
            id: .make(), owner: .make(), code: .make(), kind: .photo, blob: BlobID(SHA256Digest(of: "x")),
            mediaType: "image/jpeg", bytes: 1, width: 400, height: 300, video: nil, takenAt: nil, position: nil,
            caption: text, altText: text, visibility: .public, likeCount: 0, version: 1,
            createdAt: Date(timeIntervalSince1970: 1_795_000_000), deletedAt: nil, album: text,
            processing: processing)
        return Feed(
            id: "urn:uuid:\(photo.owner)", language: Language(of: [text]), title: text, author: "alice",
            page: "https://pics.example/u/alice",
            home: "https://pics.example/u/alice", address: "https://pics.example/u/alice/feed",
            updated: photo.createdAt,
            items: [FeedItem(photo, Addresses(base: "https://pics.example"))])
    }

    @Test(arguments: hostileTexts)
    func `whatever people write, feeds are well-formed and say it as text`(text: String) throws {
        let feed = feed(text)
        let expected = String(String.UnicodeScalarView(text.unicodeScalars.filter(\.isShown)))

        for xml in [feed.rss, feed.atom] {
            let reader = ElementReader()
            let parser = XMLParser(data: Data(xml.markup.utf8))
            parser.delegate = reader
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
            #expect(reader.titles.first?.unicodeScalars.elementsEqual(expected.unicodeScalars) == true)
            #expect(Set(reader.elements).isDisjoint(with: ["script", "img", "p", "a"]))
        }
        let json = try JSONValue(parsing: feed.json)
        #expect(
            json["items"]?.array?.first?["content_text"]?.string?.unicodeScalars.elementsEqual(text.unicodeScalars)
                == true)
    }

    @Test(arguments: hostileTexts)
    func `the HTML in a feed has no markup of the caption's`(text: String) throws {
        let html = feed(text).items[0].html.markup

        for found in html.matches(of: #/<\s*\/?([a-zA-Z]+)/#) {
            #expect(["p", "a", "img", "br", "span", "bdi"].contains(String(found.1)))
        }
        #expect(!html.contains("href=\"javascript:"))
        #expect(!html.lowercased().contains("<script"))
    }

    @Test(arguments: hostileTexts)
    func `a title is a short line`(text: String) {
        let title = PhotoTitle.of(text)

        #expect(title.unicodeScalars.count <= 81)
        #expect(!title.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test(arguments: [("A boat", "en"), ("港のボート", "ja"), ("Un bateau", "en")])
    func `feeds name their language`(caption: String, language: String) throws {
        let feed = feed(caption)

        #expect(feed.rss.markup.contains("<language>\(language)</language>"))
        #expect(feed.atom.markup.contains("xml:lang=\"\(language)\""))
        #expect(try JSONValue(parsing: feed.json)["language"]?.string == language)
    }

    @Test func `feeds leave out a picture that cannot be made`() throws {
        let feed = feed("A boat", processing: .failed)

        #expect(!feed.rss.markup.contains("/m/") && !feed.atom.markup.contains("/m/"))
        #expect(try JSONValue(parsing: feed.json)["items"]?[0]?["image"] == nil)
    }

    @Test func `a photo without words has a title in Atom and none in RSS`() throws {
        let feed = feed("")

        #expect(feed.atom.markup.contains("<title>2026-11-18</title>"))
        #expect(!feed.rss.markup.contains("<item>\n<title>"))
    }
}

private final class ElementReader: NSObject, XMLParserDelegate {
    private(set) var elements: [String] = []
    private(set) var titles: [String] = []
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(name)
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "title" { titles.append(text) }
    }
}
