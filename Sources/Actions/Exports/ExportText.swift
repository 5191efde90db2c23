internal import Formats

/// A text that is written piece by piece into a spool file, and later sent as a file of an archive.
struct ExportText {
    let file: SpoolFile
    private(set) var size: Int64 = 0
    private var checksum = CRC32()
    private var buffer: [UInt8] = []

    private static let bufferLength = 256 << 10

    init(_ file: SpoolFile) { self.file = file }

    var sum: UInt32 { checksum.value }

    mutating func write(_ bytes: some Sequence<UInt8>) async throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferLength { try await flush() }
    }

    mutating func flush() async throws {
        checksum.update(buffer[...])
        size += Int64(buffer.count)
        try await file.append(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
