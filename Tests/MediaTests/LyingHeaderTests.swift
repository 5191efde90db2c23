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

    /// Depth 255 is none, and more bits than any PNG has.
    @Test(arguments: [(8, 0), (8, 1), (255, 0), (255, 1)] as [(depth: UInt8, interlace: UInt8)])
    func `a PNG that says it has more pixels than can be counted is not taken`(
        depth: UInt8, interlace: UInt8
    ) async throws {
        try await withWorkbench { bench in
            let flag = PixelGrid.flag.png()
            let longest = PixelGrid.bigEndian(0xFFFF_FFFF)
            let header = PixelGrid.chunk("IHDR", longest + longest + [depth, 6, 0, 0, interlace])

            let photo = try bench.file("a.png", flag.prefix(8) + header + flag.dropFirst(33))

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

    @Test(arguments: ["", "interlace", "bitdepth=1", "palette"])
    func `a PNG that was closed in the midst of its rows is not taken, and a whole one is`(kind: String) async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.png", .noise(301, 203), .png)
            let path = bench.path("whole.png")
            _ = try await bench.output(of: "vips", ["pngsave", photo, path] + (kind.isEmpty ? [] : ["--\(kind)"]))
            let whole = try bench.bytes(of: path)
            let data = whole.dropFirst(33).chunks.filter { $0.type == "IDAT" }.flatMap(\.data)
            let others = whole.dropFirst(33).chunks.prefix { $0.type != "IDAT" }
            func closed(_ data: [UInt8]) throws -> String {
                try bench.file(
                    "closed.png",
                    whole.prefix(33) + others.flatMap { PixelGrid.chunk($0.type, $0.data) }
                        + PixelGrid.chunk("IDAT", data) + PixelGrid.chunk("IEND", []))
            }

            for count in [data.count / 2, data.count - 100] {
                let photo = try closed(Array(data[..<count]))
                await #expect(throws: MediaError.refused(.cutOff)) { try await bench.pool.probe(photo) }
            }
            // A kind of block that deflate does not have.
            let noise = try closed(Array(data[..<2]) + [UInt8](repeating: 0xFF, count: data.count))
            await #expect(throws: MediaError.refused(.damaged)) { try await bench.pool.probe(noise) }
            // Without the check sum of all rows.
            #expect(try await bench.pool.probe(try closed(Array(data.dropLast(4)))).width == 301)
            #expect(try await bench.pool.probe(path).width == 301)
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

extension ArraySlice<UInt8> {
    /// The chunks of a PNG that stand here.
    fileprivate var chunks: [(type: String, data: [UInt8])] {
        var chunks: [(type: String, data: [UInt8])] = []
        var rest = self
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            chunks.append((type, Array(rest.dropFirst(8).prefix(length))))
            rest = rest.dropFirst(12 + length)
        }
        return chunks
    }
}
