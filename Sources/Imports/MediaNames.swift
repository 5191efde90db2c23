internal import FoundationEssentials
internal import HTTP

/// The pictures and videos of an import, by the ends of their names: sources name files by addresses and paths that differ from where they
/// lie in the archive. Instagram's videos have no suffix.
struct MediaNames: Sendable {
    private var byName: [String: [Int]] = [:]

    init(_ tree: ImportTree) {
        for (index, file) in tree.files.enumerated() {
            let name = FileName(file.name)
            if name.isMedia || name.suffix.isEmpty { byName[name.name, default: []].append(index) }
        }
    }

    /// The file whose path ends like this path or address; of several the one that shares most folders with it.
    func file(_ path: String, in tree: ImportTree) -> Int? {
        let path = path.split(separator: "?", maxSplits: 1).first.map(String.init) ?? path
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return nil }
        let found = byName[String(last)] ?? byName[PercentEncoding.decode(last) ?? ""] ?? []
        if found.count < 2 { return found.first }
        return found.max { shared($0, parts, tree) < shared($1, parts, tree) }
    }

    private func shared(_ file: Int, _ parts: [Substring], _ tree: ImportTree) -> Int {
        zip(tree.files[file].name.split(separator: "/").reversed(), parts.reversed()).prefix { $0 == $1 }.count
    }
}

extension PlannedItem {
    /// The posts of one that has several files, by their names in their order: its pictures together, each video by itself, as Pics takes
    /// them. `span` is what is said of all.
    static func posts(
        _ span: ImportTexts.Span, of names: [(place: Int, name: String)], _ media: MediaNames, _ tree: ImportTree
    ) -> [PlannedItem] {
        var pictures = PlannedItem(texts: [span])
        var videos: [PlannedItem] = []
        for (place, name) in names {
            guard let file = media.file(name, in: tree) else {
                pictures.missing.append(name)
                continue
            }
            let found = FileName(tree.files[file].name)
            if found.isVideo || found.suffix.isEmpty {
                videos.append(PlannedItem(texts: [span], files: [file], places: [place]))
            } else if pictures.files.count < ImportItem.mostPhotos {
                pictures.files.append(file)
                pictures.places.append(place)
            } else {
                videos.append(PlannedItem(texts: [span], files: [file], places: [place]))
            }
        }
        return (pictures.files.isEmpty && pictures.missing.isEmpty ? [] : [pictures]) + videos
    }
}

extension ImportItem {
    /// The name of a post at its source. Of a post that became several here the further ones are named by the place of their first file.
    static func identity(_ name: String?, _ planned: PlannedItem) -> String? {
        guard let name, let first = planned.places.first, first > 0 else { return name }
        return "\(name) \(first)"
    }
}
