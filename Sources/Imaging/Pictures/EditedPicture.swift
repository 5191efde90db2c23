internal import CVips
internal import Domain
internal import Media

/// A picture as a recipe shows it, within the bounds of a rendition.
struct EditedPicture {
    private let recipe: Recipe
    private let geometry: RecipeGeometry
    /// With its frame.
    private let size: RecipeLayout.Size

    /// - Parameters:
    ///   - rendition: The wanted result.
    ///   - recipe: The edits.
    ///   - full: Of the upright picture, in pixels.
    ///   - scale: 0 to 1, how much smaller than allowed.
    init(_ rendition: Rendition, _ recipe: Recipe, of full: (width: Int, height: Int), scale: Double) {
        let isSquare = if case .square = rendition.fit { true } else { false }
        let layout = RecipeLayout(recipe, isSquare: isSquare, ofWidth: full.width, height: full.height)
        let shown = layout.size(maxSide: .max)
        let side = rendition.longestSide(showing: (shown.width, shown.height))
        let longest = min(side, recipe.fit ?? .max, rendition.format.longestSide)
        let allowed = layout.size(maxSide: longest, maxPixels: rendition.maxPixels)
        let bound = max(1, Int(Double(max(allowed.width, allowed.height)) * scale))
        size = scale == 1 ? allowed : layout.size(maxSide: bound, maxPixels: rendition.maxPixels)
        self.recipe = recipe
        geometry = RecipeGeometry(layout: layout, full: full)
    }

    /// The box that the upright picture has to fit into, for nothing to be lost.
    var source: PictureBox { geometry.source(for: size.inner) }

    /// Makes it of the upright `picture`, all frames alike.
    func make(of picture: borrowing Picture) throws(ImagingError) -> Picture {
        let (width, height) = picture.size
        let whole = try picture.coloured().held()
        let count = whole.frames
        guard count > 1 else { return try frame(of: whole).held() }
        var frames: [SharedPicture] = []
        for index in 0..<count {
            frames.append(SharedPicture(try frame(of: try whole.part(0, index * height, width, height).still()).held()))
        }
        // Their images are lent below.
        defer { withExtendedLifetime(frames) {} }
        var images: [UnsafeMutablePointer<VipsImage>?] = frames.map { $0.picture.pointer }
        let stack = try Picture(VipsHandle { pics_vips_stack(&images, &$0, Int32(count)) }).held()
        return try stack.animated(height: size.height)
    }

    private func frame(of picture: borrowing Picture) throws(ImagingError) -> Picture {
        var result = try geometry.apply(to: picture, size: size.inner)
        if recipe.enhance == true { result = try Enhancement.apply(to: try result.held()) }
        result = try RecipeColours(recipe: recipe).apply(to: result)
        guard size.border > 0, let frame = recipe.frame else { return result }
        let level = frame.name == .white ? 255.0 : 0
        return try result.embedded(size.border, size.border, size.width, size.height, in: [level, level, level])
    }
}
