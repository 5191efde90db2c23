import Foundation
import Testing

@testable import Domain

/// Values that twitter-text publishes (`conformance/validate.yml`, configuration version 3; `extract.yml`).
struct TwitterTextTests {
    @Test(arguments: [
        ("Hi http://test.co", 26),
        ("http://test.co", 23),
        ("http://test.co https://test.co", 47),
        (String(repeating: "故", count: 160), 320),
        (String(repeating: "😷", count: 160), 320),
        ("the" + String(repeating: "故", count: 160), 323),
        ("H🐱☺👨‍👩‍👧‍👦", 7),
        ("😷👾😡🔥💩", 10),
        ("🙋🏽👨‍🎤", 4),
        (String(repeating: "👨‍👩‍👧‍👦", count: 140), 280),
        ("1⃣", 2),
        ("Unicode 10.0 emoji: 🤪; 🧕; 🧕🏾; 🏴󠁧󠁢󠁥󠁮󠁧󠁿", 34),
        ("Unicode 9.0 emoji: 🤠; 💃; 💃🏾", 29),
        ("A\u{301}B", 2),
        ("A\u{FB2C}", 4),
        ("\u{2066}\u{202A}http://foobar.پاکستان/\u{202C}\u{2069}", 31),
        ("randomurlrandomurlrandomurlrandomurlrandomurlrandomurlrandomurls.com", 68),
        (String(repeating: "あ", count: 120) + " http://" + String(repeating: "あいうえおかきくけこ", count: 5) + "あい.com", 264),
        (String(repeating: "あ", count: 120) + " http://" + String(repeating: "あいうえおかきくけこ", count: 5) + "あいう.com", 358),
    ])
    func `a post weighs what twitter-text says`(text: String, weight: Int) {
        #expect(CaptionRule.twitterWeighted.length(of: text.precomposedStringWithCanonicalMapping) == weight)
    }

    @Test(arguments: [
        ("", 0),
        (
            "A lie gets halfway around the world before the truth has a chance to get its pants on. "
                + "Winston Churchill (1874-1965) http://bit.ly/dJpywL", 140
        ),
        (
            "A lié géts halfway arøünd thé wørld béføré thé truth has a chance tø get its pants øn. "
                + "Winston Churchill (1874-1965) http://bit.ly/dJpywL", 140
        ),
        (
            "A lie gets halfway around the world before the truth has a chance to get its pants on. \n"
                + "- Winston Churchill (1874-1965) http://bit.ly/dJpywL", 143
        ),
        (String(repeating: "の", count: 140), 140),
        (String(repeating: "\u{1F431}", count: 140), 140),
    ])
    func `a classic post is as long as its code points`(text: String, length: Int) {
        #expect(CaptionRule.twitterClassic.length(of: text) == length)
    }

    @Test(arguments: [
        ("text http://google.com", ["http://google.com"]),
        ("text http://foobar.com/#", ["http://foobar.com/#"]),
        ("http://ああ.com", ["http://ああ.com"]),
        ("http://✪df.ws/ejp", ["http://✪df.ws/ejp"]),
        ("test http://example.comだよね.comtest/hogehoge", ["http://example.com"]),
        ("http://en.wikipedia.org/wiki/Primer_(film)", ["http://en.wikipedia.org/wiki/Primer_(film)"]),
        ("(http://twitter.com", ["http://twitter.com"]),
        (
            "http://msdn.com/system.net.httpwebrequest(v=VS.100).aspx",
            ["http://msdn.com/system.net.httpwebrequest(v=VS.100).aspx"]
        ),
        ("foo.com foo.net foo.org foo.edu foo.gov", ["foo.com", "foo.net", "foo.org", "foo.edu", "foo.gov"]),
        (
            "foo.baz foo.co.jp www.xxxxxxx.baz www.foo.co.uk wwwww.xxxxxxx foo.comm foo.jp",
            ["foo.co.jp", "www.foo.co.uk", "foo.jp"]
        ),
        (
            "twitter.comこれは日本語です。example.com中国語t.co/abcde한국twitter.com example2.comテストtwitter.com/abcde",
            ["twitter.com", "example.com", "t.co/abcde", "twitter.com", "example2.com", "twitter.com/abcde"]
        ),
        ("http://twitter.com/Русские_слова", ["http://twitter.com/Русские_слова"]),
        ("Hello http://xn--はじめよう.com/index.html", []),
        ("Email me at name.al-lastname@foo.com or name.al+lastname@foo.com", []),
        ("name.al-lastname.com", ["name.al-lastname.com"]),
        ("http://-leadingdash.twitter.com http://trailingdash-.twitter.com", []),
        ("test ELPAÍS.com", ["ELPAÍS.com"]),
        ("test http://twitter.com/.", ["http://twitter.com/"]),
        ("http://example.com/path..........................................", ["http://example.com/path"]),
        ("http://example.com/path/!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!", ["http://example.com/path/"]),
        ("#test.com @test.com #http://test.com @http://test.com #t.co/abcde @t.co/abcde", []),
        (
            "http://t.co/pbY2NfTZ's http://t.co/FNkPfmii- http://t.co/ulYGBYSo: http://t.co/8t7G3ddS#a",
            ["http://t.co/pbY2NfTZ", "http://t.co/FNkPfmii", "http://t.co/ulYGBYSo", "http://t.co/8t7G3ddS"]
        ),
        ("http://t.co/abcdefghijklmnopqrstuvwxyz012345678901234", []),
        ("text https://t.co/UqIyJAJTfo?amp=1", ["https://t.co/UqIyJAJTfo?amp=1"]),
        ("example.comてすとですtwitter.みんなです", ["example.com", "twitter.みんな"]),
        (
            "(http://foo.com?a=b!) http://foo.com/?! http://foo.com?#foo",
            ["http://foo.com?a=b", "http://foo.com/", "http://foo.com?#foo"]
        ),
        ("$http://twitter.com $twitter.com $t.co $TVI.CA", []),
        ("long.test.tar.bz2 test.tar.bz2 tar.bz2", []),
        ("john.doe.gov@mail.com", []),
        (
            "http://www.foo.com?referer=https://t.co/abcde http://t.co/xyzzy",
            ["http://www.foo.com?referer=https://t.co/abcde", "http://t.co/xyzzy"]
        ),
    ])
    func `links are found where twitter-text finds them`(text: String, expected: [String]) {
        #expect(found(in: text) { if case .link = $0 { true } else { false } } == expected)
    }

    @Test(arguments: [
        ("a ✌️#hashtag here", ["#hashtag"]),
        ("#1hashtag is this", ["#1hashtag"]),
        ("On the #16 bus", []),
        (
            "(#hashtag1 )#hashtag2 [#hashtag3 ]#hashtag4 ’#hashtag5’#hashtag6",
            ["#hashtag1", "#hashtag2", "#hashtag3", "#hashtag4", "#hashtag5", "#hashtag6"]
        ),
        ("日本語ハッシュテスト。#日本語ハッシュタグ。", ["#日本語ハッシュタグ"]),
        ("日本語ハッシュタグ#日本語ハッシュタグ", []),
        ("できましたよー！＃日本語ハッシュタグ。", ["＃日本語ハッシュタグ"]),
        ("#メ〜テレ ハッシュタグ内で～が認識されず", ["#メ〜テレ"]),
        ("#http://twitter.com #https://twitter.com", []),
        ("http://twitter.com/#hashtag twitter.com/#hashtag", []),
        ("#برنامه_نویسی  #رییس_جمهور", ["#برنامه_نویسی", "#رییس_جمهور"]),
        ("#עַל־יְדֵי #וכו׳ #מ״כ", ["#עַל־יְדֵי", "#וכו׳", "#מ״כ"]),
        ("#أي‌بي‌إم #می‌خواهم", ["#أي‌بي‌إم", "#می‌خواهم"]),
        ("#महात्मा #महात्मा_१२३४ #१२३४ गांधी", ["#महात्मा", "#महात्मा_१२३४"]),
        ("#il·lusió", ["#il·lusió"]),
        ("#_ #1_2 #122 #〃", []),
        ("#\u{20021}", ["#\u{20021}"]),
        ("#a#b &#c", []),
        ("#\u{FE0F}\u{20E3} #\u{20E3}", []),
    ])
    func `hashtags are found where twitter-text finds them`(text: String, expected: [String]) {
        #expect(found(in: text) { $0 == .hashtag } == expected)
    }

    @Test(arguments: [
        ("@username reply", ["@username"]),
        ("の@usernameに到着を待っている", ["@username"]),
        ("Current Status: @_@ (cc: @username)", ["@username"]),
        ("@aliceìnheiro something something", []),
        ("@http://twitter.com", []),
        ("RT@username rt:@mention Rt @test start@no", ["@username", "@mention", "@test"]),
        ("f!@kn f@@kn f#@kn f$@kn f%@kn f&@kn f*@kn", []),
        ("Hey @username, check out @otheruser/list_name-01!", ["@username", "@otheruser/list_name-01"]),
        ("@username/7list-name is a great list!", ["@username"]),
        ("＠fullwidth", ["＠fullwidth"]),
    ])
    func `mentions are found where twitter-text finds them`(text: String, expected: [String]) {
        #expect(found(in: text) { if case .mention = $0 { true } else { false } } == expected)
    }

    @Test(arguments: [
        ("$TEST $Stock   $symbol", ["$TEST", "$Stock", "$symbol"]),
        ("$TEST.T $test.tt $Stock_X $symbol_ab", ["$TEST.T", "$test.tt", "$Stock_X", "$symbol_ab"]),
        ("$123 $test123 $TE123ST", []),
        ("$ストック $株", []),
        ("$ $. $- $@ $! $() $+", []),
        ("$TEST. $TEST_", ["$TEST", "$TEST"]),
        ("$OK$NG$BAD text$NO .$NG $$NG", ["$OK"]),
        ("$CashtagMustBeLessThanSixCharacter", []),
    ])
    func `cashtags are found where twitter-text finds them`(text: String, expected: [String]) {
        #expect(found(in: text) { $0 == .cashtag } == expected)
    }
}

/// The entities of `text` of the kinds that `isWanted`, as written.
func found(in text: String, where isWanted: (CaptionEntity.Kind) -> Bool) -> [String] {
    CaptionEntity.find(in: text).filter { isWanted($0.kind) }.map { String(text[$0.range]) }
}
