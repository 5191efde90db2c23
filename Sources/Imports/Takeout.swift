package import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

/// Google Photos, as Google Takeout gives it out: files in a folder for each year and each album, and beside most of them a JSON file with
/// what is known of them.
///
/// Sources: the naming as the importers immich-go (`adapters/googlePhotos/matchers.go`), google-photos-takeout-helper and the notes of
/// osxphotos describe it; read 2026-11-27.
package struct Takeout: ImportFormat {
    package static let source = ImportSource.takeout
    /// The JSON files of each folder.
    private let folders: [String: Sidecars]

    package init?(_ tree: ImportTree, _ texts: ImportTexts) {
        var folders: [String: Sidecars] = [:]
        var isTakeout = false
        for (index, file) in tree.files.enumerated() where texts[index] != nil {
            let name = FileName(file.name)
            guard name.suffix == "json" else { continue }
            folders[name.folder, default: Sidecars()].add(name.stem, index)
            isTakeout = isTakeout || name.folder.hasPrefix("Takeout/") || name.folder.contains("/Takeout/")
        }
        // A folder that somebody took out of one has no such name, and has a JSON file for a file of its own.
        isTakeout =
            isTakeout
            || tree.files.contains { file in
                let name = FileName(file.name)
                return name.isMedia && folders[name.folder]?.exact(name.name) != nil
            }
        guard isTakeout else { return nil }
        self.folders = folders.mapValues { sidecars in
            var sidecars = sidecars
            sidecars.sort()
            return sidecars
        }
    }

    package func plan(
        _ tree: ImportTree, _ texts: ImportTexts, _ visit: (PlannedItem) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        for (index, file) in tree.files.enumerated() {
            let name = FileName(file.name)
            guard name.isMedia else { continue }
            let text = folders[name.folder]?.sidecar(of: name).flatMap { texts[$0] }
            try visit(PlannedItem(texts: text.map { [$0] } ?? [], files: [index]))
        }
    }

    package func item(
        _ planned: PlannedItem, _ tree: ImportTree, _ texts: ImportTexts
    ) throws(ImportProblem) -> ImportItem? {
        var item = ImportItem()
        if let file = planned.files.first { item.album = try album(FileName(tree.files[file].name).folder, texts) }
        guard let span = planned.texts.first else { return item }
        let said = try texts.json(span)
        if said["trashed"]?.bool == true { return nil }
        item.caption = said["description"]?.string ?? ""
        if let date = (said["photoTakenTime"]?["timestamp"] ?? said["creationTime"]?["timestamp"])?.secondsSince1970 {
            item.photos[0].taken = TakenTime(date)
            item.publishedAt = date
        }
        for place in [said["geoData"], said["geoDataExif"]] {
            item.position = item.position ?? Position(known: place?["latitude"]?.double, place?["longitude"]?.double)
        }
        return item
    }

    /// The title of the album that a folder is; nil for that of a year.
    private func album(_ folder: String, _ texts: ImportTexts) throws(ImportProblem) -> String? {
        for file in folders[folder]?.others ?? [] {
            guard let span = texts[file], span.length < Self.longestAlbum else { continue }
            let said: JSONValue
            do throws(ImportProblem) { said = try texts.json(span) } catch { continue }
            // Older archives have it in `albumData`.
            let album = said["albumData"] ?? said
            if said["photoTakenTime"] == nil, let title = album["title"]?.string, !title.isEmpty { return title }
        }
        return nil
    }

    private static let longestAlbum = 1 << 20
}

/// The JSON files of a folder, by the names of the files that they tell of.
private struct Sidecars {
    private var byTarget: [String: Int] = [:]
    /// By the name without its ending, for the film of a moving photo.
    private var byStem: [String: Int] = [:]
    private var sorted: [String] = []
    /// Those that may tell of the folder: their name has no dot before `.json`.
    private(set) var others: [Int] = []

    /// Takes one by its name without `.json`.
    mutating func add(_ stem: String, _ file: Int) {
        if !stem.contains("."), others.count < 8 { others.append(file) }
        let target = Self.target(stem)
        byTarget[target] = byTarget[target] ?? file
        let base = FileName(target).stem
        byStem[base] = byStem[base] ?? file
    }

    mutating func sort() { sorted = byTarget.keys.sorted() }

    /// The one whose name says nothing else.
    func exact(_ name: String) -> Int? { byTarget[name] }

    func sidecar(of file: FileName) -> Int? {
        let names = [file.name] + [Self.original(of: file)].compactMap(\.self)
        for name in names {
            if let found = byTarget[name] ?? cut(name) { return found }
        }
        // A film of a moving photo has none of its own.
        return file.isVideo ? names.lazy.compactMap { byStem[FileName($0).stem] }.first : nil
    }

    /// The one whose name was cut: 46 characters stay before `.json`.
    private func cut(_ name: String) -> Int? {
        guard name.count >= Self.cutLength - 1 else { return nil }
        for length in [Self.cutLength, Self.cutLength - 1] {
            if let found = byTarget[String(name.prefix(length))] { return found }
        }
        return nil
    }

    /// The file that a JSON file tells of: `IMG.jpg`, `IMG.jpg.supplemental-metadata`, whose last word may be cut anywhere, and
    /// `IMG.jpg(1)` or `IMG.jpg.supplemental-metadata(1)` for `IMG(1).jpg`.
    private static func target(_ stem: String) -> String {
        var (stem, counter) = (stem, "")
        if let match = stem.wholeMatch(of: /(.*)(\(\d{1,5}\))/) {
            (stem, counter) = (String(match.output.1), String(match.output.2))
        }
        if let dot = stem.lastIndex(of: "."), "supplemental-metadata".hasPrefix(stem[stem.index(after: dot)...]) {
            stem = String(stem[..<dot])
        }
        guard !counter.isEmpty else { return stem }
        let name = FileName(stem)
        // Without an ending the counter is the name's own.
        return name.suffix.isEmpty || name.stem == stem
            ? stem + counter : "\(name.stem)\(counter)\(stem.dropFirst(name.stem.count))"
    }

    /// `IMG.jpg` for `IMG-edited.jpg`, and `IMG(1).jpg` for `IMG-edited(1).jpg`; nil for what was not edited.
    private static func original(of file: FileName) -> String? {
        guard let match = file.stem.wholeMatch(of: /(.+)-([^-()]+)(\(\d{1,5}\))?/),
            edited.contains(match.output.2.composed.lowercased())
        else { return nil }
        return "\(match.output.1)\(match.output.3 ?? "")\(file.name.dropFirst(file.stem.count))"
    }

    /// What Google Photos calls an edited file in the languages that importers have met.
    private static let edited: Set<String> = [
        "edited", "effects", "smile", "mix", "bearbeitet", "modifié", "editado", "editada", "modificato", "bewerkt",
        "edytowane", "redigerad", "redigert", "redigeret", "muokattu", "編集済み", "编辑", "已編輯", "편집됨", "düzenlendi",
        "изменено", "ha editado", "upraveno", "szerkesztett",
    ]

    private static let cutLength = 46
}
