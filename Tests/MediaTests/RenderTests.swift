import MediaSamples
import Testing

@testable import Media

struct RenderTests {
    static let whole = Rendition(.inside(maxSide: 1000), .png)

    @Test(arguments: 1...8)
    func `every orientation of a PNG becomes the same upright picture`(orientation: Int) async throws {
        try await withWorkbench { bench in
            let upright = try bench.file("upright.png", PixelGrid.flag.png())
            let stored = PixelGrid.flag.stored(orientation: orientation).png(orientation: orientation)

            let result = try await bench.rendered(try bench.file("stored.png", stored), Self.whole)

            #expect(result == (try await bench.rendered(upright, Self.whole)))
        }
    }

    @Test(arguments: 1...8)
    func `every orientation of a JPEG becomes the same upright picture`(orientation: Int) async throws {
        try await withWorkbench { bench in
            let upright = try await bench.picture("upright.jpg", .flag, .jpeg)
            let stored = try await bench.picture("stored.jpg", .flag.stored(orientation: orientation), .jpeg)
            try await bench.write(["-Orientation=\(orientation)"], into: stored)

            let result = try await bench.rendered(stored, Self.whole)

            #expect(result == (try await bench.rendered(upright, Self.whole)))
            #expect(try await bench.pool.probe(stored).orientation == orientation)
        }
    }

    @Test func `a JPEG of a JPEG shows the same colours`() async throws {
        try await withWorkbench { bench in
            let first = try await bench.picture("first.jpg", .flag, .jpeg)
            let second = try bench.file(
                "second.jpg", try await bench.rendered(first, Rendition(.inside(maxSide: 1000), .jpeg, quality: 95)))

            let result = try await bench.rendered(second, Self.whole)

            #expect(result == (try await bench.rendered(first, Self.whole)))
        }
    }

    @Test(arguments: [
        (Rendition(.inside(maxSide: 12), .jpeg), 12, 8),
        (Rendition(.inside(maxSide: 1000), .webp), 48, 32),
        (Rendition(.square(side: 20), .webp), 20, 20),
        (Rendition(.square(side: 1000), .jpeg), 32, 32),
        (Rendition(.inside(maxSide: 1000), .png, maxPixels: 600), 30, 20),
        (Rendition(.square(side: 1000), .png, maxPixels: 600), 24, 24),
    ])
    func `a picture is fitted and never enlarged`(rendition: Rendition, width: Int, height: Int) async throws {
        try await withWorkbench { bench in
            let source = try bench.file("a.png", PixelGrid.flag.png())

            let facts = try await bench.pool.render(source, to: bench.path("out"), as: rendition)

            #expect(facts.width == width)
            #expect(facts.height == height)
            #expect(facts.mediaType == rendition.format.mediaType)
            #expect(facts.bytes == (try bench.bytes(of: bench.path("out"))).count)
            let probed = try await bench.pool.probe(bench.path("out"))
            #expect(probed.width == width)
            #expect(probed.height == height)
            #expect(probed.mediaType == rendition.format.mediaType)
        }
    }

    @Test(arguments: [Rendition.Format.jpeg, .webp, .png])
    func `a bound on bytes is kept by lower quality, then by a smaller size`(format: Rendition.Format) async throws {
        try await withWorkbench { bench in
            let source = try bench.file("a.png", PixelGrid.noise(300, 200).png())
            let whole = try await bench.rendered(source, Rendition(.inside(maxSide: 300), format))

            for bound in [whole.count - 1, whole.count / 2, whole.count / 20] {
                let result = try await bench.rendered(source, Rendition(.inside(maxSide: 300), format, maxBytes: bound))
                #expect(result.count <= bound)
            }
        }
    }

    @Test func `a bound on bytes that no picture meets is refused`() async throws {
        try await withWorkbench { bench in
            let source = try bench.file("a.png", PixelGrid.flag.png())

            await #expect(throws: MediaError.refused(.cannotFit)) {
                try await bench.pool.render(
                    source, to: bench.path("out"), as: Rendition(.inside(maxSide: 48), .jpeg, maxBytes: 20))
            }
        }
    }

    @Test func `what is transparent is white in a JPEG`() async throws {
        try await withWorkbench { bench in
            let clear = try await bench.picture("clear.jpg", .plain(32, 32, [255, 0, 0, 0]), .jpeg)
            let white = try await bench.picture("white.jpg", .plain(32, 32, [255, 255, 255, 255]), .jpeg)

            #expect(try bench.bytes(of: clear) == bench.bytes(of: white))
        }
    }

    @Test func `a colour profile is obeyed and then not needed any more`() async throws {
        try await withWorkbench { bench in
            let red = PixelGrid.plain(16, 16, [255, 0, 0, 255]).png(profile: Samples.swappedProfile)
            let green = PixelGrid.plain(16, 16, [0, 255, 0, 255]).png()

            let result = try await bench.rendered(try bench.file("red.png", red), Self.whole)

            #expect(result == (try await bench.rendered(try bench.file("green.png", green), Self.whole)))
            #expect(!(try await bench.pool.probe(try bench.file("result.png", result)).hasICC))
        }
    }

    @Test(arguments: [Rendition.Format.jpeg, .webp, .png])
    func `a rendition tells nothing but who has rights in it`(format: Rendition.Format) async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(
                [
                    "-EXIF:Artist=Åsa 写真", "-EXIF:Copyright=© Åsa", "-OwnerName=Åsa", "-XMP-dc:Creator=Åsa",
                    "-XMP-dc:Rights=© Åsa, Uppsala", "-XMP-xmpRights:WebStatement=https://a.example/",
                    "-DateTimeOriginal=2026:11:21 10:20:30", "-Make=Nikon", "-SerialNumber=12345",
                    "-GPSLatitude=59.3",
                    "-GPSLatitudeRef=N", "-GPSLongitude=18", "-GPSLongitudeRef=E", "-XMP:City=Stockholm",
                    "-IPTC:City=Stockholm",
                    "-Comment=secret", "-Orientation=6",
                ], into: photo)

            _ = try await bench.pool.render(photo, to: bench.path("out"), as: Rendition(.inside(maxSide: 48), format))

            let facts = try await bench.pool.probe(bench.path("out"))
            #expect(facts.exif == ["copyright": "© Åsa"])
            let kept = try await bench.tags(of: bench.path("out")).keys.filter {
                !$0.contains(/^(ExifTool|System|File|PNG|RIFF|Composite|JFIF)/)
            }
            #expect(Set(kept) == ["IFD0:Copyright", "XMP-dc:Rights", "XMP-xmpRights:WebStatement", "XMP-x:XMPToolkit"])
        }
    }

    @Test func `a notice that IPTC or XMP has alone stays too`() async throws {
        try await withWorkbench { bench in
            for (tag, kept) in [
                ("-IPTC:CopyrightNotice=(c) Bo", "IFD0:Copyright"), ("-XMP-dc:Rights=(c) Bo", "XMP-dc:Rights"),
            ] {
                let photo = try await bench.picture("\(kept).jpg", .flag, .jpeg)
                try await bench.write([tag, "-IPTC:By-line=secret"], into: photo)

                _ = try await bench.pool.render(photo, to: bench.path(kept), as: Rendition(.inside(maxSide: 48), .jpeg))

                #expect(try await bench.tags(of: bench.path(kept))[kept] == "(c) Bo")
                let hasSecret = try bench.bytes(of: bench.path(kept)).contains(Array("secret".utf8))
                #expect(!hasSecret)
            }
        }
    }

    @Test func `a rendition keeps when its picture was taken if it is asked to`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(
                [
                    "-DateTimeOriginal=2026:11:21 10:20:30", "-OffsetTimeOriginal=+09:00", "-SubSecTimeOriginal=123",
                    "-CreateDate=2026:11:21 10:20:31", "-EXIF:Artist=secret", "-GPSDateStamp=2026:11:21",
                ], into: photo)

            _ = try await bench.pool.render(
                photo, to: bench.path("out"), as: Rendition(.inside(maxSide: 48), .jpeg, keepsTimes: true))

            let tags = try await bench.tags(of: bench.path("out"))
            #expect(tags["ExifIFD:DateTimeOriginal"] == "2026:11:21 10:20:30")
            #expect(tags["ExifIFD:OffsetTimeOriginal"] == "+09:00" && tags["ExifIFD:SubSecTimeOriginal"] == "123")
            #expect(tags["ExifIFD:CreateDate"] == "2026:11:21 10:20:31")
            #expect(tags["IFD0:Artist"] == nil && !tags.keys.contains { $0.contains("GPS") })
        }
    }

    @Test func `an animation keeps its frames when it is asked to`() async throws {
        try await withWorkbench { bench in
            let source = try bench.file("a.gif", Samples.animatedGIF)
            let moving = Rendition(.inside(maxSide: 8), .webp, keepsAnimation: true)
            let still = Rendition(.inside(maxSide: 8), .webp)

            let facts = try await bench.pool.render(source, to: bench.path("moving"), as: moving)
            _ = try await bench.pool.render(source, to: bench.path("still"), as: still)

            #expect(facts.width == 8)
            #expect(facts.height == 6)
            #expect(try await bench.pool.probe(bench.path("moving")).pages == 3)
            #expect(try await bench.pool.probe(bench.path("still")).pages == 1)
            let tags = try await bench.tags(of: bench.path("moving"))
            #expect(tags["RIFF:Duration"] == "0.6")
            #expect(!tags.keys.contains { $0.hasPrefix("IFD0:") })
        }
    }

    @Test func `HEIC becomes JPEG`() async throws {
        try await withWorkbench { bench in
            let source = try bench.file("a.heic", Samples.heic)

            let facts = try await bench.pool.render(
                source, to: bench.path("out"), as: Rendition(.inside(maxSide: 32), .jpeg))

            #expect(facts.width == 32)
            #expect(facts.height == 24)
            #expect(try await bench.pool.probe(bench.path("out")).mediaType == "image/jpeg")
        }
    }
}
