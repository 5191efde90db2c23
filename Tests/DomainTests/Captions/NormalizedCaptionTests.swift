import Testing

@testable import Domain

struct NormalizedCaptionTests {
    @Test(arguments: [
        ("a\r\nb\rc\nd\u{85}e\u{2028}f", "a\nb\nc\nd\ne\nf"),
        ("a\r\n\r\n\r\n\r\nb", "a\n\nb"),
        ("a\n\nb", "a\n\nb"),
        ("a\n \n \nb", "a\n \n \nb"),
        ("  \n\ta b\t \u{3000}\u{A0}", "a b"),
        (" \n ", ""),
        ("a\u{0}b\u{7}c\u{1B}d\u{FEFF}e\u{FFFE}f\u{FFFF}g\u{9F}h\u{7F}", "abcdefgh"),
        ("a\tb", "a\tb"),
        ("e\u{0}\u{301}", "\u{E9}"),
        ("e\u{301}", "\u{E9}"),
        ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
        ("a\u{AC00}\u{11A8}\u{AC00}", "a\u{AC01}\u{AC00}"),
        ("\u{FB2C}", "\u{5E9}\u{5BC}\u{5C1}"),
    ])
    func `a caption is put into one form`(caption: String, expected: String) {
        #expect(Array(NormalizedCaption(caption).text.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(arguments: ["👨‍👩‍👧", "❤\u{FE0F}", "❤\u{FE0E}", "می\u{200C}خواهم", "a\u{200E}b\u{200F}c", "\u{2067}x\u{2069}"])
    func `joiners, variation selectors and bidi marks stay`(caption: String) {
        #expect(Array(NormalizedCaption(caption).text.unicodeScalars) == Array(caption.unicodeScalars))
    }

    @Test func `a lone surrogate cannot come in`() {
        let text = String(decoding: [0x61, 0xD800, 0x62] as [UInt16], as: UTF16.self)

        #expect(NormalizedCaption(text).text == "a\u{FFFD}b")
    }

    /// `parts` are those of `marks` in canonical order.
    @Test(arguments: [
        ("\u{301}\u{316}", ["\u{316}", "\u{301}"]),
        ("\u{316}\u{301}\u{315}\u{35C}", ["\u{316}", "\u{301}", "\u{315}", "\u{35C}"]),
        ("\u{344}\u{316}", ["\u{316}", "\u{308}\u{301}"]),
        ("\u{F73}", ["\u{F71}", "\u{F72}"]),
        ("\u{F75}\u{F71}", ["\u{F71}\u{F71}", "\u{F74}"]),
        ("\u{F81}", ["\u{F71}", "\u{F80}"]),
    ])
    func `marks come into canonical order however many they are`(marks: String, parts: [String]) {
        for count in [1, 2, 15, 100] {
            let caption = "F" + String(repeating: marks, count: count) + "x"

            let expected = "F" + parts.map { String(repeating: $0, count: count) }.joined() + "x"

            #expect(Array(NormalizedCaption(caption).text.unicodeScalars) == Array(expected.unicodeScalars))
        }
    }
}
