import MediaSamples
import TestTools
import Testing

@testable import Media

struct HostileFileTests {
    static let picture = Rendition(.inside(maxSide: 20), .jpeg)

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let refusal: Refusal
        let bytes: [UInt8]

        init(_ name: String, _ refusal: Refusal, _ bytes: [UInt8]) {
            testDescription = name
            self.refusal = refusal
            self.bytes = bytes
        }
    }

    static let video = Samples.box("ftyp", Array("isom\0\0\0\0".utf8))
    static let png = PixelGrid.flag.png()
    static let cases: [Case] = [
        Case("empty", .unknownType, []),
        Case("one byte", .unknownType, [0xFF]),
        Case("noise", .unknownType, (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31) }),
        Case("SVG", .unknownType, Array("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>".utf8)),
        Case("PDF", .unknownType, Array("%PDF-1.7".utf8)),
        Case("JPEG's first bytes", .cutOff, [0xFF, 0xD8, 0xFF]),
        Case("PNG's first bytes", .cutOff, Array(png.prefix(20))),
        Case("HEIC's first bytes", .cutOff, Array(Samples.heic.prefix(200))),
        Case("WebP's first bytes", .cutOff, Array("RIFF\u{10}\0\0\0WEBPVP8 ".utf8)),
        Case("GIF's first bytes", .cutOff, Array("GIF89a".utf8)),
        Case("video without moov", .damaged, video),
        Case("moov longer than the file", .cutOff, video + [0xFF, 0xFF, 0xFF, 0xFF] + Array("moov".utf8)),
        Case(
            "moov longer than any file", .damaged,
            video + [0, 0, 0, 1] + Array("moov".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        Case("box shorter than its header", .damaged, video + [0, 0, 0, 7] + Array("moov".utf8)),
        Case(
            "boxes without end", .damaged, video + Array(repeatElement(Samples.box("free", []), count: 2000).joined())),
        Case(
            "PNG of 60000 x 60000", .tooManyPixels, png.prefix(8) + PixelGrid.header(60_000, 60_000) + png.dropFirst(33)
        ),
        Case("GIF of 20000 x 20000", .tooManyPixels, Samples.gif(side: 20_000)),
    ]

    @Test(arguments: cases)
    func `a bad header is refused before anything is decoded`(bad: Case) async throws {
        try await withWorkbench { bench in
            let file = try bench.file("bad.jpg", bad.bytes)
            let good = try bench.file("good.png", PixelGrid.flag.png())

            await #expect(throws: MediaError.refused(bad.refusal)) { try await bench.pool.probe(file) }
            #expect(try await bench.pool.probe(good).width == 48)
        }
    }

    @Test(arguments: [Rendition.Format.jpeg, .png, .webp])
    func `a picture that is cut off is refused`(format: Rendition.Format) async throws {
        try await withWorkbench { bench in
            let whole = try bench.bytes(of: try await bench.picture("whole", .noise(64, 64), format))
            let half = try bench.file("half", Array(whole.prefix(whole.count / 2)))

            await #expect(throws: MediaError.refused(.damaged)) {
                try await bench.pool.render(half, to: bench.path("a"), as: Self.picture)
            }
            // The reader of others finds first that their blocks do not follow each other.
            let refusal: Refusal = format == .jpeg ? .cutOff : .damaged
            await #expect(throws: MediaError.refused(refusal)) {
                try await bench.pool.strip(half, to: bench.path("b"))
            }
            await #expect(throws: MediaError.refused(refusal)) {
                try await bench.pool.tag(half, to: bench.path("c"), with: TagTests.tags)
            }
        }
    }

    @Test func `a video without samples has no poster`() async throws {
        try await withWorkbench { bench in
            let video = Samples.mp4(width: 100, height: 100, matrix: [1, 0, 0, 1], milliseconds: 1, created: 0)

            await #expect(throws: MediaError.refused(.damaged)) {
                try await bench.pool.render(try bench.file("a", video), to: bench.path("out"), as: Self.picture)
            }
        }
    }

    @Test(.disabled(if: isSanitized, "a sanitizer needs more memory than any limit"))
    func `a picture that needs more memory than there may be is refused, and the next one is made`() async throws {
        try await withWorkbench(limits: MediaLimits(memoryBytes: 128 << 20)) { bench in
            let bomb = try bench.file("bomb.gif", Samples.gif(side: 12_000))
            let good = try bench.file("good.png", PixelGrid.flag.png())

            await #expect(throws: MediaError.refused(.tooCostly)) {
                try await bench.pool.render(bomb, to: bench.path("a"), as: Self.picture)
            }
            #expect(try await bench.pool.render(good, to: bench.path("b"), as: Self.picture).width == 20)
        }
    }

    @Test func `frames count as pixels when they are kept`() async throws {
        try await withWorkbench(limits: MediaLimits(memoryBytes: MediaLimits.forTests.memoryBytes, pixels: 16 * 12 * 2))
        { bench in
            let animation = try bench.file("a.gif", Samples.animatedGIF)

            await #expect(throws: MediaError.refused(.tooManyPixels)) {
                try await bench.pool.render(
                    animation, to: bench.path("a"), as: Rendition(.inside(maxSide: 8), .webp, keepsAnimation: true))
            }
            _ = try await bench.pool.render(animation, to: bench.path("b"), as: Rendition(.inside(maxSide: 8), .webp))
        }
    }

    @Test(arguments: [Rendition.Format.jpeg, .png, .webp])
    func `whatever byte is wrong, the answer is a picture or a refusal`(format: Rendition.Format) async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a", .flag, format)
            try await bench.pool.tag(photo, to: bench.path("tagged"), with: TagTests.tags)
            let whole = try bench.bytes(of: bench.path("tagged"))

            for place in stride(from: 0, to: whole.count, by: whole.count / 40) {
                var bytes = whole
                bytes[place] ^= 0xFF
                let bad = try bench.file("bad", bytes)
                let out = bench.path("out-\(place)")
                #expect(await isAnswered { _ = try await bench.pool.probe(bad) })
                #expect(
                    await isAnswered { _ = try await bench.pool.render(bad, to: "\(out)-r", as: Self.picture) })
                #expect(await isAnswered { try await bench.pool.strip(bad, to: "\(out)-s") })
                #expect(await isAnswered { try await bench.pool.tag(bad, to: "\(out)-t", with: TagTests.tags) })
            }
        }
    }
}
