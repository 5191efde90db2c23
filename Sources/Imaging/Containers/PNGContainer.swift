/// A PNG file: chunks, each with its length, its type and a check sum.
///
/// Source: W3C PNG (third edition), 5 and 11; XMP part 3, 1.1.5 (iTXt).
struct PNGContainer: PictureContainer {
    private struct Chunk {
        let type: String
        /// From its length to behind its check sum.
        let whole: Range<Int>
        let data: ArraySlice<UInt8>

        var isExif: Bool { type == "eXIf" }
        var isXMP: Bool { type == "iTXt" && data.starts(with: PNGContainer.xmpName.utf8) }
    }

    /// Needed to show the picture as meant, its colours and its animation, and nothing else.
    private static let harmless: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "cICP", "gAMA", "iCCP", "sBIT", "sRGB", "bKGD", "pHYs", "acTL",
        "fcTL", "fdAT",
    ]
    /// The keyword, then: not compressed, method 0, no language, no translated keyword.
    private static let xmpName = "XML:com.adobe.xmp\0\0\0\0\0"
    private static let signatureLength = 8

    private let bytes: [UInt8]
    private var chunks: [Chunk] = []

    init(_ bytes: [UInt8]) throws(ImagingError) {
        self.bytes = bytes
        var offset = Self.signatureLength
        while chunks.last?.type != "IEND" {
            guard offset + 12 <= bytes.count else { throw .damaged("no end chunk") }
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = offset + 12 + length
            guard end <= bytes.count else { throw .damaged("a chunk too long at \(offset)") }
            let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            chunks.append(Chunk(type: type, whole: offset..<end, data: bytes[offset + 8..<end - 4]))
            offset = end
        }
        guard chunks.first?.type == "IHDR" else { throw .damaged("no header chunk") }
    }

    var metadata: MetadataBlocks {
        MetadataBlocks(
            exif: chunks.first(where: \.isExif).map { Array($0.data) },
            xmp: chunks.first(where: \.isXMP).map { Array($0.data.dropFirst(Self.xmpName.utf8.count)) })
    }

    func assembled(_ metadata: MetadataBlocks, keepingOthers: Bool) throws(ImagingError) -> [ArraySlice<UInt8>] {
        let kept = chunks.filter { keepingOthers ? !$0.isExif && !$0.isXMP : Self.harmless.contains($0.type) }
        var pieces = [bytes[..<Self.signatureLength]] + kept.prefix(1).map { bytes[$0.whole] }
        if let exif = metadata.exif { pieces.append(Self.chunk("eXIf", exif)[...]) }
        if let xmp = metadata.xmp { pieces.append(Self.chunk("iTXt", Array(Self.xmpName.utf8) + xmp)[...]) }
        pieces += kept.dropFirst().map { bytes[$0.whole] }
        if keepingOthers, let end = chunks.last?.whole.upperBound { pieces.append(bytes[end...]) }
        return pieces
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        return bigEndian(UInt32(data.count)) + checked + bigEndian(checksum(checked))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// CRC-32 as in annex D; bit by bit, for only small chunks are made here.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
    }
}

/// The promises of a PNG's header chunk, `IHDR`. It may lie, so that products of these numbers take more than an `Int`.
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
        // The first pixel of each pass of Adam7, and the distance of its pixels.
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
