/// The tags to write into a picture's own metadata. `nil` or an empty text leaves what is there; a text may
/// have 16 KiB. The size in pixels is written always: EXIF PixelXDimension and PixelYDimension.
package struct PictureTags: Codable, Sendable, Equatable {
    /// EXIF ImageDescription and XMP `dc:description`.
    package var caption: String?
    /// XMP `Iptc4xmpCore:AltTextAccessibility` (IPTC Photo Metadata Standard 2021.1).
    package var altText: String?
    /// The photo's lasting address: XMP `dc:identifier`, "an unambiguous reference to the resource" (Dublin Core).
    package var shortURL: String?
    /// EXIF Software and XMP `xmp:CreatorTool`.
    package var software: String?
    /// ISO 8601 with or without an offset: EXIF DateTimeOriginal and DateTimeDigitized, each with its OffsetTime if it has one;
    /// only for a picture that has no DateTimeOriginal, for its camera knows better.
    package var takenAt: String?
    /// EXIF Artist and XMP `dc:creator`.
    package var artist: String?
    /// EXIF Copyright and XMP `dc:rights`.
    package var copyright: String?
    /// EXIF GPSLatitude and so on, without signs: what they refer to says north or south, east or west.
    package var position: PictureFacts.Position?
    /// The lasting addresses of the photos that a picture was made from: XMP `xmpMM:Ingredients`, "resources that were
    /// incorporated" (XMP Specification, part 2, 3.4), by their `stRef:documentID`. `dc:source` holds but one.
    package var sources: [String]

    package init(
        caption: String? = nil, altText: String? = nil, shortURL: String? = nil, software: String? = nil,
        takenAt: String? = nil, artist: String? = nil, copyright: String? = nil,
        position: PictureFacts.Position? = nil, sources: [String] = []
    ) {
        self.caption = caption
        self.altText = altText
        self.shortURL = shortURL
        self.software = software
        self.takenAt = takenAt
        self.artist = artist
        self.copyright = copyright
        self.position = position
        self.sources = sources
    }

    /// Without the texts that may be long.
    package var withoutWords: PictureTags {
        var tags = self
        (tags.caption, tags.altText) = (nil, nil)
        return tags
    }
}

/// The metadata that stays in a stripped picture or video.
///
/// In a picture, orientation, colour profile, time, camera and exposure, and the copyright notice always stay. Everything else
/// goes, known or not: position, serial numbers, names of artist and owner, maker notes, thumbnails, descriptions, keywords,
/// faces, appended pictures.
///
/// In a video, pictures and sound, how they are shown, time and copyright always stay. Everything else becomes zeros: user
/// data, metadata, all other tracks (subtitles, positions, motion), and what lies between the samples.
package struct StripRules: Codable, Sendable, Equatable {
    /// The position in EXIF, or in a video's user data or metadata, stays.
    package var keepsPosition: Bool
    /// A video's tables move before its media data, so that it plays while it still comes. Nothing else changes its place.
    package var movesTablesFirst: Bool
    /// The tags that a picture has afterwards, with the bounds and errors of `MediaPool.tag`; nil adds none. A video gets none.
    package var tags: PictureTags?

    package init(keepsPosition: Bool = false, movesTablesFirst: Bool = false, tags: PictureTags? = nil) {
        self.keepsPosition = keepsPosition
        self.movesTablesFirst = movesTablesFirst
        self.tags = tags
    }
}
