package import Domain
package import FoundationEssentials

/// The files of one import: of an archive, of several that belong together, or of a folder. Their names find things; nothing is ever
/// written or opened under them.
package struct ImportTree: Sendable {
    package struct File: Sendable, Equatable {
        /// With slashes between folders, without those around it.
        package let name: String
        /// Which of the archives or folders has it, in the order in which they were given.
        package let place: Int
        /// Its number there.
        package let number: Int
        /// In bytes; nil where nobody knows.
        package let size: Int64?
        package let modified: Date?
        package let isEncrypted: Bool

        package init(
            name: String, place: Int, number: Int, size: Int64?, modified: Date?, isEncrypted: Bool = false
        ) {
            self.name = name
            self.place = place
            self.number = number
            self.size = size
            self.modified = modified
            self.isEncrypted = isEncrypted
        }
    }

    package private(set) var files: [File] = []
    private var indices: [String: Int] = [:]
    private var bytesOfNames = 0
    private var bytesOfFiles: Int64 = 0

    /// What an import may have.
    package static let mostFiles = 500_000
    /// Of their names together, in bytes.
    private static let mostNameBytes = 128 << 20
    /// Of the files together as they are told, in bytes: somebody's whole life, and no end for an archive that unpacks to itself.
    private static let mostBytes: Int64 = 2 << 40

    package init() {}

    /// Takes a file; nil when it is left out: it is there already, or is only of use to the system that packed it.
    ///
    /// - Throws: `.tooManyFiles`, `.tooLarge`.
    package mutating func add(_ file: File) throws(ImportProblem) -> Int? {
        let parts = file.name.split(separator: "/").filter { $0 != "." }
        guard let last = parts.last, !last.hasPrefix("._"), !parts.contains("__MACOSX"), !parts.contains("@eaDir")
        else {
            return nil
        }
        let name = parts.joined(separator: "/")
        guard indices[name] == nil else { return nil }
        bytesOfNames += name.utf8.count
        guard files.count < Self.mostFiles, bytesOfNames <= Self.mostNameBytes else { throw .tooManyFiles }
        guard (0...Self.mostBytes - bytesOfFiles).contains(file.size ?? 0) else { throw .tooLarge }
        bytesOfFiles += file.size ?? 0
        indices[name] = files.count
        files.append(
            File(
                name: name, place: file.place, number: file.number, size: file.size, modified: file.modified,
                isEncrypted: file.isEncrypted))
        return files.count - 1
    }

    /// The index of a file by its name.
    package subscript(name: String) -> Int? { indices[name] }
}

/// The parts of a file's name.
struct FileName {
    /// The folders above it, with a slash at the end; empty for a file at the top.
    let folder: String
    /// Without folders.
    let name: String

    init(_ path: String) {
        if let slash = path.lastIndex(of: "/") {
            folder = String(path[...slash])
            name = String(path[path.index(after: slash)...])
        } else {
            (folder, name) = ("", path)
        }
    }

    /// Without what follows the last dot.
    var stem: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }

    /// What follows the last dot, in lower case.
    var suffix: String { name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? "" }

    var isPhoto: Bool { ["jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "heic", "heif"].contains(suffix) }

    var isVideo: Bool { ["mp4", "m4v", "mov", "qt"].contains(suffix) }

    /// Whether it may be imported: a picture or video, or what would be one if Pics took it, so that it is named in the report.
    var isMedia: Bool { isPhoto || isVideo || Self.otherMedia.contains(suffix) }

    private static let otherMedia: Set<String> = [
        "avif", "tif", "tiff", "bmp", "jxl", "jp2", "psd", "svg", "dng", "cr2", "cr3", "nef", "arw", "raf", "orf",
        "rw2",
        "3gp", "avi", "mkv", "mpg", "mpeg", "wmv", "mts", "m2ts", "webm", "flv",
    ]
}

/// The texts of an import, one behind the other in a file.
package struct ImportTexts: Sendable {
    /// A piece of that file.
    package struct Span: Sendable, Equatable {
        package let offset: Int64
        package let length: Int64

        package init(offset: Int64, length: Int64) { (self.offset, self.length) = (offset, length) }
    }

    /// Up to so many bytes from an offset on; nil when they cannot be read.
    private let read: @Sendable (_ offset: Int64, _ count: Int) -> [UInt8]?
    private let spans: [Int: Span]

    /// `spans` are those of files by their index.
    package init(_ spans: [Int: Span], read: @escaping @Sendable (_ offset: Int64, _ count: Int) -> [UInt8]?) {
        (self.spans, self.read) = (spans, read)
    }

    /// The endings of names that are texts, in lower case.
    package static let endings = [".json", ".xmp"]

    /// The text of a file; nil when it has none.
    package subscript(file: Int) -> Span? { spans[file] }

    /// The bytes of a span.
    ///
    /// - Throws: `.badText` when there are more than `limit`, or they cannot be read.
    package func bytes(of span: Span, limit: Int = ImportTexts.longestElement) throws(ImportProblem) -> [UInt8] {
        guard span.length <= limit, let bytes = read(span.offset, Int(span.length)), bytes.count == Int(span.length)
        else {
            throw .badText
        }
        return bytes
    }

    func block(at offset: Int64, count: Int) throws(ImportProblem) -> [UInt8] {
        guard let bytes = read(offset, count), !bytes.isEmpty else { throw .badText }
        return bytes
    }

    /// What is read into memory at once: of one photo or post, or of a text without a list.
    package static let longestElement = 4 << 20
}

extension ImportTexts {
    /// The file name endings that are texts.
    package static func isText(_ name: String) -> Bool {
        let name = name.lowercased()
        return endings.contains { name.hasSuffix($0) }
    }
}
