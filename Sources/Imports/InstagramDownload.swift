package import Domain
internal import FoundationEssentials
internal import HTTP

/// Instagram's data download in its JSON form: lists of posts, reels, stories and archived posts, and the files that they name.
///
/// It says nothing of who saw a post, so all are private. It has no identifiers: a post is known by its first file's name and its time.
///
/// Source: downloads of 2021 to 2025 as importers describe them, such as Pixelfed's `TransformImports.php`; read 2026-11-27.
package struct InstagramDownload: ImportFormat {
    package static let source = ImportSource.instagram
    private let lists: [Int]
    private let media: MediaNames

    package init?(_ tree: ImportTree, _ texts: ImportTexts) {
        lists = tree.files.indices.filter { index in
            let name = FileName(tree.files[index].name)
            guard texts[index] != nil, let folder = name.folder.split(separator: "/").last else { return false }
            let isList =
                name.name.wholeMatch(of: /posts_\d+\.json/) != nil
                || ["reels.json", "igtv_videos.json", "stories.json", "archived_posts.json"].contains(name.name)
            return isList && ["content", "media"].contains(folder)
        }
        guard !lists.isEmpty else { return nil }
        media = MediaNames(tree)
    }

    package func plan(
        _ tree: ImportTree, _ texts: ImportTexts, _ visit: (PlannedItem) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        for list in lists {
            guard let span = texts[list] else { continue }
            try texts.eachValue(of: span, named: tree.files[list].name, visit) {
                _, element, post throws(ImportProblem) in
                let names = Self.media(post).enumerated().compactMap { place, medium in
                    medium["uri"]?.string.map { (place, $0) }
                }
                for planned in PlannedItem.posts(element, of: names, media, tree) { try visit(planned) }
            }
        }
    }

    package func item(
        _ planned: PlannedItem, _ tree: ImportTree, _ texts: ImportTexts
    ) throws(ImportProblem) -> ImportItem? {
        guard let span = planned.texts.first else { return nil }
        let post = try texts.json(span)
        let media = Self.media(post)
        let chosen = planned.places.map { media.indices.contains($0) ? media[$0] : .null }
        guard let first = chosen.first else { return nil }
        var item = ImportItem(photos: chosen.map { _ in ImportItem.Photo() })
        // A post of one file has its words there.
        let words = [post["title"], media.first?["title"]].lazy.compactMap { $0?.string }.first { !$0.isEmpty }
        item.caption = Self.mended(words ?? "")
        item.publishedAt = (post["creation_timestamp"] ?? media.first?["creation_timestamp"])?.secondsSince1970
        if let name = first["uri"]?.string {
            let time = item.publishedAt.map { String(Int64($0.timeIntervalSince1970)) } ?? ""
            item.identity = "\(FileName(name).name) \(time)"
        }
        let metadata = first["media_metadata"]
        for facts in [metadata?["photo_metadata"], metadata?["video_metadata"]] {
            for exif in facts?["exif_data"]?.array ?? [] {
                item.position = item.position ?? Position(known: exif["latitude"]?.number, exif["longitude"]?.number)
            }
        }
        return item
    }

    private static func media(_ post: JSONValue) -> [JSONValue] {
        post["media"]?.array ?? (post["uri"] != nil ? [post] : [])
    }

    /// Text whose UTF-8 bytes were written as a character each.
    static func mended(_ text: String) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            // Characters beyond Latin-1 come from a text that is right.
            guard let byte = UInt8(exactly: scalar.value) else { return text }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}
