internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// Kind, words and tags of a post.
///
/// Source: NIP-01, 36, 68, 71, 92 and B7, nostr-protocol/nips at db5fe3d; read 2026-11-26.
struct NostrPost: Sendable {
    let kind: Int
    let content: String
    let tags: [[String]]

    /// The form that an account's owner has chosen for posts.
    enum Form: String {
        /// Kind 1, which every client shows.
        case notes = "1"
        /// Kind 20, and 21 or 22 for videos: clients for pictures show them, and others do not.
        case pictures = "20"

        init(_ settings: JSONValue) { self = Form(rawValue: settings["kind"]?.string ?? "") ?? .notes }
    }

    private static let mostHashtags = 50

    /// Takes the caption, and the uploaded files in the order of the pictures.
    init(_ task: SubmissionTask, _ text: String, _ blobs: [BlossomAPI.Blob], _ form: Form) {
        let text = Self.cleaned(text)
        switch form {
        case .notes: kind = NostrEvent.Kind.note
        case .pictures where task.photo.isVideo: kind = Self.videoKind(blobs.first)
        case .pictures: kind = NostrEvent.Kind.pictures
        }
        // A note shows the files whose addresses stand in it.
        let urls = form == .notes ? blobs.map(\.url) : []
        content = ([text].filter { !$0.isEmpty } + urls).joined(separator: "\n")

        var tags: [[String]] = []
        if form == .pictures { tags.append(["title", Self.title(text)]) }
        for (picture, blob) in zip(task.pictures, blobs) {
            tags.append(Self.description(blob, altText: Self.cleaned(picture.altText)))
        }
        if form == .pictures {
            for type in Set(blobs.map(\.mediaType)).sorted() { tags.append(["m", type]) }
            let altText = Self.cleaned(task.altText)
            if task.photo.isVideo, !altText.isEmpty { tags.append(["alt", altText]) }
        }
        // By them a relay finds the posts that show a file.
        tags += blobs.map { ["x", $0.sha256] }
        tags += Self.hashtags(text).map { ["t", $0] }
        if task.photo.labels.isSensitive {
            tags.append(["content-warning"] + [task.photo.labels.warning.map(Self.cleaned)].compactMap(\.self))
        }
        if let position = task.photo.position { tags.append(["g", Geohash.of(position)]) }
        self.tags = tags
    }

    /// Upright ones are what clients for short videos show; which a film is, is its author's matter (NIP-71).
    private static func videoKind(_ blob: BlossomAPI.Blob?) -> Int {
        guard let width = blob?.width, let height = blob?.height else { return NostrEvent.Kind.video }
        return height > width ? NostrEvent.Kind.shortVideo : NostrEvent.Kind.video
    }

    private static func description(_ blob: BlossomAPI.Blob, altText: String) -> [String] {
        var tag = ["imeta", "url \(blob.url)", "m \(blob.mediaType)", "x \(blob.sha256)", "size \(blob.bytes)"]
        if let width = blob.width, let height = blob.height { tag.append("dim \(width)x\(height)") }
        if !altText.isEmpty { tag.append("alt \(altText)") }
        return tag
    }

    /// The first line of a caption, 80 characters at most.
    private static func title(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        guard line.count > 80 else { return String(line) }
        return String(line.prefix(79)) + "…"
    }

    /// In small letters, each once.
    static func hashtags(_ text: String) -> [String] {
        var tags: [String] = []
        for entity in CaptionEntity.find(in: text) where entity.kind == .hashtag && tags.count < mostHashtags {
            let tag = text[entity.range].dropFirst().lowercased()
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// Without control characters but line breaks and tabs: programs write others in different ways, and so would compute another id.
    static func cleaned(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control }))
    }
}

/// A place on Earth as a word: the longer, the smaller the place.
///
/// Source: "Geohash" as NIP-52 and NIP-68 use it; checked with the pairs of the article "Geohash" of Wikipedia, read 2026-11-26.
enum Geohash {
    private static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz")
    /// Of nine characters: some five metres.
    private static let length = 9

    static func of(_ position: Position) -> String {
        var (latitude, longitude) = ((-90.0, 90.0), (-180.0, 180.0))
        var (word, bits) = ("", 0)
        for bit in 0..<(length * 5) {
            let isUpper =
                bit.isMultiple(of: 2)
                ? halve(&longitude, position.longitude) : halve(&latitude, position.latitude)
            bits = bits << 1 | (isUpper ? 1 : 0)
            guard bit % 5 == 4 else { continue }
            word.append(alphabet[bits])
            bits = 0
        }
        return word
    }

    private static func halve(_ range: inout (Double, Double), _ value: Double) -> Bool {
        let middle = (range.0 + range.1) / 2
        if value >= middle { range.0 = middle } else { range.1 = middle }
        return value >= middle
    }
}
