package import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// The statuses that Pixelfed gives out, `pixelfed-statuses.json`: posts with the addresses of their files. The files have to lie beside it,
/// under the last part of their address; nothing is fetched.
///
/// Source: Pixelfed's `app/Http/Controllers/Settings/ExportSettings.php` and `app/Transformer/Api/StatusTransformer.php`; read 2026-11-27.
package struct PixelfedStatuses: ImportFormat {
    package static let source = ImportSource.pixelfed
    private let list: Int
    private let media: MediaNames

    package init?(_ tree: ImportTree, _ texts: ImportTexts) {
        let found = tree.files.indices.first {
            FileName(tree.files[$0].name).name == "pixelfed-statuses.json" && texts[$0] != nil
        }
        guard let found else { return nil }
        list = found
        media = MediaNames(tree)
    }

    package func plan(
        _ tree: ImportTree, _ texts: ImportTexts, _ visit: (PlannedItem) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        guard let span = texts[list] else { throw .badText }
        try texts.eachValue(of: span, named: tree.files[list].name, visit) { _, element, status throws(ImportProblem) in
            // What others wrote, and was shared, is theirs.
            guard status["reblog"]?.object == nil else { return }
            let names = (status["media_attachments"]?.array ?? []).enumerated().compactMap { place, attachment in
                attachment["url"]?.string.map { (place, $0) }
            }
            for post in PlannedItem.posts(element, of: names, media, tree) { try visit(post) }
        }
    }

    package func item(
        _ planned: PlannedItem, _ tree: ImportTree, _ texts: ImportTexts
    ) throws(ImportProblem) -> ImportItem? {
        guard let span = planned.texts.first else { return nil }
        let status = try texts.json(span)
        let attachments = status["media_attachments"]?.array ?? []
        var item = ImportItem(
            photos: planned.places.map { place in
                ImportItem.Photo(
                    altText: attachments.indices.contains(place) ? attachments[place]["description"]?.string ?? "" : "")
            })
        let name = status["uri"]?.string ?? status["url"]?.string ?? status["id"]?.string
        item.identity = ImportItem.identity(name, planned)
        let words = status["content_text"]?.string ?? ""
        item.caption = words.isEmpty ? status["content"]?.string.map { HTMLText.plain($0) } ?? "" : words
        item.publishedAt = status["created_at"]?.string.flatMap { Timestamp($0)?.date }
        item.visibility = status["visibility"]?.string.flatMap(Visibility.init(rawValue:)) ?? .private
        let warning = String((status["spoiler_text"]?.string ?? "").prefix(200))
        item.labels = ContentLabels(
            isSensitive: status["sensitive"]?.bool ?? false, warning: warning.isEmpty ? nil : warning,
            language: status["language"]?.string)
        item.likes = Int(clamping: status["favourites_count"]?.int ?? 0)
        return item
    }
}
