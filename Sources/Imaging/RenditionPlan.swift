internal import Domain
internal import Media

/// How a rendition is made of a picture.
struct RenditionPlan {
    /// The longest side of a picture that is held in memory for several renditions of it.
    private static let longestHeld = 4096

    let rendition: Rendition
    /// Frames that are kept.
    let frames: Int
    /// What the picture is fitted into, or fills, while it is decoded.
    let box: PictureBox
    private let edited: EditedPicture?
    /// Of the upright picture, in pixels.
    private let full: (width: Int, height: Int)

    /// - Parameters:
    ///   - rendition: What is wanted.
    ///   - full: Of the upright picture, in pixels.
    ///   - pages: Frames that it has.
    ///   - scale: 0 to 1, how much smaller than allowed.
    init(_ rendition: Rendition, of full: (width: Int, height: Int), pages: Int, scale: Double = 1) {
        self.rendition = rendition
        self.full = full
        // A square of an animation is a still picture.
        let isWhole = if case .inside = rendition.fit { true } else { false }
        frames = rendition.keepsAnimation && rendition.format == .webp && isWhole ? pages : 1
        edited = rendition.recipe.map { EditedPicture(rendition, $0, of: full, scale: scale) }
        box = edited?.source ?? PictureBox(rendition, of: full, scale: scale)
    }

    var quality: Int { min(100, max(1, rendition.quality)) }

    /// Whether it may be made from a smaller copy of the picture. A bound on bytes takes several tries, one on pixels another
    /// rounding.
    var mayShare: Bool { frames == 1 && rendition.maxBytes == nil && rendition.maxPixels == nil }

    /// The box of the copy that serves all that may share; nil when that is one alone, or the copy would be too large.
    static func sharedBox(_ plans: [RenditionPlan]) -> PictureBox? {
        let sharing = plans.filter(\.mayShare)
        let sources = sharing.map(\.source)
        guard sources.count > 1, let width = sources.map(\.width).max(), let height = sources.map(\.height).max(),
            max(width, height) <= longestHeld
        else { return nil }
        return PictureBox(width: width, height: height)
    }

    /// The upright picture's size that it is made of without loss.
    private var source: PictureBox {
        guard edited == nil else { return box }
        guard box.isFilled else {
            let size = RecipeLayout(nil, ofWidth: full.width, height: full.height).size(maxSide: box.width)
            return PictureBox(width: size.width, height: size.height)
        }
        let shorter = min(full.width, full.height)
        func side(_ length: Int) -> Int { (length * box.width + shorter - 1) / shorter }
        return PictureBox(width: side(full.width), height: side(full.height))
    }

    /// Makes it of a copy that lies in memory.
    func picture(from held: borrowing Picture) throws(ImagingError) -> Picture {
        let source = source
        guard edited == nil else { return try finished(try held.fitted(into: source)) }
        // To the pixel what it would be without the copy.
        return box.isFilled ? try held.fitted(into: box) : try held.resized(source.width, source.height)
    }

    /// Makes it of what was loaded for its box.
    func finished(_ loaded: consuming Picture) throws(ImagingError) -> Picture {
        guard let edited else { return loaded }
        return try edited.make(of: loaded)
    }
}
