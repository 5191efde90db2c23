internal import Domain
internal import HTTP

/// A caption as markup: addresses, and what mentions and hashtags lead to, become links; line breaks stay.
struct CaptionMarkup {
    let places: EntityLinks

    func html(_ caption: String) -> HTML {
        var pieces: [HTML] = []
        var rest = caption.startIndex
        for entity in CaptionEntity.find(in: caption, paths: .international) {
            guard let piece = piece(entity, in: caption) else { continue }
            pieces.append(Self.lines(caption[rest..<entity.range.lowerBound]))
            pieces.append(piece)
            rest = entity.range.upperBound
        }
        pieces.append(Self.lines(caption[rest...]))
        return HTML.join(pieces)
    }

    private func piece(_ entity: CaptionEntity, in caption: String) -> HTML? {
        let text = String(caption[entity.range])
        switch entity.kind {
        case .link(let hasScheme):
            let url = LinkAddress.url(hasScheme ? text : "https://\(text)")
            return "<a rel=\"nofollow ugc noopener\" href=\"\(url)\"><bdi>\(text)</bdi></a>"
        case .hashtag:
            // Readers of microformats want the tag without its sign.
            let tag = String(text.dropFirst())
            let shown: HTML = "<bdi>\(String(text.prefix(1)))<span class=\"p-category\">\(tag)</span></bdi>"
            guard let url = places.hashtag(tag) else { return shown }
            let relation: HTML = places.hasOwnTags ? "tag" : "nofollow ugc noopener"
            return "<a rel=\"\(relation)\" href=\"\(url)\">\(shown)</a>"
        case .mention(let host):
            let end = host?.lowerBound ?? entity.range.upperBound
            let name = String(caption[entity.range.lowerBound..<end].dropFirst())
            guard let url = places.profile(name, host: host.map { String(caption[$0].dropFirst()) }) else {
                return "<bdi>\(text)</bdi>"
            }
            return "<a rel=\"nofollow ugc noopener\" href=\"\(url)\"><bdi>\(text)</bdi></a>"
        case .cashtag, .customEmoji: return nil
        }
    }

    private static func lines(_ text: Substring) -> HTML {
        HTML.join(
            text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map { index, line in
                index == 0 ? HTML.text(String(line)) : "<br>\n\(String(line))"
            })
    }
}

/// With which camera a photo was taken, and how: `FUJIFILM X-T5 · XF35mmF1.4 R · 35 mm · f/2 · 1/250 s · ISO 160`.
enum CameraLine {
    private static let longestName = 80

    /// Nil when the camera has said nothing of it. `facts` is a JSON object of texts, as `photos.exif` has them.
    static func text(_ facts: String) -> String? {
        guard let facts = try? JSONValue(parsing: Array(facts.utf8)) else { return nil }
        func fact(_ name: String) -> String? {
            let text = (facts[name]?.string ?? "").prefix(longestName).split(whereSeparator: \.isWhitespace)
            return text.isEmpty ? nil : text.joined(separator: " ")
        }
        let parts = [
            body(fact("make"), fact("model")), fact("lens"), fact("focal_length").map { "\($0) mm" },
            fact("f_number").map { "f/\($0)" }, fact("exposure_time").map { "\($0) s" },
            fact("iso").map { "ISO \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    /// Many models begin with their maker's name.
    private static func body(_ make: String?, _ model: String?) -> String? {
        guard let make, let model else { return model ?? make }
        let brand = make.prefix { $0 != " " }
        return model.lowercased().hasPrefix(brand.lowercased()) ? model : "\(make) \(model)"
    }
}
