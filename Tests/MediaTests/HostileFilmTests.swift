import Foundation
import MediaSamples
import TestTools
import Testing

@testable import Media

/// Real videos that somebody has spoilt: each is refused or shown, and the next one is shown.
struct HostileFilmTests {
    private static let picture = Rendition(.inside(maxSide: 100), .jpeg)

    struct Spoiling: CustomTestStringConvertible {
        let testDescription: String
        let spoil: @Sendable ([UInt8]) throws -> [UInt8]

        init(_ name: String, _ spoil: @escaping @Sendable ([UInt8]) throws -> [UInt8]) {
            testDescription = name
            self.spoil = spoil
        }

        /// Other bytes behind the first occurrence of a box's type.
        init(_ name: String, _ bytes: [UInt8], in type: String, at offset: Int) {
            self.init(name) { film in
                let place = try #require(film.firstRange(of: Array(type.utf8))).upperBound + offset
                var spoilt = film
                spoilt.replaceSubrange(place..<place + bytes.count, with: bytes)
                return spoilt
            }
        }
    }

    private static let most: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFE]

    /// Impossible values that do no harm: the video is taken.
    static let lies = [
        Spoiling("a length of 136 years", [0, 0, 0, 1] + most, in: "mvhd", at: 12),
        Spoiling("no length", [0, 0, 0, 0], in: "mvhd", at: 16),
        Spoiling("no time scale", [0, 0, 0, 0], in: "mvhd", at: 12),
        Spoiling("a picture of 1 x 1", [0, 1, 0, 0, 0, 1, 0, 0], in: "tkhd", at: 76),
        Spoiling("a picture of 9000 x 1", [0x23, 0x28, 0, 0, 0, 1, 0, 0], in: "tkhd", at: 76),
        Spoiling("a coded picture of 65535 x 65535", [0xFF, 0xFF, 0xFF, 0xFF], in: "avc1", at: 24),
        Spoiling("a turn that is none", [0, 0, 0, 7, 0, 0, 0, 9], in: "tkhd", at: 40),
        Spoiling("frames without end", [0, 0, 0, 1, 0, 0, 0, 50] + most, in: "stts", at: 4),
    ]

    @Test(arguments: lies)
    func `a video that lies about itself is taken for what it can be, and has a poster`(lie: Spoiling) async throws {
        try await withWorkbench { bench in
            let film = try bench.bytes(of: try await bench.file(Film(tablesFirst: true)))
            let spoilt = try bench.file("spoilt", try lie.spoil(film))

            let facts = try await bench.pool.probe(spoilt)

            #expect((facts.duration ?? 0) < 32_000_000)
            #expect(facts.video?.frameRate.map { $0 > 0 && $0 <= 1000 } ?? true)
            let poster = try await bench.pool.render(spoilt, to: bench.path("poster"), as: Self.picture)
            #expect(poster.width >= 1 && poster.height >= 1)
        }
    }

    static let damages = [
        Spoiling("half of it") { Array($0.prefix($0.count / 2)) },
        Spoiling("without its last byte") { $0.dropLast() },
        Spoiling("nothing but its head") { Array($0.prefix(100)) },
        Spoiling("a media box longer than any file", [0, 0, 0, 1], in: "mdat", at: -8),
        Spoiling("a header box longer than the file", [0x7F, 0xFF, 0xFF, 0xFF], in: "moov", at: -8),
        Spoiling("a track box longer than its parent", [0, 0x7F, 0xFF, 0xFF], in: "trak", at: -8),
        Spoiling("a header box in a header box, and so on") { film in
            film + (0..<5000).reduce([UInt8]()) { inner, _ in Samples.box("moov", inner) }.dropLast()
        },
    ]

    @Test(arguments: damages)
    func `a video that is damaged is refused when it comes in`(damage: Spoiling) async throws {
        try await withWorkbench { bench in
            let film = try bench.bytes(of: try await bench.file(Film(tablesFirst: true)))
            let spoilt = try bench.file("spoilt", try damage.spoil(film))

            let refusal: Refusal = damage.testDescription.contains("parent") ? .damaged : .cutOff
            await #expect(throws: MediaError.refused(refusal)) { try await bench.pool.probe(spoilt) }
        }
    }

    @Test func `sound alone is no video`() async throws {
        try await withWorkbench { bench in
            let sound = try bench.file("a", MovieSample(tracks: [.sound]).bytes)

            await #expect(throws: MediaError.refused(.unknownType)) { try await bench.pool.probe(sound) }
        }
    }

    static let wrecks = [
        Spoiling("four thousand million samples", most, in: "stsz", at: 8),
        Spoiling("four thousand million chunks", most, in: "stco", at: 4),
        Spoiling("four thousand million keyframes", most, in: "stss", at: 4),
        Spoiling("four thousand million times", most, in: "stts", at: 4),
        Spoiling("chunks behind the end", most, in: "stco", at: 8),
        Spoiling("a picture of 65535 x 65535", [0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0], in: "tkhd", at: 76),
        Spoiling("a decoder that nobody knows", Array("zzzz".utf8), in: "avc1", at: -4),
        Spoiling("a decoder's settings in zeros", [UInt8](repeating: 0, count: 30), in: "avcC", at: 0),
        Spoiling("pictures of noise") { film in
            let start = try #require(film.firstRange(of: Array("mdat".utf8))).upperBound
            return film[..<start] + film[start...].enumerated().map { $1 ^ UInt8(truncatingIfNeeded: $0 &* 167) }
        },
        Spoiling("media data in a file of the machine's") { film in
            var spoilt = film
            let place = try #require(film.firstRange(of: Array("url ".utf8))).upperBound
            // No longer in this file.
            spoilt.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0])
            return spoilt
        },
    ]

    @Test(arguments: wrecks)
    func `a video that makes no sense inside is refused or shown, by the same process, and the next one is shown`(
        wreck: Spoiling
    ) async throws {
        try await withWorkbench { bench in
            let good = try await bench.file(Film(tablesFirst: true))
            let spoilt = try bench.file("spoilt", try wreck.spoil(try bench.bytes(of: good)))
            _ = try await bench.pool.probe(good)
            let processes = bench.pool.processes

            #expect(await isAnswered { _ = try await bench.pool.probe(spoilt) })
            #expect(
                await isAnswered {
                    _ = try await bench.pool.render(spoilt, to: bench.path("a"), as: Self.picture)
                })
            #expect(
                await isAnswered {
                    try await bench.pool.strip(spoilt, to: bench.path("b"), StripRules(movesTablesFirst: true))
                })

            _ = try await bench.pool.render(good, to: bench.path("c"), as: Self.picture)
            #expect(bench.pool.processes == processes)
        }
    }

    @Test func `a list of other files that calls itself a video is not followed`() async throws {
        try await withWorkbench { bench in
            let good = try await bench.file(Film())
            let head = HostileFileTests.video + Samples.box("moov", []) + Samples.box("mdat", [])
            for list in ["ffconcat version 1.0\nfile '\(good)'\n", "#EXTM3U\n#EXTINF:2,\nfile://\(good)\n"] {
                let bad = try bench.file("\(UUID())", head + Array(list.utf8))

                #expect(
                    await Self.isRefused {
                        _ = try await bench.pool.render(bad, to: bench.path("\(UUID())"), as: Self.picture)
                    })
            }
        }
    }

    @Test(.disabled(if: isSanitized, "a sanitizer needs more memory than any limit"))
    func `a video that needs more memory than there may be is refused, and the next one is shown`() async throws {
        try await withWorkbench(limits: MediaLimits(memoryBytes: 64 << 20)) { bench in
            let large = try await bench.file(
                Film(name: "large.mp4", source: "testsrc=size=4096x2304:rate=5:duration=2"))
            let good = try await bench.file(Film())

            await #expect(throws: MediaError.self) {
                try await bench.pool.render(large, to: bench.path("a"), as: Self.picture)
            }
            #expect(try await bench.pool.render(good, to: bench.path("b"), as: Self.picture).width == 100)
        }
    }

    @Test func `a video that takes too long ends with its process at the deadline`() async throws {
        try await withWorkbench(configure: { $0.deadline = .milliseconds(1) }) { bench in
            let video = try await bench.file(Film())

            await #expect(throws: MediaError.refused(.tooCostly)) {
                try await bench.pool.render(video, to: bench.path("a"), as: Self.picture)
            }
            #expect(bench.pool.processes.isEmpty)
        }
    }

    private static func isRefused(_ work: () async throws -> Void) async -> Bool {
        do {
            try await work()
            return false
        } catch MediaError.refused {
            return true
        } catch {
            return false
        }
    }
}
