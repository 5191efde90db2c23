import MediaSamples
import Testing

@testable import Media

/// Segments between and behind the scans of a JPEG.
struct JPEGScanTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
        }
    }

    static let secret = Array("secret".utf8)
    /// A second picture, as cameras append one.
    static let secondPicture = file() + Array("secret".utf8)

    static let others: [Case] = [
        Case("a comment", JPEGBytes.segment(0xFE, secret)),
        Case("EXIF", JPEGBytes.segment(0xE1, Array("Exif\0\0".utf8) + secret)),
        Case("a segment with an end of image inside", JPEGBytes.segment(0xE1, [0xFF, 0xD9, 0xFF, 0xDA] + secret)),
        Case("a JFIF header", JPEGBytes.segment(0xE0, Array("JFIF\0secret...".utf8))),
        Case("a colour profile", JPEGBytes.segment(0xE2, Array("ICC_PROFILE\0secret".utf8))),
        Case("Adobe's segment", JPEGBytes.segment(0xEE, Array("Adobesecret.".utf8))),
        Case("a segment for nobody yet", JPEGBytes.segment(0xEF, secret) + JPEGBytes.segment(0xF7, secret)),
        Case("no segment at all", secret),
        Case("a restart that restarts nothing", [0xFF, 0xD0] + secret),
        Case("many of them", Array(repeatElement(JPEGBytes.segment(0xFE, secret), count: 500).joined())),
    ]

    /// Nobody can decode its pixels, but every reader can find them.
    static func file(header: [UInt8] = [], between: [UInt8] = [], trailer: [UInt8] = []) -> [UInt8] {
        let (start, end): ([UInt8], [UInt8]) = ([0xFF, 0xD8], [0xFF, 0xD9])
        let quantisation = JPEGBytes.segment(0xDB, [UInt8](repeating: 1, count: 65))
        let frame = JPEGBytes.segment(0xC2, [8, 0, 8, 0, 8, 0])
        let table = JPEGBytes.segment(0xC4, [UInt8](repeating: 0, count: 17))
        let scan = JPEGBytes.segment(0xDA, [0, 0, 0, 0])
        // Stuffed zeros, restarts and a fill byte are compressed pixels.
        let pixels: [UInt8] = [1, 0xFF, 0, 0xFE, 2, 0xFF, 0xD0, 0xE1, 3, 0xFF, 0xD7, 0xFF, 0, 0xFF]
        let pieces = [
            start, header, quantisation, frame, table, scan, pixels, between, table, between, scan, pixels, between,
            end, trailer,
        ]
        return Array(pieces.joined())
    }

    @Test(arguments: others)
    func `nothing but tables stays between scans, and the pixels stay byte for byte`(other: Case) async throws {
        try await withWorkbench { bench in
            // Bytes that are no segment would belong to the pixels if they stood right behind them.
            let comment = JPEGBytes.segment(0xFE, Self.secret)
            let photo = try bench.file("a", Self.file(between: comment + other.bytes))

            try await bench.pool.strip(photo, to: bench.path("out"))

            #expect(try bench.bytes(of: bench.path("out")) == Self.file())
        }
    }

    @Test(arguments: [
        Case("a motion photo's video", Samples.box("ftyp", Array("isomsecret".utf8))), Case("a picture", secondPicture),
        Case("segments", JPEGBytes.segment(0xE1, secret) + [0xFF, 0xD9]),
    ])
    func `nothing stays behind the end of the picture`(trailer: Case) async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a", Self.file(trailer: trailer.bytes))

            try await bench.pool.strip(photo, to: bench.path("out"))

            #expect(try bench.bytes(of: bench.path("out")) == Self.file())
        }
    }

    @Test func `of Adobe's segment stays what tells how colours are coded`() async throws {
        try await withWorkbench { bench in
            let colours = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
            let photo = try bench.file("a", Self.file(header: JPEGBytes.segment(0xEE, colours + Self.secret)))

            try await bench.pool.strip(photo, to: bench.path("out"))

            let expected = Self.file(header: JPEGBytes.segment(0xEE, colours))
            #expect(try bench.bytes(of: bench.path("out")) == expected)
        }
    }

    @Test(arguments: [0xE0, 0xE1, 0xE2, 0xE5, 0xED, 0xEE, 0xEF, 0xFE] as [UInt8])
    func `a segment that is not what its marker promises goes`(marker: UInt8) async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a", Self.file(header: JPEGBytes.segment(marker, Self.secret)))

            try await bench.pool.strip(photo, to: bench.path("out"))

            #expect(try bench.bytes(of: bench.path("out")) == Self.file())
        }
    }

    @Test func `a progressive photo without its secrets looks the same`() async throws {
        try await withWorkbench { bench in
            let others =
                JPEGBytes.segment(0xFE, Self.secret) + JPEGBytes.segment(0xE1, Array("Exif\0\0".utf8) + Self.secret)
            let photo = try bench.file("a", JPEGBytes.inserting(others, betweenScansOf: Samples.progressive))

            try await bench.pool.strip(photo, to: bench.path("out"))

            #expect(try bench.bytes(of: bench.path("out")) == Samples.progressive)
            let whole = Rendition(.inside(maxSide: 100), .png)
            let before = try await bench.rendered(photo, whole)
            let after = try await bench.rendered(bench.path("out"), whole)
            #expect(after == before)
        }
    }

    @Test func `a tagged photo keeps what stands between and behind its scans`() async throws {
        try await withWorkbench { bench in
            let comment = JPEGBytes.segment(0xFE, Self.secret)
            let source = JPEGBytes.inserting(comment, betweenScansOf: Samples.progressive) + Self.secret
            let firstScan = source.firstRange(of: [0xFF, 0xDA])
            let start = try #require(firstScan).lowerBound
            let scans = source[start...]

            try await bench.pool.tag(try bench.file("a", source), to: bench.path("out"), with: TagTests.tags)

            #expect(try bench.bytes(of: bench.path("out")).suffix(scans.count) == scans)
        }
    }

    @Test func `more segments than anybody writes are refused`() async throws {
        try await withWorkbench { bench in
            let comments = (0..<10_001).flatMap { _ in JPEGBytes.segment(0xFE, []) }
            let header = try bench.file("a", Self.file(header: comments))
            let scans = try bench.file("b", Self.file(between: comments))

            for photo in [header, scans] {
                await #expect(throws: MediaError.refused(.damaged)) {
                    try await bench.pool.strip(photo, to: bench.path("out"))
                }
            }
        }
    }
}
