import Foundation
import TestTools
import Testing

@testable import Media

/// The picture that stands for a video.
struct PosterTests {
    /// Red at the left, blue at the right.
    private static let halves = "\(plain("red", 2))[a];\(plain("blue", 2))[b];[a][b]hstack"
    private static let whole = Rendition(.inside(maxSide: 4096), .png)
    private static let (red, blue, black) = ([1, 0, 0], [0, 0, 1], [0, 0, 0])

    /// One colour for some seconds.
    private static func plain(_ colour: String, _ seconds: Int) -> String {
        "color=\(colour):size=160x160:rate=25:duration=\(seconds)"
    }

    @Test(arguments: [
        (0, [red, blue, red, blue], 320, 160), (90, [red, red, blue, blue], 160, 320),
        (180, [blue, red, blue, red], 320, 160), (270, [blue, blue, red, red], 160, 320),
    ])
    func `a poster is upright`(rotation: Int, corners: [[Int]], width: Int, height: Int) async throws {
        try await withWorkbench { bench in
            let video = try await bench.file(Film(source: Self.halves, rotation: rotation))

            let facts = try await bench.pool.render(video, to: bench.path("poster.png"), as: Self.whole)

            #expect(facts.width == width && facts.height == height)
            #expect(try await bench.corners(of: bench.path("poster.png")) == corners)
        }
    }

    @Test(arguments: Film.forms)
    func `a rendition of a video is one of its poster`(film: Film) async throws {
        try await withWorkbench { bench in
            let video = try await bench.file(film)

            let facts = try await bench.pool.render(
                video, to: bench.path("small.jpg"), as: Rendition(.inside(maxSide: 100), .jpeg))

            #expect(max(facts.width, facts.height) == 100)
            #expect((facts.width > facts.height) == (film.rotation == 0))
            #expect(try await bench.pool.probe(bench.path("small.jpg")).mediaType == "image/jpeg")
        }
    }

    @Test func `a poster is not black when the video begins in black`() async throws {
        try await withWorkbench { bench in
            let source = "\(Self.plain("black", 2))[a];\(Self.plain("red", 2))[b];[a][b]concat"
            let video = try await bench.file(Film(source: source))

            _ = try await bench.pool.render(video, to: bench.path("poster.png"), as: Self.whole)

            #expect(try await bench.corners(of: bench.path("poster.png")) == Array(repeating: Self.red, count: 4))
        }
    }

    @Test func `a poster is taken in the middle when all before is black, and is black when all is`() async throws {
        try await withWorkbench { bench in
            let late = "\(Self.plain("black", 6))[a];\(Self.plain("blue", 8))[b];[a][b]concat"
            for (source, colour) in [(late, Self.blue), (Self.plain("black", 1), Self.black)] {
                let video = try await bench.file(Film(name: "\(colour).mp4", source: source))

                _ = try await bench.pool.render(video, to: bench.path("\(colour).png"), as: Self.whole)

                #expect(try await bench.corners(of: bench.path("\(colour).png")) == Array(repeating: colour, count: 4))
            }
        }
    }

    @Test func `a video of one frame has a poster`() async throws {
        try await withWorkbench { bench in
            let video = try await bench.file(Film(source: "color=red:size=160x90:rate=1:duration=1"))

            _ = try await bench.pool.render(video, to: bench.path("poster.png"), as: Self.whole)

            #expect(try await bench.corners(of: bench.path("poster.png")) == Array(repeating: Self.red, count: 4))
        }
    }

    @Test(arguments: [["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=none"], ["-c:v", "mpeg4"]])
    func `what else phones and cameras film with has a poster`(codec: [String]) async throws {
        try await withWorkbench { bench in
            let video = try await bench.file(Film(source: Self.halves, codec: codec))

            _ = try await bench.pool.render(video, to: bench.path("poster.png"), as: Self.whole)

            #expect(
                try await bench.corners(of: bench.path("poster.png")) == [Self.red, Self.blue, Self.red, Self.blue])
        }
    }

    @Test(arguments: ["smpte2084", "arib-std-b67"])
    func `a poster of HDR is as bright and as colourful as other posters`(transfer: String) async throws {
        try await withWorkbench { bench in
            let source = "\(Self.plain("white", 2))[a];\(Self.plain("red", 2))[b];[a][b]hstack"
            let video = try await bench.file(Film.highRange(source, transfer: transfer))

            _ = try await bench.pool.render(video, to: bench.path("poster.png"), as: Self.whole)

            let shades = try await bench.shades(of: bench.path("poster.png"))
            #expect(shades[0].allSatisfy { $0 > 190 }, "\(shades)")
            #expect(shades[1][0] > 190 && shades[1][1] < 40 && shades[1][2] < 40, "\(shades)")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a poster that nobody waits for any more is not made on`() async throws {
        try await withWorkbench { bench in
            let source = "color=black:size=3840x2160:rate=30:duration=4"
            let video = try await bench.file(Film(source: source))
            let work = Task {
                try await bench.pool.render(video, to: bench.path("poster.png"), as: Self.whole)
            }
            let child = await bench.starts.next()
            try await until { try !Self.children(of: child, bench).isEmpty }
            let ffmpeg = try #require(try Self.children(of: child, bench).first)

            work.cancel()

            await #expect(throws: MediaError.cancelled) { try await work.value }
            await until { !Self.isRunning(ffmpeg) }
        }
    }

    private static func children(of process: Int32, _ bench: Workbench) throws -> [Int32] {
        let text = try bench.bytes(of: "/proc/\(process)/task/\(process)/children")
        return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    }

    /// A process that has ended may wait to be noticed, as a zombie.
    private static func isRunning(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ")
    }

    @Test func `a poster says nothing of where it was taken`() async throws {
        try await withWorkbench { bench in
            let video = try await bench.file(Film())

            _ = try await bench.pool.render(
                video, to: bench.path("poster.jpg"), as: Rendition(.inside(maxSide: 50), .jpeg))

            let tags = try await bench.tags(of: bench.path("poster.jpg"))
            #expect(tags.keys.filter { $0.contains(/GPS|Location|Title|Comment/) } == [])
        }
    }
}
