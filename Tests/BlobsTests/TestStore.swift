import Blobs
import EventLoops
import Foundation
import Testing

/// Runs `body` with a store in a folder of its own that is gone afterwards.
func withStore(_ body: (BlobStore, _ folder: String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "blobs-\(UUID().uuidString)").path
    let threads = BlockingThreads(name: "blobs", count: 2)
    defer {
        threads.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
    try await body(try BlobStore(folder: folder, threads: threads), folder)
}

/// The paths of all files below `folder`, relative to it; without one that is removed meanwhile.
func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
            && !isFolder.boolValue
    }
}

/// The bytes of a file.
func bytes(of path: String) throws -> [UInt8] {
    let handle = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { handle.closeFile() }
    return Array(try handle.readToEnd() ?? Data())
}

/// The reference for the store's own hash.
func sha256sum(_ path: String) throws -> String {
    let output = try #require(popen("sha256sum '\(path)'", "r"))
    defer { pclose(output) }
    var text = [UInt8](repeating: 0, count: 64)
    try #require(fread(&text, 1, text.count, output) == text.count)
    return String(decoding: text, as: UTF8.self)
}
