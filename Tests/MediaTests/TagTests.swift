import MediaSamples
import Testing

@testable import Media

struct TagTests {
    static let caption = String(repeating: "Grüße, \"写真\" 👩‍👩‍👧 <b>&amp; #365 ", count: 12) + "\nEnd"
    static let tags = PictureTags(
        caption: caption, altText: "A dog, 犬", shortURL: "https://pics.example/Ab3dE9xZ", software: "Pics",
        takenAt: "2026-11-21T10:20:30+09:00", artist: "Åsa", copyright: "© Åsa")

    @Test(arguments: [Rendition.Format.jpeg, .png, .webp])
    func `exiftool reads back what was written`(format: Rendition.Format) async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a", .flag, format)

            try await bench.pool.tag(photo, to: bench.path("out"), with: Self.tags)

            let tags = try await bench.tags(of: bench.path("out"))
            // exiftool shows a line's end as a dot.
            let shown = Self.caption.replacing("\n", with: ".")
            #expect(tags["IFD0:ImageDescription"] == shown)
            #expect(tags["XMP-dc:Description"] == shown)
            #expect(tags["XMP-iptcCore:AltTextAccessibility"] == "A dog, 犬")
            #expect(tags["XMP-dc:Identifier"] == "https://pics.example/Ab3dE9xZ")
            #expect(tags["IFD0:Software"] == "Pics")
            #expect(tags["XMP-xmp:CreatorTool"] == "Pics")
            #expect(tags["ExifIFD:DateTimeOriginal"] == "2026:11:21 10:20:30")
            #expect(tags["ExifIFD:OffsetTimeOriginal"] == "+09:00")
            #expect(tags["ExifIFD:CreateDate"] == "2026:11:21 10:20:30")
            #expect(tags["ExifIFD:OffsetTimeDigitized"] == "+09:00")
            #expect(tags["IFD0:Artist"] == "Åsa")
            #expect(tags["XMP-dc:Rights"] == "© Åsa")
            #expect(!tags.keys.contains("ExifTool:Warning"))
        }
    }

    @Test(arguments: [Rendition.Format.jpeg, .png, .webp], [true, false])
    func `a picture that is stripped and tagged at once is the one that is stripped first and tagged then`(
        format: Rendition.Format, keepsPosition: Bool
    ) async throws {
        try await withWorkbench { bench in
            let photo = bench.path("photo")
            try await bench.pool.tag(
                try await bench.picture("a", .flag, format), to: photo,
                with: PictureTags(
                    caption: "secret", takenAt: "2020-01-02T03:04:05Z", artist: "secret", copyright: "© Åsa",
                    position: .init(latitude: 1, longitude: 2), sources: ["https://pics.example/secret"]))
            var tags = Self.tags
            if keepsPosition { tags.position = .init(latitude: 40, longitude: -30) }

            try await bench.pool.strip(
                photo, to: bench.path("at-once"), StripRules(keepsPosition: keepsPosition, tags: tags))

            try await bench.pool.strip(photo, to: bench.path("stripped"), StripRules(keepsPosition: keepsPosition))
            try await bench.pool.tag(bench.path("stripped"), to: bench.path("in-turn"), with: tags)
            #expect(try bench.bytes(of: bench.path("at-once")) == bench.bytes(of: bench.path("in-turn")))
            #expect(try !bench.bytes(of: bench.path("at-once")).contains(Array("secret".utf8)))
        }
    }

    @Test(arguments: [Rendition.Format.jpeg, .png, .webp])
    func `the compressed pixels stay as they are`(format: Rendition.Format) async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a", .flag, format)
            let pixels: [UInt8] =
                switch format {
                case .jpeg: JPEGBytes.scan(of: try bench.bytes(of: photo))
                case .png: try #require(PNGBytes.chunk("IDAT", in: bench.bytes(of: photo)))
                case .webp: WebPBytes.picture(of: try bench.bytes(of: photo))
                case .avif: []
                }

            try await bench.pool.tag(photo, to: bench.path("out"), with: Self.tags)

            let hasPixels = try bench.bytes(of: bench.path("out")).contains(pixels)
            #expect(hasPixels)
            let whole = Rendition(.inside(maxSide: 100), .png)
            let source = try await bench.rendered(photo, whole)
            let plain = try await bench.rendered(bench.path("out"), whole)
            // The tagged picture's rendition has its rights in a chunk of its own.
            #expect(PNGBytes.chunk("IDAT", in: plain) == PNGBytes.chunk("IDAT", in: source))
        }
    }

    @Test func `a WebP of the simple kind becomes an extended one`() async throws {
        try await withWorkbench { bench in
            let extended = try bench.bytes(of: try await bench.picture("a", .flag, .webp))
            let photo = try bench.file("b", WebPBytes.simple(extended))

            try await bench.pool.tag(photo, to: bench.path("out"), with: Self.tags)

            let facts = try await bench.pool.probe(bench.path("out"))
            #expect(facts.width == 48)
            #expect(facts.height == 32)
            #expect(facts.exif["software"] == "Pics")
            #expect(try await bench.tags(of: bench.path("out"))["XMP-iptcCore:AltTextAccessibility"] == "A dog, 犬")
        }
    }

    @Test func `what the picture said before stays, and what is written again is replaced`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(
                [
                    "-Orientation=8", "-GPSLatitude=59.3", "-GPSLatitudeRef=N", "-SerialNumber=12345", "-Comment=hello",
                    "-IPTC:City=Uppsala", "-XMP:City=Uppsala", "-XMP-dc:Description=old",
                    "-XMP-dc:Description-sv=gammal",
                ],
                into: photo)

            try await bench.pool.tag(photo, to: bench.path("b"), with: PictureTags(caption: "first"))
            try await bench.pool.tag(
                bench.path("b"), to: bench.path("c"), with: PictureTags(caption: "second", altText: "x"))

            let tags = try await bench.tags(of: bench.path("c"))
            #expect(tags["IFD0:ImageDescription"] == "second")
            #expect(tags["XMP-dc:Description"] == "second")
            #expect(tags["XMP-dc:Description-sv"] == nil)
            #expect(tags["IFD0:Orientation"] == "8")
            #expect(tags["GPS:GPSLatitude"] == "59.3")
            #expect(tags["ExifIFD:SerialNumber"] == "12345")
            #expect(tags["File:Comment"] == "hello")
            #expect(tags["IPTC:City"] == "Uppsala")
            #expect(tags["XMP-photoshop:City"] == "Uppsala")
        }
    }

    @Test(arguments: [
        ("type=Seq Exiv2's own words", " type=Seq Exiv2's own words"), ("lang=\"sv\" hej", "lang=\"sv\" hej"),
        ("a\u{0}b\u{1}c\u{FFFF}d", "abcd"), ("<x:xmpmeta/>&#0;]]>", "<x:xmpmeta/>&#0;]]>"),
    ])
    func `no text is taken for anything but text`(caption: String, written: String) async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)

            try await bench.pool.tag(
                photo, to: bench.path("out"), with: PictureTags(caption: caption, altText: caption))

            let tags = try await bench.tags(of: bench.path("out"))
            #expect(tags["XMP-dc:Description"] == written)
            #expect(tags["XMP-iptcCore:AltTextAccessibility"] == written)
        }
    }

    @Test func `an empty text changes nothing`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(["-XMP-dc:Description=old"], into: photo)

            try await bench.pool.tag(photo, to: bench.path("out"), with: PictureTags(caption: "", altText: ""))

            let tags = try await bench.tags(of: bench.path("out"))
            #expect(tags["XMP-dc:Description"] == "old")
            #expect(tags["XMP-iptcCore:AltTextAccessibility"] == nil)
        }
    }

    @Test func `a caption without room in the file is refused`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            let caption = String(repeating: "x", count: 20_000)

            await #expect(throws: MediaError.refused(.unsupported)) {
                try await bench.pool.tag(photo, to: bench.path("out"), with: PictureTags(caption: caption))
            }
        }
    }

    @Test(arguments: [Samples.animatedGIF, Samples.heic])
    func `other types are not tagged but refused`(bytes: [UInt8]) async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a", bytes)

            await #expect(throws: MediaError.refused(.unsupported)) {
                try await bench.pool.tag(photo, to: bench.path("out"), with: Self.tags)
            }
        }
    }
}
