/// Cuts a caption that does not fit.
struct CaptionCut {
    let text: String
    /// The beginning of `text`, up to the first piece that is too much.
    let pieces: [CaptionPiece]
    let rule: CaptionRule

    /// As much of the caption as fits, then `…`, a space and `shortURL`.
    func text(endingIn shortURL: String) -> String {
        if !shortURL.isEmpty {
            if let text = longestText(endingIn: "\u{2026} " + shortURL) { return text }
            if lengths(of: shortURL).isWithin(rule.limits) { return shortURL }
        }
        return longestText(endingIn: "\u{2026}") ?? ""
    }

    /// Nil when nothing of the caption fits before `tail`.
    private func longestText(endingIn tail: String) -> String? {
        var budget = rule.limits - lengths(of: tail)
        while budget.length > 0, budget.underCeiling > 0 {
            let end = tidied(bodyEnd(within: budget))
            guard end > 0 else { return nil }
            let body = text[..<pieces[end - 1].range.upperBound]
            var nesting = BidiNesting()
            for scalar in body.unicodeScalars { nesting.read(scalar) }
            let result = body + nesting.closers + tail
            let excess = lengths(of: String(result)) - rule.limits
            if excess.isWithin(.zero) { return String(result) }
            // What follows the cut had kept the last word from being a link, and now it counts as one. The budget
            // shrinks until that no longer matters, a link's length at most.
            budget -= CaptionLengths(length: max(excess.length, 0), underCeiling: max(excess.underCeiling, 0))
        }
        return nil
    }

    private func lengths(of text: String) -> CaptionLengths {
        rule.lengths(of: NormalizedCaption(asIs: text))
    }

    // MARK: Where to cut

    /// How many pieces to keep: up to the last word boundary within `budget`, or up to the last piece within it when
    /// that would lose more than a third.
    private func bodyEnd(within budget: CaptionLengths) -> Int {
        var nesting = BidiNesting()
        var used = CaptionLengths.zero
        var last = (end: 0, used: used)
        var isPossible = [true]
        for piece in pieces {
            used += piece.lengths
            guard used.isWithin(budget) else { break }
            for scalar in text[piece.range].unicodeScalars { nesting.read(scalar) }
            let closed = used + closers(nesting.depth)
            isPossible.append(closed.isWithin(budget))
            if closed.isWithin(budget) { last = (isPossible.count - 1, used) }
        }
        var (end, left) = last
        while end > 0, left.length > budget.length / 3 * 2 || left.underCeiling > budget.underCeiling / 3 * 2 {
            if isPossible[end], isWordBoundary(at: end) { return end }
            end -= 1
            left -= pieces[end].lengths
        }
        return last.end
    }

    /// The lengths of `count` marks that close bidi nesting; they are all alike.
    func closers(_ count: Int) -> CaptionLengths {
        CaptionLengths(
            length: rule.unit.length(of: "\u{2069}") * count,
            underCeiling: (rule.ceiling?.unit.length(of: "\u{2069}") ?? 0) * count)
    }

    /// Is there one between the pieces `end - 1` and `end`?
    func isWordBoundary(at end: Int) -> Bool {
        guard end < pieces.count else { return true }
        if pieces[end - 1].isEntity || pieces[end].isEntity { return true }
        guard let before = firstScalar(end - 1), let after = firstScalar(end) else { return true }
        let next = pieces[end].range.upperBound
        return WordBoundary.lies(
            between: before, and: after, wayBefore: firstScalar(end - 2),
            wayAfter: next < text.endIndex ? text.unicodeScalars[next] : nil)
    }

    private func firstScalar(_ piece: Int) -> Unicode.Scalar? {
        pieces.indices.contains(piece) ? text.unicodeScalars[pieces[piece].range.lowerBound] : nil
    }

    // MARK: A tidy end

    /// How many of the first `end` pieces remain without what should not stand before an ellipsis.
    private func tidied(_ end: Int) -> Int {
        var end = end
        while end > 0, !pieces[end - 1].isEntity, isUntidy(end - 1) { end -= 1 }
        return end
    }

    private func isUntidy(_ piece: Int) -> Bool {
        let cluster = text[pieces[piece].range].unicodeScalars
        guard let first = cluster.first, let last = cluster.last else { return false }
        if first.properties.isWhitespace || first.opensSomething || first.isSeparator { return true }
        if last.properties.isWhitespace || last.isJoiner || BidiNesting.opens(first) { return true }
        guard first.mayOpenSomething else { return false }
        guard let before = firstScalar(piece - 1) else { return true }
        return before.properties.isWhitespace || before.opensSomething || before.mayOpenSomething
    }
}

extension Unicode.Scalar {
    /// Brackets and quotes that open, marks that stand before their base, and marks that have lost theirs.
    var opensSomething: Bool {
        switch properties.generalCategory {
        case .openPunctuation, .initialPunctuation, .nonspacingMark, .spacingMark, .enclosingMark: true
        default:
            switch value {
            // Inverted marks; the vowels of Thai and Lao that are written before their consonant.
            case 0xA1, 0xBF, 0xE40...0xE44, 0xEC0...0xEC4: true
            default: false
            }
        }
    }

    /// A quote, or a sign without a name; what stands before it tells.
    fileprivate var mayOpenSomething: Bool {
        switch self {
        case "\"", "'", "@", "#", "$", "\u{FF20}", "\u{FF03}": true
        default: false
        }
    }

    /// Commas, semicolons and colons of several scripts, and the ellipsis, which is there once already.
    var isSeparator: Bool {
        switch self {
        case ",", ";", ":", "\u{60C}", "\u{61B}", "\u{3001}", "\u{FF0C}", "\u{FF1A}", "\u{FF1B}", "\u{FF64}",
            "\u{2026}":
            true
        default: false
        }
    }

    /// A code point that joins what stands around it.
    var isJoiner: Bool {
        switch value {
        case 0x34F, 0x200C, 0x200D, 0x2060: true
        default: false
        }
    }
}
