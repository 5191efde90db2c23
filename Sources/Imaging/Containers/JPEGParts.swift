/// The markers that matter here.
///
/// Source: ITU-T T.81, table B.1.
enum JPEGMarker {
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let app0: UInt8 = 0xE0
    static let app1: UInt8 = 0xE1
    static let app2: UInt8 = 0xE2
    static let app13: UInt8 = 0xED
    static let app14: UInt8 = 0xEE
    /// Frame headers and Huffman or arithmetic tables.
    static let frames: ClosedRange<UInt8> = 0xC0...0xCF
    /// Quantisation, number of lines, restart interval, hierarchy.
    static let tables: ClosedRange<UInt8> = 0xDB...0xDF
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    /// No marker but a byte 0xFF of compressed pixels, or a marker that nobody writes; none has a length.
    static let others: ClosedRange<UInt8> = 0x00...0xBF
}

/// Takes a JPEG file apart, from its start-of-image to its end-of-image marker. Pixels are not decoded.
///
/// Where bytes stand between two segments that are none, it goes on at the next marker, as decoders do (libjpeg, jdmarker.c).
///
/// Source: ITU-T T.81, B.1.1 and B.2.
struct JPEGParts {
    enum Part {
        /// A marker and what belongs to it, from the marker's 0xFF to its end: a length of two bytes comes next.
        case segment(marker: UInt8, Range<Int>)
        /// Compressed pixels behind the header of a scan, with restart markers among them.
        case pixels(Range<Int>)
        /// The end-of-image marker. Nothing behind it belongs to the picture.
        case end(Range<Int>)
    }

    /// A picture with all its metadata has a few hundred.
    private static let mostSegments = 10_000

    private var reader: BlockReader
    private var offset = 2
    private var count = 0
    private var hasScan = false
    private var isInScan = false

    /// - Throws: `.refused(.damaged)` without a start-of-image marker.
    init(_ reader: BlockReader) throws(ImagingError) {
        self.reader = reader
        guard try self.reader.number(at: 0, count: 2) == 0xFF00 | Int(JPEGMarker.start) else {
            throw .damaged("no start of image")
        }
    }

    /// The next part, until `.end`.
    ///
    /// - Throws: `.refused(.cutOff)` when the file ends first, `.refused(.damaged)` when it has more segments than any picture, or
    ///   no scan.
    mutating func next() throws(ImagingError) -> Part {
        if isInScan {
            isInScan = false
            let pixels = offset..<(try endOfPixels())
            offset = pixels.upperBound
            return .pixels(pixels)
        }
        let (marker, start) = try nextMarker()
        if marker == JPEGMarker.end {
            guard hasScan else { throw .damaged("no scan") }
            return .end(start..<start + 2)
        }
        count += 1
        guard count <= Self.mostSegments else { throw .damaged("more than \(Self.mostSegments) segments") }
        // The length counts itself.
        guard let length = try reader.number(at: start + 2, count: 2), length <= reader.size - start - 2 else {
            throw .cutOff("a segment too long at \(start)")
        }
        guard length >= 2 else { throw .damaged("a segment shorter than its length at \(start)") }
        offset = start + 2 + length
        isInScan = marker == JPEGMarker.scan
        hasScan = hasScan || isInScan
        return .segment(marker: marker, start..<offset)
    }

    /// The next marker that has a length or is the last, and where its 0xFF stands.
    private mutating func nextMarker() throws(ImagingError) -> (marker: UInt8, start: Int) {
        while let start = try reader.place(of: 0xFF, from: offset) {
            // Any number of fill bytes 0xFF may come before the marker.
            offset = start + 1
            while try reader.byte(at: offset) == 0xFF { offset += 1 }
            guard let marker = try reader.byte(at: offset) else { break }
            switch marker {
            case JPEGMarker.others, JPEGMarker.restarts: offset += 1
            case JPEGMarker.start: throw .damaged("a second start of image at \(start)")
            default: return (marker, offset - 1)
            }
        }
        throw .cutOff("no end of image")
    }

    /// Where the next marker stands that ends compressed pixels.
    private mutating func endOfPixels() throws(ImagingError) -> Int {
        var place = offset
        while let escape = try reader.place(of: 0xFF, from: place), let marker = try reader.byte(at: escape + 1) {
            switch marker {
            case JPEGMarker.others, JPEGMarker.restarts: place = escape + 2
            // A fill byte.
            case 0xFF: place = escape + 1
            default: return escape
            }
        }
        throw .cutOff("no end of image")
    }
}
