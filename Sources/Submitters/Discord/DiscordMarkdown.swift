internal import Domain

/// A caption as Discord shows it unchanged: it reads every message as Markdown.
///
/// Source: support.discord.com, "Markdown Text 101"; read 2026-11-21.
struct DiscordMarkdown: Sendable, Equatable {
    /// Of a message, in UTF-16 code units.
    private static let limit = CaptionRule.discord.limit ?? .max

    let text: String

    /// Puts a backslash before what would be markup, but not into links, which Discord finds by itself. A caption that
    /// becomes too long by this goes as it is.
    init(_ caption: String) {
        let links = CaptionEntity.find(in: caption).filter { entity in
            if case .link = entity.kind { true } else { false }
        }
        var escaped = ""
        var start = caption.startIndex
        for link in links {
            escaped += Self.escaped(caption[start..<link.range.lowerBound], atLineStart: start == caption.startIndex)
            escaped += caption[link.range]
            start = link.range.upperBound
        }
        escaped += Self.escaped(caption[start...], atLineStart: start == caption.startIndex)
        text = escaped.utf16.count <= Self.limit ? escaped : caption
    }

    private static let anywhere: Set<Character> = ["\\", "*", "_", "~", "`", "|", "[", "<"]
    /// Headings, quotations and lists.
    private static let atLineStart: Set<Character> = ["#", ">", "-"]

    private static func escaped(_ words: Substring, atLineStart: Bool) -> String {
        var isStart = atLineStart
        var text = ""
        for character in words {
            if anywhere.contains(character) || (isStart && Self.atLineStart.contains(character)) { text.append("\\") }
            text.append(character)
            if character.isNewline { isStart = true } else if character != " " { isStart = false }
        }
        return text
    }
}
