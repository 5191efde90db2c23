/// How short compressed pixels can be. Less is no picture, whatever its header promises.
///
/// It bounds what a small file costs those who decode it, and refuses it when it comes instead of whenever it is looked at. WebP,
/// GIF and HEVC have no such bound: a picture of one colour takes them a few bytes.
enum CompressedLength {
    /// The fewest bytes of IDAT chunks for a PNG with this header.
    ///
    /// Deflate's longest match, 258 bytes, takes two bits at least: a length and a distance of a bit each (RFC 1951, 3.2.5 and
    /// 3.2.7). What begins a row is not counted, nor how short rows of an interlaced picture are rounded.
    static func least(ofPNG header: PNGHeader) -> Int {
        Int(clamping: Int128(header.width) * Int128(header.height) * Int128(header.bits) / 8 / 1032)
    }

    /// The fewest bytes of scans for a JPEG with this frame header.
    ///
    /// Each block of 8 x 8 samples takes a bit at least, the code of its DC coefficient (ITU-T T.81, F.1.2.1 and G.1.2.1). Blocks
    /// at the edges, which not every scan has, are not counted.
    ///
    /// - Parameters:
    ///   - marker: Of the frame.
    ///   - header: What follows its length: precision, lines, samples of a line, components.
    /// - Returns: 0 for frames that are not coded by Huffman's codes, and for a header that is none.
    static func least(ofJPEG marker: UInt8, _ header: [UInt8]) -> Int {
        guard (0xC0...0xC2).contains(marker), header.count >= 6, header.count >= 6 + 3 * Int(header[5]) else {
            return 0
        }
        // Identifier, sampling factors, quantisation table.
        let factors = (0..<Int(header[5])).map { index in
            let byte = header[7 + 3 * index]
            return (x: Int(byte >> 4), y: Int(byte & 0x0F))
        }
        guard let x = factors.map(\.x).max(), let y = factors.map(\.y).max(), x > 0, y > 0 else { return 0 }
        let units = (number(header[3..<5]) / (8 * x)) * (number(header[1..<3]) / (8 * y))
        return units * factors.reduce(0) { $0 + $1.x * $1.y } / 8
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
