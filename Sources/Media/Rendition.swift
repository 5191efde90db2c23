package import Domain

/// A picture to be made from another: always upright, in sRGB, without metadata but a copyright notice and what is asked for,
/// which AVIF does not get. Never enlarged, but to fill a surface that demands it.
package struct Rendition: Codable, Sendable, Hashable {
    /// How the picture meets its bounds.
    package enum Fit: Codable, Sendable, Hashable {
        /// The whole picture; neither side is longer, in pixels.
        case inside(maxSide: Int)
        /// Its middle, cut to a square of this side in pixels; smaller if the picture is.
        case square(side: Int)
        /// Its middle, cut to fill a surface; with no metadata at all.
        case filling(PictureFill)
    }

    /// How the result is encoded.
    package enum Format: String, Codable, Sendable, Hashable {
        case jpeg
        case webp
        case avif
        case png

        /// The registered media type.
        package var mediaType: String { "image/\(rawValue)" }
    }

    package var fit: Fit
    package var format: Format
    /// 1 to 100 for JPEG, WebP and AVIF; PNG loses nothing and ignores it.
    package var quality: Int
    /// A bound on the file: first the quality is lowered, then the size.
    package var maxBytes: Int?
    /// A bound on width × height.
    package var maxPixels: Int?
    /// Width by height, from at most 1 to at least 1: a picture outside gets white beside it, half on each side, which is no part of what
    /// `maxPixels` bounds. No side becomes longer than the longest was. For still pictures, not for `.square`.
    package var aspectRatios: ClosedRange<Double>?
    /// Keeps all frames of an animated GIF or WebP. Only for `.inside` and WebP; anything else shows the first frame.
    package var keepsAnimation: Bool
    /// Keeps what EXIF says of when the picture was taken.
    package var keepsTimes: Bool
    /// The part of the picture that is shown, and how; a square is cut from what it shows.
    package var recipe: Recipe?

    package init(
        _ fit: Fit, _ format: Format, quality: Int = 82, maxBytes: Int? = nil, maxPixels: Int? = nil,
        aspectRatios: ClosedRange<Double>? = nil, keepsAnimation: Bool = false, keepsTimes: Bool = false,
        recipe: Recipe? = nil
    ) {
        self.fit = fit
        self.format = format
        self.quality = quality
        self.maxBytes = maxBytes
        self.maxPixels = maxPixels
        self.aspectRatios = aspectRatios
        self.keepsAnimation = keepsAnimation
        self.keepsTimes = keepsTimes
        self.recipe = recipe
    }
}

extension Rendition {
    /// The longest side that a picture of this size, in pixels, has in the rendition before it is cut; of a square the square's.
    package func longestSide(showing size: (width: Int, height: Int)) -> Int {
        switch fit {
        case .inside(let side), .square(let side): return side
        case .filling(let fill):
            let surface = fill.surface(under: size.width, size.height)
            let scale = max(
                Double(surface.width) / Double(max(1, size.width)),
                Double(surface.height) / Double(max(1, size.height)))
            // Two pixels more than are needed, so that no rounding leaves one too few.
            return Int((Double(max(size.width, size.height)) * min(1, scale)).rounded(.up)) + 2
        }
    }

    /// The size of a picture with the white beside it, in pixels; its own where it needs none. No side becomes longer than its longest.
    package func canvas(around size: (width: Int, height: Int)) -> (width: Int, height: Int) {
        guard let aspectRatios else { return size }
        let (width, height) = (Double(size.width), Double(size.height))
        // What is a pixel's millionth too much comes of the division alone.
        func pixels(_ length: Double) -> Int { Int((length - 1e-6).rounded(.up)) }
        return (
            max(size.width, pixels(aspectRatios.lowerBound * height)),
            max(size.height, pixels(width / aspectRatios.upperBound))
        )
    }
}

/// A rendition that was made.
package struct RenderedFacts: Codable, Sendable, Equatable {
    /// Pixels.
    package var width: Int
    /// Pixels; of one frame if it is animated.
    package var height: Int
    package var bytes: Int
    package var mediaType: String

    package init(width: Int, height: Int, bytes: Int, mediaType: String) {
        self.width = width
        self.height = height
        self.bytes = bytes
        self.mediaType = mediaType
    }
}

/// One picture made of lines of others, with nothing but the copyright notice of the first.
package struct Interlace: Codable, Sendable, Hashable {
    package var recipe: InterlaceRecipe
    /// How each picture is shown, as many as there are.
    package var shown: [Recipe?]
    package var format: Rendition.Format
    /// As for a rendition.
    package var quality: Int
    /// The longest side of the result, in pixels.
    package var maxSide: Int

    package init(
        _ recipe: InterlaceRecipe, of shown: [Recipe?], _ format: Rendition.Format, quality: Int = 92,
        maxSide: Int = 16_384
    ) {
        self.recipe = recipe
        self.shown = shown
        self.format = format
        self.quality = quality
        self.maxSide = maxSide
    }
}
