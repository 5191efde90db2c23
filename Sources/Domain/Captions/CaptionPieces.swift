/// The smallest parts of a caption that a cut may not divide, with what they count.
///
/// A piece is a grapheme cluster, or an entity with the clusters it touches: an entity may end inside a cluster, as
/// when a combining mark follows a link.
struct CaptionPiece {
    let range: Range<String.Index>
    let lengths: CaptionLengths
    let isEntity: Bool
}

/// Walks a caption piece by piece. It only ever goes forward: finding the start of a cluster from behind may cost the
/// square of the distance.
struct CaptionPieces: IteratorProtocol {
    private let text: String
    private let rule: CaptionRule
    private let entities: [CaptionEntity]
    private var nextEntity = 0
    private var position: String.Index

    init(_ caption: NormalizedCaption, rule: CaptionRule) {
        text = caption.text
        entities = caption.entities
        position = caption.text.startIndex
        self.rule = rule
    }

    mutating func next() -> CaptionPiece? {
        guard position < text.endIndex else { return nil }
        let start = position
        var end = text.index(after: start)
        let firstEntity = nextEntity
        while nextEntity < entities.count, entities[nextEntity].range.lowerBound < end {
            while end < entities[nextEntity].range.upperBound { end = text.index(after: end) }
            nextEntity += 1
        }
        let touched = entities[firstEntity..<nextEntity]
        position = end
        let lengths = CaptionLengths(
            length: length(of: start..<end, with: touched),
            underCeiling: rule.ceiling?.unit.length(of: text[start..<end]) ?? 0)
        return CaptionPiece(range: start..<end, lengths: lengths, isEntity: !touched.isEmpty)
    }

    /// The length of `range` with the service's own length for what it replaces.
    private func length(of range: Range<String.Index>, with touched: ArraySlice<CaptionEntity>) -> Int {
        var length = 0
        var plainStart = range.lowerBound
        for entity in touched {
            guard let replaced = replacement(for: entity) else { continue }
            length += rule.unit.length(of: text[plainStart..<replaced.range.lowerBound]) + replaced.length
            plainStart = replaced.range.upperBound
        }
        return length + rule.unit.length(of: text[plainStart..<range.upperBound])
    }

    /// The length of a link where known links count a fixed length: never less than the service counts.
    private func length(of link: CaptionEntity, ifShortened length: Int) -> Int {
        switch link.shortening {
        case .sure: length
        case .possible: max(length, rule.unit.length(of: text[link.range]))
        case .none: rule.lengths(of: NormalizedCaption(insideLink: String(text[link.range]))).length
        }
    }

    /// The part of `entity` that the service counts otherwise than written, and what it counts there.
    private func replacement(for entity: CaptionEntity) -> (range: Range<String.Index>, length: Int)? {
        switch (entity.kind, rule.links, rule.mentions) {
        case (.link(let hasScheme), .fixed(let length, let bareDomains), _) where hasScheme || bareDomains:
            (entity.range, self.length(of: entity, ifShortened: length))
        case (.mention(let host?), _, .withoutHost): (host, 0)
        default: nil
        }
    }
}
