internal import Media

/// What of a picture's metadata may be seen by everybody. All lists say what stays, never what goes.
extension PictureMetadata {
    /// Removes what may not stay in a stripped picture.
    func strip(_ rules: StripRules) throws(ImagingError) {
        try rescueCredit()
        remove {
            !Self.keptTags.contains($0) && !(rules.keepsPosition && Self.positionTags.contains($0))
                && $0.hasPrefix("Exif.")
        }
        // Of XMP, what stays is written anew: so nothing tells that there was more.
        let lists = Self.keptLists.map { ($0, values($0)) }
        let translations = Self.keptTranslations.map { ($0, defaultText($0)) }
        let texts = Self.keptTexts.map { ($0, text($0) ?? "") }
        removeXMP()
        for (tag, values) in lists { try setList(tag, values) }
        for (tag, value) in translations { try setTranslatable(tag, value) }
        for (tag, value) in texts { try set(tag, value) }
    }

    /// Artist and copyright alone of an EXIF block, as an EXIF block; `nil` if it has neither.
    static func credit(from exif: [UInt8]?) -> [UInt8]? {
        guard let exif else { return nil }
        do throws(ImagingError) {
            let metadata = try PictureMetadata(MetadataBlocks(exif: exif))
            metadata.remove { !creditTags.contains($0) }
            return try metadata.blocks().exif
        } catch {
            // A picture with broken metadata is still a picture.
            return nil
        }
    }

    /// The default one of a text in several languages, which Exiv2 puts first: `lang="x-default" text, lang="sv" text`.
    private func defaultText(_ tag: String) -> String {
        guard let text = text(tag), let mark = text.prefixMatch(of: #/lang="[^"]*" /#) else { return text(tag) ?? "" }
        let texts = text[mark.range.upperBound...]
        return String(texts[..<(texts.firstRange(of: ", lang=\"")?.lowerBound ?? texts.endIndex)])
    }

    /// Takes artist and copyright over from IPTC, which is not kept, where EXIF lacks them.
    private func rescueCredit() throws(ImagingError) {
        for (tag, source) in [
            ("Exif.Image.Artist", "Iptc.Application2.Byline"), ("Exif.Image.Copyright", "Iptc.Application2.Copyright"),
        ] {
            if text(tag) == nil, let value = text(source) { try set(tag, value) }
        }
    }

    private static let creditTags: Set<String> = ["Exif.Image.Artist", "Exif.Image.Copyright"]

    private static let positionTags: Set<String> = Set(
        ["VersionID", "LatitudeRef", "Latitude", "LongitudeRef", "Longitude", "AltitudeRef", "Altitude"].map {
            "Exif.GPSInfo.GPS\($0)"
        })

    /// How it is shown, when it was taken, with which camera model and how; nothing that names a person, place or device.
    private static let keptTags: Set<String> = creditTags.union(
        [
            "Make", "Model", "Orientation", "XResolution", "YResolution", "ResolutionUnit", "Software", "DateTime",
            "YCbCrPositioning",
        ].map { "Exif.Image.\($0)" }
            + [
                "ExposureTime", "FNumber", "ExposureProgram", "ISOSpeedRatings", "SensitivityType",
                "RecommendedExposureIndex", "ExifVersion", "DateTimeOriginal", "DateTimeDigitized", "OffsetTime",
                "OffsetTimeOriginal", "OffsetTimeDigitized", "SubSecTime", "SubSecTimeOriginal", "SubSecTimeDigitized",
                "ComponentsConfiguration", "ShutterSpeedValue", "ApertureValue", "BrightnessValue", "ExposureBiasValue",
                "MaxApertureValue", "MeteringMode", "LightSource", "Flash", "FocalLength", "FlashpixVersion",
                "ColorSpace", "PixelXDimension", "PixelYDimension", "SensingMethod", "FileSource", "SceneType",
                "CustomRendered", "ExposureMode", "WhiteBalance", "DigitalZoomRatio", "FocalLengthIn35mmFilm",
                "SceneCaptureType", "GainControl", "Contrast", "Saturation", "Sharpness", "LensSpecification",
                "LensMake", "LensModel",
            ].map { "Exif.Photo.\($0)" } + ["Exif.Iop.InteroperabilityIndex", "Exif.Iop.InteroperabilityVersion"])

    /// Of XMP.
    private static let keptLists = ["Xmp.dc.creator"]
    /// Of XMP, in the default language.
    private static let keptTranslations = ["Xmp.dc.rights", "Xmp.xmpRights.UsageTerms"]
    /// Of XMP.
    private static let keptTexts = ["Xmp.xmpRights.Marked", "Xmp.xmpRights.WebStatement"]
}
