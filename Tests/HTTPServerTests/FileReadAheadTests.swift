import Foundation
import System
import Testing

@testable import HTTPServer

/// Which files an event loop may send by itself.
struct FileReadAheadTests {
    /// A file of `count` bytes on the disk. It is gone when nobody has it open.
    private func file(_ count: Int) throws -> OpenFile {
        let path = FileManager.default.temporaryDirectory.appending(path: "pics-\(UUID())").path
        try Data(count: count).write(to: URL(filePath: path))
        defer { unlink(path) }
        return OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
    }

    /// The same, not in the page cache. To drop it is advice that a busy kernel may not take, and to ask whether it is there
    /// starts to read it: hence several.
    private func uncachedFiles(_ count: Int) throws -> [OpenFile] {
        try (0..<32).map { _ in
            let file = try file(count)
            #expect(fsync(file.descriptor) == 0)
            posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED)
            return file
        }
    }

    private func isStreamed(_ body: ResponseBody) -> Bool { if case .stream = body.withoutDisk { true } else { false } }

    @Test func `a file that may have to be read from the disk becomes a stream of its length`() throws {
        let bodies = try uncachedFiles(1 << 20).map { FileBody($0, offset: 7, length: 100_000) }
        let alone = bodies[..<16].map { ResponseBody.file($0).withoutDisk }
        let withBytes = bodies[16...].map { ResponseBody.pieces([.bytes([1, 2]), .file($0)]).withoutDisk }

        #expect(alone.contains { if case .stream(100_000, _) = $0 { true } else { false } })
        #expect(withBytes.contains { if case .stream(100_002, _) = $0 { true } else { false } })
    }

    /// A file system that cannot tell, such as tmpfs, has its files read by disk threads always.
    @Test func `a file in the page cache stays a file, unless it is large`() throws {
        let cached = try file(40 << 20)
        let tells = FileBody(cached, length: 1).isCached

        #expect(isStreamed(.file(FileBody(cached, offset: 1 << 20, length: 20_000_000))) == !tells)
        #expect(isStreamed(.pieces([.bytes([1]), .file(FileBody(cached, length: 9))])) == !tells)
        #expect(isStreamed(.file(FileBody(cached, length: 40 << 20))))
        #expect(!isStreamed(.bytes([1])))
    }
}
