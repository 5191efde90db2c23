import Foundation
import MediaSamples
import Testing

@testable import Media

struct StripTests {
    /// Metadata that must not be in a stripped file, each with this word in it.
    static let secrets = [
        "-SerialNumber=secret", "-LensSerialNumber=secret", "-OwnerName=secret", "-ImageUniqueID=secret",
        "-UserComment=secret",
        "-HostComputer=secret", "-EXIF:ImageDescription=secret", "-XMP:City=secret", "-XMP:PersonInImage=secret",
        "-EXIF:Artist=secret", "-XMP-dc:Creator=secret", "-XMP-photoshop:Credit=secret",
        "-XMP:SerialNumber=secret", "-XMP:DocumentID=secret", "-XMP:Subject=secret", "-XMP:Description=secret",
    ]
    static let position = [
        "-GPSLatitude=59.3", "-GPSLatitudeRef=N", "-GPSLongitude=18.1", "-GPSLongitudeRef=E", "-GPSDestBearing=3",
        "-XMP:GPSLatitude=59.3", "-XMP:GPSLongitude=18.1",
    ]
    static let lasting = [
        "-Orientation=6", "-Make=Nikon", "-FNumber=2.8", "-DateTimeOriginal=2026:11:21 10:20:30",
        "-EXIF:Copyright=© Åsa", "-XMP-dc:Rights=© Åsa",
    ]

    @Test func `a JPEG keeps its scan, its colours and its rights, and loses all that is private`() async throws {
        try await withWorkbench { bench in
            let thumbnail = try await bench.picture("thumbnail.jpg", .plain(16, 16, [9, 9, 9, 255]), .jpeg)
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            let scan = try JPEGBytes.scan(of: bench.bytes(of: photo))
            let jpegOnly = ["-IPTC:City=secret", "-Comment=secret", "-ThumbnailImage<=\(thumbnail)"]
            try await bench.write(Self.secrets + Self.position + Self.lasting + jpegOnly, into: photo)
            let profile = JPEGBytes.segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + Samples.swappedProfile)
            let unknown = JPEGBytes.segment(0xEB, Array("secret".utf8))
            let trailer = Array("a motion photo's secret video".utf8)
            let source = try bench.bytes(of: photo)
            let whole = try bench.file("b.jpg", Array(source[..<2]) + profile + unknown + source[2...] + trailer)

            try await bench.pool.strip(whole, to: bench.path("out.jpg"))

            let result = try bench.bytes(of: bench.path("out.jpg"))
            #expect(JPEGBytes.scan(of: result) == scan)
            #expect(result.suffix(2) == [0xFF, 0xD9])
            let hasSecret = result.contains(Array("secret".utf8))
            #expect(!hasSecret)
            let hasProfile = result.contains(profile)
            #expect(hasProfile)
            let tags = try await bench.tags(of: bench.path("out.jpg"))
            #expect(!tags.keys.contains { $0.contains("GPS") || $0.contains("Thumbnail") })
            Self.expectLasting(in: tags)
        }
    }

    @Test func `a PNG keeps its image data and its rights, and loses all that is private`() async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png(profile: Samples.swappedProfile))
            let data = try #require(PNGBytes.chunk("IDAT", in: bench.bytes(of: photo)))
            try await bench.write(Self.secrets + Self.position + Self.lasting + ["-PNG:Comment=secret"], into: photo)

            try await bench.pool.strip(photo, to: bench.path("out.png"))

            let result = try bench.bytes(of: bench.path("out.png"))
            #expect(PNGBytes.chunk("IDAT", in: result) == data)
            let hasSecret = result.contains(Array("secret".utf8))
            #expect(!hasSecret)
            #expect(try await bench.pool.probe(bench.path("out.png")).hasICC)
            let tags = try await bench.tags(of: bench.path("out.png"))
            #expect(!tags.keys.contains { $0.contains("GPS") })
            Self.expectLasting(in: tags)
        }
    }

    @Test func `a WebP keeps its image data and its rights, and loses all that is private`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.webp", .flag, .webp)
            let data = WebPBytes.picture(of: try bench.bytes(of: photo))
            try await bench.write(Self.secrets + Self.position + Self.lasting, into: photo)

            try await bench.pool.strip(photo, to: bench.path("out.webp"))

            let result = try bench.bytes(of: bench.path("out.webp"))
            #expect(WebPBytes.picture(of: result) == data)
            let hasSecret = result.contains(Array("secret".utf8))
            #expect(!hasSecret)
            let tags = try await bench.tags(of: bench.path("out.webp"))
            #expect(!tags.keys.contains { $0.contains("GPS") })
            Self.expectLasting(in: tags)
        }
    }

    @Test func `the position stays when it is asked for, and nothing else of GPS`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(Self.position, into: photo)

            try await bench.pool.strip(photo, to: bench.path("out.jpg"), StripRules(keepsPosition: true))

            let position = try #require(try await bench.pool.probe(bench.path("out.jpg")).position)
            #expect(abs(position.latitude - 59.3) < 1e-6)
            #expect(abs(position.longitude - 18.1) < 1e-6)
            #expect(try await bench.tags(of: bench.path("out.jpg"))["GPS:GPSDestBearing"] == nil)
        }
    }

    @Test func `rights stay with what they allow, and nobody's name beside them`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(
                [
                    "-XMP-dc:Creator=Åsa", "-XMP-dc:Creator=Bo, Ltd", "-XMP-dc:Rights=© Åsa",
                    "-XMP-dc:Rights-sv=© Åsa, Sverige", "-XMP-xmpRights:Marked=1",
                    "-XMP-xmpRights:WebStatement=https://a.example/", "-XMP-xmpRights:UsageTerms=ask",
                ], into: photo)

            try await bench.pool.strip(photo, to: bench.path("out.jpg"))

            let tags = try await bench.tags(of: bench.path("out.jpg"))
            #expect(tags["XMP-dc:Creator"] == nil)
            #expect(tags["XMP-dc:Rights"] == "© Åsa")
            #expect(tags["XMP-xmpRights:Marked"]?.lowercased() == "true")
            #expect(tags["XMP-xmpRights:WebStatement"] == "https://a.example/")
            #expect(tags["XMP-xmpRights:UsageTerms"] == "ask")
        }
    }

    @Test func `a copyright notice that only IPTC has moves to EXIF`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(["-IPTC:By-line=Bo", "-IPTC:CopyrightNotice=(c) Bo"], into: photo)

            try await bench.pool.strip(photo, to: bench.path("out.jpg"))

            #expect(try await bench.pool.probe(bench.path("out.jpg")).exif == ["copyright": "(c) Bo"])
        }
    }

    @Test func `a GIF keeps its pictures and their times, and loses all else`() async throws {
        try await withWorkbench { bench in
            let source = Samples.animatedGIF
            let photo = try bench.file("a.gif", source)
            try await bench.write(
                ["-Comment=secret", "-XMP-dc:Description=secret", "-XMP:GPSLatitude=59"], into: photo)
            let noted = try bench.bytes(of: photo) + Array("a secret behind the end".utf8)
            let hasSecret = noted.contains(Array("secret".utf8))
            try #require(hasSecret)
            let whole = try bench.file("b.gif", noted)

            try await bench.pool.strip(whole, to: bench.path("out.gif"))

            #expect(try bench.bytes(of: bench.path("out.gif")) == source)
        }
    }

    @Test(arguments: [10, 60, 100])
    func `a GIF that is cut off is damaged`(count: Int) async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a.gif", Array(Samples.animatedGIF.prefix(count)))

            await #expect(throws: MediaError.refused(.damaged)) {
                try await bench.pool.strip(photo, to: bench.path("out"))
            }
        }
    }

    @Test func `HEIC is not stripped but refused`() async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a", Samples.heic)

            await #expect(throws: MediaError.refused(.unsupported)) {
                try await bench.pool.strip(photo, to: bench.path("out"))
            }
            #expect(!FileManager.default.fileExists(atPath: bench.path("out")))
        }
    }

    private static func expectLasting(in tags: [String: String]) {
        #expect(tags["IFD0:Orientation"] == "6")
        #expect(tags["IFD0:Make"] == "Nikon")
        #expect(tags["IFD0:Artist"] == nil && tags["XMP-dc:Creator"] == nil)
        #expect(tags["IFD0:Copyright"] == "© Åsa")
        #expect(tags["ExifIFD:FNumber"] == "2.8")
        #expect(tags["ExifIFD:DateTimeOriginal"] == "2026:11:21 10:20:30")
        #expect(tags["XMP-dc:Rights"] == "© Åsa")
    }
}
