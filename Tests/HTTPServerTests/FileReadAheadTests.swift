import Foundation
import System
import Testing

@testable import HTTPServer

/// Which files an event loop may send by itself.
struct FileReadAheadTests {
    /// A file of `count` bytes on the disk, in the page cache or not. It is gone when nobody has it open.
    private func file(_ count: Int, isCached: Bool) throws -> OpenFile {
        let path = FileManager.default.temporaryDirectory.appending(path: "pics-\(UUID())").path
        try Data(count: count).write(to: URL(filePath: path))
        defer { unlink(path) }
        let file = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
        #expect(fsync(file.descriptor) == 0)
        if !isCached { posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED) }
        return file
    }

    private func isStreamed(_ body: ResponseBody) -> Bool { if case .stream = body.withoutDisk { true } else { false } }

    @Test func `a file that may have to be read from the disk becomes a stream of its length`() throws {
        let body = FileBody(try file(1 << 20, isCached: false), offset: 7, length: 100_000)

        guard case .stream(100_000, _) = ResponseBody.file(body).withoutDisk else {
            Issue.record("the event loop reads it")
            return
        }
        guard case .stream(100_002, _) = ResponseBody.pieces([.bytes([1, 2]), .file(body)]).withoutDisk else {
            Issue.record("the event loop reads it")
            return
        }
    }

    /// A file system that cannot tell, such as tmpfs, has its files read by disk threads always.
    @Test func `a file in the page cache stays a file, unless it is large`() throws {
        let cached = try file(40 << 20, isCached: true)
        let tells = FileBody(cached, length: 1).isCached

        #expect(isStreamed(.file(FileBody(cached, offset: 1 << 20, length: 20_000_000))) == !tells)
        #expect(isStreamed(.pieces([.bytes([1]), .file(FileBody(cached, length: 9))])) == !tells)
        #expect(isStreamed(.file(FileBody(cached, length: 40 << 20))))
        #expect(!isStreamed(.bytes([1])))
    }
}
