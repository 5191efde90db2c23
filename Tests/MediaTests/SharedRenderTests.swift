import Domain
import Foundation
import MediaSamples
import Testing

@testable import Media

/// Several renditions with one decoding.
struct SharedRenderTests {
    @Test func `renditions that are made together have the sizes that they have alone`() async throws {
        let wanted = [
            Rendition(.square(side: 32), .jpeg), Rendition(.inside(maxSide: 64), .webp),
            Rendition(.inside(maxSide: 127), .jpeg), Rendition(.inside(maxSide: 200), .avif),
            Rendition(.inside(maxSide: 90), .png, recipe: RecipeTests.recipe { $0.rotate = 90 }),
            Rendition(.inside(maxSide: 90), .jpeg, maxBytes: 2000),
        ]

        try await withWorkbench { bench in
            let source = try await bench.picture("a.jpg", .noise(331, 217), .jpeg)
            let together = try await bench.pool.render(
                source, wanted.enumerated().map { ($1, bench.path("together-\($0)")) })

            for (index, rendition) in wanted.enumerated() {
                let alone = try await bench.pool.render(source, to: bench.path("alone-\(index)"), as: rendition)
                #expect(together[index].width == alone.width)
                #expect(together[index].height == alone.height)
                #expect(together[index].mediaType == rendition.format.mediaType)
                #expect(together[index].bytes == (try bench.bytes(of: bench.path("together-\(index)"))).count)
            }
        }
    }

    @Test func `renditions that are made together look as they do alone`() async throws {
        try await withWorkbench { bench in
            let source = try await bench.picture("a.jpg", .flag, .jpeg)
            let wanted = [Rendition(.inside(maxSide: 48), .png), Rendition(.inside(maxSide: 24), .png)]
            _ = try await bench.pool.render(source, wanted.enumerated().map { ($1, bench.path("\($0)")) })

            let small = try await bench.pixels(of: bench.path("1"), 24, 16)
            let alone = try await bench.pixels(source, wanted[1])
            for (one, other) in zip(small.pixels, alone.pixels) {
                #expect(zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
            }
        }
    }

    @Test func `when one of several cannot be made, none is there`() async throws {
        try await withWorkbench { bench in
            let source = try await bench.picture("a.jpg", .flag, .jpeg)
            let wanted = [
                (Rendition(.inside(maxSide: 24), .jpeg), bench.path("a")),
                (Rendition(.inside(maxSide: 24), .jpeg, maxBytes: 20), bench.path("b")),
            ]

            await #expect(throws: MediaError.refused(.cannotFit)) { try await bench.pool.render(source, wanted) }

            #expect(throws: (any Error).self) { try bench.bytes(of: bench.path("a")) }
            #expect(throws: (any Error).self) { try bench.bytes(of: bench.path("b")) }
        }
    }

    @Test func `each is told of with its whole file, in their order`() async throws {
        try await withWorkbench { bench in
            let source = try await bench.picture("a.jpg", .noise(331, 217), .jpeg)
            let wanted = [300, 200, 100].map { (Rendition(.inside(maxSide: $0), .webp), bench.path("\($0)")) }
            let (reports, report) = AsyncStream<(Int, RenderedFacts, [UInt8]?)>.makeStream()

            let all = try await bench.pool.render(source, wanted) { number, facts in
                report.yield((number, facts, try? bench.bytes(of: wanted[number].1)))
            }
            report.finish()

            let told = await reports.reduce(into: []) { $0.append($1) }
            #expect(told.map(\.0) == [0, 1, 2])
            #expect(told.map(\.1) == all)
            for (number, facts, bytes) in told {
                #expect(bytes?.count == facts.bytes)
                #expect(try bench.bytes(of: wanted[number].1) == bytes)
            }
        }
    }

    @Test func `a process that dies after its first result is not replaced: somebody may read that already`()
        async throws
    {
        try await withWorkbench { bench in
            let source = try await bench.picture("a.jpg", .noise(1200, 900), .jpeg)
            // All but the first take long.
            let wanted = (0..<8).map {
                (Rendition(.inside(maxSide: $0 == 0 ? 10 : 1200), $0 == 0 ? .jpeg : .avif), bench.path("\($0)"))
            }

            await #expect(throws: MediaError.failed(detail: "pics-media was ended by signal 9")) {
                try await bench.pool.render(source, wanted) { _, _ in
                    for process in bench.pool.processes { kill(process, SIGKILL) }
                }
            }

            #expect(bench.pool.processes.isEmpty)
        }
    }

    @Test(arguments: [[0, 1, 2], [1], [0, 0], [-1]])
    func `a process that tells of what it was not asked for is ended, and nobody hears of it`(told: [Int]) async throws
    {
        let facts = RenderedFacts(width: 1, height: 1, bytes: 1, mediaType: "image/png")
        let replies = try told.map {
            String(decoding: try MediaMessage.encode(MediaReply.made($0, facts)), as: UTF8.self)
        }
        let program = FileManager.default.temporaryDirectory.appending(path: "media-\(UUID())").path
        let text = """
            #!/usr/bin/python3
            import socket
            end = socket.socket(fileno=0)
            end.recv(100000)
            for reply in \(replies): end.send(reply.encode())
            end.recv(1)
            """
        try Data(text.utf8).write(to: URL(filePath: program))
        defer { unlink(program) }
        chmod(program, 0o755)
        try await withWorkbench(program: program) { bench in
            let source = try bench.file("a.png", PixelGrid.flag.png())
            let (reports, report) = AsyncStream<Int>.makeStream()

            await #expect(throws: MediaError.mixedUp) {
                try await bench.pool.render(
                    source, ["a", "b"].map { (Rendition(.inside(maxSide: 24), .png), bench.path($0)) }
                ) { number, _ in report.yield(number) }
            }
            report.finish()

            #expect(await reports.reduce(into: []) { $0.append($1) } == (told[0] == 0 ? [0] : []))
            #expect(bench.pool.processes.isEmpty)
        }
    }

    @Test func `AVIF keeps colours and tells nothing`() async throws {
        try await withWorkbench { bench in
            let source = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(["-EXIF:Artist=Åsa", "-GPSLatitude=59.3", "-GPSLatitudeRef=N"], into: source)

            _ = try await bench.pool.render(
                source, to: bench.path("a.avif"), as: Rendition(.inside(maxSide: 48), .avif, quality: 80))

            let pixels = try await bench.pixels(of: bench.path("a.avif"), 48, 32)
            for (x, y) in [(8, 8), (24, 8), (40, 8), (8, 24), (24, 24), (40, 24)] {
                #expect(zip(pixels[x, y], PixelGrid.flag[x, y]).allSatisfy { abs(Int($0) - Int($1)) <= 12 })
            }
            let tags = try await bench.tags(of: bench.path("a.avif"))
            #expect(!tags.keys.contains { $0.hasPrefix("IFD0:") || $0.hasPrefix("GPS:") || $0.hasPrefix("XMP") })
        }
    }
}
