/// The exact text that a service will get.
package struct PlannedCaption: Codable, Hashable, Sendable {
    package let text: String
    /// Whether something of the caption is missing.
    package var isCut: Bool
    /// The length of `text` in `unit`, by the service's own count.
    package let length: Int
    /// The greatest length the service allows; nil when it has no limit.
    package let limit: Int?
    package let unit: CaptionUnit
    /// The texts of the posts, in order, where the caption goes as a thread, first the photo's; empty where it is one post. `text` is then that of a single post.
    package var thread: [String] = []

    package init(text: String, isCut: Bool, length: Int, limit: Int?, unit: CaptionUnit) {
        self.text = text
        self.isCut = isCut
        self.length = length
        self.limit = limit
        self.unit = unit
    }
}

/// Decides what a service gets of a caption.
package enum CaptionPlanner {
    /// Plans one caption for one service. For several services, make the `NormalizedCaption` once.
    package static func plan(caption: String, rule: CaptionRule, shortURL: String) -> PlannedCaption {
        plan(NormalizedCaption(caption), rule: rule, shortURL: shortURL)
    }

    /// A caption that fits goes unchanged and without a link. Any other is cut between words, never inside a grapheme
    /// cluster or entity, and ends in `…`, a space and `shortURL`; it fits, and planning it again changes nothing.
    ///
    /// Where nothing of the caption fits beside the link, the text is the link alone. Where not even the link fits,
    /// which takes a limit below any service's, it is what fits of the caption.
    ///
    /// `shortURL` has its scheme and no white space; it is empty where there is no link to give.
    package static func plan(_ caption: NormalizedCaption, rule: CaptionRule, shortURL: String) -> PlannedCaption {
        let limits = rule.limits
        var walk = CaptionPieces(caption, rule: rule)
        var pieces: [CaptionPiece] = []
        var total = CaptionLengths.zero
        while total.isWithin(limits), let piece = walk.next() {
            pieces.append(piece)
            total += piece.lengths
        }
        if total.isWithin(limits) {
            return PlannedCaption(
                text: caption.text, isCut: false, length: total.length, limit: rule.limit, unit: rule.unit)
        }
        let text = CaptionCut(text: caption.text, pieces: pieces, rule: rule).text(endingIn: shortURL)
        return PlannedCaption(
            text: text, isCut: true, length: rule.length(of: text), limit: rule.limit, unit: rule.unit)
    }
}
