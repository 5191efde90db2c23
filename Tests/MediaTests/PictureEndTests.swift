import MediaSamples
import Testing

@testable import Media

struct PictureEndTests {
    static let trailer = Array("a motion photo's video".utf8)

    @Test(arguments: [Rendition.Format.jpeg, .png, .webp])
    func `a photo without its end is not taken`(format: Rendition.Format) async throws {
        try await withWorkbench { bench in
            let whole = try bench.bytes(of: try await bench.picture("whole", .noise(64, 64), format))

            for missing in [1, 2, 12, 20, whole.count / 2] {
                let photo = try bench.file("cut", Array(whole.dropLast(missing)))
                await #expect(throws: MediaError.refused(.cutOff)) { try await bench.pool.probe(photo) }
            }
        }
    }

    @Test(arguments: [Rendition.Format.jpeg, .png, .webp])
    func `a photo may go on behind its end`(format: Rendition.Format) async throws {
        try await withWorkbench { bench in
            let whole = try bench.bytes(of: try await bench.picture("whole", .flag, format))

            let photo = try bench.file("long", whole + Self.trailer)

            #expect(try await bench.pool.probe(photo).width == 48)
        }
    }

    @Test func `the end of a preview is not the end of the photo`() async throws {
        try await withWorkbench { bench in
            let preview = try await bench.picture("preview.jpg", .plain(16, 16, [9, 9, 9, 255]), .jpeg)
            let photo = try await bench.picture("a.jpg", .noise(64, 64), .jpeg)
            try await bench.write(["-ThumbnailImage<=\(preview)"], into: photo)
            let whole = try bench.bytes(of: photo)
            #expect(try await bench.pool.probe(photo).width == 64)

            let cut = try bench.file("cut.jpg", Array(whole.dropLast(100)) + whole)

            await #expect(throws: MediaError.refused(.damaged)) { try await bench.pool.probe(cut) }
        }
    }

    @Test func `of a JPEG that is damaged in many places the pictures show what there is`() async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a.jpg", Samples.mixedRestarts)
            let wide = try await bench.pool.probe(photo)

            let facts = try await bench.pool.render(
                photo, to: bench.path("out.jpg"), as: Rendition(.inside(maxSide: 64), .jpeg))

            #expect(wide.width == 128 && facts.width == 64)
        }
    }

    @Test func `a progressive photo that lost its last scans is not taken`() async throws {
        try await withWorkbench { bench in
            let whole = Samples.progressive
            let lastScan = whole.ranges(of: [0xFF, 0xDA]).last
            let start = try #require(lastScan).lowerBound

            let cut = try bench.file("cut.jpg", Array(whole[..<start]))

            await #expect(throws: MediaError.refused(.cutOff)) { try await bench.pool.probe(cut) }
            #expect(try await bench.pool.probe(try bench.file("whole.jpg", whole)).width == 32)
        }
    }

    /// A file is read 64 KiB at a time.
    @Test(arguments: -2...2)
    func `an end is found wherever a block ends`(shift: Int) async throws {
        try await withWorkbench { bench in
            let small = try bench.bytes(of: try await bench.picture("a.jpg", .flag, .jpeg))
            let padding = JPEGBytes.segment(0xFE, [UInt8](repeating: 0, count: 65_536 - small.count - 4 + shift))
            let whole = Array(small[..<2]) + padding + Array(small[2...])
            #expect(whole.count == 65_536 + shift)

            let photo = try bench.file("b.jpg", whole)
            let cut = try bench.file("c.jpg", Array(whole.dropLast()))

            #expect(try await bench.pool.probe(photo).width == 48)
            await #expect(throws: MediaError.refused(.cutOff)) { try await bench.pool.probe(cut) }
        }
    }

    @Test func `a long photo is read to its end`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .noise(300, 200), .jpeg)
            #expect(try bench.bytes(of: photo).count > 65_536)

            #expect(try await bench.pool.probe(photo).width == 300)
        }
    }

    @Test(arguments: [2, 20, 60])
    func `an animation that breaks off within a frame is not taken`(missing: Int) async throws {
        try await withWorkbench { bench in
            let cut = try bench.file("cut.gif", Array(Samples.animatedGIF.dropLast(missing)))

            await #expect(throws: MediaError.refused(.cutOff)) { try await bench.pool.probe(cut) }
        }
    }

    @Test(arguments: [[], [0x3B], [0], [0x3B] + trailer] as [[UInt8]])
    func `an animation whose frames are whole is taken, with a trailer or without`(end: [UInt8]) async throws {
        try await withWorkbench { bench in
            let animation = try bench.file("a.gif", Array(Samples.animatedGIF.dropLast()) + end)

            #expect(try await bench.pool.probe(animation).pages == 3)
        }
    }

    @Test func `a HEIC file may go on behind its picture but not break off within`() async throws {
        try await withWorkbench { bench in
            let long = try bench.file("long.heic", Samples.heic + Self.trailer)
            let cut = try bench.file("cut.heic", Array(Samples.heic.dropLast()))

            #expect(try await bench.pool.probe(long).width == 64)
            await #expect(throws: MediaError.refused(.cutOff)) { try await bench.pool.probe(cut) }
        }
    }
}
