internal import Media

/// Writing what Pics knows about a picture.
extension PictureMetadata {
    /// Writes what `tags` has.
    func write(_ tags: PictureTags) throws(ImagingError) {
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
            try set("Xmp.dc.creator", artist)
        }
        if let copyright = tags.copyright {
            try set("Exif.Image.Copyright", copyright)
            try setTranslatable("Xmp.dc.rights", copyright)
        }
        if let sources = tags.sources { try set("Xmp.dc.source", sources) }
        if let takenAt = tags.takenAt { try write(takenAt: takenAt) }
    }

    private func write(takenAt: String) throws(ImagingError) {
        let pattern = /(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?/
        guard let match = takenAt.wholeMatch(of: pattern) else { throw .failed(detail: "not a time in ISO 8601") }
        try set("Exif.Photo.DateTimeOriginal", "\(match.1):\(match.2):\(match.3) \(match.4)")
        if let offset = match.5 { try set("Exif.Photo.OffsetTimeOriginal", offset == "Z" ? "+00:00" : String(offset)) }
    }
}
