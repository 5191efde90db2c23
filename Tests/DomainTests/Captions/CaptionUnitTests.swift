import Foundation
import Testing

@testable import Domain

struct CaptionUnitTests {
    /// Code points are counted in NFC, UTF-16 units and bytes in the raw text.
    @Test(arguments: [
        ("e\u{301}", 1, 1, 2, 3),
        ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", 7, 1, 11, 25),
        ("\u{1F1EF}\u{1F1F5}", 2, 1, 4, 8),
        ("\u{1F44D}\u{1F3FD}", 2, 1, 4, 8),
        ("1\u{FE0F}\u{20E3}", 3, 1, 3, 7),
        ("\u{2764}\u{FE0F}", 2, 1, 2, 6),
        ("\u{915}\u{94D}\u{937}\u{93F}", 4, 1, 4, 12),
        ("\u{1112}\u{1161}\u{11AB}", 1, 1, 3, 9),
        ("a\u{301}\u{301}\u{301}\u{301}\u{301}", 5, 1, 6, 11),
        ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 7, 1, 14, 28),
        ("\r\n", 2, 1, 2, 2),
        ("\u{20000}", 1, 1, 2, 4),
    ])
    func `each unit counts what its name says`(
        text: String, codePoints: Int, graphemes: Int, utf16Units: Int, bytes: Int
    ) {
        let composed = text.precomposedStringWithCanonicalMapping

        #expect(CaptionUnit.codePoints.length(of: composed[...]) == codePoints)
        #expect(CaptionUnit.graphemes.length(of: text[...]) == graphemes)
        #expect(CaptionUnit.utf16Units.length(of: text[...]) == utf16Units)
        #expect(CaptionUnit.utf8Bytes.length(of: text[...]) == bytes)
    }

    @Test(arguments: [
        ("", 0),
        ("hello", 5),
        ("é", 1),
        ("שלום", 4),
        ("สวัสดี", 6),
        ("漢字", 4),
        ("한국", 4),
        ("ー", 2),
        ("\u{2026}", 2),
        ("\u{2019}", 1),
        ("\u{2067}\u{2069}", 4),
        ("😀", 2),
        ("👨‍👩‍👧‍👦", 2),
        ("👍🏽", 2),
        ("🇯🇵", 2),
        ("🇯", 2),
        ("1\u{FE0F}\u{20E3}", 2),
        ("1\u{20E3}", 2),
        ("1", 1),
        ("\u{2764}\u{FE0F}", 2),
        ("\u{A9}", 1),
        ("\u{A9}\u{FE0F}", 2),
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2),
        ("😀\u{301}", 3),
    ])
    func `weights are those of twitter-text version 3`(text: String, weight: Int) {
        #expect(CaptionRule.twitterWeighted.length(of: text) == weight)
    }

    @Test func `a chain of emoji longer than any known one is not counted as one`() {
        let chain = Array(repeating: "😀", count: 8).joined(separator: "\u{200D}")

        #expect(chain.count == 1)
        #expect(CaptionRule.twitterWeighted.length(of: chain) == 2 + 1 + 2)
    }

    @Test func `tags without an end are not part of a flag`() {
        #expect(CaptionRule.twitterWeighted.length(of: "🏴\u{E0067}\u{E0062}") == 6)
    }

    @Test(arguments: [
        ("hello 漢字", 8),
        ("é", 1),
        ("😀", 4),
        ("👍🏽", 8),
        ("👨‍👩‍👧‍👦", 25),
        ("🇯🇵", 8),
        ("1\u{FE0F}\u{20E3}", 7),
        ("#", 1),
        ("\u{2764}\u{FE0F}", 6),
        ("\u{A9}", 1),
    ])
    func `Threads counts an emoji by its bytes and all else by code points`(text: String, length: Int) {
        #expect(CaptionRule.threads.length(of: text) == length)
    }
}
