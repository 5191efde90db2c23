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

    /// Whether the body made of a file of 1 MiB that is not in the page cache becomes a stream of so many bytes. To drop a file from there is
    /// advice that a busy kernel may not take, and to ask whether it is there starts to read it: hence one after the other.
    private func isStreamed(_ length: Int64, _ body: (OpenFile) -> ResponseBody) throws -> Bool {
        for _ in 0..<300 {
            let file = try file(1 << 20)
            #expect(fsync(file.descriptor) == 0)
            posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED)
            if case .stream(length, _) = body(file).withoutDisk { return true }
        }
        return false
    }

    private func isStreamed(_ body: ResponseBody) -> Bool { if case .stream = body.withoutDisk { true } else { false } }

    @Test func `a file that may have to be read from the disk becomes a stream of its length`() throws {
        #expect(try isStreamed(100_000) { .file(FileBody($0, offset: 7, length: 100_000)) })
        #expect(
            try isStreamed(100_002) { .pieces([.bytes([1, 2]), .file(FileBody($0, offset: 7, length: 100_000))]) })
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
