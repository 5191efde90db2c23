package import Domain
internal import FoundationEssentials
internal import HTTP

/// An export of Pics: `photos.json`, and the files that it names.
package struct OwnExport: ImportFormat {
    package static let source = ImportSource.pics
    private let list: Int
    private let folder: String

    package init?(_ tree: ImportTree, _ texts: ImportTexts) {
        for (index, file) in tree.files.enumerated() {
            let name = FileName(file.name)
            guard name.name == "photos.json", texts[index] != nil, tree["\(name.folder)likes-given.json"] != nil else {
                continue
            }
            (list, folder) = (index, name.folder)
            return
        }
        return nil
    }

    package func plan(
        _ tree: ImportTree, _ texts: ImportTexts, _ visit: (PlannedItem) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        guard let span = texts[list] else { throw .badText }
        // Of those that are part of another's post, by that one: their identifiers, which are in their order, and where they stand.
        var parts: [String: [(id: String, file: String?, span: ImportTexts.Span)]] = [:]
        try texts.eachValue(of: span, named: tree.files[list].name, { _ in }) {
            _, element, photo throws(ImportProblem) in
            guard let post = photo["part_of"]?.string, let id = photo["id"]?.string else { return }
            parts[post, default: []].append((id, photo["file"]?.string, element))
        }
        try texts.eachValue(of: span, named: tree.files[list].name, visit) { _, element, photo throws(ImportProblem) in
            guard photo["part_of"]?.string == nil, photo["has_picture"]?.bool != false else { return }
            let id = photo["id"]?.string ?? ""
            var planned = PlannedItem()
            let others = (parts[id] ?? []).sorted { $0.id < $1.id }
            for part in [(id, photo["file"]?.string, element)] + others {
                guard let name = part.1, let file = tree[folder + name] else {
                    planned.missing.append(part.1 ?? photo["short_url"]?.string ?? "photos.json")
                    continue
                }
                planned.texts.append(part.2)
                planned.files.append(file)
            }
            try visit(planned)
        }
    }

    package func item(
        _ planned: PlannedItem, _ tree: ImportTree, _ texts: ImportTexts
    ) throws(ImportProblem) -> ImportItem? {
        var photos: [JSONValue] = []
        for span in planned.texts { photos.append(try texts.json(span)) }
        guard let first = photos.first else { return nil }
        var item = ImportItem(
            photos: photos.map { photo in
                var taken: TakenTime?
                if let text = photo["taken_at"]?.string, let time = Timestamp(text) {
                    taken = TakenTime(time.date, offset: Timestamp.offset(of: text))
                }
                let recipe = photo["recipe"].flatMap { $0.isNull ? nil : $0 }
                return ImportItem.Photo(altText: photo["alt_text"]?.string ?? "", taken: taken, recipe: recipe)
            })
        item.identity = first["id"]?.string
        item.caption = first["caption"]?.string ?? ""
        item.publishedAt = first["created_at"]?.string.flatMap { Timestamp($0)?.date }
        item.album = first["album"]?.string
        item.visibility = first["visibility"]?.string.flatMap(Visibility.init(rawValue:)) ?? .private
        item.position = Position(
            known: first["location"]?["latitude"]?.double, first["location"]?["longitude"]?.double)
        item.likes = Int(clamping: first["likes"]?["networks"]?.int ?? 0)
        return item
    }
}
