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
            PictureMetadata.rights(of: source, keepsTimes: rendition.keepsTimes)
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
