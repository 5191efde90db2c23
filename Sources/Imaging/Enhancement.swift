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
