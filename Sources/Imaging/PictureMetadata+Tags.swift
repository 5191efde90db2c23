internal import Media

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
        // What a camera noted beside it, such as a direction, belongs to another place.
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
