internal import Media

/// A JPEG file: segments, then compressed pixels in scans with tables between them, then whatever a phone appends.
///
/// Source: ITU-T T.81, annex B; EXIF 2.32, 4.5 (APP1); ICC.1:2022, annex B.4 (APP2); XMP part 3, 1.1.3; ITU-T T.872, 6.5.3
/// (APP14).
struct JPEGContainer: PictureContainer {
    private struct Segment {
        let marker: UInt8
        /// From its 0xFF to its end.
        let whole: ArraySlice<UInt8>

        /// The bytes after its length.
        var payload: ArraySlice<UInt8> { whole.dropFirst(4) }

        var isExif: Bool { marker == JPEGMarker.app1 && begins(with: "Exif\0") }
        var isXMP: Bool { marker == JPEGMarker.app1 && begins(with: JPEGContainer.xmpName) }
        var isIPTC: Bool { marker == JPEGMarker.app13 && begins(with: "Photoshop 3.0\0") }

        /// The part of it that the picture needs to look right, without its author and place; `nil` if there is none.
        var harmless: Segment? {
            switch marker {
            // A JFIF header without a thumbnail.
            case JPEGMarker.app0: begins(with: "JFIF\0") && payload.count == 14 ? self : nil
            case JPEGMarker.app2: begins(with: "ICC_PROFILE\0") ? self : nil
            // How colours are coded: needed to decode. Nobody knows what may follow.
            case JPEGMarker.app14: begins(with: "Adobe") && payload.count >= 12 ? shortened(to: 12) : nil
            case JPEGMarker.frames, JPEGMarker.tables: self
            default: nil
            }
        }

        private func begins(with text: String) -> Bool { payload.starts(with: text.utf8) }

        /// With no more than so many bytes behind its length.
        private func shortened(to count: Int) -> Segment {
            let head: [UInt8] = [0xFF, marker, 0, UInt8(count + 2)]
            return Segment(marker: marker, whole: (head + Array(payload.prefix(count)))[...])
        }
    }

    private static let exifName = "Exif\0\0"
    private static let xmpName = "http://ns.adobe.com/xap/1.0/\0"

    private let bytes: [UInt8]
    /// Before the first scan: nobody reads metadata or profiles elsewhere.
    private var segments: [Segment] = []
    /// The scans, the tables between them and the end of the picture, without anything else that stands there.
    private var scans: [Range<Int>] = []

    init(_ bytes: [UInt8]) throws(ImagingError) {
        self.bytes = bytes
        var parts = try JPEGParts(BlockReader(bytes))
        var isWhole = false
        while !isWhole {
            switch try parts.next() {
            case .segment(JPEGMarker.scan, let range):
                keep(range)
            case .segment(let marker, let range) where scans.isEmpty:
                segments.append(Segment(marker: marker, whole: bytes[range]))
            case .segment(JPEGMarker.frames, let range), .segment(JPEGMarker.tables, let range), .pixels(let range):
                keep(range)
            case .segment:
                break
            case .end(let range):
                keep(range)
                isWhole = true
            }
        }
    }

    var metadata: MetadataBlocks {
        MetadataBlocks(
            exif: segments.first(where: \.isExif).map { Array($0.payload.dropFirst(Self.exifName.utf8.count)) },
            xmp: segments.first(where: \.isXMP).map { Array($0.payload.dropFirst(Self.xmpName.utf8.count)) },
            iptc: segments.first(where: \.isIPTC).map { Array($0.payload) })
    }

    func assembled(_ metadata: MetadataBlocks, keepingOthers: Bool) throws(ImagingError) -> [ArraySlice<UInt8>] {
        let kept = keepingOthers ? segments.filter { !$0.isExif && !$0.isXMP } : segments.compactMap(\.harmless)
        // A JFIF header stays first, EXIF comes next.
        let header = kept.prefix { $0.marker == JPEGMarker.app0 }
        var pieces: [ArraySlice<UInt8>] = [bytes[0..<2]]
        pieces += header.map(\.whole)
        if let exif = metadata.exif { pieces.append(try Self.app1(Self.exifName, exif)) }
        if let xmp = metadata.xmp { pieces.append(try Self.app1(Self.xmpName, xmp)) }
        pieces += kept.dropFirst(header.count).map(\.whole)
        // There is a first scan: no JPEG without one is taken apart.
        pieces += keepingOthers ? [bytes[scans[0].lowerBound...]] : scans.map { bytes[$0] }
        return pieces
    }

    /// A JPEG file of metadata alone, for a library that reads metadata from files.
    static func carrying(_ metadata: MetadataBlocks) throws(ImagingError) -> [UInt8] {
        var file: [UInt8] = [0xFF, JPEGMarker.start]
        if let exif = metadata.exif { file += try app1(exifName, exif) }
        if let xmp = metadata.xmp { file += try app1(xmpName, xmp) }
        if let iptc = metadata.iptc { file += try segment(JPEGMarker.app13, iptc) }
        return file + [0xFF, JPEGMarker.end]
    }

    private static func app1(_ name: String, _ content: [UInt8]) throws(ImagingError) -> ArraySlice<UInt8> {
        try segment(JPEGMarker.app1, Array(name.utf8) + content)[...]
    }

    private static func segment(_ marker: UInt8, _ payload: [UInt8]) throws(ImagingError) -> [UInt8] {
        // The length counts itself and has 16 bits.
        guard payload.count <= 0xFFFF - 2 else {
            throw .refused(.unsupported, detail: "\(payload.count) bytes of metadata do not fit")
        }
        let length = payload.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
    }

    private mutating func keep(_ range: Range<Int>) {
        if let last = scans.last, last.upperBound == range.lowerBound {
            scans[scans.count - 1] = last.lowerBound..<range.upperBound
        } else {
            scans.append(range)
        }
    }
}
