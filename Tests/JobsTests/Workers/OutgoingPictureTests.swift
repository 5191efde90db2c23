internal import Domain
internal import Foundation
internal import Submitters
internal import Testing

@testable import Jobs

/// The metadata of pictures that are sent, as exiftool reads it.
@Suite(.timeLimit(.minutes(5)))
struct OutgoingPictureTests {
    private static let everything = MediaRule(pictureTypes: ["image/jpeg", "image/png"], maximumPictureBytes: 1 << 20)
    private static let small = MediaRule(
        pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 20, maximumPixels: 4800)
    private static let secrets = [
        "-GPSLatitude=59.3293", "-GPSLatitudeRef=N", "-GPSLongitude=18.0686", "-GPSLongitudeRef=E",
        "-SerialNumber=secret", "-OwnerName=secret", "-XMP:City=secret",
    ]
    private static let credit = ["-EXIF:Artist=Åsa", "-EXIF:Copyright=© Åsa", "-Make=Nikon"]

    @Test func `a picture that fits leaves with its scan as it was, its rights, and what its owner says`() async throws
    {
        try await withDarkroom { room in
            let original = try await room.picture("a.jpg", Self.secrets + Self.credit)

            let file = try await room.copy(of: original, mediaType: "image/jpeg", Self.everything)

            #expect(file.mediaType == "image/jpeg" && file.width == 160 && file.height == 120)
            #expect(try Self.scans(room.bytes(of: file.path)) == Self.scans(room.bytes(of: original)))
            let tags = try await room.tags(of: file.path)
            Self.expectTags(in: tags, width: 160, height: 120)
            #expect(tags["IFD0:Make"] == "Nikon")
            #expect(tags.keys.filter { $0.contains("GPS") } == [] && !tags.values.contains("secret"))
        }
    }

    @Test func `a picture that is made anew says the same of itself, in its own size`() async throws {
        try await withDarkroom { room in
            let original = try await room.picture("a.png", Self.secrets + Self.credit)

            let file = try await room.copy(of: original, mediaType: "image/png", Self.small)

            #expect(file.mediaType == "image/jpeg" && file.width == 80 && file.height == 60)
            let tags = try await room.tags(of: file.path)
            Self.expectTags(in: tags, width: 80, height: 60)
            #expect(tags.keys.filter { $0.contains("GPS") } == [] && !tags.values.contains("secret"))
        }
    }

    @Test(arguments: [
        // Between 4:5 and 1.91:1 it goes as it is; else with white beside it.
        ("160x120", 160, 120, 160, 120), ("90x160", 90, 160, 128, 160), ("300x100", 300, 100, 300, 158),
        ("800x600", 800, 600, 400, 300), ("225x400", 225, 400, 320, 400), ("450x800", 450, 800, 320, 400),
    ])
    func `a picture of another ratio or size than the service takes gets white beside it, and nothing is cut`(
        size: String, width: Int, height: Int, leavingWidth: Int, leavingHeight: Int
    ) async throws {
        try await withDarkroom { room in
            let original = try await room.picture("a.jpg", size: size, Self.credit)
            let rule = MediaRule(
                pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 20, longestSide: 400, aspectRatios: 0.8...1.91)

            let file = try await room.copy(
                of: original, mediaType: "image/jpeg", width: width, height: height, rule)

            #expect(file.width == leavingWidth && file.height == leavingHeight)
            Self.expectTags(in: try await room.tags(of: file.path), width: leavingWidth, height: leavingHeight)
            let isAsItIs = (width, height) == (leavingWidth, leavingHeight)
            #expect(
                try (Self.scans(room.bytes(of: file.path)) == Self.scans(room.bytes(of: original))) == isAsItIs)
        }
    }

    @Test func `the camera's own time stays`() async throws {
        try await withDarkroom { room in
            let time = ["-EXIF:DateTimeOriginal=2020:01:02 03:04:05", "-EXIF:OffsetTimeOriginal=-03:00"]
            let original = try await room.picture("a.jpg", time)

            let file = try await room.copy(of: original, mediaType: "image/jpeg", Self.everything)

            let tags = try await room.tags(of: file.path)
            #expect(tags["ExifIFD:DateTimeOriginal"] == "2020:01:02 03:04:05")
            #expect(tags["ExifIFD:OffsetTimeOriginal"] == "-03:00")
        }
    }

    @Test(arguments: [
        (59.3293, 18.0686, "N", "E"), (-33.8568, 151.2153, "S", "E"), (40.6892, -74.0445, "N", "W"),
        (-89.99999, -179.99999, "S", "W"), (0, 0, "N", "E"),
    ])
    func `a position that an account may know is written without signs, whatever the picture had`(
        latitude: Double, longitude: Double, north: String, east: String
    ) async throws {
        try await withDarkroom { room in
            let position = try #require(Position(latitude: latitude, longitude: longitude))
            let noted = try await room.picture("a.jpg", ["-GPSLatitude=1", "-GPSLatitudeRef=N", "-GPSImgDirection=7"])
            let plain = try await room.picture("a.png", Self.credit)
            for (original, type, rule) in [
                (noted, "image/jpeg", Self.everything), (plain, "image/png", Self.everything),
                (plain, "image/png", Self.small),
            ] {
                let file = try await room.copy(
                    of: original, mediaType: type, position: position, rule, keepsPosition: true)

                let tags = try await room.tags(of: file.path)
                #expect(tags["GPS:GPSLatitudeRef"] == north && tags["GPS:GPSLongitudeRef"] == east)
                #expect(abs(try #require(tags["GPS:GPSLatitude"].flatMap { Double($0) }) - abs(latitude)) < 1e-7)
                #expect(abs(try #require(tags["GPS:GPSLongitude"].flatMap { Double($0) }) - abs(longitude)) < 1e-7)
                #expect(tags["GPS:GPSImgDirection"] == nil)
            }
        }
    }

    @Test func `an account that may not know the position does not get it, whoever told it`() async throws {
        try await withDarkroom { room in
            let original = try await room.picture("a.jpg", Self.secrets)
            let position = try #require(Position(latitude: -1, longitude: 2))

            let file = try await room.copy(of: original, mediaType: "image/jpeg", position: position, Self.everything)

            #expect(try await room.tags(of: file.path).keys.filter { $0.contains("GPS") } == [])
        }
    }

    @Test func `an archive keeps all that the picture came with, and gets the rest`() async throws {
        try await withDarkroom { room in
            let original = try await room.picture("a.jpg", Self.secrets + Self.credit + ["-GPSImgDirection=7"])
            let position = try #require(Position(latitude: 59.3293, longitude: 18.0686))
            let rule = MediaRule(copy: .tagged, pictureTypes: [], maximumPictureBytes: 1 << 20)

            let file = try await room.copy(
                of: original, mediaType: "image/jpeg", position: position, rule, keepsPosition: true,
                artist: "Bo")

            let tags = try await room.tags(of: file.path)
            Self.expectTags(in: tags, width: 160, height: 120, artist: "Åsa")
            #expect(tags["ExifIFD:SerialNumber"] == "secret" && tags["GPS:GPSImgDirection"] == "7")
            #expect(try Self.scans(room.bytes(of: file.path)) == Self.scans(room.bytes(of: original)))
        }
    }

    @Test func `a caption without room in the file, or in what the account takes, stays behind`() async throws {
        try await withDarkroom { room in
            let original = try await room.picture("a.jpg", Self.secrets)
            let size = Int64(try room.bytes(of: original).count)
            let tight = MediaRule(pictureTypes: ["image/jpeg"], maximumPictureBytes: size)
            for (rule, caption) in [(Self.everything, String(repeating: "x", count: 20_000)), (tight, "short")] {
                let file = try await room.copy(of: original, mediaType: "image/jpeg", rule, caption: caption)

                #expect(file.bytes <= rule.maximumPictureBytes)
                let tags = try await room.tags(of: file.path)
                #expect(tags["XMP-dc:Description"] == nil && !tags.values.contains("secret"))
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: room.folder)
            #expect(!left.contains { $0.hasSuffix("-plain") })
        }
    }

    @Test func `a copy is signed with the name that its owner chose, and with no other`() async throws {
        try await withDarkroom { room in
            let named = ["-EXIF:Artist=Åsa", "-XMP-dc:Creator=Åsa", "-IPTC:By-line=Åsa"]
            let original = try await room.picture("a.jpg", named)
            for (rule, keepsPosition) in [(Self.everything, false), (Self.small, true)] {
                let unsigned = try await room.copy(
                    of: original, mediaType: "image/jpeg", rule, keepsPosition: keepsPosition)
                let signed = try await room.copy(
                    of: original, mediaType: "image/jpeg", rule, keepsPosition: keepsPosition, artist: "Bo Ek")

                #expect(try await !room.tags(of: unsigned.path).values.contains("Åsa"))
                let tags = try await room.tags(of: signed.path)
                #expect(tags["IFD0:Artist"] == "Bo Ek" && tags["XMP-dc:Creator"] == "Bo Ek")
                #expect(!tags.values.contains("Åsa"))
            }
        }
    }

    @Test func `a picture that is made anew keeps its camera's time and offset`() async throws {
        try await withDarkroom { room in
            let time = ["-EXIF:DateTimeOriginal=2020:01:02 03:04:05", "-EXIF:OffsetTimeOriginal=-03:00"]
            let original = try await room.picture("a.jpg", time)

            let file = try await room.copy(of: original, mediaType: "image/jpeg", Self.small)

            let tags = try await room.tags(of: file.path)
            #expect(file.width == 80)
            #expect(tags["ExifIFD:DateTimeOriginal"] == "2020:01:02 03:04:05")
            #expect(tags["ExifIFD:OffsetTimeOriginal"] == "-03:00")
        }
    }

    private static func expectTags(
        in tags: [String: String], width: Int, height: Int, artist: String? = nil
    ) {
        #expect(tags["IFD0:Software"] == Software.name && tags["XMP-xmp:CreatorTool"] == Software.name)
        #expect(tags["ExifIFD:DateTimeOriginal"] == "2026:11:20 10:11:12")
        #expect(tags["ExifIFD:OffsetTimeOriginal"] == "+01:00")
        #expect(tags["IFD0:ImageDescription"] == Darkroom.caption)
        #expect(tags["XMP-dc:Description"] == Darkroom.caption)
        #expect(tags["XMP-iptcCore:AltTextAccessibility"] == "A dog")
        #expect(tags["XMP-dc:Identifier"] == "https://p.example/Ab3dE9xZ")
        #expect(tags["IFD0:Artist"] == artist && tags["IFD0:Copyright"] == "© Åsa")
        #expect(tags["ExifIFD:ExifImageWidth"] == "\(width)" && tags["ExifIFD:ExifImageHeight"] == "\(height)")
        #expect(
            tags["XMP-xmpMM:IngredientsDocumentID"] == "https://p.example/first111, https://p.example/second22")
    }

    /// The compressed scans of a JPEG.
    private static func scans(_ file: [UInt8]) -> [UInt8] {
        let start = file.indices.dropLast().last { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        return start.map { Array(file[$0...]) } ?? []
    }
}
