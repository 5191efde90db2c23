import MediaSamples
import Testing

@testable import Media

/// A header promises pixels; what is compressed must be long enough to hold them.
struct LyingHeaderTests {
    @Test(arguments: [(4000, 4000), (12_000, 8400), (1, 10_000_000)])
    func `a PNG whose data cannot hold its rows is not taken`(width: Int, height: Int) async throws {
        try await withWorkbench { bench in
            let flag = PixelGrid.flag.png()

            let photo = try bench.file("a.png", flag.prefix(8) + PixelGrid.header(width, height) + flag.dropFirst(33))

            await #expect(throws: MediaError.refused(.damaged)) { try await bench.pool.probe(photo) }
        }
    }

    @Test func `a PNG whose data is not packed is not taken`() async throws {
        try await withWorkbench { bench in
            let head = PixelGrid.flag.png().prefix(33)
            let data = PixelGrid.chunk("IDAT", [UInt8](repeating: 0x65, count: 10_000))

            let photo = try bench.file("a.png", head + data + PixelGrid.chunk("IEND", []))

            await #expect(throws: MediaError.refused(.damaged)) { try await bench.pool.probe(photo) }
        }
    }

    @Test(arguments: [false, true])
    func `a JPEG whose scans cannot hold its blocks is not taken`(isProgressive: Bool) async throws {
        try await withWorkbench { bench in
            let baseline = try bench.bytes(of: try await bench.picture("a.jpg", .noise(32, 24), .jpeg))
            var file = isProgressive ? Samples.progressive : baseline
            let frame = try #require(file.firstRange(of: [0xFF, isProgressive ? 0xC2 : 0xC0])).lowerBound
            // 8400 lines of 12000 pixels.
            file.replaceSubrange(frame + 5..<frame + 9, with: [0x20, 0xD0, 0x2E, 0xE0])

            let photo = try bench.file("b.jpg", file)

            await #expect(throws: MediaError.refused(.damaged)) { try await bench.pool.probe(photo) }
        }
    }

    @Test(arguments: [
        "black.png[compression=9]", "bits.png[compression=9,bitdepth=1]", "lines.png[compression=9,interlace]",
        "black.jpg[Q=1,optimize_coding]", "scans.jpg[Q=1,optimize_coding,interlace]",
        "small.jpg[Q=1,optimize_coding,subsample_mode=on,restart_interval=0]",
    ])
    func `a picture of one colour is taken, however short its file is`(name: String) async throws {
        try await withWorkbench { bench in
            let path = bench.path(String(name.prefix { $0 != "[" }))
            _ = try await bench.output(of: "vips", ["black", bench.path(name), "6000", "4000"])

            let facts = try await bench.pool.probe(path)

            #expect(facts.width == 6000)
            _ = try await bench.pool.render(path, to: bench.path("out"), as: Rendition(.square(side: 32), .jpeg))
        }
    }
}
