import Foundation
import TestTools
import Testing

@testable import Domain

/// Captions as threads: nothing is lost, nothing is divided, and every part fits.
struct CaptionThreadTests {
    private let link = "https://pics.example/Ab3dE9xZ"

    private func thread(_ caption: String, _ rule: CaptionRule, most: Int = CaptionPlanner.mostParts) -> [String] {
        CaptionPlanner.thread(caption: caption, rule: rule, shortURL: link, most: most).map(\.text)
    }

    private func graphemes(_ limit: Int) -> CaptionRule { .plain(.graphemes, limit: limit) }

    // MARK: By hand

    @Test(arguments: CaptionRule.allNames)
    func `a caption that fits is one post, as it is planned`(name: String) throws {
        let rule = try #require(CaptionRule.named(name))

        let parts = CaptionPlanner.thread(caption: " A lake\r\nat noon ", rule: rule, shortURL: link)

        #expect(parts == [CaptionPlanner.plan(caption: "A lake\nat noon", rule: rule, shortURL: link)])
    }

    @Test func `parts end between words, and the space there is left out`() {
        #expect(thread("alpha beta gamma delta", graphemes(11)) == ["alpha beta", "gamma delta"])
    }

    @Test func `an end of a sentence is better than an end of a word, and an end of a line better still`() {
        #expect(
            thread("We went up. It was cold and wet.", graphemes(16)) == ["We went up.", "It was cold and", "wet."])
        #expect(thread("It went up\nto it. Cold and wet.", graphemes(15)) == ["It went up", "to it. Cold and", "wet."])
        #expect(thread("湖へ行きました。寒くて楽しかった。", graphemes(10)) == ["湖へ行きました。", "寒くて楽しかった。"])
    }

    @Test func `an early end of a sentence leaves no part nearly empty`() {
        #expect(thread("Hi. It was cold and wet there.", graphemes(16)) == ["Hi. It was cold", "and wet there."])
    }

    @Test func `a comma or a closing bracket does not begin a part`() {
        #expect(thread("山と湖「朝の霧」、雪と風", graphemes(8)).allSatisfy { !"、」。".contains($0.first ?? "、") })
    }

    @Test func `links, names, tags and families stay whole`() {
        let caption = "Look at https://example.com/a/long/path and @alice@social.example with #mountains 👨‍👩‍👧‍👦👨‍👩‍👧‍👦"

        for limit in 31...60 {
            let parts = thread(caption, graphemes(limit))

            for whole in ["https://example.com/a/long/path", "@alice@social.example", "#mountains"] {
                #expect(parts.contains { $0.contains(whole) }, "\(limit)")
            }
            #expect(parts.joined().count(where: { $0 == "👨‍👩‍👧‍👦" }) == 2)
        }
    }

    @Test func `what is too much for the most parts is cut and linked`() {
        let parts = CaptionPlanner.thread(
            caption: String(repeating: "word ", count: 100), rule: graphemes(50), shortURL: link, most: 3)

        #expect(parts.count == 3)
        #expect(parts.map(\.isCut) == [false, false, true])
        #expect(parts[2].text.hasSuffix("\u{2026} " + link))
        #expect(parts.allSatisfy { $0.length <= 50 })
        #expect(thread(String(repeating: "word ", count: 100), graphemes(50), most: 1).count == 1)
    }

    @Test func `an entity that is longer than a post is where the thread is cut`() {
        let caption = "A walk to the lake: https://example.com/" + String(repeating: "a", count: 100) + " and back"

        let parts = thread(caption, graphemes(60))

        #expect(parts == ["A walk to the lake:", link])
    }

    @Test func `text from right to left is closed in one part and reopened in the next`() {
        let parts = thread("\u{2067}שלום עולם שלום עולם\u{2069} end", graphemes(14))

        #expect(parts.dropLast().allSatisfy { $0.hasPrefix("\u{2067}") && $0.hasSuffix("\u{2069}") })
        #expect(parts.count > 1)
    }

    @Test func `a warning leaves less room in every part`() {
        let rule = CaptionRule.mastodon(limit: 60).leavingRoom(for: String(repeating: "w", count: 20))

        #expect(thread(String(repeating: "word ", count: 30), rule).allSatisfy { $0.count <= 40 })
    }

    // MARK: Any caption

    @Test(arguments: CaptionRule.allNames)
    func `parts fit, divide nothing, lose nothing and are not cut again`(name: String) throws {
        let rule = try #require(CaptionRule.named(name))
        for seed in [20_261_126, 7, 99] as [UInt64] {
            var generator = CaptionGenerator(seed: seed)
            for _ in 0..<150 {
                let caption = generator.caption(pieces: 80)
                let limit = generator.number(in: 0...120)
                try check(
                    caption, rule.limit == nil ? rule : rule.limited(to: limit), most: generator.number(in: 1...30))
            }
            try check(generator.caption(pieces: 1500), rule, most: 25)
        }
    }

    @Test(arguments: [
        "Ein Spaziergang am See, früh am Morgen; der Föhn bläst. ", "湖畔を散歩した。朝霧が立ちこめていた。", "Прогулка у озера. Туман! ",
        "مشينا حول البحيرة. كان الضباب كثيفا؟ ", "הלכנו סביב האגם. היה ערפל. ", "เราเดินรอบทะเลสาบตอนเช้า ",
        "हम झील के पास चले। धुंध थी। ",
        "호숫가를 걸었다. 안개가 꼈다. ", "Đi dạo quanh hồ. Sương mù dày đặc! ", "我们绕湖散步。雾很大！", "👨‍👩‍👧‍👦🏔️🇨🇭 ",
    ])
    func `captions in any language are divided`(sentence: String) throws {
        for name in CaptionRule.serviceNames {
            let rule = try #require(CaptionRule.named(name))
            for count in [5, 40, 200] {
                try check(String(repeating: sentence, count: count), rule, most: 25)
            }
        }
    }

    private struct Fault: Error {
        let what: String
        let caption: String
        let parts: [String]
    }

    private func check(_ caption: String, _ rule: CaptionRule, most: Int) throws {
        let normalized = NormalizedCaption(caption)
        let parts = CaptionPlanner.thread(normalized, rule: rule, shortURL: link, most: most)
        guard let what = fault(in: parts, of: normalized, rule, most: most) else { return }
        throw Fault(what: what, caption: caption.debugDescription, parts: parts.map(\.text.debugDescription))
    }

    private func fault(
        in parts: [PlannedCaption], of caption: NormalizedCaption, _ rule: CaptionRule, most: Int
    ) -> String? {
        guard 1...most ~= parts.count else { return "\(parts.count) parts" }
        if parts.count > 1, parts.contains(where: \.text.isEmpty) { return "an empty part" }
        if parts.dropLast().contains(where: \.isCut) { return "cut before the end" }
        for part in parts {
            if part.length > rule.limit ?? .max { return "over the limit" }
            if let ceiling = rule.ceiling, ceiling.unit.length(of: part.text[...]) > ceiling.limit {
                return "over the second limit"
            }
            let again = CaptionPlanner.plan(caption: part.text, rule: rule, shortURL: link)
            if again.isCut || !again.text.utf8.elementsEqual(part.text.utf8) { return "cut again" }
            if again.length != part.length { return "another length" }
            var nesting = BidiNesting()
            for scalar in part.text.unicodeScalars { nesting.read(scalar) }
            if parts.count > 1, nesting.depth > 0, part.text != parts.last?.text { return "left open" }
        }
        let whole = visible(caption.text)
        let sent = parts.flatMap { visible($0.text) }
        guard parts.last?.isCut == true else { return sent == whole ? isWhole(parts, caption) : "lost" }
        return whole.starts(with: parts.dropLast().flatMap { visible($0.text) })
            ? isWhole(parts, caption) : "lost before the cut"
    }

    /// What is more than white space and the marks that open and close bidi levels.
    private func visible(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter {
            !$0.properties.isWhitespace && !(0x202A...0x202E ~= $0.value) && !(0x2066...0x2069 ~= $0.value)
        }
    }

    /// Nil where no part ends inside a cluster or an entity.
    private func isWhole(_ parts: [PlannedCaption], _ caption: NormalizedCaption) -> String? {
        var ends: Set<Int> = []
        var count = 0
        for part in parts.dropLast() {
            count += visible(part.text).count
            ends.insert(count)
        }
        // What may not be divided, as visible characters from and to.
        func divides(_ range: Range<String.Index>, _ from: Int) -> Bool {
            let length = visible(String(caption.text[range])).count
            return length > 1 && (from + 1..<from + length).contains(where: ends.contains)
        }
        var offset = 0
        for index in caption.text.indices {
            let range = index..<caption.text.index(after: index)
            if divides(range, offset) { return "divided a cluster" }
            offset += visible(String(caption.text[range])).count
        }
        let scalars = caption.text.unicodeScalars
        var (from, place) = (0, caption.text.startIndex)
        for entity in caption.entities {
            from += visible(String(scalars[place..<entity.range.lowerBound])).count
            place = entity.range.lowerBound
            if divides(entity.range, from) { return "divided an entity" }
        }
        return nil
    }

    /// The square of its length would take hours.
    @Test(.timeLimit(.minutes(1)))
    func `a long caption costs time in step with its length`() {
        let line = "A walk, to https://a.example/b. \u{2067}שלום\u{2069} 湖へ "
        let caption =
            String(repeating: line, count: 1_000) + String(repeating: "\u{2067}\u{202B}", count: 5_000) + line

        let parts = CaptionPlanner.thread(caption: caption, rule: .bluesky, shortURL: link, most: 100_000)

        #expect(parts.count > 100)
    }
}
