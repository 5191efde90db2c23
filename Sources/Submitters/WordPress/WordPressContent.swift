internal import Domain
internal import Formats
internal import FoundationEssentials
internal import System

/// What a post shows, as blocks of WordPress's editor: the pictures, then the caption in a group of its own, by which it is found again.
enum WordPressContent {
    /// Bounds of a title, in characters.
    private static let longestTitle = 80

    /// The caption's first line; titles are HTML.
    static func title(of text: String) -> String { escaped(firstLine(of: text)) }

    private static func firstLine(of text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map { $0.trimmedOfSpaces } ?? ""
        return line.count <= longestTitle ? line : line.prefix(longestTitle - 1) + "…"
    }

    /// The last part of the post's address: words of the title, and the photo's code, which makes it the photo's own.
    static func slug(of text: String, code: ShortCode) -> String {
        let words = firstLine(of: text).lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        // WordPress makes two dashes one.
        let name = words.prefix(6).joined(separator: "-").prefix(48).split(separator: "-").joined(separator: "-")
        return (name.isEmpty ? "photo" : name) + "-\(code.description.lowercased())"
    }

    static func post(_ media: [(media: WordPressAPI.Media, altText: String)], isVideo: Bool, text: String) -> String {
        let shown: String =
            if isVideo, let video = media.first?.media {
                """
                <!-- wp:video {"id":\(video.id)} -->
                <figure class="wp-block-video"><video controls src="\(escaped(video.url))"></video></figure>
                <!-- /wp:video -->
                """
            } else if media.count > 1 {
                """
                <!-- wp:gallery {"linkTo":"none"} -->
                <figure class="wp-block-gallery has-nested-images columns-default is-cropped">\(media.map(image).joined())</figure>
                <!-- /wp:gallery -->
                """
            } else {
                media.map(image).joined()
            }
        return "\(shown)\n\n\(caption(text))"
    }

    private static func image(_ picture: (media: WordPressAPI.Media, altText: String)) -> String {
        let media = picture.media
        return """
            <!-- wp:image {"id":\(media.id),"sizeSlug":"full","linkDestination":"none"} -->
            <figure class="wp-block-image size-full"><img src="\(escaped(media.url))" alt="\(escaped(picture.altText))" class="wp-image-\(media.id)"/></figure>
            <!-- /wp:image -->
            """
    }

    private static let captionStart = "<!-- wp:group {\"className\":\"pics-caption\"} -->"
    private static let captionEnd = "<!-- /wp:group -->"
    /// The editor refuses a group without it.
    private static let emptyGroup = "<div class=\"wp-block-group pics-caption\"></div>"
    /// What the editor has made of a group without it.
    private static let closedCaption = "<!-- wp:group {\"className\":\"pics-caption\"} /-->"

    /// Without a caption it is empty, and shows nothing until an edit gives it one.
    private static func caption(_ text: String) -> String {
        if text.isEmpty { return "\(captionStart)\n\(emptyGroup)\n\(captionEnd)" }
        let paragraphs = text.replacing("\r\n", with: "\n").split(separator: "\n\n").map { paragraph in
            "<!-- wp:paragraph -->\n<p>\(lines(paragraph))</p>\n<!-- /wp:paragraph -->"
        }
        return """
            \(captionStart)
            <div class="wp-block-group pics-caption">\(paragraphs.joined(separator: "\n\n"))</div>
            \(captionEnd)
            """
    }

    /// Links are links, and line ends stay.
    private static func lines(_ paragraph: Substring) -> String {
        let text = String(paragraph)
        var (html, rest) = ("", text.startIndex)
        for entity in CaptionEntity.find(in: text, paths: .international) {
            guard case .link(let hasScheme) = entity.kind else { continue }
            let words = String(text[entity.range])
            let url = hasScheme ? words : "https://\(words)"
            html += escaped(String(text[rest..<entity.range.lowerBound]))
            html += "<a href=\"\(escaped(url))\">\(escaped(words))</a>"
            rest = entity.range.upperBound
        }
        return (html + escaped(String(text[rest...]))).replacing("\n", with: "<br>")
    }

    /// The content with another caption; nil where it has none that Pics has written.
    static func replacingCaption(in content: String, with text: String) -> String? {
        if let closed = content.firstRange(of: closedCaption) { return content.replacing(closed, with: caption(text)) }
        guard let start = content.firstRange(of: captionStart),
            let end = content[start.upperBound...].firstRange(of: captionEnd)
        else { return nil }
        return content.replacing(start.lowerBound..<end.upperBound, with: caption(text))
    }

    /// The content with another alternative text of its first picture.
    static func replacingAltText(in content: String, of media: Int64, with text: String) -> String {
        guard let end = content.firstRange(of: "class=\"wp-image-\(media)\""),
            let start = content[..<end.lowerBound].ranges(of: "alt=\"").last,
            let close = content[start.upperBound..<end.lowerBound].firstRange(of: "\"")
        else { return content }
        return content.replacing(start.upperBound..<close.lowerBound, with: escaped(text))
    }

    /// The library's files that the content shows, in order.
    static func media(in content: String) -> [Int64] {
        content.matches(of: /<!-- wp:(?:image|video) \{"id":([0-9]{1,18})/).compactMap { Int64($0.1) }
    }

    /// Square brackets are WordPress's shortcodes.
    private static func escaped(_ text: String) -> String { HTMLText.escaped(text, ["[": "&#91;"]) }
}

extension String {
    fileprivate func replacing(_ range: Range<Index>, with text: String) -> String {
        var result = self
        result.replaceSubrange(range, with: text)
        return result
    }
}
