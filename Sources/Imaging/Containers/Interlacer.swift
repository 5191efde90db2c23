internal import CVips
internal import Domain
internal import Media

/// Answers `MediaRequest.interlace`.
struct Interlacer {
    let limits: MediaLimits

    /// The file of the new picture, and what it is.
    func interlace(
        _ inputs: [InputFile], as interlace: Interlace
    ) throws(ImagingError) -> (bytes: [UInt8], facts: RenderedFacts) {
        guard let input = inputs.first, interlace.shown.count == inputs.count else {
            throw .failed(detail: "an interlace without its files")
        }
        let first = SharedPicture(try load(input, interlace.shown[0], interlace))
        var canvas = Canvas(width: first.picture.size.width, height: first.picture.size.height)
        var next = 0
        for (number, source) in interlace.recipe.sources.enumerated() {
            let lines = Lines(
                height: interlace.recipe.lineHeight, first: number, every: interlace.recipe.sources.count)
            switch source {
            case .colour(let colour):
                canvas.fill(lines, with: [colour.red, colour.green, colour.blue])
            case .picture:
                guard inputs.indices.contains(next) else { throw .failed(detail: "an interlace without its files") }
                let offset = interlace.recipe.shift * next
                if next == 0 {
                    try canvas.fill(lines, with: first.picture, offset: 0)
                } else {
                    let picture = try load(inputs[next], interlace.shown[next], interlace)
                    let fitted = try fit(picture, to: canvas.size, isScaled: interlace.recipe.isScaled)
                    try canvas.fill(lines, with: fitted, offset: offset)
                }
                next += 1
            }
        }
        let rights = PictureMetadata.rights(of: try PictureHeader(of: input).metadata, keepsTimes: false)
        let bytes = try canvas.picture().encode(as: interlace.format, quality: interlace.quality, rights)
        let facts = RenderedFacts(
            width: canvas.size.width, height: canvas.size.height, bytes: bytes.count,
            mediaType: interlace.format.mediaType)
        return (bytes, facts)
    }

    /// A whole picture as it is shown, in memory, without what can be seen through.
    private func load(_ input: InputFile, _ recipe: Recipe?, _ interlace: Interlace) throws(ImagingError) -> Picture {
        let header = try PictureHeader(of: input)
        try header.check(frames: 1, limit: limits.pixels)
        let side = min(interlace.maxSide, interlace.format.longestSide)
        let rendition = Rendition(.inside(maxSide: side), interlace.format, recipe: recipe)
        let plan = RenditionPlan(rendition, of: header.uprightSize, pages: 1)
        let shown = try plan.finished(try Picture.load(input, header, in: plan.box, allFrames: false))
        return try shown.coloured().opaque().held()
    }

    /// A picture that is as large as the canvas: what is too large is cut away around the middle, what is too small lies on black.
    private func fit(
        _ picture: borrowing Picture, to size: (width: Int, height: Int), isScaled: Bool
    ) throws(ImagingError) -> Picture {
        let full = picture.size
        let cover = max(Double(size.width) / Double(full.width), Double(size.height) / Double(full.height))
        func scaled(_ length: Int, atLeast least: Int) -> Int { max(least, Int((Double(length) * cover).rounded())) }
        let wanted =
            isScaled
            ? (scaled(full.width, atLeast: size.width), scaled(full.height, atLeast: size.height))
            : (full.width, full.height)
        let whole = try picture.resized(wanted.0, wanted.1)
        let (width, height) = whole.size
        let kept = (width: min(width, size.width), height: min(height, size.height))
        let middle = try whole.part((width - kept.width) / 2, (height - kept.height) / 2, kept.width, kept.height)
        return try middle.embedded(
            (size.width - kept.width) / 2, (size.height - kept.height) / 2, size.width, size.height, in: [0, 0, 0])
    }
}

/// Which lines of a picture one source gives.
private struct Lines {
    /// Of a line, in rows of pixels.
    let height: Int
    /// The number of the first line.
    let first: Int
    /// How many sources take turns.
    let every: Int

    /// The rows of pixels in a picture of so many.
    func rows(of count: Int) -> [Int] {
        stride(from: first * height, to: count, by: every * height).flatMap { Array($0..<min(count, $0 + height)) }
    }
}

/// The picture that lines are laid on.
private struct Canvas {
    private let width: Int
    private let height: Int
    private var pixels: [UInt8]

    var size: (width: Int, height: Int) { (width, height) }

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        pixels = [UInt8](repeating: 0, count: width * height * 3)
    }

    mutating func fill(_ lines: Lines, with colour: [UInt8]) {
        let row = (0..<width).flatMap { _ in colour }
        for y in lines.rows(of: height) {
            let start = y * width * 3
            pixels.replaceSubrange(start..<start + row.count, with: row)
        }
    }

    /// Takes the lines of a picture of the same size, moved to the right by `offset` pixels around the edge.
    mutating func fill(_ lines: Lines, with picture: borrowing Picture, offset: Int) throws(ImagingError) {
        let turned = ((offset % width) + width) % width * 3
        let stride = width * 3
        let rows = lines.rows(of: height)
        try picture.withImage { image throws(ImagingError) in
            var count = 0
            guard let bytes = vips_image_write_to_memory(image, &count) else { throw Vips.takeError() }
            defer { g_free(bytes) }
            guard count == pixels.count else { throw .failed(detail: "\(count) bytes of \(pixels.count)") }
            let source = UnsafeRawBufferPointer(start: bytes, count: count)
            pixels.withUnsafeMutableBytes { pixels in
                for y in rows {
                    let row = UnsafeRawBufferPointer(rebasing: source[y * stride..<(y + 1) * stride])
                    let start = y * stride
                    pixels[start + turned..<start + stride].copyBytes(from: row.prefix(stride - turned))
                    pixels[start..<start + turned].copyBytes(from: row.suffix(turned))
                }
            }
        }
    }

    func picture() throws(ImagingError) -> Picture {
        let image = try VipsHandle(
            owning: vips_image_new_from_memory_copy(
                pixels, pixels.count, Int32(width), Int32(height), 3, VIPS_FORMAT_UCHAR))
        // Numbers in memory have no meaning of their own.
        return try Picture(image).step { pics_vips_copy_as($0, &$1, VIPS_INTERPRETATION_sRGB) }
    }
}
