package import Domain
internal import FoundationEssentials
internal import HTTP

/// Files as they are. What is known of a photo stands in it, or in an XMP file beside it; the folder that it lies in is its album.
package struct PlainFolder: ImportFormat {
    package static let source = ImportSource.folder

    /// Whether everything lies in one folder, as archives of a folder have it: it is no album.
    private let hasOneRoot: Bool

    package init(_ tree: ImportTree, _ texts: ImportTexts) {
        guard let first = tree.files.first?.name.split(separator: "/").first else {
            hasOneRoot = false
            return
        }
        hasOneRoot = tree.files.allSatisfy { $0.name.hasPrefix("\(first)/") }
    }

    package func plan(
        _ tree: ImportTree, _ texts: ImportTexts, _ visit: (PlannedItem) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        for (index, file) in tree.files.enumerated() where FileName(file.name).isMedia {
            let name = FileName(file.name)
            let sidecars = ["\(file.name).xmp", "\(name.folder)\(name.stem).xmp"]
            let found = sidecars.lazy.compactMap { tree[$0] ?? tree[String($0.dropLast(3)) + "XMP"] }.first
            try visit(PlannedItem(texts: found.flatMap { texts[$0] }.map { [$0] } ?? [], files: [index]))
        }
    }

    package func item(
        _ planned: PlannedItem, _ tree: ImportTree, _ texts: ImportTexts
    ) throws(ImportProblem) -> ImportItem? {
        var item = ImportItem()
        if let span = planned.texts.first, let xmp = XMPSidecar(try texts.bytes(of: span)) {
            item.caption = xmp.caption.adding(tags: xmp.keywords)
            item.photos[0].altText = xmp.altText
            item.photos[0].taken = xmp.taken
            item.photos[0].takenByClock = xmp.takenByClock
            item.position = xmp.position
        }
        if let file = planned.files.first {
            let folders = tree.files[file].name.split(separator: "/").dropLast()
            if folders.count > (hasOneRoot ? 1 : 0) { item.album = folders.last.map(String.init) }
        }
        return item
    }
}
