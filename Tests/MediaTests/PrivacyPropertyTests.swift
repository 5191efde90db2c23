import Testing

@testable import Media

/// Random pictures: private metadata does not leave with a copy, and the rest stays.
struct PrivacyPropertyTests {
    /// Words in the names of tags, as exiftool gives them, that only private content has.
    private static let privateWords = [
        "Serial", "Owner", "Thumbnail", "Maker", "Comment", "Description", "City", "Location", "Person", "Region",
        "DocumentID", "UniqueID", "History", "Host", "XP", "Title", "Subject",
    ]
    /// The position tags of a copy that keeps its position, with the `Composite` tags that exiftool computes from them.
    private static let positionTags: Set<String> = [
        "GPS:GPSVersionID", "GPS:GPSLatitudeRef", "GPS:GPSLatitude", "GPS:GPSLongitudeRef", "GPS:GPSLongitude",
        "GPS:GPSAltitudeRef", "GPS:GPSAltitude", "Composite:GPSLatitude", "Composite:GPSLongitude",
        "Composite:GPSAltitude", "Composite:GPSPosition",
    ]

    @Test(arguments: (0..<36).map(PrivatePicture.init))
    func `copies lose what is private and keep pixels, colours and rights`(picture: PrivatePicture) async throws {
        try await withWorkbench { bench in
            let original = try await picture.make(at: bench)
            let renditions = [
                Rendition(.inside(maxSide: 40), .jpeg), Rendition(.square(side: 20), .webp),
                Rendition(.inside(maxSide: 40), .png),
            ]

            try await bench.pool.strip(original, to: bench.path("stripped"))
            try await bench.pool.strip(original, to: bench.path("with position"), StripRules(keepsPosition: true))
            for rendition in renditions {
                _ = try await bench.pool.render(original, to: bench.path("\(rendition.format)"), as: rendition)
            }

            let copies = ["stripped", "with position"] + renditions.map { "\($0.format)" }
            let tags = try await bench.tags(of: [original] + copies.map(bench.path))
            try expectAllParts(of: picture, in: tags[0])
            for (name, tags) in zip(copies, tags.dropFirst()) {
                let bytes = try bench.bytes(of: bench.path(name))
                let hasSecret = bytes.contains(Array("secret".utf8))
                #expect(!hasSecret, "\(name)")
                let found = tags.keys.filter { tag in
                    // A profile describes itself.
                    !tag.hasPrefix("ICC") && Self.privateWords.contains { tag.contains($0) }
                }
                #expect(found == [], "\(name)")
                let isKept = name == "with position" && picture.parts.contains(.position)
                #expect(Set(tags.keys.filter { $0.contains("GPS") }) == (isKept ? Self.positionTags : []), "\(name)")
                #expect(tags["IFD0:Artist"] == nil && tags["XMP-dc:Creator"] == nil, "\(name)")
                #expect(tags["IFD0:Copyright"] == (picture.parts.contains(.copyright) ? "© Åsa" : nil), "\(name)")
            }
            for index in 1...2 {
                #expect(
                    picture.pixels(of: try bench.bytes(of: bench.path(copies[index - 1])))
                        == picture.pixels(of: try bench.bytes(of: original)))
                #expect(tags[index].keys.contains { $0.hasPrefix("ICC") } == picture.parts.contains(.profile))
                for tag in ["IFD0:Orientation", "ExifIFD:DateTimeOriginal", "ExifIFD:OffsetTimeOriginal"] {
                    #expect(tags[index][tag] == tags[0][tag])
                }
            }
            if picture.parts.contains(.position) {
                #expect(tags[2]["Composite:GPSLatitude"] == tags[0]["Composite:GPSLatitude"])
                #expect(tags[2]["Composite:GPSLongitude"] == tags[0]["Composite:GPSLongitude"])
            }
        }
    }

    /// The test is worth something only if what is to be lost was there.
    private func expectAllParts(of picture: PrivatePicture, in tags: [String: String]) throws {
        for (part, tag) in [
            (PrivatePicture.Part.position, "GPS:GPSLatitude"), (.positionInXMP, "XMP-exif:GPSLatitude"),
            (.serialNumber, "ExifIFD:SerialNumber"), (.lensSerialNumber, "ExifIFD:LensSerialNumber"),
            (.owner, "ExifIFD:OwnerName"), (.sameInXMP, "XMP-aux:SerialNumber"), (.description, "ExifIFD:UserComment"),
            (.history, "XMP-xmpMM:DocumentID"),
        ] where picture.parts.contains(part) {
            try #require(tags[tag] != nil, "\(tag)")
        }
    }
}
