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
        guard let first = inputs.first else { throw .failed(detail: "an interlace of no picture") }
        let header = try PictureHeader(of: first)
        try header.check(frames: inputs.count, limit: limits.pixels)
        let longest = min(interlace.maxSide, interlace.format.longestSide)
        let (full, credit) = (header.uprightSize, PictureMetadata.credit(from: header.exif))
        let size = RecipeLayout(nil, ofWidth: full.width, height: full.height).size(maxSide: longest)
        var canvas = Canvas(width: size.width, height: size.height)
        var rest = inputs[...]
        for (number, source) in interlace.recipe.sources.enumerated() {
            let lines = Lines(
                height: interlace.recipe.lineHeight, first: number, every: interlace.recipe.sources.count)
            switch source {
            case .colour(let colour):
                canvas.fill(lines, with: [colour.red, colour.green, colour.blue])
            case .picture:
                guard let input = rest.popFirst() else { throw .failed(detail: "an interlace without its files") }
                let offset = interlace.recipe.shift * (inputs.count - rest.count - 1)
                let picture = try load(input, size, isScaled: interlace.recipe.isScaled)
                try canvas.fill(lines, with: picture, offset: offset)
            }
        }
        let picture = try canvas.picture()
        let bytes = try picture.encode(as: interlace.format, quality: interlace.quality, exif: credit)
        let facts = RenderedFacts(
            width: size.width, height: size.height, bytes: bytes.count, mediaType: interlace.format.mediaType)
        return (bytes, facts)
    }

    /// A picture that is as large as the canvas: what is too large is cut away around the middle.
    private func load(
        _ input: InputFile, _ size: RecipeLayout.Size, isScaled: Bool
    ) throws(ImagingError) -> Picture {
        let header = try PictureHeader(of: input)
        try header.check(frames: 1, limit: limits.pixels)
        let full = header.uprightSize
        let cover = max(Double(size.width) / Double(full.width), Double(size.height) / Double(full.height))
        func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * cover).rounded(.up))) }
        let wanted = isScaled ? (width: scaled(full.width), height: scaled(full.height)) : full
        let box = PictureBox(width: min(wanted.width, full.width), height: min(wanted.height, full.height))
        let loaded = try Picture.load(input, header, in: box, allFrames: false).coloured().opaque().held()
        let picture = isScaled ? try loaded.resized(wanted.width, wanted.height) : loaded
        let (width, height) = picture.size
        let kept = (width: min(width, size.width), height: min(height, size.height))
        let middle = try picture.part((width - kept.width) / 2, (height - kept.height) / 2, kept.width, kept.height)
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
