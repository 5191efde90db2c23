/// What to write into a picture's own metadata. `nil` or an empty text leaves what is there; a text may
/// have 16 KiB.
package struct PictureTags: Codable, Sendable, Equatable {
    /// EXIF ImageDescription and XMP `dc:description`.
    package var caption: String?
    /// XMP `Iptc4xmpCore:AltTextAccessibility` (IPTC Photo Metadata Standard 2021.1).
    package var altText: String?
    /// The photo's lasting address: XMP `dc:identifier`, "an unambiguous reference to the resource" (Dublin Core).
    package var shortURL: String?
    /// EXIF Software and XMP `xmp:CreatorTool`.
    package var software: String?
    /// ISO 8601 with or without an offset: EXIF DateTimeOriginal, and OffsetTimeOriginal if it has one.
    package var takenAt: String?
    /// EXIF Artist and XMP `dc:creator`.
    package var artist: String?
    /// EXIF Copyright and XMP `dc:rights`.
    package var copyright: String?
    /// Addresses of what the picture was made of: XMP `dc:source`.
    package var sources: String?

    package init(
        caption: String? = nil, altText: String? = nil, shortURL: String? = nil, software: String? = nil,
        takenAt: String? = nil, artist: String? = nil, copyright: String? = nil, sources: String? = nil
    ) {
        self.caption = caption
        self.altText = altText
        self.shortURL = shortURL
        self.software = software
        self.takenAt = takenAt
        self.artist = artist
        self.copyright = copyright
        self.sources = sources
    }
}

/// What stays in a picture or video that is stripped.
///
/// In a picture, orientation, colour profile, time, camera and exposure, artist and copyright always stay. Everything else
/// goes, known or not: position, serial numbers, owner's name, maker notes, thumbnails, descriptions, keywords, faces,
/// appended pictures.
///
/// In a video, pictures and sound, how they are shown, time and copyright always stay. Everything else becomes zeros: user
/// data, metadata, all other tracks (subtitles, positions, motion), and what lies between the samples.
package struct StripRules: Codable, Sendable, Hashable {
    /// The position in EXIF, or in a video's user data or metadata, stays.
    package var keepsPosition: Bool

    package init(keepsPosition: Bool = false) {
        self.keepsPosition = keepsPosition
    }
}
