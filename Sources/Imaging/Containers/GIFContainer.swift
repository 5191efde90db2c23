internal import Media

/// A GIF file: a header, then extensions and pictures, each a list of sub-blocks that ends with an empty one.
///
/// It has no room for EXIF or XMP that is ours, and what it has of others' is not needed to show it.
///
/// Source: CompuServe, "Graphics Interchange Format, Version 89a", 17 to 27; Netscape's looping extension.
struct GIFContainer: PictureContainer {
    private static let extensionMark: UInt8 = 0x21
    private static let pictureMark: UInt8 = 0x2C
    private static let endMark: UInt8 = 0x3B
    private static let graphicControl: UInt8 = 0xF9
    private static let application: UInt8 = 0xFF
    /// How often an animation repeats, and nothing else.
    private static let loops: Set<String> = ["NETSCAPE2.0", "ANIMEXTS1.0"]

    private let bytes: [UInt8]
    /// The header, pictures, how long each is shown, and how often all are.
    private var kept: [Range<Int>] = []

    init(_ bytes: [UInt8]) throws(ImagingError) {
        self.bytes = bytes
        guard bytes.count > 13 else { throw .damaged("a GIF of \(bytes.count) bytes") }
        var offset = 13 + Self.tableLength(bytes[10])
        kept.append(0..<min(offset, bytes.count))
        while let mark = byte(offset), mark != Self.endMark {
            let start = offset
            switch mark {
            case Self.extensionMark:
                let label = byte(offset + 1)
                offset = try endOfBlocks(from: offset + 2)
                if isNeeded(label, start..<offset) { kept.append(start..<offset) }
            case Self.pictureMark:
                guard let flags = byte(offset + 9) else { throw .damaged("a picture without its descriptor") }
                // The descriptor, its colours, the size of codes, the codes.
                offset = try endOfBlocks(from: offset + 10 + Self.tableLength(flags) + 1)
                kept.append(start..<offset)
            default: throw .refused(.unsupported, detail: "an unknown block of a GIF at \(offset)")
            }
        }
        guard offset < bytes.count else { throw .damaged("no end mark") }
    }

    var metadata: MetadataBlocks { MetadataBlocks() }

    func assembled(_ metadata: MetadataBlocks, keepingOthers: Bool) throws(ImagingError) -> [ArraySlice<UInt8>] {
        guard metadata.exif == nil, metadata.xmp == nil, !keepingOthers else {
            throw .refused(.unsupported, detail: "a GIF takes no metadata")
        }
        return kept.map { bytes[$0] } + [[Self.endMark]]
    }

    private func byte(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

    /// The bytes of the table of colours that these flags announce.
    private static func tableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private func endOfBlocks(from start: Int) throws(ImagingError) -> Int {
        var offset = start
        while let length = byte(offset) {
            offset += 1 + Int(length)
            if length == 0 { return offset }
        }
        throw .damaged("blocks without an end")
    }

    private func isNeeded(_ label: UInt8?, _ whole: Range<Int>) -> Bool {
        switch label {
        // One block of four bytes, no more.
        case Self.graphicControl: whole.count == 8
        // One block with the name, one of three bytes.
        case Self.application:
            whole.count == 19
                && Self.loops.contains(String(decoding: bytes[whole].dropFirst(3).prefix(11), as: UTF8.self))
        default: false
        }
    }
}
