import CZlib
import Foundation
import HTTP
import HTTPServer
import System

extension TestServer {
    /// Asks once, on a connection of its own.
    func ask(_ path: String, _ fields: HTTPFields = [:], method: HTTPMethod = .get) async throws -> ReceivedResponse {
        let client = try client()
        let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        try await client.send("\(method) \(path) HTTP/1.1\r\nHost: h\r\nX-Request-ID: id\r\n\(lines)\r\n")
        return try await client.response(isHead: method == .head)
    }
}

extension ReceivedResponse {
    /// Every value of a field.
    func values(_ name: String) -> [String] {
        let beginning = name.lowercased() + ": "
        return fields.filter { $0.lowercased().hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
    }

    /// The head without what differs from one second to the next.
    var lastingFields: [String] { fields.filter { !$0.hasPrefix("Date: ") } }
}

/// A file that is there for as long as somebody has it open.
func temporaryFile(_ content: [UInt8]) throws -> OpenFile {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pics-\(UUID().uuidString)").path
    try Data(content).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    return OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
}

struct NotGzip: Error {}

/// The text before compression.
func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
        throw NotGzip()
    }
    defer { inflateEnd(&stream) }
    var isWhole = false
    let content = [UInt8](unsafeUninitializedCapacity: 4 << 20) { buffer, count in
        isWhole = bytes.withUnsafeBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            stream.next_out = buffer.baseAddress
            stream.avail_out = UInt32(buffer.count)
            return inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0
        }
        count = buffer.count - Int(stream.avail_out)
    }
    guard isWhole else { throw NotGzip() }
    return content
}
