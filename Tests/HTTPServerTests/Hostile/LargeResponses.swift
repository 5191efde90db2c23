import Foundation
import HTTP
import HTTPServer
import System

/// Routes whose answers are larger than anything the kernel buffers.
final class LargeResponses: Sendable {
    private static let size = 50 << 20
    private let producers = Lock((begun: 0, ended: 0))
    private let bytes = [UInt8](repeating: 7, count: size)
    private let file: OpenFile

    init() throws {
        var path = Array("/tmp/pics-large-XXXXXX\0".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0, ftruncate(descriptor, off_t(Self.size)) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        unlink(path)
        file = OpenFile(owning: descriptor)
    }

    /// How many streams were begun.
    var begun: Int { producers.withLock { $0.begun } }
    /// How many of them are over.
    var ended: Int { producers.withLock { $0.ended } }

    var routes: [Route] {
        [
            Route(.get, "/bytes") { [bytes] _ in HTTPResponse(.ok, body: .bytes(bytes)) },
            Route(.get, "/file") { [file] _ in HTTPResponse(.ok, body: .file(FileBody(file, length: Int64(Self.size))))
            },
            Route(.get, "/stream") { [self] _ in HTTPResponse(.ok, body: .stream { try await self.produce($0) }) },
            Route(.get, "/small") { _ in .text(String(repeating: "x", count: 4_000)) },
        ]
    }

    /// A request for fifty megabytes: in one answer, or in the many answers of a pipeline.
    func request(_ kind: String) -> String {
        kind == "pipeline"
            ? String(repeating: "GET /small HTTP/1.1\r\nHost: h\r\n\r\n", count: Self.size / 4_000)
            : "GET /\(kind) HTTP/1.1\r\nHost: h\r\n\r\n"
    }

    private func produce(_ writer: BodyWriter) async throws {
        producers.withLock { $0.begun += 1 }
        defer { producers.withLock { $0.ended += 1 } }
        for _ in 0..<(Self.size >> 16) { try await writer.write([UInt8](repeating: 7, count: 1 << 16)) }
    }
}
