package import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// Flickr's data download: a `photo_ID.json` for each photo, and archives of files whose names have the identifier.
///
/// Source: the files of downloads of 2018 to 2025, as `flickr-to-anything` and others read them; read 2026-11-27.
package struct FlickrDownload: ImportFormat {
    package static let source = ImportSource.flickr
    private let photos: [(id: String, text: Int)]
    /// Files by the numbers in their names.
    private let files: [String: Int]

    package init?(_ tree: ImportTree, _ texts: ImportTexts) {
        var photos: [(id: String, text: Int)] = []
        var files: [String: Int] = [:]
        for (index, file) in tree.files.enumerated() {
            let name = FileName(file.name)
            if let match = name.name.wholeMatch(of: /photo_(\d+)\.json/), texts[index] != nil {
                photos.append((String(match.output.1), index))
            } else if name.isMedia {
                // `title_ID_o.jpg`, `ID_secret_o.jpg`, and of videos `title_ID.mp4`.
                for part in name.stem.split(separator: "_") where part.count >= 5 && part.allSatisfy(\.isNumber) {
                    files[String(part)] = index
                }
            }
        }
        guard !photos.isEmpty else { return nil }
        (self.photos, self.files) = (photos, files)
    }

    package func plan(
        _ tree: ImportTree, _ texts: ImportTexts, _ visit: (PlannedItem) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        var told: Set<Int> = []
        for (id, text) in photos {
            guard let file = files[id], let span = texts[text], told.insert(file).inserted else {
                try visit(PlannedItem(missing: [tree.files[text].name]))
                continue
            }
            try visit(PlannedItem(texts: [span], files: [file]))
        }
        // Of which nothing is said: they are what they are.
        for (index, file) in tree.files.enumerated() where FileName(file.name).isMedia && !told.contains(index) {
            try visit(PlannedItem(files: [index]))
        }
    }

    package func item(
        _ planned: PlannedItem, _ tree: ImportTree, _ texts: ImportTexts
    ) throws(ImportProblem) -> ImportItem? {
        var item = ImportItem()
        guard let span = planned.texts.first else { return item }
        let photo = try texts.json(span)
        item.identity = photo["id"]?.string
        let words = [photo["name"]?.string ?? "", HTMLText.plain(photo["description"]?.string ?? "")]
        let tags = (photo["tags"]?.array ?? []).compactMap { $0["tag"]?.string ?? $0.string }
        item.caption = words.filter { !$0.isEmpty }.joined(separator: "\n\n").adding(tags: tags)
        // By the clock of whoever took it; its zone is not said.
        item.photos[0].takenByClock = photo["date_taken"]?.string.flatMap(Self.time)
        item.publishedAt = photo["date_imported"]?.string.flatMap(Self.time).flatMap { Timestamp("\($0)Z")?.date }
        item.album = photo["albums"]?.array?.lazy.compactMap { $0["title"]?.string }.first
        item.visibility = photo["privacy"]?.string == "public" ? .public : .private
        item.labels = ContentLabels(
            isSensitive: ["moderate", "restricted"].contains(photo["safety"]?.string?.lowercased() ?? ""))
        let geo = photo["geo"]?.array?.first ?? photo["geo"]
        // In millionths of a degree.
        item.position = Position(
            known: geo?["latitude"]?.number.map(Self.degrees), geo?["longitude"]?.number.map(Self.degrees))
        item.likes = photo["count_faves"]?.number.flatMap { Int(exactly: $0.rounded()) } ?? 0
        return item
    }

    private static func degrees(_ number: Double) -> Double { abs(number) > 180 ? number / 1_000_000 : number }

    /// `2008-07-01T13:04:18` of `2008-07-01 13:04:18`. A month or day that is not known is 0.
    private static func time(_ text: String) -> String? {
        guard let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d)/)?.output else { return nil }
        let (month, day) = (match.2 == "00" ? "01" : match.2, match.3 == "00" ? "01" : match.3)
        return "\(match.1)-\(month)-\(day)T\(match.4)"
    }
}
