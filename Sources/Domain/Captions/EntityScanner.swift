/// One pass over a text that finds its entities. Offsets are in code points.
///
/// `EntityScanner+Links.swift` knows links, `EntityScanner+Names.swift` mentions and tags. Each finder looks at a
/// stretch of text that no other attempt of its kind looks at again, or at a bounded one: this is what keeps the pass
/// linear for text made to hurt.
struct EntityScanner {
    struct Found {
        /// Nil for a stretch of text that is no entity and need not be searched again.
        let kind: CaptionEntity.Kind?
        let range: Range<Int>
        /// Where the host of a mention begins, with its `@`.
        let hostStart: Int?
        /// Of a link.
        let shortening: CaptionEntity.Shortening

        init(
            _ kind: CaptionEntity.Kind?, _ range: Range<Int>, hostStart: Int? = nil,
            shortening: CaptionEntity.Shortening = .sure
        ) {
            self.kind = kind
            self.range = range
            self.hostStart = hostStart
            self.shortening = shortening
        }
    }

    /// Which links are found, and how far they reach.
    struct Links: Hashable {
        var paths = CaptionEntity.Paths.counted
        /// Also those without a scheme whose top-level domain has ended, since X may still know it.
        var withEndedDomains = false
        /// Also those with a scheme and a host that X does not know.
        var withUnknownHosts = true
    }

    let scalars: [Unicode.Scalar]
    private(set) var found: [Found] = []

    let links: Links

    var isInternational: Bool { links.paths == .international }

    init(_ text: String, _ links: Links) {
        scalars = Array(text.unicodeScalars)
        self.links = links
    }

    mutating func scan() {
        var position = 0
        while position < scalars.count {
            if let stretch = stretch(at: position) {
                if stretch.kind != nil { found.append(stretch) }
                position = stretch.range.upperBound
            } else {
                position += 1
            }
        }
    }

    private func stretch(at start: Int) -> Found? {
        switch scalars[start] {
        case "@", "\u{FF20}": mention(at: start)
        case "#", "\u{FF03}": hashtag(at: start)
        case "$": cashtag(at: start)
        case ":": customEmoji(at: start)
        default: link(at: start)
        }
    }

    /// The code point at `position`; nil before the start and after the end.
    func scalar(at position: Int) -> Unicode.Scalar? {
        scalars.indices.contains(position) ? scalars[position] : nil
    }

    /// The end of the run of code points from `start` that `accepts`, `limit` of them at most.
    func end(from start: Int, limit: Int = .max, while accepts: (Unicode.Scalar) -> Bool) -> Int {
        var position = start
        let last = limit < scalars.count - start ? start + limit : scalars.count
        while position < last, accepts(scalars[position]) { position += 1 }
        return position
    }

    func string(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(scalars[range]))
    }

    func starts(with text: String, at start: Int) -> Bool {
        var position = start
        for scalar in text.unicodeScalars {
            guard position < scalars.count, scalars[position] == scalar else { return false }
            position += 1
        }
        return true
    }
}
