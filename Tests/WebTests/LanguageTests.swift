import Foundation
import System
import Testing

@testable import Web

struct LanguageTests {
    private static let moment = Date(timeIntervalSince1970: 1_795_165_872)

    @Test(
        arguments: [
            (nil, .english), ("ja", .japanese), ("ja-JP,ja;q=0.9,en;q=0.8", .japanese), ("de, en;q=0.5", .english),
            ("de", .english), ("*", .english), ("en;q=0.1, ja;q=0.2", .japanese),
        ] as [(String?, Language)])
    func `a page speaks the language that its reader asks for`(field: String?, expected: Language) {
        #expect(Language(accepting: field) == expected)
    }

    @Test func `dates are written as the language and the place have them`() throws {
        let tokyo = try #require(Zone(named: "Asia/Tokyo"))
        let newfoundland = try #require(Zone(named: "America/St_Johns"))

        #expect(Language.english.moment(Self.moment, in: .utc) == "20 November 2026, 09:11")
        #expect(Language.japanese.moment(Self.moment, in: tokyo) == "2026年11月20日 18:11")
        #expect(Language.english.offset(Self.moment, of: tokyo) == "UTC+9")
        #expect(Language.english.offset(Self.moment, of: newfoundland) == "UTC−3:30")
        #expect(Language.english.offset(Self.moment, of: .utc) == "UTC")
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
    func `large numbers have their thousands apart`(number: Int, expected: String) {
        #expect(Language.english.number(number) == expected)
    }

    @Test(arguments: Language.allCases)
    func `a page says its language and has its landmarks`(language: Language) {
        let page = Page(language: language, title: "<b>", content: "<h1>x</h1>\n").html.markup

        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language.rawValue)\">"))
        #expect(page.contains("<title>&lt;b&gt;</title>"))
        #expect(page.contains("<a class=\"skip\" href=\"#main\">\(language(.skipToContent))</a>"))
        for landmark in ["<header ", "<main id=\"main\" ", "<footer "] { #expect(page.contains(landmark)) }
    }

    @Test func `what services say is kept in English, and marked where the page is in another language`() {
        let phrase = Phrase("It failed. ", ja: "失敗しました。", told: "No <room>.")

        #expect(Language.english.marked(phrase).markup == "It failed. <bdi>No &lt;room&gt;.</bdi>")
        #expect(Language.japanese.marked(phrase).markup == "失敗しました。<bdi lang=\"en\">No &lt;room&gt;.</bdi>")
        #expect(Language.japanese(Phrase(told: "No room.")) == "No room.")
        #expect(Language.japanese.marked(.like).markup == Language.japanese(.like))
    }
}
