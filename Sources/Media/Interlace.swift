package import Domain

/// One picture made of lines of others, with nothing but artist and copyright of the first.
package struct Interlace: Codable, Sendable, Hashable {
    package var recipe: InterlaceRecipe
    package var format: Rendition.Format
    /// As for a rendition.
    package var quality: Int
    /// The longest side of the result, in pixels.
    package var maxSide: Int

    package init(_ recipe: InterlaceRecipe, _ format: Rendition.Format, quality: Int = 92, maxSide: Int = 16_384) {
        self.recipe = recipe
        self.format = format
        self.quality = quality
        self.maxSide = maxSide
    }
}
