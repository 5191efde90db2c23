/// How one service measures a caption, and how long it may be.
///
/// A service that tells its limits at run time changes `limit` of its rule, or builds one.
package struct CaptionRule: Codable, Hashable, Sendable {
    /// The unit of `limit`.
    package var unit: CaptionUnit
    /// The greatest length allowed, in `unit`; nil when there is none.
    package var limit: Int?
    /// The length of a link, in `unit`.
    package var links: LinkLength
    /// The length of a mention, in `unit`.
    package var mentions: MentionLength
    /// A second limit that must hold too; there everything counts as written.
    package var ceiling: Ceiling?

    package init(
        unit: CaptionUnit, limit: Int?, links: LinkLength = .asWritten, mentions: MentionLength = .asWritten,
        ceiling: Ceiling? = nil
    ) {
        self.unit = unit
        self.limit = limit
        self.links = links
        self.mentions = mentions
        self.ceiling = ceiling
    }

    /// The fixed length of every link.
    package enum LinkLength: Codable, Hashable, Sendable {
        case asWritten
        /// The service replaces links by its own, all equally long. `bareDomains` tells whether it also sees a link
        /// where the scheme is missing.
        case fixed(Int, bareDomains: Bool)
    }

    /// The fixed length of every mention.
    package enum MentionLength: String, Codable, Hashable, Sendable {
        case asWritten = "as_written"
        /// `@user@host` counts as `@user`.
        case withoutHost = "without_host"
    }

    /// A second limit, such as Bluesky's bytes.
    package struct Ceiling: Codable, Hashable, Sendable {
        package var unit: CaptionUnit
        package var limit: Int

        package init(unit: CaptionUnit, limit: Int) {
            self.unit = unit
            self.limit = limit
        }
    }

    /// The length of `text` in `unit`, exactly as it stands.
    package func length(of text: String) -> Int {
        lengths(of: NormalizedCaption(asIs: text)).length
    }

    /// The rule for captions of posts where `words` count too; a tenth of the limit is left at least.
    package func leavingRoom(for words: String?) -> CaptionRule {
        guard let words else { return self }
        func left(_ limit: Int, _ unit: CaptionUnit) -> Int { max(limit - unit.length(of: words[...]), limit / 10) }
        var rule = self
        rule.limit = limit.map { left($0, unit) }
        rule.ceiling = ceiling.map { Ceiling(unit: $0.unit, limit: left($0.limit, $0.unit)) }
        return rule
    }

    func lengths(of caption: NormalizedCaption) -> CaptionLengths {
        var pieces = CaptionPieces(caption, rule: self)
        var total = CaptionLengths.zero
        while let piece = pieces.next() { total += piece.lengths }
        return total
    }

    /// The greatest lengths allowed.
    var limits: CaptionLengths {
        CaptionLengths(length: limit ?? .max, underCeiling: ceiling?.limit ?? .max)
    }
}
