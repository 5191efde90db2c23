internal import CVips
internal import Glibc

/// Brightness stretched to the whole range, and led to the middle when most of the picture is dark or bright.
struct Enhancement {
    /// Pixels that may be cut at either end, as a part of all: a few lamps or shadows tell nothing of the rest.
    private static let cut = 0.005
    /// The least range that is stretched: fog stays fog.
    private static let leastRange = 64.0
    /// The middle brightness of pictures that need no help. Others are led to the nearer end of it, half of the way: a face before
    /// a bright sky must not become darker than it was.
    private static let middle = 0.4...0.6
    private static let gammaBounds = 0.7...1.4
    /// The longest side of what is looked at.
    private static let sampleSide = 256

    /// The picture, which lies in memory, with better tones. One table serves all three colours, so that no colour shifts.
    static func apply(to picture: borrowing Picture) throws(ImagingError) -> Picture {
        let table = ToneTable(tones(for: try histogram(of: picture)))
        guard picture.hasAlpha else { return try table.apply(to: picture) }
        let opaque = try picture.step { pics_vips_extract_bands($0, &$1, 0, 3) }
        let alpha = try picture.step { pics_vips_extract_bands($0, &$1, 3, 1) }
        let toned = try table.apply(to: opaque)
        return try alpha.withImage { alpha throws(ImagingError) in
            try toned.step { pics_vips_bandjoin2($0, alpha, &$1) }
        }
    }

    /// How many pixels of a small copy have each brightness.
    private static func histogram(of picture: borrowing Picture) throws(ImagingError) -> [Int] {
        let small = try picture.fitted(into: PictureBox(width: sampleSide, height: sampleSide))
        let bands = small.bands
        var counts = [Int](repeating: 0, count: 256)
        try small.withImage { image throws(ImagingError) in
            var length = 0
            guard let pixels = vips_image_write_to_memory(image, &length) else { throw Vips.takeError() }
            defer { g_free(pixels) }
            let bytes = UnsafeRawBufferPointer(start: pixels, count: length)
            for pixel in stride(from: 0, to: length - bands + 1, by: bands) {
                let (red, green, blue) = (Int(bytes[pixel]), Int(bytes[pixel + 1]), Int(bytes[pixel + 2]))
                counts[(red * 2125 + green * 7154 + blue * 721) / 10_000] += 1
            }
        }
        return counts
    }

    static func tones(for counts: [Int]) -> [UInt8] {
        let total = Double(counts.reduce(0, +))
        func level(above share: Double) -> Double {
            var seen = 0.0
            let index = counts.firstIndex { count in
                seen += Double(count)
                return seen > total * share
            }
            return Double(index ?? 255)
        }
        var (low, high) = (level(above: cut), level(above: 1 - cut))
        if high - low < leastRange {
            let centre = (low + high) / 2
            (low, high) = (max(0, centre - leastRange / 2), min(255, centre + leastRange / 2))
        }
        let median = min(0.99, max(0.01, (level(above: 0.5) - low) / (high - low)))
        let wanted = (median + min(middle.upperBound, max(middle.lowerBound, median))) / 2
        let gamma = min(gammaBounds.upperBound, max(gammaBounds.lowerBound, log(wanted) / log(median)))
        return (0...255).map { value in
            ToneTable.level(pow(min(1, max(0, (Double(value) - low) / (high - low))), gamma))
        }
    }
}

/// A picture that gets black towards its edges, by the distance to its middle in parts of its width and height.
struct Vignette {
    let start: Double
    let end: Double

    func apply(to picture: borrowing Picture) throws(ImagingError) -> Picture {
        let light = try light(picture.size)
        return try light.withImage { light throws(ImagingError) in
            try picture.step { pics_vips_multiply($0, light, &$1) }
        }.rounded()
    }

    /// How much of each pixel is left, 0 to 1.
    private func light(_ size: (width: Int, height: Int)) throws(ImagingError) -> Picture {
        let places = Picture(try VipsHandle { pics_vips_xyz(&$0, Int32(size.width), Int32(size.height)) })
        let x = try squared(places, band: 0, of: size.width)
        let y = try squared(places, band: 1, of: size.height)
        let sum = try y.withImage { y throws(ImagingError) in try x.step { pics_vips_add($0, y, &$1) } }
        let distance = try sum.step { pics_vips_pow($0, &$1, 0.5) }
        // 0 at the start and 255 at the end; what lies before and behind is cut.
        let factor = 255 / max(end - start, 1e-6)
        let steps = try distance.step { pics_vips_linear($0, &$1, factor, 0.5 - start * factor, 1) }
        let falling = (0...255).map { step -> Float in
            let t = Float(step) / 255
            return 1 - t * t * (3 - 2 * t)
        }
        let table = try VipsHandle(
            owning: vips_image_new_from_memory_copy(
                falling, falling.count * MemoryLayout<Float>.size, 256, 1, 1, VIPS_FORMAT_FLOAT))
        return try steps.step { pics_vips_maplut($0, &$1, table.pointer) }
    }

    /// The square of how far the middle of each pixel is from the middle of the side, which is 1 long.
    private func squared(_ places: borrowing Picture, band: Int32, of side: Int) throws(ImagingError) -> Picture {
        let place = try places.step { pics_vips_extract_bands($0, &$1, band, 1) }
        let length = Double(side)
        return try place.step { pics_vips_linear($0, &$1, 1 / length, 0.5 / length - 0.5, 0) }
            .step { pics_vips_pow($0, &$1, 2) }
    }
}

/// Squares of one colour, the mean of what was there.
struct Pixellation {
    /// Of a square, as a part of the picture's width.
    let size: Double

    func apply(to picture: borrowing Picture) throws(ImagingError) -> Picture {
        let (width, height) = picture.size
        let side = max(1, Int((Double(width) * size).rounded()))
        guard side > 1 else { return try picture.part(0, 0, width, height) }
        // Squares at the right and lower edge may be cut.
        let means = try picture.step { pics_vips_shrink($0, &$1, Int32(side)) }
        let squares = try means.step { pics_vips_zoom($0, &$1, Int32(side)) }
        return try squares.part(0, 0, width, height)
    }
}
