import Foundation
import Testing

@testable import Domain

/// Rules for every caption and every caption rule.
struct CaptionPropertyTests {
    private let link = "https://pics.example/Ab3dE9xZ"

    /// Small limits cut often; the rule's own limit is tried with long captions.
    @Test(arguments: CaptionRule.allNames)
    func `a cut caption fits, divides nothing and is not cut again`(name: String) throws {
        let rule = try #require(CaptionRule.named(name))
        var generator = CaptionGenerator(seed: 20_261_121)

        for _ in 0..<2_000 {
            let caption = generator.caption(pieces: 40)
            let limit = generator.number(in: 0...120)
            try check(caption, rule.limit == nil ? rule : rule.limited(to: limit))
        }
        for _ in 0..<20 {
            try check(generator.caption(pieces: 400), rule)
        }
    }

    private func check(_ caption: String, _ rule: CaptionRule) throws {
        let normalized = NormalizedCaption(caption)
        let planned = CaptionPlanner.plan(normalized, rule: rule, shortURL: link)
        // The texts are made only for what fails; there are many thousand captions.
        guard let fault = fault(in: planned, for: normalized, rule) else { return }
        throw Fault(
            what: fault, caption: caption.debugDescription, limit: rule.limit, text: planned.text.debugDescription)
    }

    private struct Fault: Error {
        let what: String
        let caption: String
        let limit: Int?
        let text: String
    }

    private func fault(in planned: PlannedCaption, for caption: NormalizedCaption, _ rule: CaptionRule) -> String? {
        if planned.length > rule.limit ?? .max { return "over the limit" }
        if let ceiling = rule.ceiling, ceiling.unit.length(of: planned.text[...]) > ceiling.limit {
            return "over the second limit"
        }
        let again = CaptionPlanner.plan(caption: planned.text, rule: rule, shortURL: link)
        if again.isCut || scalars(again.text) != scalars(planned.text) { return "cut again" }
        if again.length != planned.length { return "another length" }
        if planned.isCut { return isClean(cut: planned.text, of: caption) ? nil : "not cut cleanly" }
        return scalars(planned.text) == scalars(caption.text) ? nil : "changed though it fits"
    }

    /// Does `text` end as a cut must, and is what stands before that a beginning of `caption` that divides nothing?
    private func isClean(cut text: String, of caption: NormalizedCaption) -> Bool {
        var nesting = BidiNesting()
        for scalar in text.unicodeScalars { nesting.read(scalar) }
        guard nesting.depth == 0 else { return false }

        var body = scalars(text)
        let (tail, ellipsis) = (scalars("\u{2026} " + link), scalars("\u{2026}"))
        if body.isEmpty || text == link { return true }
        if body.ends(with: tail) {
            body.removeLast(tail.count)
        } else if body.ends(with: ellipsis) {
            body.removeLast()
        } else {
            return false
        }
        let whole = scalars(caption.text)
        while !whole.starts(with: body), let last = body.last, last == "\u{202C}" || last == "\u{2069}" {
            body.removeLast()
        }
        let last = String(String.UnicodeScalarView(body)).last
        guard whole.starts(with: body), last?.isWhitespace == false else { return false }
        return isBetweenClusters(body.count, of: caption.text) && isOutsideEntities(body.count, of: caption)
    }

    private func isBetweenClusters(_ offset: Int, of text: String) -> Bool {
        var position = 0
        for character in text {
            if position >= offset { break }
            position += character.unicodeScalars.count
        }
        return position == offset
    }

    private func isOutsideEntities(_ offset: Int, of caption: NormalizedCaption) -> Bool {
        let cut = caption.text.unicodeScalars.index(caption.text.startIndex, offsetBy: offset)
        return !caption.entities.contains { $0.range.lowerBound < cut && cut < $0.range.upperBound }
    }

    private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}

extension Array where Element: Equatable {
    fileprivate func ends(with other: [Element]) -> Bool { suffix(other.count) == other[...] }
}
