import Domain
import Foundation

@testable import Imports

/// What is found in files, without an archive and without a Pics.
struct Planned {
    let source: ImportSource
    /// What is said of each post, with the names of its files; those that its source says are none are left out.
    let posts: [(item: ImportItem, files: [String])]
    /// Names of files that are missing, and of texts that cannot be read.
    let faults: [String]

    init(_ files: Archives.Files) throws {
        var (tree, spool, spans) = (ImportTree(), [UInt8](), [Int: ImportTexts.Span]())
        for (number, file) in files.enumerated() {
            let added = try tree.add(
                ImportTree.File(
                    name: file.name, place: 0, number: number, size: Int64(file.bytes.count), modified: nil))
            guard let added, ImportTexts.isText(file.name) else { continue }
            spans[added] = ImportTexts.Span(offset: Int64(spool.count), length: Int64(file.bytes.count))
            spool += file.bytes
        }
        let all = spool
        let texts = ImportTexts(spans) { offset, count in
            Int(offset) <= all.count ? Array(all[Int(offset)..<min(all.count, Int(offset) + count)]) : nil
        }
        let format = ImportFormats.format(of: tree, texts)
        source = type(of: format).source
        var planned: [PlannedItem] = []
        try format.plan(tree, texts) { planned.append($0) }
        faults = planned.flatMap { $0.missing + [$0.unreadable].compactMap(\.self) }
        posts = try planned.filter { !$0.files.isEmpty }.compactMap { plan in
            try format.item(plan, tree, texts).map { ($0, plan.files.map { tree.files[$0].name }) }
        }
    }

    /// The post of a file.
    func post(_ file: String) -> ImportItem? { posts.first { $0.files.contains(file) }?.item }
}
