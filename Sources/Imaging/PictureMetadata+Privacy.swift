internal import Media

/// What of a picture's metadata may be seen by everybody. All lists say what stays, never what goes.
extension PictureMetadata {
    /// Whether a tag may stay in a stripped picture.
    static func isKept(_ tag: String, _ rules: StripRules) -> Bool {
        keptTags.contains(tag) || (rules.keepsPosition && positionTags.contains(tag))
            || keptProperties.contains { tag == $0 || tag.hasPrefix("\($0)[") || tag.hasPrefix("\($0)/") }
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

    /// Takes artist and copyright over from IPTC, which is not kept, where EXIF lacks them.
    func rescueCredit() throws(ImagingError) {
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

    private static let keptProperties = [
        "Xmp.dc.creator", "Xmp.dc.rights", "Xmp.xmpRights.Marked", "Xmp.xmpRights.WebStatement",
        "Xmp.xmpRights.UsageTerms",
    ]
}
