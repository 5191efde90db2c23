import Foundation
import Testing

@testable import Formats

/// Archives as services make them.
enum Archives {
    typealias Files = [(name: String, bytes: [UInt8])]

    /// A ZIP archive of files as they are.
    static func zip(_ files: Files, modified: Date = Date(timeIntervalSince1970: 1_600_000_000)) -> [UInt8] {
        var (layout, directory, bytes) = (ZipLayout(), [UInt8](), [UInt8]())
        for file in files {
            var sum = CRC32()
            sum.update(file.bytes[...])
            let entry = ZipEntry(
                name: file.name, size: Int64(file.bytes.count), modified: modified, checksum: sum.value)
            directory += entry.record(at: layout.offset)
            layout.add(entry)
            bytes += entry.header + file.bytes
        }
        return bytes + directory + layout.end
    }

    /// Writes `files` into `folder`, and has `python3` make something of them there; its script gets the folder and `target`.
    static func python(_ script: String, _ files: Files = [], in folder: String, to target: String) throws {
        for file in files {
            let path = URL(filePath: "\(folder)/\(file.name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: path)
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", script, folder, target]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    static func write(_ bytes: [UInt8], to path: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }
}

extension [UInt8] {
    /// A text.
    init(text: String) { self = Array(text.utf8) }
}
