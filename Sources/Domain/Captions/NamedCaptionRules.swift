/// The rules that have a name, with the limits of 21 November 2026.
extension CaptionRule {
    /// Twitter from 2006 to 2017: 140 code points, a link 23 (twitter-text configuration version 1).
    package static let twitterClassic = CaptionRule(
        unit: .codePoints, limit: 140, links: .fixed(23, bareDomains: true))

    /// X today: 280 by weight, a link 23 (twitter-text configuration version 3).
    package static let twitterWeighted = CaptionRule(unit: .weighted, limit: 280, links: .fixed(23, bareDomains: true))

    /// Mastodon: grapheme clusters, `http` and `https` links of one length, mentions without their host.
    ///
    /// This is Mastodon's own count (`StatusLengthValidator`), nothing stricter: a long link costs 23 and a family
    /// emoji 1. Other software with the same API counts plainly; see `mastodonCompatible`.
    ///
    /// The instance tells both: `max_characters` and `characters_reserved_per_url` of `configuration.statuses`.
    package static func mastodon(limit: Int = 500, reservedPerLink: Int = 23) -> CaptionRule {
        CaptionRule(
            unit: .graphemes, limit: limit, links: .fixed(reservedPerLink, bareDomains: false), mentions: .withoutHost)
    }

    /// Servers with Mastodon's API and a count of their own (GoToSocial, Pixelfed, Pleroma, Akkoma) or an unknown one.
    ///
    /// A text that fits here fits Mastodon's count and the plain count of code points, whichever the server uses.
    package static func mastodonCompatible(limit: Int = 500, reservedPerLink: Int = 23) -> CaptionRule {
        var rule = mastodon(limit: limit, reservedPerLink: reservedPerLink)
        rule.ceiling = Ceiling(unit: .codePoints, limit: limit)
        return rule
    }

    /// Bluesky: 300 grapheme clusters and 3,000 bytes, links as written (lexicon `app.bsky.feed.post`).
    package static let bluesky = CaptionRule(
        unit: .graphemes, limit: 300, ceiling: Ceiling(unit: .utf8Bytes, limit: 3_000))

    /// Threads: 500, an emoji counts its UTF-8 bytes.
    package static let threads = CaptionRule(unit: .emojiBytes, limit: 500)

    /// Telegram: 1,024 UTF-16 code units in the caption of a photo.
    package static let telegram = CaptionRule(unit: .utf16Units, limit: 1_024)

    /// Discord: 2,000 characters. Its documentation does not say which; UTF-16 code units are never fewer than code points.
    package static let discord = CaptionRule(unit: .utf16Units, limit: 2_000)

    /// Tumblr: 4,096 code points in a block of text.
    package static let tumblr = CaptionRule(unit: .codePoints, limit: 4_096)

    /// Misskey: 3,000 code points unless the instance says otherwise (`maxNoteTextLength` of `meta`).
    package static let misskey = CaptionRule(unit: .codePoints, limit: 3_000)

    /// 500 of `unit`, everything as written: a start for services that have no rule of their own.
    package static func plain(_ unit: CaptionUnit, limit: Int = 500) -> CaptionRule {
        CaptionRule(unit: unit, limit: limit)
    }

    /// No limit; the length is told in code points.
    package static let unlimited = CaptionRule(unit: .codePoints, limit: nil)

    /// The names that `named` knows, in the order in which they are shown.
    package static let allNames = table.map(\.name)

    /// Those of them that are rules of services; the others count by a unit alone.
    package static let serviceNames = services.map(\.name)

    /// The rule that clients call `name`, or nil.
    ///
    /// A colon and a number set another limit: `graphemes:300`, `mastodon:5000`. A second limit that repeats the
    /// first, as that of `mastodon_compatible` does, follows it; Bluesky's bytes stay.
    package static func named(_ name: String) -> CaptionRule? {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let entry = table.first(where: { $0.name == parts[0] }) else { return nil }
        guard parts.count == 2 else { return entry.rule }
        guard let limit = Int(parts[1]), limit >= 0 else { return nil }
        return entry.rule.limited(to: limit)
    }

    /// The same rule with another limit.
    package func limited(to limit: Int) -> CaptionRule {
        var rule = self
        if let ceiling, ceiling.limit == self.limit { rule.ceiling?.limit = limit }
        rule.limit = limit
        return rule
    }

    private static let table = services + units

    private static let services: [(name: String, rule: CaptionRule)] = [
        ("twitter_classic", twitterClassic),
        ("twitter_weighted", twitterWeighted),
        ("mastodon", mastodon()),
        ("mastodon_compatible", mastodonCompatible()),
        ("bluesky", bluesky),
        ("threads", threads),
        ("telegram", telegram),
        ("discord", discord),
        ("tumblr", tumblr),
        ("misskey", misskey),
    ]

    private static let units: [(name: String, rule: CaptionRule)] = [
        ("code_points", plain(.codePoints)),
        ("graphemes", plain(.graphemes)),
        ("utf16", plain(.utf16Units)),
        ("utf8", plain(.utf8Bytes)),
        ("unlimited", unlimited),
    ]
}
