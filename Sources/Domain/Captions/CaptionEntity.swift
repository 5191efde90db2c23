internal import FoundationEssentials
internal import System

/// A part of a caption that means something to a service and must not be split.
///
/// The rules are twitter-text's, widened by what Mastodon, Misskey and Bluesky write.
package struct CaptionEntity: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// `hasScheme` tells "https://example.com" from "example.com".
        case link(hasScheme: Bool)
        /// `host` is the "@example.social" of "@user@example.social".
        case mention(host: Range<String.Index>?)
        case hashtag
        case cashtag
        /// ":name:"
        case customEmoji
    }

    /// How far the path of a link reaches.
    package enum Paths: Sendable {
        /// As services count it: letters of most scripts end it.
        case counted
        /// As a browser takes it: with letters of every script.
        case international
    }

    /// Whether X, and what counts as it does, takes a link for one and makes it one of its own, all equally long.
    enum Shortening: Hashable, Sendable {
        case sure
        /// Its top-level domain is younger than X's list, or has ended since: X may count it either way.
        case possible
        /// X does not know its top-level domain, or the domain has an underscore: every character counts.
        case none
    }

    package let kind: Kind
    /// Where it stands in the text that was searched, with its sign.
    package let range: Range<String.Index>
    /// Of a link.
    let shortening: Shortening

    init(kind: Kind, range: Range<String.Index>, shortening: Shortening = .sure) {
        (self.kind, self.range, self.shortening) = (kind, range, shortening)
    }

    /// The entities of `text`, in order and apart from each other.
    ///
    /// Takes time linear in the length of `text`. Search NFC text: letters in host names and tags are compared so. `paths` says
    /// which letters the path of a link may have.
    package static func find(in text: String, paths: Paths = .counted) -> [CaptionEntity] {
        find(in: text, EntityScanner.Links(paths: paths))
    }

    /// The hashtag that `text` is, without its sign; nil when it is anything else, or has more than 400 bytes. The sign may be missing.
    package static func hashtag(_ text: String) -> String? {
        let name = text.hasPrefix("#") ? String(text.dropFirst()) : text
        let tag = "#\(name)".composed
        guard tag.utf8.count <= 400, let entity = find(in: tag).first, entity.kind == .hashtag,
            entity.range == tag.startIndex..<tag.endIndex
        else { return nil }
        return String(tag.dropFirst())
    }

    /// The entities of `text`, in order and apart from each other, with the links that `links` tells.
    static func find(in text: String, _ links: EntityScanner.Links) -> [CaptionEntity] {
        guard text.utf8.contains(where: startsEntity) else { return [] }
        var scanner = EntityScanner(text, links)
        scanner.scan()
        // Entities come in order, so the whole text is walked once.
        let scalars = text.unicodeScalars
        var index = text.startIndex
        var offset = 0
        func at(_ target: Int) -> String.Index {
            index = scalars.index(index, offsetBy: target - offset)
            offset = target
            return index
        }
        return scanner.found.compactMap { found in
            let start = at(found.range.lowerBound)
            let host = found.hostStart.map(at)
            let end = at(found.range.upperBound)
            if let host { return CaptionEntity(kind: .mention(host: host..<end), range: start..<end) }
            return found.kind.map { CaptionEntity(kind: $0, range: start..<end, shortening: found.shortening) }
        }
    }

    /// Every entity has one of `. : @ # $` or a full-width sign, whose first byte is 0xEF.
    private static func startsEntity(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"), 0xEF: true
        default: false
        }
    }
}
