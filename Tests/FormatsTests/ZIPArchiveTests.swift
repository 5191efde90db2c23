import Foundation
import Testing

@testable import Formats

struct ZIPArchiveTests {
    private let moment = Date(timeIntervalSince1970: 1_795_000_000)

    private func archive(_ files: [(name: String, bytes: [UInt8])]) -> (bytes: [UInt8], layout: ZipLayout) {
        var (layout, directory, bytes) = (ZipLayout(), [UInt8](), [UInt8]())
        for file in files {
            var sum = CRC32()
            sum.update(file.bytes[...])
            let entry = ZipEntry(
                name: file.name, size: Int64(file.bytes.count), modified: moment, checksum: sum.value)
            directory += entry.record(at: layout.offset)
            layout.add(entry)
            bytes += entry.header + file.bytes
        }
        return (bytes + directory + layout.end, layout)
    }

    /// The output of `python3` about an archive.
    private func listing(_ bytes: [UInt8]) throws -> String {
        let path = "/tmp/pics-zip-\(UUID().uuidString).zip"
        defer { unlink(path) }
        try Data(bytes).write(to: URL(filePath: path))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None
            for i in z.infolist(): print(i.filename, i.file_size, i.date_time[0])
            """, path,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `other programs read an archive, and its length is known before`() throws {
        let (bytes, layout) = archive([
            ("photos.json", Array("[]\n".utf8)), ("photos/空.jpg", [1, 2, 3]), ("empty", []),
        ])

        #expect(Int64(bytes.count) == layout.length)
        #expect(try listing(bytes) == "photos.json 3 2026\nphotos/空.jpg 3 2026\nempty 0 2026\n")
    }

    @Test func `more than 65,535 files are listed`() throws {
        let (bytes, layout) = archive((0..<65_600).map { ("\($0)", []) })

        #expect(Int64(bytes.count) == layout.length)
        #expect(try listing(bytes).split(separator: "\n").count == 65_600)
    }

    @Test func `what lies beyond 4 GiB has its numbers in ZIP64 fields`() {
        let large = ZipEntry(name: "film", size: 5 << 30, modified: moment, checksum: 1)
        let far = large.record(at: 6 << 30)

        // Signature, "needs 4.5", and the sizes and the offset behind the name.
        #expect(large.header[4] == 45 && large.header.suffix(16).prefix(8).elementsEqual([0, 0, 0, 0x40, 1, 0, 0, 0]))
        #expect(far.suffix(8).elementsEqual([0, 0, 0, 0x80, 1, 0, 0, 0]))
        var layout = ZipLayout()
        layout.add(large)
        layout.add(large)
        #expect(layout.end.count == 98)
        #expect(layout.length == 2 * (Int64(large.header.count) + (5 << 30)) + layout.directoryLength + 98)
    }

    @Test func `a checksum does not depend on how the bytes come`() {
        let bytes = Array("123456789".utf8)
        var (whole, parts) = (CRC32(), CRC32())

        whole.update(bytes[...])
        parts.update(bytes[..<4])
        parts.update([])
        parts.update(bytes[4...])

        // The check value of CRC-32 (ISO-HDLC).
        #expect(whole.value == 0xCBF4_3926)
        #expect(parts.value == whole.value)
    }
}
