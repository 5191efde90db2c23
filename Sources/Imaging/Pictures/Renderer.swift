internal import Domain
internal import Media

/// Answers `MediaRequest.render`.
struct Renderer {
    /// Below this, JPEG and WebP look bad sooner than a smaller picture does.
    private static let lowestQuality = 50
    private static let qualityStep = 16
    /// The most tries to get below a number of bytes; each decodes the picture again, in streams, instead of holding it.
    private static let tries = 12

    let limits: MediaLimits

    /// Makes the renditions one after the other and hands each to `deliver`: its number, its file and what it is.
    func render(
        _ input: InputFile, as renditions: [Rendition],
        _ deliver: (Int, [UInt8], RenderedFacts) throws(ImagingError) -> Void
    ) throws(ImagingError) {
        let header = try PictureHeader(of: input)
        try header.check(frames: 1, limit: limits.pixels)
        let source = header.metadata
        func kept(_ rendition: Rendition) -> MetadataBlocks {
            if case .filling = rendition.fit { return MetadataBlocks() }
            return PictureMetadata.rights(of: source, keepsTimes: rendition.keepsTimes)
        }
        let plans = renditions.map { RenditionPlan($0, of: header.uprightSize, pages: header.pages) }
        for plan in plans { try header.check(frames: plan.frames, limit: limits.pixels) }
        let held = try RenditionPlan.sharedBox(plans).map { box throws(ImagingError) in
            SharedPicture(try Picture.load(input, header, in: box, allFrames: false).held())
        }
        for (index, plan) in plans.enumerated() {
            if let held, plan.mayShare {
                let picture = try plan.picture(from: held.picture)
                let bytes = try picture.encode(as: plan.rendition.format, quality: plan.quality, kept(plan.rendition))
                try deliver(index, bytes, Self.facts(of: picture, bytes, plan.rendition))
            } else {
                let (bytes, facts) = try render(input, header, plan, kept(plan.rendition))
                try deliver(index, bytes, facts)
            }
        }
    }

    private func render(
        _ input: InputFile, _ header: borrowing PictureHeader, _ first: RenditionPlan,
        _ metadata: MetadataBlocks
    ) throws(ImagingError) -> (bytes: [UInt8], facts: RenderedFacts) {
        let rendition = first.rendition
        var quality = first.quality
        var scale = 1.0
        for _ in 0..<Self.tries {
            let plan = RenditionPlan(rendition, of: header.uprightSize, pages: header.pages, scale: scale)
            let loaded = try Picture.load(input, header, in: plan.box, allFrames: plan.frames > 1)
            let picture = try plan.finished(loaded)
            let bytes = try picture.encode(as: rendition.format, quality: quality, metadata)
            guard let maxBytes = rendition.maxBytes, bytes.count > maxBytes else {
                return (bytes, Self.facts(of: picture, bytes, rendition))
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

    private static func facts(of picture: borrowing Picture, _ bytes: [UInt8], _ rendition: Rendition) -> RenderedFacts
    {
        RenderedFacts(
            width: picture.size.width, height: picture.size.height, bytes: bytes.count,
            mediaType: rendition.format.mediaType)
    }
}

/// A picture that several share; what may not be copied cannot lie in an array or behind an optional.
final class SharedPicture {
    let picture: Picture

    init(_ picture: consuming Picture) { self.picture = picture }
}

/// How a rendition is made of a picture.
struct RenditionPlan {
    /// The longest side of a picture that is held in memory for several renditions of it.
    private static let longestHeld = 4096

    let rendition: Rendition
    /// Frames that are kept.
    let frames: Int
    /// The box that the picture is fitted into, or fills, while it is decoded.
    let box: PictureBox
    private let edited: EditedPicture?
    /// Of the upright picture, in pixels.
    private let full: (width: Int, height: Int)

    /// - Parameters:
    ///   - rendition: The wanted result.
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
    /// rounding; one on the ratio is rare, and so is a surface to fill.
    var mayShare: Bool {
        if case .filling = rendition.fit { return false }
        return frames == 1 && rendition.maxBytes == nil && rendition.maxPixels == nil && rendition.aspectRatios == nil
    }

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
        guard let edited else { return try cut(try padded(loaded)) }
        return try cut(try padded(try edited.make(of: loaded)))
    }

    /// Cut to the surface that it is to fill, if there is one.
    private func cut(_ picture: consuming Picture) throws(ImagingError) -> Picture {
        guard case .filling(let fill) = rendition.fit else { return picture }
        let cut = fill.cut(of: picture.size.width, picture.size.height)
        let part = try picture.coloured().held().part(cut.x, cut.y, cut.width, cut.height)
        return try part.resized(cut.result.width, cut.result.height)
    }

    /// In the middle of white, where its ratio is outside the rendition's bounds.
    private func padded(_ picture: consuming Picture) throws(ImagingError) -> Picture {
        let size = picture.size
        let canvas = rendition.canvas(around: size)
        guard frames == 1, !box.isFilled, canvas != size else { return picture }
        return try picture.coloured().held().embedded(
            (canvas.width - size.width) / 2, (canvas.height - size.height) / 2, canvas.width, canvas.height,
            in: [255, 255, 255])
    }
}

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
        case .inside, .filling:
            let longest = max(size.width, size.height)
            width = Self.pixels(min(rendition.longestSide(showing: size), longest, formatSide), scale)
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
    /// The longest side of the format, in pixels (ITU-T T.81 B.2.2, RFC 9649 2.5, libpng's default; AVIF's advanced profile).
    var longestSide: Int {
        switch self {
        case .jpeg: 65_500
        case .webp: 16_383
        case .avif: 16_384
        case .png: 1_000_000
        }
    }
}
