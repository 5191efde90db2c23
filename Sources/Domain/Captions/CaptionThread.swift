extension CaptionPlanner {
    /// The most posts that a thread has.
    package static let mostParts = 25

    /// Plans one caption as a thread.
    package static func thread(
        caption: String, rule: CaptionRule, shortURL: String, most: Int = Self.mostParts
    ) -> [PlannedCaption] {
        thread(NormalizedCaption(caption), rule: rule, shortURL: shortURL, most: most)
    }

    /// The posts of a caption, in order: one that fits is one post. Any other is divided between words, where it can be at the end of a line or
    /// sentence, never inside a grapheme cluster or entity. Each part fits, and planning it again changes nothing; white space where parts
    /// meet is left out, bidi nesting is closed at the end of a part and reopened in the next.
    ///
    /// What does not go into `most` posts, and an entity that is longer than a post, is cut as `plan` cuts it. Takes time linear in the length
    /// of the caption.
    package static func thread(
        _ caption: NormalizedCaption, rule: CaptionRule, shortURL: String, most: Int = Self.mostParts
    ) -> [PlannedCaption] {
        let whole = plan(caption, rule: rule, shortURL: shortURL)
        guard whole.isCut, most > 1 else { return [whole] }
        var split = CaptionSplit(caption, rule: rule)
        var parts: [PlannedCaption] = []
        while parts.count < most - 1, let part = split.next() { parts.append(part) }
        guard let before = parts.last else { return [whole] }
        guard let rest = split.rest else { return parts }
        let last = plan(caption: rest, rule: rule, shortURL: shortURL)
        if !last.text.isEmpty { return parts + [last] }
        // Nothing of it fits, not even the link: the part before tells that something is missing.
        let cut = plan(caption: split.latest + rest, rule: rule, shortURL: shortURL)
        let text = cut.text.isEmpty ? before.text : cut.text
        parts[parts.count - 1] = PlannedCaption(
            text: text, isCut: true, length: rule.length(of: text), limit: rule.limit, unit: rule.unit)
        return parts
    }
}

/// Takes part after part from a caption.
private struct CaptionSplit {
    /// The places where a part may end, from the worst to the best.
    private enum Strength: CaseIterable, Comparable {
        case cluster, word, space, sentence, line, all
    }

    private struct End {
        /// How many pieces of the caption there are before it.
        let place: Int
        let used: CaptionLengths
        let strength: Strength
    }

    /// Ends that were chosen and turned out not to do, because an entity is another one in a text of its own.
    private static let mostAttempts = 32

    private let text: String
    private let pieces: [CaptionPiece]
    private let rule: CaptionRule
    private let cut: CaptionCut
    private var start = 0
    /// The marks that open the bidi levels of the part before.
    private var openers = ""
    /// The part that was taken last, with the white space behind it.
    private(set) var latest = ""

    init(_ caption: NormalizedCaption, rule: CaptionRule) {
        var walk = CaptionPieces(caption, rule: rule)
        var pieces: [CaptionPiece] = []
        while let piece = walk.next() { pieces.append(piece) }
        (text, self.pieces, self.rule) = (caption.text, pieces, rule)
        cut = CaptionCut(text: caption.text, pieces: pieces, rule: rule)
    }

    /// What no part has; nil when there is nothing more.
    var rest: String? {
        start < pieces.count ? openers + text[pieces[start].range.lowerBound...] : nil
    }

    /// The next part; nil at the end of the caption, or where no end of one is possible.
    mutating func next() -> PlannedCaption? {
        var ends = self.ends()
        for _ in 0..<Self.mostAttempts {
            guard let end = best(of: ends) else { return nil }
            let body = text[pieces[start].range.lowerBound..<pieces[end.place - 1].range.upperBound]
            var nesting = BidiNesting()
            for scalar in openers.unicodeScalars { nesting.read(scalar) }
            for scalar in body.unicodeScalars { nesting.read(scalar) }
            let part = NormalizedCaption(openers + body + nesting.closers)
            let lengths = rule.lengths(of: part)
            if lengths.isWithin(rule.limits), part.text.utf8.elementsEqual((openers + body + nesting.closers).utf8) {
                let next = firstWord(from: end.place)
                let space = pieces[end.place..<next].map { text[$0.range] }.joined()
                latest = openers + body + nesting.closers + space
                start = next
                openers = reopening(nesting)
                return PlannedCaption(
                    text: part.text, isCut: false, length: lengths.length, limit: rule.limit, unit: rule.unit)
            }
            ends.removeAll { $0.place >= end.place }
        }
        return nil
    }

    /// The marks that open the levels again; none where they and those that close them would take more than a quarter of the part.
    private func reopening(_ nesting: BidiNesting) -> String {
        let lengths = cut.closers(2 * nesting.depth)
        let limits = rule.limits
        let isSmall = lengths.length <= limits.length / 4 && lengths.underCeiling <= limits.underCeiling / 4
        return isSmall ? nesting.openers : ""
    }

    // MARK: Ends

    /// The possible ends of the next part, in order.
    private func ends() -> [End] {
        var nesting = BidiNesting()
        for scalar in openers.unicodeScalars { nesting.read(scalar) }
        var used = rule.lengths(of: NormalizedCaption(asIs: openers))
        var ends: [End] = []
        for place in start..<pieces.count {
            used += pieces[place].lengths
            guard used.isWithin(rule.limits) else { break }
            for scalar in text[pieces[place].range].unicodeScalars { nesting.read(scalar) }
            guard (used + cut.closers(nesting.depth)).isWithin(rule.limits), let strength = strength(of: place + 1)
            else { continue }
            ends.append(End(place: place + 1, used: used, strength: strength))
        }
        return ends
    }

    /// The last of the strongest ends that leave a part at least two thirds full, else the last of all.
    private func best(of ends: [End]) -> End? {
        let limits = rule.limits
        let full = ends.reversed().prefix {
            $0.used.length >= limits.length / 3 * 2 || $0.used.underCeiling >= limits.underCeiling / 3 * 2
        }
        for strength in Strength.allCases.reversed() where strength > .cluster {
            // All that is left need not fill a part.
            if strength == .all, let last = ends.last, last.strength == .all { return last }
            if let end = full.first(where: { $0.strength == strength }) { return end }
        }
        return ends.last { $0.strength > .cluster && $0.used.length > limits.length / 3 } ?? ends.last
    }

    /// Nil where a part cannot end: it would lose more than white space, or leave a mark without what it belongs to.
    private func strength(of end: Int) -> Strength? {
        guard let last = lastScalar(end - 1), !last.properties.isWhitespace else { return nil }
        let next = firstWord(from: end)
        guard let after = firstScalar(next) else { return .all }
        guard !after.properties.isWhitespace, !last.isJoiner else { return nil }
        if next > end {
            let gap = text[pieces[end].range.lowerBound..<pieces[next].range.lowerBound]
            if gap.contains(where: \.isNewline) { return .line }
            return endsSentence(end) ? .sentence : .space
        }
        guard !pieces[end - 1].isEntity, let before = firstScalar(end - 1) else {
            return after.mayBegin ? .word : .cluster
        }
        guard !before.opensSomething, !BidiNesting.opens(before), after.mayBegin else { return .cluster }
        if endsSentence(end), !before.isASCII { return .sentence }
        return cut.isWordBoundary(at: end) ? .word : .cluster
    }

    /// Whether a sentence ends there: at its mark, or behind brackets and quotes that close after it.
    private func endsSentence(_ end: Int) -> Bool {
        for place in [end - 1, end - 2, end - 3] {
            guard place >= start, !pieces[place].isEntity, let scalar = firstScalar(place) else { return false }
            if scalar.endsSentence { return true }
            guard scalar.closesSomething else { return false }
        }
        return false
    }

    /// The first piece from `place` on that is not white space.
    private func firstWord(from place: Int) -> Int {
        var place = place
        while place < pieces.count,
            text[pieces[place].range].unicodeScalars.allSatisfy(\.properties.isWhitespace)
        {
            place += 1
        }
        return place
    }

    private func firstScalar(_ piece: Int) -> Unicode.Scalar? {
        pieces.indices.contains(piece) ? text.unicodeScalars[pieces[piece].range.lowerBound] : nil
    }

    private func lastScalar(_ piece: Int) -> Unicode.Scalar? {
        pieces.indices.contains(piece) ? text[pieces[piece].range].unicodeScalars.last : nil
    }
}

extension Unicode.Scalar {
    /// A mark at the end of a sentence, in scripts that have one.
    fileprivate var endsSentence: Bool {
        switch value {
        case 0x21, 0x2E, 0x3F, 0x589, 0x61F, 0x6D4, 0x964, 0x965, 0x104A, 0x104B, 0x1362, 0x1367, 0x17D4, 0x2026,
            0x203C, 0x203D, 0x2047...0x2049, 0x3002, 0xFF01, 0xFF0E, 0xFF1F, 0xFF61:
            true
        default: false
        }
    }

    /// Brackets and quotes that close.
    fileprivate var closesSomething: Bool {
        switch properties.generalCategory {
        case .closePunctuation, .finalPunctuation: true
        default: self == "\"" || self == "'"
        }
    }

    /// Whether a line may begin with it, where no space was before it.
    fileprivate var mayBegin: Bool {
        if closesSomething || endsSentence || isSeparator || isJoiner { return false }
        switch value {
        // Iteration and length marks, and the small kana.
        case 0x3005, 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x309D, 0x309E,
            0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30FB...0x30FE, 0xFF70:
            return false
        default: return true
        }
    }
}
