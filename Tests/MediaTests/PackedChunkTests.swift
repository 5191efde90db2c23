import CZlib
import MediaSamples
import Testing

@testable import Media

/// Texts and profiles of a PNG that are small in the file and large when they are unpacked.
struct PackedChunkTests {
    private static let megabyte = 1 << 20

    @Test(arguments: ["zTXt", "iTXt", "iCCP", "tEXt", "eXIf"], [true, false])
    func `a PNG whose texts or profile take more than 8 MB is not taken`(
        type: String, isBeforePixels: Bool
    ) async throws {
        try await withWorkbench { bench in
            for lengths in [[9 * Self.megabyte], [3, 3, 3].map { $0 * Self.megabyte }] {
                let chunks = lengths.map { Self.chunk(type, unpackedLength: $0) }
                let photo = try bench.file("a.png", Self.png(with: chunks, beforePixels: isBeforePixels))

                await #expect(throws: MediaError.refused(.tooCostly)) { try await bench.pool.probe(photo) }
                // Also what was stored before.
                await #expect(throws: MediaError.refused(.tooCostly)) {
                    try await bench.pool.render(photo, to: bench.path("out"), as: HostileFileTests.picture)
                }
            }
        }
    }

    @Test(arguments: ["zTXt", "iTXt", "tEXt"])
    func `a PNG with texts of a few megabytes is taken`(type: String) async throws {
        try await withWorkbench { bench in
            let chunks = [2, 2].map { Self.chunk(type, unpackedLength: $0 * Self.megabyte) }
            let photo = try bench.file("a.png", Self.png(with: chunks, beforePixels: true))

            #expect(try await bench.pool.probe(photo).width == 48)
            _ = try await bench.pool.render(photo, to: bench.path("out"), as: HostileFileTests.picture)
        }
    }

    @Test(arguments: [
        PixelGrid.chunk("zTXt", []), PixelGrid.chunk("zTXt", Array("Comment".utf8)),
        PixelGrid.chunk("iTXt", Array("Comment\0".utf8)), PixelGrid.chunk("iTXt", Array("Comment\0\u{1}\0en".utf8)),
        PixelGrid.chunk("zTXt", Array("Comment\0\0no deflate".utf8)),
    ])
    func `a text that ends too early, or is not packed, does not cost the picture`(chunk: [UInt8]) async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a.png", Self.png(with: [chunk], beforePixels: true))

            #expect(try await bench.pool.probe(photo).width == 48)
        }
    }

    private static func png(with chunks: [[UInt8]], beforePixels: Bool) -> [UInt8] {
        let flag = PixelGrid.flag.png()
        let place = beforePixels ? 33 : flag.count - 12
        return chunks.reduce(Array(flag[..<place])) { $0 + $1 } + flag[place...]
    }

    /// A chunk of text, of a profile or of EXIF, of so many letters.
    private static func chunk(_ type: String, unpackedLength: Int) -> [UInt8] {
        let text = [UInt8](repeating: UInt8(ascii: "A"), count: unpackedLength)
        return switch type {
        case "eXIf": chunk(type, "MM\0*\0\0\0\u{8}", text)
        case "tEXt": chunk(type, "Comment\0", text)
        case "iTXt": chunk(type, "Comment\0\u{1}\0en\0Kommentar\0", packed(text))
        default: chunk(type, "Comment\0\0", packed(text))
        }
    }

    /// As `PixelGrid.chunk` makes it, but fast.
    private static func chunk(_ type: String, _ start: String, _ rest: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + Array(start.utf8) + rest
        return PixelGrid.bigEndian(checked.count - 4) + checked
            + PixelGrid.bigEndian(Int(crc32(0, checked, uInt(checked.count))))
    }

    private static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: 1 << 20)
        var count = uLong(packed.count)
        compress2(&packed, &count, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
        return Array(packed.prefix(Int(count)))
    }
}
