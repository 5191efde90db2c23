/// Finds emoji as sequences of code points (UTS #51, definitions ED-13 to ED-17).
enum EmojiSequence {
    /// The end of the emoji that begins at `start`, or nil when none does.
    ///
    /// No list is consulted. But a sequence that is longer than any in Unicode's emoji list ends where such a list
    /// would end it, so that a chain of a thousand joined emoji does not count as one.
    static func end(
        in scalars: Substring.UnicodeScalarView, from start: Substring.UnicodeScalarView.Index
    ) -> Substring.UnicodeScalarView.Index? {
        guard var end = elementEnd(in: scalars, from: start) else { return nil }
        var elements = 1
        while elements < mostJoinedElements, end < scalars.endIndex, scalars[end] == joiner {
            guard let next = elementEnd(in: scalars, from: scalars.index(after: end)) else { break }
            end = next
            elements += 1
        }
        return end
    }

    /// A family or a kiss has four.
    private static let mostJoinedElements = 4
    /// "gbeng" and the like: a subdivision code has at most six characters.
    private static let mostTags = 6
    private static let joiner: Unicode.Scalar = "\u{200D}"
    private static let presentation: Unicode.Scalar = "\u{FE0F}"
    private static let keycap: Unicode.Scalar = "\u{20E3}"

    /// One emoji without joiners: a flag, a keycap, or a character with its variation, skin tone or tags.
    private static func elementEnd(
        in scalars: Substring.UnicodeScalarView, from start: Substring.UnicodeScalarView.Index
    ) -> Substring.UnicodeScalarView.Index? {
        guard start < scalars.endIndex else { return nil }
        let base = scalars[start]
        guard base.properties.isEmoji else { return nil }
        var end = scalars.index(after: start)
        func take(_ accepts: (Unicode.Scalar) -> Bool) -> Bool {
            guard end < scalars.endIndex, accepts(scalars[end]) else { return false }
            end = scalars.index(after: end)
            return true
        }
        if base.isASCII {
            _ = take { $0 == presentation }
            return take { $0 == keycap } ? end : nil
        }
        // The copyright and registered signs are text until a variation selector says otherwise.
        if base.value < 0x100 { return take { $0 == presentation } ? end : nil }
        if isRegionalIndicator(base) {
            _ = take(isRegionalIndicator)
            return end
        }
        if take({ $0.properties.isEmojiModifier }) { return end }
        _ = take { $0 == presentation }
        _ = take { $0 == keycap }
        return tagsEnd(in: scalars, from: end) ?? end
    }

    /// The end of the tag characters at `start`, which U+E007F must close.
    private static func tagsEnd(
        in scalars: Substring.UnicodeScalarView, from start: Substring.UnicodeScalarView.Index
    ) -> Substring.UnicodeScalarView.Index? {
        var end = start
        var tags = 0
        while end < scalars.endIndex, tags <= mostTags {
            switch scalars[end].value {
            case 0xE0020...0xE007E: tags += 1
            case 0xE007F: return tags > 0 ? scalars.index(after: end) : nil
            default: return nil
            }
            end = scalars.index(after: end)
        }
        return nil
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }
}
