internal import Media

/// What of a picture's metadata may be seen by everybody. All lists say what stays, never what goes.
extension PictureMetadata {
    /// Removes what may not stay in a stripped picture.
    func strip(_ rules: StripRules) throws(ImagingError) {
        try keep(rules.keepsPosition ? Self.publicTags.union(Self.positionTags) : Self.publicTags)
    }

    /// What a new picture keeps of the one it is made from: who has rights in it, and when it was taken if `keepsTimes`.
    static func rights(of blocks: MetadataBlocks, keepsTimes: Bool) -> MetadataBlocks {
        let tags = keepsTimes ? rightsTags.union(timeTags) : rightsTags
        // What cannot be read cannot be judged, so none of it stays; EXIF gets a second chance alone.
        for part in [blocks, MetadataBlocks(exif: blocks.exif)] {
            do throws(ImagingError) {
                let metadata = try PictureMetadata(part)
                try metadata.keep(tags)
                return try metadata.blocks()
            } catch {
                continue
            }
        }
        return MetadataBlocks()
    }

    /// Removes all but these tags of EXIF, and of XMP all but who has rights in the picture.
    private func keep(_ tags: Set<String>) throws(ImagingError) {
        try rescueRights()
        remove { $0.hasPrefix("Exif.") && !tags.contains($0) }
        // Of XMP, what stays is written anew: so nothing tells that there was more.
        let translations = Self.keptTranslations.map { ($0, defaultText($0)) }
        let texts = Self.keptTexts.map { ($0, text($0) ?? "") }
        removeXMP()
        for (tag, value) in translations { try setTranslatable(tag, value) }
        for (tag, value) in texts { try set(tag, value) }
    }

    /// The default one of a text in several languages, which Exiv2 puts first: `lang="x-default" text, lang="sv" text`.
    private func defaultText(_ tag: String) -> String {
        guard let text = text(tag), let mark = text.prefixMatch(of: #/lang="[^"]*" /#) else { return text(tag) ?? "" }
        let texts = text[mark.range.upperBound...]
        return String(texts[..<(texts.firstRange(of: ", lang=\"")?.lowerBound ?? texts.endIndex)])
    }

    /// Takes the copyright notice over from IPTC, which is not kept, where EXIF lacks it.
    private func rescueRights() throws(ImagingError) {
        guard text("Exif.Image.Copyright") == nil, let notice = text("Iptc.Application2.Copyright") else { return }
        try set("Exif.Image.Copyright", notice)
    }

    private static let rightsTags: Set<String> = ["Exif.Image.Copyright"]

    private static let positionTags: Set<String> = Set(
        ["VersionID", "LatitudeRef", "Latitude", "LongitudeRef", "Longitude", "AltitudeRef", "Altitude"].map {
            "Exif.GPSInfo.GPS\($0)"
        })

    private static let timeTags: Set<String> = Set(
        [
            "DateTimeOriginal", "DateTimeDigitized", "OffsetTime", "OffsetTimeOriginal", "OffsetTimeDigitized",
            "SubSecTime", "SubSecTimeOriginal", "SubSecTimeDigitized",
        ].map { "Exif.Photo.\($0)" } + ["Exif.Image.DateTime"])

    /// How it is shown, when it was taken, with which camera model and how; nothing that names a person, place or device.
    private static let publicTags: Set<String> = rightsTags.union(timeTags).union(
        [
            "Make", "Model", "Orientation", "XResolution", "YResolution", "ResolutionUnit", "Software",
            "YCbCrPositioning",
        ].map { "Exif.Image.\($0)" }
            + [
                "ExposureTime", "FNumber", "ExposureProgram", "ISOSpeedRatings", "SensitivityType",
                "RecommendedExposureIndex", "ExifVersion", "ComponentsConfiguration", "ShutterSpeedValue",
                "ApertureValue", "BrightnessValue", "ExposureBiasValue", "MaxApertureValue", "MeteringMode",
                "LightSource", "Flash", "FocalLength", "FlashpixVersion", "ColorSpace", "PixelXDimension",
                "PixelYDimension", "SensingMethod", "FileSource", "SceneType", "CustomRendered", "ExposureMode",
                "WhiteBalance", "DigitalZoomRatio", "FocalLengthIn35mmFilm", "SceneCaptureType", "GainControl",
                "Contrast", "Saturation", "Sharpness", "LensSpecification", "LensMake", "LensModel",
            ].map { "Exif.Photo.\($0)" } + ["Exif.Iop.InteroperabilityIndex", "Exif.Iop.InteroperabilityVersion"])

    /// Of XMP, in the default language.
    private static let keptTranslations = ["Xmp.dc.rights", "Xmp.xmpRights.UsageTerms"]
    /// Of XMP.
    private static let keptTexts = ["Xmp.xmpRights.Marked", "Xmp.xmpRights.WebStatement"]
}
