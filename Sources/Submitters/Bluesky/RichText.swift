internal import Domain
internal import HTTP

/// What of a text is a link, a hashtag or a mention; Bluesky shows as plain text what no facet names.
///
/// Source: lexicon `app.bsky.richtext.facet`, and docs.bsky.app, "Links, mentions, and rich text"; read 2026-11-21.
/// Offsets count bytes of UTF-8, the end is exclusive.
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
        facets = CaptionEntity.find(in: text).compactMap { entity in
            let words = text[entity.range]
            let feature: Facet.Feature
            switch entity.kind {
            case .link(let hasScheme):
                feature = .link(hasScheme ? String(words) : "https://\(words)")
            case .hashtag where words.count <= Self.longestTag:
                feature = .tag(String(words.dropFirst()))
            case .mention where words.contains("."):
                feature = .mention(String(words.dropFirst()))
            case .mention, .hashtag, .cashtag, .customEmoji:
                return nil
            }
            let start = text.utf8.distance(from: text.startIndex, to: entity.range.lowerBound)
            return Facet(bytes: start..<(start + words.utf8.count), feature: feature)
        }
    }
}
