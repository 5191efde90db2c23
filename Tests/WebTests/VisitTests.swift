import Domain
import Foundation
import Store
import Testing

@testable import Web

struct VisitTests {
    private static let people = [
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
        "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
        "Mozilla/5.0 (Linux; Android 14; CUBOT X70) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/22A3354 [FBAN/FBIOS;FBAV/480.0]",
        "Opera/9.80 (J2ME/MIDP; Opera Mini/7.1; U; en) Presto/2.8.119", "Lynx/2.9.0dev.12 libwww-FM/2.14SSL-MM/1.4.1",
    ]
    private static let bots = [
        nil, "", "curl/8.5.0", "python-requests/2.32.3", "WhatsApp/2.23.20.0 A", "TelegramBot (like TwitterBot)",
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mastodon/4.5.0 (http.rb/5.3.1; +https://social.example/)", "Bluesky Cardyb/1.1; +mailto:support@bsky.app",
        "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        String(repeating: "x", count: 100_000),
    ]

    @Test func `browsers are people, and what says that it is a program is a bot`() {
        for name in Self.people { #expect(UserAgentKind(name) == .person, "\(name)") }
        for name in Self.bots { #expect(UserAgentKind(name) == .bot, "\(name ?? "nothing")") }
    }

    @Test func `what could not be written keeps its day, and is written with what came after it`() throws {
        let (first, second) = (ShortCode.make(), ShortCode.make())
        let counter = VisitCounter()
        counter.restore([VisitCounts(code: first, day: 20_000, count: VisitCount(people: 2, bots: 1))])
        counter.add(first, by: .person)
        counter.add(second, by: .bot)

        let taken = counter.take()

        #expect(taken.count == 3 && counter.take().isEmpty)
        #expect(taken.first { $0.day == 20_000 }?.count == VisitCount(people: 2, bots: 1))
        #expect(taken.first { $0.code == first && $0.day > 20_000 }?.count == VisitCount(people: 1))
        #expect(taken.first { $0.code == second }?.count == VisitCount(bots: 1))
    }

    @Test func `a counter that nobody empties stays small`() {
        let counter = VisitCounter(limit: 2)
        let codes = (0..<5).map { _ in ShortCode.make() }

        for code in codes + codes { counter.add(code, by: .person) }

        #expect(counter.take().map(\.count.people) == [2, 2])
    }

    @Test(arguments: Language.allCases)
    func `a chart shows the days that have visits, and says their sums`(language: Language) {
        let now = Date(timeIntervalSince1970: 1_795_345_000)
        let days = [
            VisitDay(day: "2026-11-22", count: VisitCount(people: 1200, bots: 3)),
            VisitDay(day: "2026-10-24", count: VisitCount(people: 1)),
            VisitDay(day: "2026-10-23", count: VisitCount(people: 99)),
        ]

        let html = VisitChart(days, language, now: now).html.markup

        #expect(html.matches(of: #/<rect /#).count == 3, "the last day is too old")
        #expect(html.contains(language == .english ? "People: 1,201, Programs: 3" : "人: 1,201, プログラム: 3"))
        #expect(html.matches(of: #/<tr><th scope="row">/#).count == VisitChart.length)
    }
}
