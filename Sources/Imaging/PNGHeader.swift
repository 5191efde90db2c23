/// What a PNG's header chunk, `IHDR`, promises. It may lie, so that products of these numbers take more than an `Int`.
///
/// Source: W3C PNG (third edition), 11.2.1.
struct PNGHeader {
    /// In pixels, below 2³².
    let width: Int
    /// In pixels, below 2³².
    let height: Int
    /// Of a pixel, at most 1020.
    let bits: Int
    /// Nil when the chunk ends before it.
    private let interlaceMethod: UInt64?

    private static let channels: [UInt64: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]

    /// Reads what the chunk holds; nil if it ends before the colour type, or that is none.
    init?(_ data: [UInt8]) {
        let reader = BigEndianReader(data)
        guard let width = reader.integer(at: 0, count: 4), let height = reader.integer(at: 4, count: 4),
            let depth = reader.integer(at: 8, count: 1), let colourType = reader.integer(at: 9, count: 1),
            let channels = Self.channels[colourType]
        else { return nil }
        (self.width, self.height, bits) = (Int(width), Int(height), Int(depth) * channels)
        interlaceMethod = reader.integer(at: 12, count: 1)
    }

    /// The bytes of the rows, each with the number of its filter before it, as they are packed; 0 if the chunk does not say how they
    /// are interlaced, `.max` if they are too many to count.
    ///
    /// Source: as above, 7.2 and 8.1.
    var rowBytes: Int {
        guard let interlaceMethod else { return 0 }
        guard interlaceMethod == 1 else { return Int(clamping: rowBytes(width, height)) }
        // Where each pass of Adam7 begins, and how far apart its pixels are.
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        let bytes: Int128 = passes.reduce(0) { sum, pass in
            let (x, y, across, down) = pass
            return sum + rowBytes((width - x + across - 1) / across, (height - y + down - 1) / down)
        }
        return Int(clamping: bytes)
    }

    private func rowBytes(_ width: Int, _ height: Int) -> Int128 {
        width > 0 && height > 0 ? Int128(1 + (width * bits + 7) / 8) * Int128(height) : 0
    }
}
