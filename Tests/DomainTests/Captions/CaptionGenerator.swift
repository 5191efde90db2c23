import TestTools

/// Makes captions that are hard to cut. The same seed makes the same captions.
struct CaptionGenerator {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// A caption of up to `pieces` pieces.
    mutating func caption(pieces: Int) -> String {
        var caption = ""
        for _ in 0..<Int.random(in: 0...pieces, using: &random) {
            let kind = Self.kinds[Int.random(in: 0..<Self.kinds.count, using: &random)]
            caption += kind[Int.random(in: 0..<kind.count, using: &random)]
            if Int.random(in: 0..<3, using: &random) == 0 { caption += " " }
        }
        return caption
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private static let kinds: [[String]] = [
        ["a", "the", "Photograph", "don't", "x", "1,000", "3.14", "state-of-the-art", "0", "_", "com", "http"],
        ["é", "e\u{301}", "ﬁ", "\u{212B}", "q\u{307}\u{323}", "ñandú", "Straße", "\u{344}", "\u{1E9B}\u{323}"],
        ["漢字", "写真を撮る", "カメラ", "ｶﾒﾗ", "한국어", "각\u{11A8}", "々", "。", "「", "」", "、", "\u{20000}", "〜"],
        [
            "مرحبا", "שלום", "سلام\u{200C}", "\u{202B}", "\u{202E}", "\u{202C}", "\u{2067}", "\u{2068}", "\u{2069}",
            "\u{200F}",
        ],
        ["สวัสดี", "เ", "नमस्ते", "क्षि", "क्\u{200D}", "ကို", "ខ្មែរ", "\u{600}", "\u{D4E}", "བོད"],
        [
            "👨‍👩‍👧‍👦", "👍🏽", "🇯🇵", "🇯", "1\u{FE0F}\u{20E3}", "❤\u{FE0F}", "❤",
            "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "😀\u{200D}", "©", "\u{FE0F}", "\u{20E3}",
        ],
        [
            "\u{301}", "\u{20DD}", "\u{316}\u{301}", "\u{200D}", "\u{200C}", "\u{34F}", "\u{E0067}", "\u{1F3FD}",
            "\u{93E}",
        ],
        [
            "https://example.com/a_(b)", "http://t.co/abc", "example.com", "a.co", "https://x", "http://例え.jp/道",
            "https://example.com/?q=1&r=2#top", "a.co/x", "http://", "http://nas.local/?u=a.co", "http://a_b.com/x",
            "on.off", "://", "a@b.example.com", "twitter.みんな",
        ],
        ["@user", "@user@example.social", "@alice.bsky.social", "＠name", "@user/list", "@", "@@", "@a_b", "RT@user"],
        ["#tag", "#タグ", "＃tag", "#שלום", "#1", "#a1", "#", "##", "#a#b", "#tag\u{200D}", "#\u{FE0F}\u{20E3}", "&"],
        ["$TICK", "$TICK.A", "$", ":smile:", ":a:", ":", "::", ":+1:"],
        ["\n", "\r\n", "\r", "\n\n\n", "\t", "  ", "\u{A0}", "\u{3000}", "\u{2028}", "\u{0}", "\u{FEFF}", "\u{200B}"],
        [
            ".", ",", "!", "(", ")", "\"", "'", "\u{201C}", "\u{201D}", "«", "…", "-", "–", "¿", "/", "+", "~",
            "\u{FFFD}",
        ],
    ]
}
