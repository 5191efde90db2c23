package import Domain

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
