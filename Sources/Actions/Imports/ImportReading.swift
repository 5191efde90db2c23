internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import Glibc
internal import Imports
internal import Media
internal import System

/// The archives or the folder that an import is read from.
package enum ImportMaterial: Sendable, Equatable {
    /// The path of a ZIP or tar file.
    case archive(String)
    /// The path of a folder.
    case folder(String)
}

/// What an import consists of, found in one pass over all of it. The texts lie on the disk, so that memory grows with the number of its files
/// alone.
struct ImportReading: Sendable {
    let tree: ImportTree
    let texts: ImportTexts
    let format: any ImportFormat
    let items: [PlannedItem]
    /// The post that a file belongs to.
    let itemOfFile: [Int: Int]
    /// Posts of files that another post has already.
    let repeated: Int

    /// Of all texts together, in bytes, and of one of them.
    private static let mostText: Int64 = 2 << 30
    private static let longestText: Int64 = 1 << 30
    /// Of posts, which may be more than files when those are missing.
    private static let mostItems = ImportTree.mostFiles

    /// Reads all of it on this thread, which it keeps busy for as long as that takes.
    ///
    /// - Throws: `ImportProblem`, `SpoolFile.Failure`; `CancellationError` once `isCancelled`.
    init(
        _ materials: [ImportMaterial], media: MediaPool, folder: String, isCancelled: () -> Bool
    ) throws {
        var tree = ImportTree()
        let spool = try Spool(in: folder)
        for (place, material) in materials.enumerated() {
            switch material {
            case .archive(let path):
                try Self.read(path, place, media, into: &tree, spool, isCancelled)
            case .folder(let path):
                try Self.walk(path, place, into: &tree, spool, isCancelled)
            }
        }
        let file = spool.file
        texts = ImportTexts(spool.spans) { offset, count in file.read(at: offset, atMost: count) }
        format = ImportFormats.format(of: tree, texts)
        var (items, itemOfFile, repeated): ([PlannedItem], [Int: Int], Int) = ([], [:], 0)
        var wasCancelled = false
        do throws(ImportProblem) {
            try format.plan(tree, texts) { item throws(ImportProblem) in
                guard items.count < Self.mostItems else { throw .tooManyFiles }
                wasCancelled = isCancelled()
                if wasCancelled { throw .unreadable }
                guard !item.files.contains(where: { itemOfFile[$0] != nil }) else {
                    repeated += 1
                    return
                }
                for file in item.files { itemOfFile[file] = items.count }
                items.append(item)
            }
        } catch {
            if wasCancelled { throw CancellationError() }
            throw error
        }
        (self.tree, self.items, self.itemOfFile, self.repeated) = (tree, items, itemOfFile, repeated)
    }

    private static func read(
        _ path: String, _ place: Int, _ media: MediaPool, into tree: inout ImportTree, _ spool: Spool,
        _ isCancelled: () -> Bool
    ) throws {
        do {
            let reader = try media.archive(at: path, longest: mostText)
            defer { reader.close() }
            while case let entries = try reader.entries(texts: ImportTexts.endings), let last = entries.last {
                if isCancelled() { throw CancellationError() }
                for entry in entries {
                    let file = ImportTree.File(
                        name: entry.name, place: place, number: entry.number, size: entry.size,
                        modified: entry.modified.map { Date(timeIntervalSince1970: Double($0)) },
                        isEncrypted: entry.isEncrypted)
                    guard let index = try tree.add(file), entry == last, isWanted(file) else { continue }
                    try spool.take(index, limit: min(longestText, mostText - spool.size)) { limit in
                        try reader.extract(to: spool.file.descriptor, limit: limit)
                    }
                }
            }
        } catch let error as ArchiveError {
            throw ImportProblem(error)
        }
    }

    private static func walk(
        _ path: String, _ place: Int, into tree: inout ImportTree, _ spool: Spool, _ isCancelled: () -> Bool
    ) throws {
        // Links lead nowhere: neither those to folders, which it does not enter, nor those to files.
        var seen = 0
        var files: [(name: String, size: Int64, modified: Date)] = []
        var folders = [""]
        while let folder = folders.popLast() {
            let entries: [String]
            do { entries = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)") } catch {
                if folder.isEmpty { throw ImportProblem.unreadable }
                continue
            }
            for entry in entries {
                if isCancelled() { throw CancellationError() }
                guard seen < ImportTree.mostFiles else { throw ImportProblem.tooManyFiles }
                seen += 1
                let name = folder.isEmpty ? entry : "\(folder)/\(entry)"
                var facts = stat()
                guard lstat("\(path)/\(name)", &facts) == 0 else { continue }
                switch facts.st_mode & S_IFMT {
                case S_IFDIR: folders.append(name)
                case S_IFREG:
                    let modified = Date(timeIntervalSince1970: Double(facts.st_mtim.tv_sec))
                    files.append((name, Int64(facts.st_size), modified))
                default: break
                }
            }
        }
        for (number, found) in files.sorted(by: { $0.name < $1.name }).enumerated() {
            if isCancelled() { throw CancellationError() }
            let file = ImportTree.File(
                name: found.name, place: place, number: number, size: found.size, modified: found.modified)
            guard let index = try tree.add(file), isWanted(file) else { continue }
            try spool.take(index, limit: min(longestText, mostText - spool.size)) { limit in
                try spool.copy("\(path)/\(found.name)", limit: limit)
            }
        }
    }

    /// Whether a file is a text that may tell of photos. Conversations are nobody's business here.
    private static func isWanted(_ file: ImportTree.File) -> Bool {
        ImportTexts.isText(file.name) && !file.isEncrypted && !file.name.contains("/messages/")
    }
}

/// The file of the texts of an import. It has no name, and goes with its last reader.
private final class Spool {
    let file: OpenFile
    private(set) var size: Int64 = 0
    private(set) var spans: [Int: ImportTexts.Span] = [:]

    init(in folder: String) throws(SpoolFile.Failure) {
        let path = "\(folder)/import-\(getpid())-\(UInt64.random(in: .min ... .max))"
        // Whoever writes, writes at its end.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw SpoolFile.Failure("a file for the import cannot be made") }
        unlink(path)
        file = OpenFile(owning: descriptor)
    }

    /// Takes the text of a file that `write` writes, and returns the length of. One that is too long or damaged is left out.
    ///
    /// - Throws: `.tooMuchText` when there is no room for it.
    func take(_ index: Int, limit: Int64, _ write: (_ limit: Int64) throws -> Int64) throws {
        do {
            guard limit > 0 else { throw ImportProblem.tooMuchText }
            let length = try write(limit)
            spans[index] = ImportTexts.Span(offset: size, length: length)
            size += length
        } catch let error as ArchiveError where error == .damaged || error == .tooLong || error == .encrypted {
            guard ftruncate(file.descriptor, off_t(size)) == 0 else {
                throw SpoolFile.Failure("the file of the import cannot be cut")
            }
        }
    }

    /// Writes a file at the end.
    func copy(_ path: String, limit: Int64) throws -> Int64 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw ArchiveError.damaged }
        let source = OpenFile(owning: descriptor)
        var length: Int64 = 0
        while let block = source.read(at: length, atMost: 1 << 20), !block.isEmpty {
            length += Int64(block.count)
            guard length <= limit else { throw ArchiveError.tooLong }
            guard file.write(block[...]) else { throw SpoolFile.Failure("the file of the import cannot be written") }
        }
        return length
    }
}

extension ImportProblem {
    init(_ error: ArchiveError) {
        self =
            switch error {
            case .unreadable, .failed: .unreadable
            case .cutOff: .cutOff
            case .damaged, .tooCostly: .damaged
            case .encrypted: .encrypted
            case .tooLong: .tooLong
            }
    }
}
