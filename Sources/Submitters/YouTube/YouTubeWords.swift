internal import Domain
internal import FoundationEssentials
internal import System

/// The words of a video: a title, which it has to have, a description, and tags.
///
/// Source: Data API v3, `videos`: `snippet.title` "maximum length of 100 characters and may contain all valid UTF-8 characters except < and
/// >", `snippet.description` "5000 bytes", without these signs too, `snippet.tags[]` "500 characters" with the commas between them.
struct YouTubeWords: Sendable, Equatable {
    /// The text's first line.
    let title: String
    /// All of the text.
    let description: String
    /// The text's hashtags, without their signs.
    let tags: [String]

    /// In UTF-16 units, of which no character has fewer than one.
    private static let longestTitle = 100
    private static let longestTags = 500

    /// - Parameters:
    ///   - text: The caption, which is cut where it is too long.
    ///   - title: The title where it has no words.
    init(_ text: String, titleWithoutWords title: String) {
        let plain = Self.plain(text)
        description = Self.fits(plain) ? plain : Self.cut(plain, YouTubeSubmitter.captionRule)
        let line = description.split(whereSeparator: \.isNewline).lazy
            .map { $0.trimmedOfSpaces }.first { !$0.isEmpty }
        self.title = line.map { Self.cut($0, .plain(.utf16Units, limit: Self.longestTitle)) } ?? title
        tags = Self.tags(in: description)
    }

    /// The text with other signs for the two that YouTube does not take: they look much the same.
    static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": plain.append("\u{2039}")
            case ">": plain.append("\u{203A}")
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }

    static func fits(_ plain: String) -> Bool { plain.utf8.count <= YouTubeSubmitter.captionRule.limit ?? .max }

    private static func cut(_ text: String, _ rule: CaptionRule) -> String {
        CaptionPlanner.plan(caption: text, rule: rule, shortURL: "").text.trimmedOfSpaces
    }

    /// The language of title and description (`snippet.defaultLanguage`), as ISO 639-1 has it; nil for one that has no such name.
    static func language(_ labels: ContentLabels) -> String? {
        let language = labels.language?.prefix { $0 != "-" }.lowercased() ?? ""
        return language.utf8.count == 2 && language.utf8.allSatisfy({ 0x61...0x7A ~= $0 }) ? language : nil
    }

    static func tags(in text: String) -> [String] {
        fitting(
            CaptionEntity.find(in: text).filter { $0.kind == .hashtag }.map { String(text[$0.range].dropFirst()) })
    }

    /// Each once, as many as there is room for: commas count, and the quotation marks that YouTube puts around a tag with spaces.
    static func fitting(_ tags: [String]) -> [String] {
        var (fitting, left): ([String], Int) = ([], longestTags + 1)
        for tag in tags where !fitting.contains(where: { $0.lowercased() == tag.lowercased() }) {
            left -= tag.utf16.count + (tag.contains(" ") ? 3 : 1)
            guard left >= 0 else { break }
            fitting.append(tag)
        }
        return fitting
    }
}

extension SubmissionTask {
    /// The words of the video, and the text that people are told was sent: the planned one, unless it had to be cut. The two signs that are
    /// replaced are how YouTube spells them.
    func youTubeWords() -> (words: YouTubeWords, text: String) {
        let planned = text(under: YouTubeSubmitter.captionRule)
        let day = String(photo.nameOfTime.prefix(10))
        guard !YouTubeWords.fits(YouTubeWords.plain(planned)) else {
            return (YouTubeWords(planned, titleWithoutWords: day), planned)
        }
        let cut = CaptionPlanner.plan(
            caption: YouTubeWords.plain(caption), rule: YouTubeSubmitter.captionRule, shortURL: shortURL
        ).text
        return (YouTubeWords(cut, titleWithoutWords: day), cut)
    }
}
