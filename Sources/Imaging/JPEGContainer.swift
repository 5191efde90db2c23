internal import Media

/// A JPEG file: segments, then compressed pixels, then whatever a phone appends.
///
/// Source: ITU-T T.81, annex B; EXIF 2.32, 4.5 (APP1); ICC.1:2022, annex B.4 (APP2); XMP part 3, 1.1.3.
struct JPEGContainer: PictureContainer {
    private struct Segment {
        let marker: UInt8
        /// From its 0xFF to its end.
        let whole: Range<Int>
        /// What follows its length.
        let payload: ArraySlice<UInt8>

        func begins(with text: String) -> Bool { payload.starts(with: text.utf8) }

        var isExif: Bool { marker == Marker.app1 && begins(with: "Exif\0") }
        var isXMP: Bool { marker == Marker.app1 && begins(with: JPEGContainer.xmpName) }
        var isIPTC: Bool { marker == Marker.app13 && begins(with: "Photoshop 3.0\0") }

        /// Needed to show the picture as meant, and without a word on who took it where.
        var isHarmless: Bool {
            switch marker {
            // 16 bytes are a JFIF header without a thumbnail.
            case Marker.app0: begins(with: "JFIF\0") && payload.count == 14
            case Marker.app2: begins(with: "ICC_PROFILE\0")
            // How colours are coded: needed to decode.
            case Marker.app14: begins(with: "Adobe")
            case Marker.frames, Marker.tables: true
            default: false
            }
        }
    }

    private enum Marker {
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
    }

    private static let exifName = "Exif\0\0"
    private static let xmpName = "http://ns.adobe.com/xap/1.0/\0"

    private let bytes: [UInt8]
    private var segments: [Segment] = []
    /// From the first scan to the end of the picture.
    private let pixels: Range<Int>

    init(_ bytes: [UInt8]) throws(ImagingError) {
        guard bytes.starts(with: [0xFF, Marker.start]) else { throw .damaged("no start of image") }
        self.bytes = bytes
        var offset = 2
        while true {
            let segment = try Self.segment(in: bytes, at: offset)
            if segment.marker == Marker.scan { break }
            segments.append(segment)
            offset = segment.whole.upperBound
        }
        pixels = offset..<(try Self.endOfImage(in: bytes, from: offset))
    }

    var metadata: MetadataBlocks {
        MetadataBlocks(
            exif: segments.first(where: \.isExif).map { Array($0.payload.dropFirst(Self.exifName.utf8.count)) },
            xmp: segments.first(where: \.isXMP).map { Array($0.payload.dropFirst(Self.xmpName.utf8.count)) },
            iptc: segments.first(where: \.isIPTC).map { Array($0.payload) })
    }

    func assembled(_ metadata: MetadataBlocks, keepingOthers: Bool) throws(ImagingError) -> [ArraySlice<UInt8>] {
        let kept = segments.filter { keepingOthers ? !$0.isExif && !$0.isXMP : $0.isHarmless }
        // A JFIF header stays first, EXIF comes next.
        let header = kept.prefix { $0.marker == Marker.app0 }
        var pieces: [ArraySlice<UInt8>] = [bytes[0..<2]]
        pieces += header.map { bytes[$0.whole] }
        if let exif = metadata.exif { pieces.append(try Self.app1(Self.exifName, exif)) }
        if let xmp = metadata.xmp { pieces.append(try Self.app1(Self.xmpName, xmp)) }
        pieces += kept.dropFirst(header.count).map { bytes[$0.whole] }
        pieces.append(bytes[pixels])
        if keepingOthers { pieces.append(bytes[pixels.upperBound...]) }
        return pieces
    }

    /// A JPEG file of metadata alone, for a library that reads metadata from files.
    static func carrying(_ metadata: MetadataBlocks) throws(ImagingError) -> [UInt8] {
        var file: [UInt8] = [0xFF, Marker.start]
        if let exif = metadata.exif { file += try app1(exifName, exif) }
        if let xmp = metadata.xmp { file += try app1(xmpName, xmp) }
        if let iptc = metadata.iptc { file += try segment(Marker.app13, iptc) }
        return file + [0xFF, Marker.end]
    }

    private static func app1(_ name: String, _ content: [UInt8]) throws(ImagingError) -> ArraySlice<UInt8> {
        try segment(Marker.app1, Array(name.utf8) + content)[...]
    }

    private static func segment(_ marker: UInt8, _ payload: [UInt8]) throws(ImagingError) -> [UInt8] {
        // The length counts itself and has 16 bits.
        guard payload.count <= 0xFFFF - 2 else {
            throw .refused(.unsupported, detail: "\(payload.count) bytes of metadata do not fit")
        }
        let length = payload.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
    }

    private static func segment(in bytes: [UInt8], at start: Int) throws(ImagingError) -> Segment {
        // Any number of fill bytes 0xFF may come before the marker.
        guard start < bytes.count, bytes[start] == 0xFF,
            let marker = bytes[start...].firstIndex(where: { $0 != 0xFF }), marker + 2 < bytes.count
        else { throw .damaged("no segment at \(start)") }
        let length = Int(bytes[marker + 1]) << 8 | Int(bytes[marker + 2])
        let end = marker + 1 + length
        guard length >= 2, end <= bytes.count else { throw .damaged("a segment too long at \(start)") }
        return Segment(marker: bytes[marker], whole: start..<end, payload: bytes[(marker + 3)..<end])
    }

    /// Walks through the scans, between which tables may stand, to behind the end-of-image marker.
    private static func endOfImage(in bytes: [UInt8], from start: Int) throws(ImagingError) -> Int {
        var offset = start
        while let escape = bytes[offset...].firstIndex(of: 0xFF), escape + 1 < bytes.count {
            switch bytes[escape + 1] {
            case Marker.end:
                return escape + 2
            // A stuffed zero, a restart, a fill byte: still compressed pixels.
            case 0x00, 0xD0...0xD7:
                offset = escape + 2
            case 0xFF:
                offset = escape + 1
            default:
                offset = try segment(in: bytes, at: escape).whole.upperBound
            }
        }
        throw .damaged("no end of image")
    }
}
