internal import Media

/// The box that a thumbnail is fitted into.
struct PictureBox {
    var width: Int
    var height: Int
    /// Whether the picture fills the box and what sticks out is cut away.
    var isFilled: Bool

    /// A box to fit into.
    init(width: Int, height: Int) {
        (self.width, self.height, isFilled) = (width, height, false)
    }

    /// The box for `rendition` of a picture that is `size` when upright, times `scale`: 0 to 1, how much smaller than allowed.
    init(_ rendition: Rendition, of size: (width: Int, height: Int), scale: Double) {
        let formatSide = rendition.format.longestSide
        let maxPixels = rendition.maxPixels.map { max(1, $0) }
        switch rendition.fit {
        case .square(let side):
            let root = maxPixels.map { Int(Double($0).squareRoot()) } ?? Int.max
            let bound = min(side, size.width, size.height, formatSide, root)
            width = Self.pixels(bound, scale)
            height = width
            isFilled = true
        case .inside(let maxSide):
            let longest = max(size.width, size.height)
            width = Self.pixels(min(maxSide, longest, formatSide), scale)
            height = width
            isFilled = false
            // Rounded down on both sides, for the product to stay below.
            guard let maxPixels, size.width * size.height > maxPixels else { return }
            let factor = (Double(maxPixels) / Double(size.width * size.height)).squareRoot() * scale
            width = min(width, Self.pixels(size.width, factor))
            height = min(height, Self.pixels(size.height, factor))
        }
    }

    private static func pixels(_ count: Int, _ factor: Double) -> Int {
        max(1, Int(Double(count) * factor))
    }
}

extension Rendition.Format {
    /// What the format can express, in pixels (ITU-T T.81 B.2.2, RFC 9649 2.5, libpng's default; AVIF's advanced profile).
    var longestSide: Int {
        switch self {
        case .jpeg: 65_500
        case .webp: 16_383
        case .avif: 16_384
        case .png: 1_000_000
        }
    }
}
