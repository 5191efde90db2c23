import Foundation
import FoundationXML
import HTTP
import TestPics
import TestTools
import Testing

/// Markup in the texts of people, cameras and services: the real server shows it as text on each page.
@Suite(.timeLimit(.minutes(10)))
struct HostileTextPageTests {
    private static let texts = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)' x='",
        "</title></head><body onload=alert(1)>", "</script><script>alert(1)</script><!--", "]]><b>&lt;b&gt;</b>",
        "--></style><svg/onload=alert(1)>", "</textarea></p></article><form action=//evil.example>",
        "javascript:alert(1)", "https://example.com/\"onmouseover=alert(1)<b>", "#<b>x</b> @alice\"@evil.example",
        "\u{202E}gnp.exe\u{2066}\u{202D}\u{202A}\u{2067}\u{2068}", "\u{1}\u{8}\u{b}\u{1f}\u{7f}\u{85}",
        [0xFDD0, 0xFFFE, 0x1FFFF].compactMap(Unicode.Scalar.init as (UInt32) -> Unicode.Scalar?).map { String($0) }
            .joined(),
        "e" + String(repeating: "\u{301}", count: 10_000), "line\r\nbreak\u{2028}\u{2029}&#0;&bogus; ${7*7}",
    ]

    @Test func `whatever others write is text on every page and in every feed`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)
            var post = try await HostilePost(pics, "innocent", in: "innocent")
            let innocent = try await pages(of: post, pics, &browser)

            for (number, text) in Self.texts.enumerated() {
                #expect(try await pics.send(.delete, "/v1/photos/\(post.id)").status == .noContent)
                // The name of an album is a line, and short.
                let line = text.unicodeScalars.filter { scalar in
                    ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                }
                let album = String(String.UnicodeScalarView(line.prefix(80))).trimmingCharacters(in: .whitespaces)
                post = try await HostilePost(pics, text, in: album)
                let shown = try await pages(of: post, pics, &browser)
                for (name, page) in shown {
                    let comment: Comment = "\(name) with text \(number)"
                    #expect(page.problems == [], comment)
                    let more = page.tags.subtracting(innocent[name]?.tags ?? [])
                    #expect(more.isSubset(of: MarkupReader.ofCaptions), comment)
                    #expect(page.title.unicodeScalars.count <= 810, comment)
                }
            }
        }
    }

    /// Every page, read; by the name of its kind.
    private func pages(
        of post: HostilePost, _ pics: Pics, _ browser: inout Browser
    ) async throws -> [String: MarkupReader] {
        // The status may be a second old.
        try await until { try await browser.open("/status").text.contains(post.mark) }
        var pages: [String: MarkupReader] = [:]
        for (name, path) in post.pages {
            let page = try await browser.open(path)
            #expect(page.status == 200, "\(path)")
            #expect(page.fields["Content-Security-Policy"]?.contains("unsafe") == false, "\(path)")
            if HostilePost.shows.contains(name) { #expect(page.text.contains(post.mark), "\(path)") }
            pages[name] = MarkupReader(page.text)
        }
        var stranger = Browser(pics)
        pages["page for strangers"] = MarkupReader(try await stranger.open("/\(post.code)").text)
        pages["status for strangers"] = MarkupReader(try await stranger.open("/status").text)
        for path in post.xml {
            let text = try await browser.open(path).text
            // A title is short.
            #expect(text.contains(post.mark) || path.hasPrefix("/oembed"), "\(path)")
            let parser = XMLParser(data: Data(text.utf8))
            #expect(parser.parse(), "\(path): \(String(describing: parser.parserError))")
            #expect(!text.unicodeScalars.contains(where: MarkupReader.turns), "\(path)")
        }
        for path in post.json {
            let json = try JSONValue(parsing: Array(try await browser.open(path).text.utf8))
            let title = json["title"]?.string ?? ""
            #expect(!title.isEmpty && !title.unicodeScalars.contains(where: MarkupReader.turns), "\(path)")
            for html in [json["html"], json["items"]?.array?.first?["content_html"]].compactMap({ $0?.string }) {
                let read = MarkupReader(html)
                #expect(read.problems == [] && read.tags.isSubset(of: MarkupReader.ofFeeds), "\(path)")
            }
        }
        return pages
    }
}

/// A photo with the same text wherever one can be, posted to the real server; what only cameras and services write stands in
/// its rows.
private struct HostilePost {
    let id: String
    let code: String
    let album: String
    let connection: String
    let base: String
    /// Ends each text.
    let mark: String

    /// Kinds of pages that show the mark.
    static let shows: Set = ["page", "gallery", "album", "albums", "day", "status", "tokens", "connection"]

    init(_ pics: Pics, _ text: String, in album: String) async throws {
        mark = "q\(UUID().uuidString.prefix(8))"
        base = pics.base
        let text = "\(text) \(mark)"
        self.album = album.isEmpty ? mark : "\(album) \(mark)"
        let response = try await pics.post(
            CameraPhoto.jpeg(.random(in: 0..<1 << 40)), caption: text,
            ["services": "file", "alt_text": text, "album": self.album])
        #expect(response.status.code == 201, "\(String(decoding: response.body, as: UTF8.self))")
        let photo = try JSONValue(parsing: response.body)
        id = try #require(photo["id"]?.string)
        code = try #require(photo["code"]?.string)
        _ = try await pics.ended(id)
        // The page of one that is not shows no preview.
        _ = try await pics.processed(id)

        let literal =
            "convert_from('\\x\(text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())', 'UTF8')"
        connection = UUID().uuidString.lowercased()
        for statement in [
            """
            UPDATE photos SET exif = jsonb_build_object('make', \(literal), 'model', \(literal), 'lens', \(literal),
                   'iso', \(literal)) WHERE id = '\(id)'
            """,
            "UPDATE users SET show_camera = true", "UPDATE tokens SET name = right(\(literal), 200)",
            "UPDATE sessions SET browser = \(literal), address = \(literal)",
            "UPDATE connections SET state = 'disabled', credentials = '' WHERE service = 'mastodon'",
            """
            INSERT INTO connections (id, owner_id, service, remote_id, account, credentials, state, problem)
            SELECT '\(connection)', id, 'mastodon', '\(connection)', \(literal), 'x', 'needs_login', \(literal)
              FROM users WHERE name = 'admin'
            """,
            """
            INSERT INTO submissions (id, photo_id, connection_id, state, text, is_cut, length, remote_id, remote_url)
            VALUES (gen_random_uuid(), '\(id)', '\(connection)', 'done', '', false, 0, '1',
                    left('https://evil.example/' || \(literal), 2000))
            """,
            """
            UPDATE submissions SET state = 'rejected', remote_id = NULL, updated_at = now(), problem = \(literal)
             WHERE photo_id = '\(id)' AND remote_url IS NULL
            """,
        ] {
            #expect(try await pics.change(statement) >= 0)
        }
    }

    var pages: [(String, String)] {
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        let album = PercentEncoding.encode(self.album)
        return [
            ("page", "/\(code)"), ("visits", "/\(code)/visits"), ("gallery", "/u/admin"),
            ("album", "/u/admin?album=\(album)"), ("albums", "/u/admin/albums"), ("days", "/u/admin/days/2026"),
            ("day", "/u/admin/day/2026-11-20"), ("present year", "/u/admin/days/\(year)"), ("status", "/status"),
            ("settings", "/settings"), ("connections", "/settings/connections"),
            ("connection", "/settings/connections/\(connection)"), ("gallery settings", "/settings/gallery"),
            ("tokens", "/settings/tokens"), ("browsers", "/settings/sessions"), ("account", "/settings/account"),
            ("people", "/settings/people"), ("keys", "/settings/keys"),
        ]
    }

    private var embedding: String { "/oembed?url=\(PercentEncoding.encode("\(base)/\(code)"))" }

    var xml: [String] {
        let album = PercentEncoding.encode(self.album)
        return ["feed.rss", "feed.atom"].flatMap { ["/u/admin/\($0)", "/u/admin/\($0)?album=\(album)"] }
            + ["\(embedding)&format=xml"]
    }

    var json: [String] { ["/u/admin/feed.json", embedding] }
}

/// Reads markup as strictly as nobody writes it: what an attacker has added is seen by its shape.
struct MarkupReader {
    /// Each kind of element with the names of its attributes: `a href rel`.
    private(set) var tags: Set<String> = []
    private(set) var problems: [String] = []
    private(set) var title = ""

    /// The markup of captions.
    static let ofCaptions: Set = ["a href rel", "a class href rel", "bdi", "bdi class", "br"]
    static let ofFeeds: Set = ["p", "a href", "a href rel", "img alt height src width", "bdi", "bdi class", "br"]
    private static let void: Set = [
        "meta", "link", "br", "img", "input", "source", "hr",
    ]
    private static let addresses: Set = ["href", "src", "action", "poster", "content", "srcset"]

    /// A mark that turns the direction of what comes after it.
    static func turns(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    init(_ markup: String) {
        var text = markup
        // Data of search engines is JSON, and not shown.
        for data in markup.matches(of: #/(?s)<script type="application\/ld\+json">(.*?)<\/script>/#) {
            if (try? JSONValue(parsing: Array(data.1.utf8))) == nil { problems.append("bad data for search engines") }
            text = text.replacing(data.output.0, with: "")
        }
        if text.unicodeScalars.contains(where: Self.turns) { problems.append("turns the direction") }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 && ![0x9, 0xA, 0xD].contains($0.value) }) {
            problems.append("control character")
        }
        read(Array(text.replacing("<!DOCTYPE html>", with: "").unicodeScalars))
    }

    private mutating func read(_ scalars: [Unicode.Scalar]) {
        var open: [String] = []
        var place = 0
        var content = ""
        while place < scalars.count {
            guard scalars[place] == "<" else {
                if scalars[place] == ">" { problems.append("a bare >") }
                content.unicodeScalars.append(scalars[place])
                place += 1
                continue
            }
            // An attribute's value has no < and no > either, so a tag ends at the next one.
            guard let end = scalars[place...].firstIndex(of: ">") else { return problems.append("an open tag") }
            let tag = String(String.UnicodeScalarView(scalars[(place + 1)..<end]))
            place = end + 1
            if tag.hasPrefix("/") {
                let name = String(tag.dropFirst())
                if name == "title", open.last == "title", title.isEmpty { title = content }
                if open.popLast() != name { problems.append("</\(name)> closes nothing") }
            } else {
                content = ""
                let name = note(tag)
                if !Self.void.contains(name), !tag.hasSuffix("/") { open.append(name) }
            }
        }
        if !open.isEmpty { problems.append("not closed: \(open)") }
    }

    /// Notes an element; its name.
    private mutating func note(_ tag: String) -> String {
        guard let found = tag.wholeMatch(of: #/([a-z][a-z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9:-]*(?:="[^"<>]*")?)*)\s*\/?/#)
        else {
            problems.append("<\(tag.prefix(80))>")
            return ""
        }
        var names: Set<String> = []
        for attribute in found.2.matches(of: #/([a-zA-Z][a-zA-Z0-9:-]*)(?:="([^"<>]*)")?/#) {
            let name = String(attribute.1)
            names.insert(name)
            if name.lowercased().hasPrefix("on") || name == "style" { problems.append("attribute \(name)") }
            let value = attribute.2.map { $0.lowercased() } ?? ""
            if Self.addresses.contains(name), name != "content", value.hasPrefix("javascript:") {
                problems.append("address \(value)")
            }
        }
        tags.insert(([String(found.1)] + names.sorted()).joined(separator: " "))
        return String(found.1)
    }
}
