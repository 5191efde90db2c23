internal import Media

/// Looks for the end of a picture's file, and whether as much is before it as the header promises: that tells nothing of an upload
/// or a memory card that broke off later.
///
/// The file is read at most about twice, and no pixel is decoded; a PNG's rows are unpacked, since nothing else tells whether they
/// are all there. Bytes after the end do not matter: phones append movies.
struct PictureEnd {
    private let input: InputFile
    private var reader: BlockReader
    private let unpacks: Bool

    /// Looks for the end of a picture of this type; `unpacks` when its size was found to be no bomb.
    ///
    /// - Throws: `.refused(.cutOff)` when the file ends before the picture does, `.refused(.damaged)` when what it holds is not all
    ///   of its pixels.
    static func check(_ input: InputFile, as type: SniffedType, unpacks: Bool) throws(ImagingError) {
        var end = PictureEnd(input: input, reader: BlockReader(input), unpacks: unpacks)
        switch type {
        case .jpeg: try end.checkJPEG()
        case .png: try end.checkPNG()
        case .webp: try end.checkWebP()
        case .gif: try end.checkGIF()
        case .heic: try end.checkHEIC()
        case .mp4, .quicktime: break
        }
    }

    private mutating func checkJPEG() throws(ImagingError) {
        var parts = try JPEGParts(reader)
        var least = 0
        var found = 0
        while true {
            switch try parts.next() {
            // The first frame's; what else has these numbers are tables.
            case .segment(let marker, let range) where least == 0 && (0xC0...0xC2).contains(marker):
                // No more than 255 components of three bytes.
                let header = try bytes(range.dropFirst(4).prefix(6 + 3 * 255))
                least = CompressedLength.least(ofJPEG: marker, header)
            case .segment: break
            case .pixels(let range): found += range.count
            case .end: return try Self.compare(found, with: least)
            }
        }
    }

    /// Source: W3C PNG (third edition), 5.3: a length, a type, data, a check sum.
    private mutating func checkPNG() throws(ImagingError) {
        let (headerChunk, dataChunk, endChunk) = (0x4948_4452, 0x4944_4154, 0x4945_4E44)
        var offset = 8
        var (least, rows) = (0, 0)
        var found = 0
        let pixels = unpacks ? try UnpackedLength() : nil
        while let length = try reader.number(at: offset, count: 4),
            let type = try reader.number(at: offset + 4, count: 4)
        {
            if type == headerChunk, least == 0 {
                let header = PNGHeader(try bytes(offset + 8..<offset + 8 + min(length, 13)))
                (least, rows) = header.map { (CompressedLength.least(ofPNG: $0), $0.rowBytes) } ?? (0, 0)
            }
            if type == dataChunk {
                if found == 0, length >= 2 { try checkPacking(at: offset + 8) }
                found += length
                try pixels?.add(offset + 8..<offset + 8 + length, of: input, upTo: rows)
            }
            offset += 12 + length
            guard type == endChunk, offset <= reader.size else { continue }
            try Self.compare(found, with: least)
            guard let pixels, pixels.count < rows else { return }
            let detail = "\(pixels.count) bytes of rows, which take \(rows)"
            throw pixels.hasEnded ? .damaged(detail) : .cutOff(detail)
        }
        throw .cutOff("no end chunk")
    }

    /// Source: RFC 1950, 2.2: the method, 8 for deflate, and flags that make both a multiple of 31.
    private mutating func checkPacking(at offset: Int) throws(ImagingError) {
        guard let head = try reader.number(at: offset, count: 2), head >> 8 & 0x0F == 8, head % 31 == 0 else {
            throw .damaged("image data that is not packed")
        }
    }

    private static func compare(_ found: Int, with least: Int) throws(ImagingError) {
        guard found >= least else { throw .damaged("\(found) bytes of pixels, which take \(least) at least") }
    }

    /// Those of a range that are there.
    private mutating func bytes(_ range: Range<Int>) throws(ImagingError) -> [UInt8] {
        var bytes: [UInt8] = []
        for offset in range {
            guard let byte = try reader.byte(at: offset) else { break }
            bytes.append(byte)
        }
        return bytes
    }

    /// Source: RFC 9649, 2.3 and 2.4: the size of all that follows it, with its lowest byte first.
    private mutating func checkWebP() throws(ImagingError) {
        guard let number = try reader.number(at: 4, count: 4), let size = UInt32(exactly: number)?.byteSwapped,
            8 + Int(size) <= reader.size
        else { throw .cutOff("shorter than it says") }
        // Its chunks: a type, a size, data, a byte that makes it even.
        var offset = 12
        while offset + 8 <= 8 + Int(size), let number = try reader.number(at: offset + 4, count: 4) {
            offset += 8 + Int(UInt32(truncatingIfNeeded: number).byteSwapped)
            guard offset <= 8 + Int(size) else { throw .cutOff("a chunk that ends at \(offset)") }
            offset += offset % 2
        }
    }

    /// As browsers do, takes a file that ends between two blocks, or goes on with something unknown there, when there is a whole
    /// image before: some programs forget the trailer.
    ///
    /// Source: GIF89a, 18 to 27.
    private mutating func checkGIF() throws(ImagingError) {
        var offset = 13 + (try colourTableLength(flagsAt: 10))
        var hasImage = false
        blocks: while let introducer = try reader.byte(at: offset) {
            switch introducer {
            // An extension: its kind, then sub-blocks.
            case 0x21: offset = try endOfSubBlocks(from: offset + 2)
            // An image: nine bytes of place, size and flags, its own colours, the width of a code, then sub-blocks.
            case 0x2C:
                let colours = try colourTableLength(flagsAt: offset + 9)
                offset = try endOfSubBlocks(from: offset + 11 + colours)
                hasImage = true
            default: break blocks
            }
        }
        guard hasImage else {
            throw offset < reader.size ? .damaged("no whole image") : .cutOff("no whole image")
        }
    }

    /// Bytes of the table that packed fields announce: three for each colour.
    private mutating func colourTableLength(flagsAt offset: Int) throws(ImagingError) -> Int {
        guard let flags = try reader.byte(at: offset) else { throw .cutOff("no flags at \(offset)") }
        return flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 0x07) + 1)
    }

    /// Sub-blocks begin with their length, and one without data is the last.
    private mutating func endOfSubBlocks(from start: Int) throws(ImagingError) -> Int {
        var offset = start
        while let length = try reader.byte(at: offset) {
            offset += 1 + Int(length)
            if length == 0 { return offset }
        }
        throw .cutOff("a block without end at \(start)")
    }

    /// Looks at boxes up to the description of the picture and its data, whichever comes last.
    private func checkHEIC() throws(ImagingError) {
        var missing: Set<String> = ["meta", "mdat"]
        var boxes = MovieBoxReader(input)
        _ = try boxes.boxes { box in
            missing.remove(box.type)
            return missing.isEmpty
        }
        guard missing.isEmpty else { throw .cutOff("no \(missing.sorted().joined(separator: ", "))") }
    }
}
