package import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// The archive of a Mastodon account, and of other servers that give out an `outbox.json`: activities as ActivityPub writes them, and the
/// files that they name.
///
/// Source: Mastodon's `app/services/backup_service.rb`, which takes `/system/` from the addresses of files; read 2026-11-27.
package struct ActivityPubOutbox: ImportFormat {
    package static let source = ImportSource.mastodon
    private let outbox: Int
    private let media: MediaNames

    package init?(_ tree: ImportTree, _ texts: ImportTexts) {
        let found = tree.files.indices.first { FileName(tree.files[$0].name).name == "outbox.json" && texts[$0] != nil }
        guard let found else { return nil }
        outbox = found
        media = MediaNames(tree)
    }

    package func plan(
        _ tree: ImportTree, _ texts: ImportTexts, _ visit: (PlannedItem) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        guard let span = texts[outbox] else { throw .badText }
        try texts.eachValue(of: span, named: tree.files[outbox].name, visit) {
            _, element, activity throws(ImportProblem) in
            // What others wrote, and was shared, is theirs.
            guard ["Create", "Note", "Video", "Page", "Article"].contains(activity["type"]?.string ?? "") else {
                return
            }
            let names = Self.attachments(Self.note(activity)).enumerated().compactMap { place, attachment in
                (attachment["url"]?.string ?? attachment["href"]?.string).map { (place, $0) }
            }
            for post in PlannedItem.posts(element, of: names, media, tree) { try visit(post) }
        }
    }

    package func item(
        _ planned: PlannedItem, _ tree: ImportTree, _ texts: ImportTexts
    ) throws(ImportProblem) -> ImportItem? {
        guard let span = planned.texts.first else { return nil }
        let note = Self.note(try texts.json(span))
        let attachments = Self.attachments(note)
        var item = ImportItem(
            photos: planned.places.map { place in
                ImportItem.Photo(
                    altText: attachments.indices.contains(place) ? attachments[place]["name"]?.string ?? "" : "")
            })
        item.identity = ImportItem.identity(note["id"]?.string ?? note["url"]?.string, planned)
        item.caption = note["content"]?.string.map { HTMLText.plain($0) } ?? ""
        item.publishedAt = note["published"]?.string.flatMap { Timestamp($0)?.date }
        item.visibility = Self.visibility(note)
        let warning = note["summary"]?.string.map { String(HTMLText.plain($0).prefix(200)) } ?? ""
        item.labels = ContentLabels(
            isSensitive: note["sensitive"]?.bool ?? false, warning: warning.isEmpty ? nil : warning,
            language: note["contentMap"]?.object?.first?.name)
        item.likes = Int(clamping: note["likes"]?["totalItems"]?.int ?? 0)
        return item
    }

    private static func note(_ activity: JSONValue) -> JSONValue {
        activity["object"]?.object != nil ? activity["object"] ?? activity : activity
    }

    private static func attachments(_ note: JSONValue) -> [JSONValue] {
        let attachment = note["attachment"] ?? .null
        return attachment.array ?? (attachment.object != nil ? [attachment] : [])
    }

    /// Everybody in `to` is public, in `cc` unlisted; anything else is for some only.
    private static func visibility(_ note: JSONValue) -> Visibility {
        func names(everybody name: String) -> Bool {
            let value = note[name] ?? .null
            return (value.array ?? [value]).contains {
                ["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"].contains($0.string ?? "")
            }
        }
        return names(everybody: "to") ? .public : names(everybody: "cc") ? .unlisted : .private
    }
}
