internal import FoundationEssentials

/// A surface that a picture fills: what sticks out is cut away on both sides alike.
package struct PictureFill: Codable, Sendable, Hashable {
    /// In pixels, lying or upright: the surface is turned as the picture is.
    package let width: Int
    package let height: Int
    /// Whether a smaller picture becomes as large as the surface; else the ratio of its sides is enough, as far as its pixels let it have that.
    package let enlarges: Bool

    package init(width: Int, height: Int, enlarges: Bool) {
        (self.width, self.height, self.enlarges) = (max(1, width), max(1, height), enlarges)
    }

    /// The part of a picture that is kept, and what it becomes.
    package struct Cut: Sendable, Equatable {
        /// Of the part's upper left corner in the picture, in pixels.
        package let x: Int
        package let y: Int
        /// Of the part.
        package let width: Int
        package let height: Int
        /// Of the result.
        package let result: PixelSize
    }

    package struct PixelSize: Codable, Sendable, Hashable {
        package let width: Int
        package let height: Int

        package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    }

    /// The surface as it lies under a picture of this shape.
    package func surface(under width: Int, _ height: Int) -> PixelSize {
        (width < height) == (self.width < self.height) || width == height
            ? PixelSize(width: self.width, height: self.height)
            : PixelSize(width: self.height, height: self.width)
    }

    /// The cut of a picture of this size, in pixels.
    package func cut(of width: Int, _ height: Int) -> Cut {
        let (width, height) = (max(1, width), max(1, height))
        let surface = surface(under: width, height)
        let scale = min(Double(width) / Double(surface.width), Double(height) / Double(surface.height))
        let kept = PixelSize(
            width: min(width, max(1, Int((Double(surface.width) * scale).rounded()))),
            height: min(height, max(1, Int((Double(surface.height) * scale).rounded()))))
        return Cut(
            x: (width - kept.width) / 2, y: (height - kept.height) / 2, width: kept.width, height: kept.height,
            result: scale >= 1 || enlarges || !Self.isAlike(kept, surface) ? surface : kept)
    }

    /// Whether two sizes have the same shape within 0.2 %: of a few pixels no ratio is exact.
    private static func isAlike(_ first: PixelSize, _ second: PixelSize) -> Bool {
        let ratio = Double(first.width * second.height) / Double(first.height * second.width)
        return abs(ratio - 1) <= 0.002
    }
}
