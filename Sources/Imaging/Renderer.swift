internal import Media

/// Answers `MediaRequest.render`.
struct Renderer {
    /// Below this, JPEG and WebP look bad sooner than a smaller picture does.
    private static let lowestQuality = 50
    private static let qualityStep = 16
    /// The most tries to get below a number of bytes; each decodes the picture again, in streams, instead of holding it.
    private static let tries = 12

    let limits: MediaLimits

    /// The rendition's file, and what it is.
    func render(
        _ input: InputFile, as rendition: Rendition
    ) throws(ImagingError) -> (bytes: [UInt8], facts: RenderedFacts) {
        let header = try PictureHeader(of: input)
        let frames = rendition.keepsAnimation && rendition.format == .webp ? header.pages : 1
        try header.check(frames: frames, limit: limits.pixels)
        let credit = PictureMetadata.credit(from: header.exif)
        var quality = min(100, max(1, rendition.quality))
        var scale = 1.0
        for _ in 0..<Self.tries {
            let box = PictureBox(rendition, of: header.uprightSize, scale: scale)
            let picture = try Thumbnail(of: input, header, in: box, allFrames: frames > 1)
            let bytes = try picture.encode(as: rendition.format, quality: quality, exif: credit)
            guard let maxBytes = rendition.maxBytes, bytes.count > maxBytes else {
                let (width, height) = picture.size
                return (
                    bytes,
                    RenderedFacts(
                        width: width, height: height, bytes: bytes.count, mediaType: rendition.format.mediaType)
                )
            }
            if rendition.format != .png, quality > Self.lowestQuality {
                quality = max(Self.lowestQuality, quality - Self.qualityStep)
            } else {
                // Bytes grow with the area: the root of the ratio is the right factor, a little less the safe one.
                scale *= min(0.9, 0.97 * (Double(maxBytes) / Double(bytes.count)).squareRoot())
            }
        }
        throw .refused(.cannotFit, detail: "more than \(rendition.maxBytes ?? 0) bytes after \(Self.tries) tries")
    }
}
