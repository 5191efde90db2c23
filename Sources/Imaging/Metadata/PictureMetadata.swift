internal import CGExiv2
internal import CVips
internal import Media

// GLib itself belongs to the first module that has it.

/// EXIF, XMP and IPTC of a picture, readable and writable by Exiv2's tag names (exiv2.org/metadata.html).
///
/// Only metadata blocks come here, never a picture's file: the containers are our own.
struct PictureMetadata: ~Copyable {
    /// Bytes in UTF-8. Of a longer one Exiv2 would quietly write nothing into EXIF.
    private static let longestText = 16 << 10

    private let handle: UnsafeMutablePointer<GExiv2Metadata>
    private let byteOrder: GExiv2ByteOrder

    /// Prepares the library; once, before anything else of it.
    static func start() throws(ImagingError) {
        guard gexiv2_initialize() != 0 else { throw .failed(detail: "gexiv2 cannot be initialised") }
        gexiv2_log_set_level(GEXIV2_LOG_LEVEL_MUTE)
        // Known to XMP itself, but not to Exiv2: needed for `xml:lang`.
        gexiv2_metadata_try_register_xmp_namespace("http://www.w3.org/XML/1998/namespace", "xml", nil)
    }

    /// Reads `blocks`.
    ///
    /// - Throws: `.refused(.unsupported)` when one is longer than 64 KiB, `.refused(.damaged)` when they cannot be read.
    init(_ blocks: MetadataBlocks) throws(ImagingError) {
        let file = try JPEGContainer.carrying(blocks)
        // "MM" is Motorola's order, all else counts as Intel's.
        let byteOrder = blocks.exif?.first == UInt8(ascii: "M") ? GEXIV2_BYTE_ORDER_BIG : GEXIV2_BYTE_ORDER_LITTLE
        guard let handle = gexiv2_metadata_new() else { throw .failed(detail: "no memory for metadata") }
        do throws(ImagingError) {
            try Self.check(.damaged) { gexiv2_metadata_open_buf(handle, file, file.count, &$0) }
        } catch {
            g_object_unref(handle)
            throw error
        }
        self.handle = handle
        self.byteOrder = byteOrder
    }

    deinit { g_object_unref(handle) }

    /// A tag's value as text, trimmed; `nil` if it is absent or empty.
    func text(_ tag: String) -> String? {
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let text = gexiv2_metadata_try_get_tag_string(handle, tag, &error) else { return nil }
        defer { g_free(text) }
        let value = String(cString: text).drop(while: \.isWhitespace)
        let end = value.lastIndex { !$0.isWhitespace }
        return end.map { String(value[...$0]) }
    }

    /// Writes a tag; an empty value leaves it as it is. Characters that XML cannot hold (most control characters) are left out.
    ///
    /// - Throws: `.refused(.unsupported)` when the value is too long: beside other tags it has to fit into 64 KiB.
    func set(_ tag: String, _ value: String) throws(ImagingError) {
        let allowed = value.unicodeScalars.filter {
            ($0.value >= 0x20 || $0 == "\n") && !$0.properties.isNoncharacterCodePoint
        }
        let text = String(String.UnicodeScalarView(allowed))
        guard !text.isEmpty else { return }
        guard text.utf8.count <= Self.longestText else {
            throw .refused(.unsupported, detail: "\(tag): \(text.utf8.count) bytes")
        }
        try Self.check(.unsupported) { gexiv2_metadata_try_set_tag_string(handle, tag, text, &$0) }
    }

    /// Writes an XMP property whose value may have languages, in the default one, in place of all there are.
    func setTranslatable(_ tag: String, _ value: String) throws(ImagingError) {
        guard !value.isEmpty else { return }
        remove { $0 == tag || $0.hasPrefix("\(tag)[") }
        // Exiv2 takes a value that begins so for the kind of a list, as the first of these is meant.
        try set(tag, "type=\"Alt\"")
        try set("\(tag)[1]", value.hasPrefix("type=") ? " \(value)" : value)
        try set("\(tag)[1]/?xml:lang", "x-default")
    }

    /// Writes an XMP property that is a list, in place of what there is.
    func setList(_ tag: String, _ values: [String]) throws(ImagingError) {
        gexiv2_metadata_try_clear_tag(handle, tag, nil)
        // Exiv2 adds to a list that is there.
        for value in values { try set(tag, value) }
    }

    /// Writes an XMP property that is a list of structures, without any yet.
    func setBag(_ tag: String) throws(ImagingError) {
        try Self.check(.unsupported) {
            gexiv2_metadata_try_set_xmp_tag_struct(handle, tag, GEXIV2_STRUCTURE_XA_BAG, &$0)
        }
    }

    /// Removes all of XMP, the shells of structures included, which gexiv2 neither lists nor clears one by one.
    func removeXMP() { gexiv2_metadata_clear_xmp(handle) }

    /// Removes the EXIF and XMP tags that `isUnwanted` picks.
    func remove(where isUnwanted: (String) -> Bool) {
        for tag in tags(gexiv2_metadata_get_exif_tags(handle)) + tags(gexiv2_metadata_get_xmp_tags(handle))
        where isUnwanted(tag) {
            // A tag that went together with its parent is gone as wished.
            gexiv2_metadata_try_clear_tag(handle, tag, nil)
        }
    }

    /// EXIF and XMP as they belong into a file; what is empty is `nil`.
    func blocks() throws(ImagingError) -> MetadataBlocks {
        MetadataBlocks(exif: try exif(), xmp: try xmp())
    }

    private func exif() throws(ImagingError) -> [UInt8]? {
        guard gexiv2_metadata_has_exif(handle) != 0 else { return nil }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let data = gexiv2_metadata_get_exif_data(handle, byteOrder, &error) else {
            throw Self.failure(.unsupported, error)
        }
        defer { g_bytes_unref(data) }
        var count: gsize = 0
        let start = g_bytes_get_data(data, &count)
        return count == 0 ? nil : Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    private func xmp() throws(ImagingError) -> [UInt8]? {
        guard gexiv2_metadata_has_xmp(handle) != 0 else { return nil }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let packet = gexiv2_metadata_try_generate_xmp_packet(handle, GEXIV2_USE_COMPACT_FORMAT, 0, &error) else {
            throw Self.failure(.unsupported, error)
        }
        defer { g_free(packet) }
        return Array(String(cString: packet).utf8)
    }

    /// The names in a null-terminated C array, which is freed.
    private func tags(_ names: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
        defer { g_strfreev(names) }
        guard let names else { return [] }
        return (0..<Int(g_strv_length(names))).compactMap { names[$0].map { String(cString: $0) } }
    }

    private static func check(
        _ refusal: Refusal, _ call: (inout UnsafeMutablePointer<GError>?) -> gboolean
    ) throws(ImagingError) {
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard call(&error) != 0 else { throw failure(refusal, error) }
    }

    private static func failure(_ refusal: Refusal, _ error: UnsafeMutablePointer<GError>?) -> ImagingError {
        .refused(refusal, detail: error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "gexiv2")
    }
}

/// Writing what Pics knows about a picture.
extension PictureMetadata {
    /// Seconds of arc are written in so many parts: 3 mm on the ground.
    private static let partsOfSecond = 10_000

    /// Writes what `tags` has, and the size of the picture as it is stored, in pixels.
    func write(_ tags: PictureTags, size: (width: Int, height: Int)) throws(ImagingError) {
        try set("Exif.Photo.PixelXDimension", String(size.width))
        try set("Exif.Photo.PixelYDimension", String(size.height))
        if let caption = tags.caption {
            try set("Exif.Image.ImageDescription", caption)
            try setTranslatable("Xmp.dc.description", caption)
        }
        if let altText = tags.altText { try setTranslatable("Xmp.iptc.AltTextAccessibility", altText) }
        if let shortURL = tags.shortURL { try set("Xmp.dc.identifier", shortURL) }
        if let software = tags.software {
            try set("Exif.Image.Software", software)
            try set("Xmp.xmp.CreatorTool", software)
        }
        if let artist = tags.artist {
            try set("Exif.Image.Artist", artist)
            try setList("Xmp.dc.creator", [artist])
        }
        if let copyright = tags.copyright {
            try set("Exif.Image.Copyright", copyright)
            try setTranslatable("Xmp.dc.rights", copyright)
        }
        if let takenAt = tags.takenAt, text("Exif.Photo.DateTimeOriginal") == nil { try write(takenAt: takenAt) }
        if let position = tags.position { try write(position) }
        if !tags.sources.isEmpty { try write(sources: tags.sources) }
    }

    /// EXIF 2.32, 4.6.6: absolute values, and references to what is positive.
    private func write(_ position: PictureFacts.Position) throws(ImagingError) {
        // The camera's own, with its altitude.
        if let present = self.position, abs(present.latitude - position.latitude) < 1e-6,
            abs(present.longitude - position.longitude) < 1e-6
        {
            return
        }
        // A camera's notes beside it, such as a direction, belongs to another place.
        remove { $0.hasPrefix("Exif.GPSInfo.") || $0.hasPrefix("Xmp.exif.GPS") }
        try set("Exif.GPSInfo.GPSVersionID", "2 3 0 0")
        try set("Exif.GPSInfo.GPSLatitudeRef", position.latitude < 0 ? "S" : "N")
        try set("Exif.GPSInfo.GPSLatitude", Self.arc(position.latitude))
        try set("Exif.GPSInfo.GPSLongitudeRef", position.longitude < 0 ? "W" : "E")
        try set("Exif.GPSInfo.GPSLongitude", Self.arc(position.longitude))
        guard let altitude = position.altitude, abs(altitude) < 1e6 else { return }
        try set("Exif.GPSInfo.GPSAltitudeRef", altitude < 0 ? "1" : "0")
        try set("Exif.GPSInfo.GPSAltitude", "\(Int((abs(altitude) * 100).rounded()))/100")
    }

    /// Degrees, minutes and seconds as fractions.
    private static func arc(_ degrees: Double) -> String {
        let parts = Int((abs(degrees) * 3600 * Double(partsOfSecond)).rounded())
        let (minutes, rest) = parts.quotientAndRemainder(dividingBy: 60 * partsOfSecond)
        return "\(minutes / 60)/1 \(minutes % 60)/1 \(rest)/\(partsOfSecond)"
    }

    private func write(sources: [String]) throws(ImagingError) {
        let tag = "Xmp.xmpMM.Ingredients"
        remove { $0 == tag || $0.hasPrefix("\(tag)[") }
        try setBag(tag)
        for (index, source) in sources.enumerated() { try set("\(tag)[\(index + 1)]/stRef:documentID", source) }
    }

    private func write(takenAt: String) throws(ImagingError) {
        let pattern = /(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?/
        guard let match = takenAt.wholeMatch(of: pattern) else { throw .failed(detail: "not a time in ISO 8601") }
        for name in ["Original", "Digitized"] where text("Exif.Photo.DateTime\(name)") == nil {
            try set("Exif.Photo.DateTime\(name)", "\(match.1):\(match.2):\(match.3) \(match.4)")
            guard let offset = match.5 else { continue }
            try set("Exif.Photo.OffsetTime\(name)", offset == "Z" ? "+00:00" : String(offset))
        }
    }
}

/// The metadata of a picture that everybody may see. All lists say what stays, never what goes.
extension PictureMetadata {
    /// Removes what may not stay in a stripped picture.
    func strip(_ rules: StripRules) throws(ImagingError) {
        try keep(rules.keepsPosition ? Self.publicTags.union(Self.positionTags) : Self.publicTags)
    }

    /// The metadata that a new picture keeps of its source: the holder of its rights, and when it was taken if `keepsTimes`.
    static func rights(of blocks: MetadataBlocks, keepsTimes: Bool) -> MetadataBlocks {
        let tags = keepsTimes ? rightsTags.union(timeTags) : rightsTags
        // Metadata that cannot be read cannot be judged, so none of it stays; EXIF gets a second chance alone.
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

    /// Removes all but these tags of EXIF, and of XMP all but the holder of the picture's rights.
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
