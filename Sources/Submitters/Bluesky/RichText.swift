internal import Domain
internal import HTTP

/// The links, hashtags and mentions of a text; Bluesky shows the rest as plain text.
///
/// Source: lexicon `app.bsky.richtext.facet`, and docs.bsky.app, "Links, mentions, and rich text"; read 2026-11-21.
/// Offsets count bytes of UTF-8, the end is exclusive. Links reach as far as in Bluesky's own app: `detectFacets` of
/// bluesky-social/atproto at 01b0a961, `packages/api/src/rich-text/detection.ts`.
struct RichText: Sendable {
    /// A stretch of the text with a meaning.
    struct Facet: Sendable, Equatable {
        enum Feature: Sendable, Equatable {
            case link(String)
            case tag(String)
            /// A handle, which its DID has to be found for.
            case mention(String)
        }

        let bytes: Range<Int>
        let feature: Feature

        /// As a post carries it; nil for a mention without the DID of its handle.
        func json(did: String? = nil) -> JSONValue? {
            let feature: JSONValue
            switch self.feature {
            case .link(let uri): feature = ["$type": "app.bsky.richtext.facet#link", "uri": .string(uri)]
            case .tag(let tag): feature = ["$type": "app.bsky.richtext.facet#tag", "tag": .string(tag)]
            case .mention:
                guard let did else { return nil }
                feature = ["$type": "app.bsky.richtext.facet#mention", "did": .string(did)]
            }
            return [
                "index": ["byteStart": JSONValue(bytes.lowerBound), "byteEnd": JSONValue(bytes.upperBound)],
                "features": [feature],
            ]
        }
    }

    private static let longestTag = 64

    /// In order; none overlaps another.
    let facets: [Facet]

    init(_ text: String) {
        var links = text.matches(of: #/(?:^|[\s(])(?<link>https?:\/\/\S+)/#.ignoresCase())
            .map { Self.withoutClosing($0.output.link) }
        var others: [Facet] = []
        for entity in CaptionEntity.find(in: text) where !links.contains(where: { $0.overlaps(entity.range) }) {
            let words = text[entity.range]
            switch entity.kind {
            case .link: links.append(Self.whole(entity.range, in: text))
            case .hashtag where words.count <= Self.longestTag:
                others.append(Facet(entity.range, of: text, .tag(String(words.dropFirst()))))
            case .mention where words.contains("."):
                others.append(Facet(entity.range, of: text, .mention(String(words.dropFirst()))))
            case .mention, .hashtag, .cashtag, .customEmoji: break
            }
        }
        let found = links.map { range in
            let link = text[range]
            let hasScheme = link.prefixMatch(of: #/https?:\/\//#.ignoresCase()) != nil
            return Facet(range, of: text, .link(hasScheme ? String(link) : "https://\(link)"))
        }
        // What stands in the tail of a link is a part of it.
        facets = (found + others.filter { other in !found.contains { $0.bytes.overlaps(other.bytes) } })
            .sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
    }

    /// A link without a scheme: up to the next space, unless something other than a space or `(` stands before it.
    private static func whole(_ link: Range<String.Index>, in text: String) -> Range<String.Index> {
        let before = text[..<link.lowerBound].last
        guard before.map({ $0.isWhitespace || $0 == "(" }) ?? true else { return link }
        let end = text[link.upperBound...].firstIndex(where: \.isWhitespace) ?? text.endIndex
        return withoutClosing(text[link.lowerBound..<end])
    }

    /// Where a link is, without one sign that ends a sentence and without a `)` that it does not open.
    private static func withoutClosing(_ link: Substring) -> Range<String.Index> {
        var link = link
        if let last = link.last, ".,;!?".contains(last) { link.removeLast() }
        if link.last == ")", !link.contains("(") { link.removeLast() }
        return link.startIndex..<link.endIndex
    }
}

extension RichText.Facet {
    fileprivate init(_ range: Range<String.Index>, of text: String, _ feature: Feature) {
        let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        self.init(bytes: start..<(start + text[range].utf8.count), feature: feature)
    }
}
