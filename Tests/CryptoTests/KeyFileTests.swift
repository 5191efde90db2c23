import EventLoops
import Foundation
import Testing

@testable import Crypto

struct KeyFileTests {
    @Test func `the first start makes a key that later starts find`() throws {
        try withFolder { folder in
            let path = "\(folder)/sealing-keys"

            let first = try KeyFile.loadOrCreate(path)
            let second = try KeyFile.loadOrCreate(path)

            #expect(first.current.id == second.current.id)
            #expect(try mode(of: path) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["sealing-keys"])
        }
    }

    @Test func `many processes that start at once agree on one key`() async throws {
        try await withFolder { folder in
            let ids = try await withThrowingTaskGroup(of: KeyID.self) { group in
                for _ in 0..<16 { group.addTask { try KeyFile.loadOrCreate("\(folder)/keys").current.id } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            #expect(ids.count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["keys"])
        }
    }

    @Test func `an appended key becomes the current one`() throws {
        try withFolder { folder in
            let path = "\(folder)/keys"
            let old = try KeyFile.loadOrCreate(path)
            let sealed = try old.seal([1, 2, 3], context: "a")
            let new = SealingKey.random()
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("\(new.base64)\r\n".utf8))
            try handle.close()

            let ring = try KeyFile.loadOrCreate(path)

            #expect(ring.current.id == new.id)
            #expect(try ring.open(sealed, context: "a") == [1, 2, 3])
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o601] as [mode_t])
    func `a file that others may touch is refused`(mode: mode_t) throws {
        try withFolder { folder in
            let path = "\(folder)/keys"
            _ = try KeyFile.loadOrCreate(path)
            chmod(path, mode)

            #expect(throws: CryptoError.keyFile(path: path, .openToOthers)) { try KeyFile.loadOrCreate(path) }
        }
    }

    @Test(arguments: ["", "\n", "not base64\n", "AAAA\n", String(repeating: "A", count: 70_000)])
    func `a file without whole keys is refused and kept`(content: String) throws {
        try withFolder { folder in
            let path = "\(folder)/keys"
            try Data(content.utf8).write(to: URL(filePath: path))
            chmod(path, 0o600)

            #expect(throws: CryptoError.keyFile(path: path, .badContent)) { try KeyFile.loadOrCreate(path) }
            let handle = try #require(FileHandle(forReadingAtPath: path))
            #expect(Array(try handle.readToEnd() ?? Data()) == Array(content.utf8))
            try handle.close()
        }
    }

    @Test func `a folder or a missing folder is refused`() throws {
        try withFolder { folder in
            #expect(throws: CryptoError.keyFile(path: folder, .notOurs)) { try KeyFile.loadOrCreate(folder) }
            #expect(throws: CryptoError.self) { try KeyFile.loadOrCreate("\(folder)/none/keys") }
        }
    }

    @Test func `a ring sees its file replaced in the folder that a link leads to`() throws {
        try withFolder { folder in
            let (path, link) = ("\(folder)/keys", "\(folder)/links/keys")
            _ = try KeyFile.loadOrCreate(path)
            try FileManager.default.createDirectory(atPath: "\(folder)/links", withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            let ring = try #require(try KeyFile.load(link))
            let before = ring.current.id

            try KeyFile.addKey(path)

            #expect(ring.current.id != before && ring.hasFormer)
        }
    }

    @Test func `a ring keeps its keys while the file is away, and takes those that come back`() throws {
        try withFolder { folder in
            let path = "\(folder)/keys"
            let ring = try KeyFile.loadOrCreate(path)
            let before = ring.current.id
            #expect(rename(path, "\(folder)/away") == 0)

            #expect(ring.current.id == before)

            try KeyFile.addKey("\(folder)/away")
            #expect(rename("\(folder)/away", path) == 0)
            #expect(ring.current.id != before)
        }
    }

    /// The debug check of loops ends the process otherwise.
    @Test func `a ring whose file has not changed waits for no disk`() async throws {
        try await withFolder { folder in
            let ring = try KeyFile.loadOrCreate("\(folder)/keys")
            let loop = try EventLoop(name: "keys")

            let id = await withCheckedContinuation { continuation in
                loop.execute { continuation.resume(returning: ring.current.id) }
            }

            #expect(id == ring.current.id)
            loop.stop()
        }
    }

    private func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o777
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func makeFolder() throws -> String {
        let url = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        return url.path
    }
}
