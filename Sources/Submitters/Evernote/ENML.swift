internal import Formats

/// A note's content, in Evernote's markup.
///
/// Source: enml2.dtd as Evernote's SDK carries it; read 2026-11-21.
struct ENML: Sendable, Equatable {
    let text: String

    /// The caption's lines, then the picture that has this MD5.
    init(caption: String, mediaType: String, hash: String, altText: String) {
        let lines = caption.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { xmlEscaped(String($0)) }
        let alt = altText.isEmpty ? "" : " alt=\"\(xmlEscaped(altText))\""
        let words = caption.isEmpty ? "" : lines.joined(separator: "<br/>") + "<br/>"
        text = Self.head + words + "<en-media type=\"\(xmlEscaped(mediaType))\" hash=\"\(hash)\"\(alt)/></en-note>"
    }

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE en-note SYSTEM \
        "http://xml.evernote.com/pub/enml2.dtd"><en-note>
        """

    /// The same note with other words; nil when its content shows no picture that could stay.
    static func replacing(_ content: String, caption: String, altText: String) -> ENML? {
        guard let media = content.firstMatch(of: /<en-media\s[^>]*>/) else { return nil }
        let tag = String(media.output)
        guard let type = tag.firstMatch(of: /type="([^"]*)"/)?.output.1,
            let hash = tag.firstMatch(of: /hash="([0-9a-f]{32})"/)?.output.1
        else { return nil }
        return ENML(caption: caption, mediaType: String(type), hash: String(hash), altText: altText)
    }

    /// A note's title: the first line of the caption, or the name, as Evernote takes titles.
    static func title(_ caption: String, or name: String) -> String {
        let line = caption.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let clean = String(
            line.unicodeScalars.filter { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }.reduce(into: String.UnicodeScalarView()) { $0.append($1) }
        )
        let words = clean.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? name : altText(words, limit: 255)
    }
}
