internal import FoundationEssentials
internal import Media

/// The facts of a picture's EXIF, for `PictureFacts`.
extension PictureMetadata {
    /// A camera that writes another year has a wrong clock, or its file is damaged.
    private static let years = 1800...2200
    /// Characters, and bytes in UTF-8. Twelve such texts fit into one answer, even if JSON escapes each character.
    private static let longest = (characters: 500, bytes: 4 << 10)

    /// When it was taken: EXIF "2026:11:21 10:00:00" as ISO 8601, with the fraction of its second and the offset if there are some.
    var takenAt: String? {
        guard let text = text("Exif.Photo.DateTimeOriginal") ?? text("Exif.Image.DateTimeOriginal"),
            let match = text.wholeMatch(of: /(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/),
            let year = Int(match.1), Self.years.contains(year), let month = Int(match.2), (1...12).contains(month),
            let day = Int(match.3), (1...31).contains(day), let hour = Int(match.4), hour < 24,
            let minute = Int(match.5), minute < 60, let second = Int(match.6), second < 60
        else { return nil }
        let offset = self.offset(ofTime: text) ?? ""
        return "\(match.1)-\(match.2)-\(match.3)T\(match.4):\(match.5):\(match.6)\(fractionOfSecond)\(offset)"
    }

    /// The offset of the clock that showed `time` (EXIF 2.32, 4.6.6, OffsetTimeOriginal): that of the digitized or the last change's time
    /// too, where it is the same time. Another program may have changed the picture elsewhere.
    private func offset(ofTime time: String) -> String? {
        for (offset, clock) in [
            ("OffsetTimeOriginal", nil), ("OffsetTimeDigitized", "Exif.Photo.DateTimeDigitized"),
            ("OffsetTime", "Exif.Image.DateTime"),
        ] {
            guard clock.flatMap({ text($0) }) ?? time == time, let text = text("Exif.Photo.\(offset)") else { continue }
            if text == "Z" { return "+00:00" }
            if text.wholeMatch(of: /[+-][01][0-9]:[0-5][0-9]/) != nil { return text }
        }
        return nil
    }

    /// EXIF writes the digits behind the point, filled up with spaces (EXIF 2.32, SubSecTimeOriginal); bursts are told apart by them.
    private var fractionOfSecond: String {
        guard let match = text("Exif.Photo.SubSecTimeOriginal")?.wholeMatch(of: /([0-9]+) */) else { return "" }
        return ".\(match.1.prefix(9))"
    }

    /// Where it was taken; `nil` if it is unknown or impossible.
    var position: PictureFacts.Position? {
        guard let latitude = degrees("Exif.GPSInfo.GPSLatitude", negative: "S", limit: 90),
            let longitude = degrees("Exif.GPSInfo.GPSLongitude", negative: "W", limit: 180)
        else { return nil }
        // EXIF 2.32, GPSAltitudeRef: 1 is below sea level.
        let sign: Double = text("Exif.GPSInfo.GPSAltitudeRef")?.hasPrefix("1") == true ? -1 : 1
        let altitude = numbers("Exif.GPSInfo.GPSAltitude").first.map { $0 * sign }
        return PictureFacts.Position(latitude: latitude, longitude: longitude, altitude: altitude)
    }

    /// The tags that people like to see of a photo.
    var selection: [String: String] {
        var selection: [String: String] = [:]
        for (name, tag) in [
            ("make", "Exif.Image.Make"), ("model", "Exif.Image.Model"), ("lens", "Exif.Photo.LensModel"),
            ("iso", "Exif.Photo.ISOSpeedRatings"), ("software", "Exif.Image.Software"), ("artist", "Exif.Image.Artist"),
            ("copyright", "Exif.Image.Copyright"), ("description", "Exif.Image.ImageDescription"),
        ] {
            selection[name] = text(tag).map { Self.bounded($0) }
        }
        for (name, tag) in [
            ("f_number", "Exif.Photo.FNumber"), ("focal_length", "Exif.Photo.FocalLength"),
            ("focal_length_35mm", "Exif.Photo.FocalLengthIn35mmFilm"),
        ] {
            selection[name] = numbers(tag).first.map { Self.decimal($0) }
        }
        if let seconds = numbers("Exif.Photo.ExposureTime").first, seconds > 0 {
            // As photographers write it: 1/125, 0.5, 30.
            selection["exposure_time"] =
                seconds < 0.3 ? "1/\(Self.decimal((1 / seconds).rounded()))" : Self.decimal(seconds)
        }
        return selection
    }

    /// Degrees, minutes and seconds as one number.
    private func degrees(_ tag: String, negative: Character, limit: Double) -> Double? {
        let parts = numbers(tag)
        guard let first = parts.first, parts.count <= 3, let reference = text("\(tag)Ref")?.first else { return nil }
        let minutes = parts.count > 1 ? parts[1] : 0
        let seconds = parts.count > 2 ? parts[2] : 0
        let degrees = first + minutes / 60 + seconds / 3600
        guard (0...limit).contains(degrees) else { return nil }
        return reference == negative ? -degrees : degrees
    }

    /// The numbers of a tag that are there and finite: "59/1 1999/100" or "100". Empty if one is not.
    private func numbers(_ tag: String) -> [Double] {
        guard let text = text(tag) else { return [] }
        let numbers = text.split(separator: " ").map { part -> Double in
            // A tag that should have fractions may have any text.
            let fraction = part.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
            return fraction.count == 2 ? fraction[0] / fraction[1] : fraction[0]
        }
        return numbers.allSatisfy(\.isFinite) ? numbers : []
    }

    /// A text that may be written anywhere: cut to what is allowed, and without control characters but tabs and line ends. JSON
    /// can hold NUL, but databases refuse it.
    private static func bounded(_ text: String) -> String {
        var (scalars, count) = (String.UnicodeScalarView(), 0)
        for scalar in text.prefix(longest.characters).unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control && !["\t", "\n", "\r"].contains(scalar)
            let kept: Unicode.Scalar = isControl ? "\u{FFFD}" : scalar
            count += UTF8.width(kept)
            guard count <= longest.bytes else { break }
            scalars.append(kept)
        }
        return String(scalars)
    }

    /// At most two digits after the point, none if they are zero.
    private static func decimal(_ number: Double) -> String {
        let rounded = (number * 100).rounded() / 100
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
    }
}

/// Answers `MediaRequest.strip` and `.tag` for a picture: new metadata around the same compressed pixels.
struct MetadataEditor {
    let limits: MediaLimits

    /// The file's pieces without what `rules` do not keep, and with what they add.
    func strip(_ input: InputFile, _ rules: StripRules) throws(ImagingError) -> [ArraySlice<UInt8>] {
        let container = try open(input)
        let all = container.metadata
        // Metadata that cannot be read cannot be judged, so none of it stays; EXIF, with the orientation, gets a second chance alone.
        let kept = self.kept(of: all, rules) ?? self.kept(of: MetadataBlocks(exif: all.exif), rules) ?? MetadataBlocks()
        guard let tags = rules.tags else { return try container.assembled(kept, keepingOthers: false) }
        return try container.assembled(try tagged(kept, of: input, tags), keepingOthers: false)
    }

    /// The file's pieces with `tags` written.
    func tag(_ input: InputFile, _ tags: PictureTags) throws(ImagingError) -> [ArraySlice<UInt8>] {
        let container = try open(input)
        return try container.assembled(try tagged(container.metadata, of: input, tags), keepingOthers: true)
    }

    private func tagged(
        _ blocks: MetadataBlocks, of input: InputFile, _ tags: PictureTags
    ) throws(ImagingError) -> MetadataBlocks {
        let metadata = try PictureMetadata(blocks)
        try metadata.write(tags, size: try PictureHeader(of: input).storedSize)
        return try metadata.blocks()
    }

    /// The metadata that `rules` keep; `nil` when it cannot be read.
    private func kept(of blocks: MetadataBlocks, _ rules: StripRules) -> MetadataBlocks? {
        do throws(ImagingError) {
            let metadata = try PictureMetadata(blocks)
            try metadata.strip(rules)
            return try metadata.blocks()
        } catch {
            return nil
        }
    }

    private func open(_ input: InputFile) throws(ImagingError) -> any PictureContainer {
        guard let type = input.type else { throw .refused(.unknownType, detail: "not a picture") }
        guard let container = type.container else { throw .refused(.unsupported, detail: type.mediaType) }
        return try container.init(try input.allBytes(limit: limits.fileBytes))
    }
}
