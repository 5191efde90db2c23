import Foundation
import MediaSamples
import TestTools
import Testing

@testable import Media

struct HostileMovieTests {
    typealias Case = HostileFileTests.Case

    static let movie = MovieSample().bytes

    /// The movie with something else in place of the first occurrence of these bytes.
    static func movie(
        _ change: (inout MovieSample) -> Void = { _ in }, with replacement: [UInt8], at type: String, _ offset: Int
    )
        -> [UInt8]
    {
        var sample = MovieSample()
        change(&sample)
        var bytes = sample.bytes
        guard let place = bytes.firstRange(of: Array(type.utf8))?.lowerBound else { return [] }
        bytes.replaceSubrange(place + offset..<place + offset + replacement.count, with: replacement)
        return bytes
    }

    static func movie(_ change: (inout MovieSample) -> Void) -> [UInt8] {
        var movie = MovieSample()
        change(&movie)
        return movie.bytes
    }

    static let largest: [UInt8] = [255, 255, 255, 255]
    static let nested = (0..<5000).reduce([UInt8]()) { inner, _ in Samples.box("moov", inner) }
    static let record: [UInt8] =
        [0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66]
        + Array("MDPM".utf8)

    static let cases: [Case] = [
        Case("cut off", .cutOff, Array(movie.dropLast())),
        Case("half of it", .cutOff, Array(movie.prefix(movie.count / 2))),
        Case("no moov", .damaged, HostileFileTests.video + Samples.box("mdat", [1, 2, 3])),
        Case("two of moov", .damaged, movie + Samples.box("moov", [])),
        Case("an empty moov", .unsupported, HostileFileTests.video + Samples.box("moov", [])),
        Case("moov in moov in moov", .unsupported, HostileFileTests.video + nested),
        Case(
            "more boxes than anybody writes", .damaged,
            movie + Array(repeatElement(Samples.box("free", []), count: 100_001).joined())),
        Case("a box that reaches beyond its parent", .damaged, movie(with: [0, 0, 127, 255], at: "mdia", -4)),
        Case("a box shorter than its header", .damaged, movie(with: [0, 0, 0, 7], at: "mdhd", -4)),
        Case("a length of 2⁶⁴ - 1", .damaged, movie({ $0.isLong = true }, with: largest + largest, at: "mdat", 4)),
        Case("a length of 0 inside", .damaged, movie(with: [0, 0, 0, 0], at: "tkhd", -4)),
        Case("a track without media", .damaged, movie(with: Array("mdix".utf8), at: "mdia", 0)),
        Case("a track twice", .damaged, movie(with: [0, 0, 0, 2], at: "tkhd", 16)),
        Case("two tables of chunks", .damaged, movie(with: Array("stco".utf8), at: "stts", 0)),
        Case("more chunks than the table", .damaged, movie(with: largest, at: "stco", 8)),
        Case("more samples than the table", .damaged, movie(with: largest, at: "stsz", 12)),
        Case("no samples in chunks", .damaged, movie(with: [0, 0, 0, 0], at: "stsc", 8)),
        Case("a sample longer than the file", .damaged, movie(with: largest, at: "stsz", 16)),
        Case("a sample behind the file", .damaged, movie(with: largest, at: "stco", 12)),
        Case("a sample in the header", .damaged, movie(with: [0, 0, 0, 0], at: "stco", 12)),
        Case("a sample at 2⁶⁴ - 1", .damaged, movie({ $0.isLong = true }, with: largest + largest, at: "co64", 12)),
        Case("2⁶⁴ bytes of samples", .damaged, movie(with: largest + largest, at: "stsz", 8)),
        Case("a sample description cut off", .damaged, movie(with: [0, 0, 0, 20], at: "avc1", -4)),
        Case(
            "motion JPEG", .unsupported,
            movie { $0.tracks[0].description = MovieSample.Track.pictureDescription("jpeg") }),
        Case("sound alone", .unsupported, movie { $0.tracks = [.sound] }),
        Case("sound of unknown length", .unsupported, movie { $0.tracks[1].sampleSize = 1 }),
        Case(
            "media data in another file", .unsupported,
            movie { $0.reference = Samples.box("url ", [0, 0, 0, 0] + Array("secret".utf8)) }),
        Case("a camera's records among the pictures", .unsupported, movie { $0.tracks[0].samples[3] += record }),
        Case(
            "a camera's records where a block of a MiB ends", .unsupported,
            movie { $0.tracks[0].samples[0] = MovieSample.zeros((1 << 20) - 10) + record }),
    ]

    @Test(arguments: cases)
    func `a bad video is refused, and nothing of it is written`(bad: Case) async throws {
        try await withWorkbench { bench in
            let file = try bench.file("bad", bad.bytes)
            _ = try? await bench.pool.probe(file)
            let process = bench.pool.processes

            await #expect(throws: MediaError.refused(bad.refusal)) {
                try await bench.pool.strip(file, to: bench.path("out"))
            }

            #expect(bench.pool.processes == process)
            #expect(!FileManager.default.fileExists(atPath: bench.path("out")))
        }
    }

    @Test func `a header of more than 64 MiB is too much, without being read`() async throws {
        try await withWorkbench(limits: MediaLimits(memoryBytes: isSanitized ? 1 << 50 : 128 << 20)) { bench in
            let file = try bench.file("a", HostileFileTests.video + PixelGrid.bigEndian(70 << 20) + Array("moov".utf8))
            #expect(truncate(file, off_t(HostileFileTests.video.count + 70 << 20)) == 0)

            await #expect(throws: MediaError.refused(.tooCostly)) {
                try await bench.pool.strip(file, to: bench.path("out"))
            }
        }
    }

    @Test func `a video that is longer than a file may be is refused`() async throws {
        try await withWorkbench(
            limits: MediaLimits(memoryBytes: MediaLimits.forTests.memoryBytes, fileBytes: Self.movie.count - 1)
        ) { bench in
            let file = try bench.file("a", Self.movie)

            await #expect(throws: MediaError.refused(.unsupported)) {
                try await bench.pool.strip(file, to: bench.path("out"))
            }
        }
    }

    @Test(arguments: 0..<6)
    func `whatever is wrong, the pictures are the same or the video is refused, by the same process`(
        seed: Int
    ) async throws {
        var random = SplitMix64(seed: UInt64(seed + 1))
        let sources = [
            MovieSample(brand: "qt  ", notes: MovieNotes.quickTime + MovieNotes.named, gap: [1, 2]).bytes,
            MovieSample(notes: MovieNotes.mobile, after: MovieNotes.xmpBox, movieFirst: true, isLong: true).bytes,
            FragmentedMovie(style: FragmentedMovie.Style.allCases[seed % 4], gap: [3]).bytes,
        ]
        let mutants = (0..<60).map { random.mutant(of: sources[$0 % sources.count]) }

        try await withWorkbench { bench in
            _ = try await bench.pool.probe(try bench.file("a.png", PixelGrid.flag.png()))
            let process = bench.pool.processes
            for mutant in mutants {
                let (file, output) = (try bench.file("bad", mutant), bench.path("\(UUID())"))
                guard try await Self.isStripped({ try await bench.pool.strip(file, to: output) }) else { continue }
                let (before, after) = (MovieBytes(mutant), MovieBytes(try bench.bytes(of: output)))
                #expect(after.bytes.count == before.bytes.count)
                #expect(after.samples == before.samples)
                #expect(Self.isSameOrZero(after.mediaData, before.mediaData))
            }
            #expect(bench.pool.processes == process)
        }
    }

    private static func isStripped(_ strip: () async throws -> Void) async throws -> Bool {
        do {
            try await strip()
            return true
        } catch MediaError.refused(.cutOff), MediaError.refused(.damaged), MediaError.refused(.unsupported),
            MediaError.refused(.unknownType)
        {
            return false
        }
    }

    private static func isSameOrZero(_ result: [Int: [UInt8]], _ source: [Int: [UInt8]]) -> Bool {
        result.keys == source.keys
            && result.allSatisfy { offset, bytes in
                zip(bytes, source[offset] ?? []).allSatisfy { $0 == $1 || $0 == 0 }
            }
    }
}

extension SplitMix64 {
    /// The file with a wrong byte, a wrong number, a part missing or a part twice.
    fileprivate mutating func mutant(of bytes: [UInt8]) -> [UInt8] {
        var mutant = bytes
        let place = Int.random(in: 8..<bytes.count - 8, using: &self)
        let part = place..<Int.random(in: place...min(place + 200, bytes.count), using: &self)
        switch Int.random(in: 0..<5, using: &self) {
        case 0: mutant[place] = UInt8.random(in: 0...255, using: &self)
        case 1: mutant[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
        case 2:
            let number = [0, 1, 7, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF].randomElement(using: &self) ?? 0
            mutant.replaceSubrange(place..<place + 4, with: PixelGrid.bigEndian(number))
        case 3: mutant.removeSubrange(part)
        default: mutant.insert(contentsOf: bytes[part], at: place)
        }
        return mutant
    }
}
