/// A WebP file: RIFF chunks, padded to an even length.
///
/// Source: RFC 9649, section 2.
struct WebPContainer: PictureContainer {
    private struct Chunk {
        let type: String
        let data: ArraySlice<UInt8>
    }

    /// The bits of the first byte of `VP8X`.
    private enum Flag {
        static let xmp: UInt8 = 0x04
        static let exif: UInt8 = 0x08
        static let alpha: UInt8 = 0x10
    }

    private static let harmless: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]

    private var chunks: [Chunk] = []

    init(_ bytes: [UInt8]) throws(ImagingError) {
        guard bytes.count >= 12 else { throw .damaged("no RIFF header") }
        let end = 8 + Self.littleEndian(bytes[4..<8])
        guard end <= bytes.count else { throw .damaged("shorter than it says") }
        var offset = 12
        while offset + 8 <= end {
            let count = Self.littleEndian(bytes[offset + 4..<offset + 8])
            guard offset + 8 + count <= end else { throw .damaged("a chunk too long at \(offset)") }
            let type = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
            chunks.append(Chunk(type: type, data: bytes[offset + 8..<offset + 8 + count]))
            offset += 8 + count + count % 2
        }
    }

    var metadata: MetadataBlocks {
        MetadataBlocks(exif: data(of: "EXIF").map(Self.withoutPrefix), xmp: data(of: "XMP ").map { Array($0) })
    }

    func assembled(_ metadata: MetadataBlocks, keepingOthers: Bool) throws(ImagingError) -> [ArraySlice<UInt8>] {
        var kept = chunks.filter {
            keepingOthers ? !["EXIF", "XMP "].contains($0.type) : Self.harmless.contains($0.type)
        }
        if metadata.exif != nil || metadata.xmp != nil || data(of: "VP8X") != nil {
            var header = try extendedHeader()
            header[0] &= ~(Flag.exif | Flag.xmp)
            if metadata.exif != nil { header[0] |= Flag.exif }
            if metadata.xmp != nil { header[0] |= Flag.xmp }
            kept.removeAll { $0.type == "VP8X" }
            kept.insert(Chunk(type: "VP8X", data: header[...]), at: 0)
        }
        if let exif = metadata.exif { kept.append(Chunk(type: "EXIF", data: exif[...])) }
        if let xmp = metadata.xmp { kept.append(Chunk(type: "XMP ", data: xmp[...])) }

        var pieces: [ArraySlice<UInt8>] = []
        for chunk in kept {
            pieces.append((Array(chunk.type.utf8) + Self.littleEndian(chunk.data.count))[...])
            pieces.append(chunk.data)
            if chunk.data.count % 2 == 1 { pieces.append([0]) }
        }
        let count = pieces.reduce(4) { $0 + $1.count }
        return [(Array("RIFF".utf8) + Self.littleEndian(count) + Array("WEBP".utf8))[...]] + pieces
    }

    private func data(of type: String) -> ArraySlice<UInt8>? {
        chunks.first { $0.type == type }?.data
    }

    /// The `VP8X` chunk there is, or the one that a simple file needs for carrying metadata (2.7).
    private func extendedHeader() throws(ImagingError) -> [UInt8] {
        if let header = data(of: "VP8X"), header.count >= 10 { return Array(header) }
        let size: (width: Int, height: Int)
        var flags: UInt8 = 0
        if let picture = data(of: "VP8 ").map(Array.init), picture.count >= 10 {
            // RFC 6386, 9.1: three bytes of frame tag, three of start code, then 14 bits each.
            size = (
                Self.littleEndian(picture[6..<8]) & 0x3FFF, Self.littleEndian(picture[8..<10]) & 0x3FFF
            )
        } else if let picture = data(of: "VP8L").map(Array.init), picture.count >= 5 {
            // RFC 9649, 3.4: a signature byte, then 14 bits each less one, then a bit for alpha.
            let bits = Self.littleEndian(picture[1..<5])
            size = ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
            if bits >> 28 & 1 == 1 { flags |= Flag.alpha }
        } else {
            throw .damaged("no picture")
        }
        guard size.width > 0, size.height > 0 else { throw .damaged("no size") }
        return [flags, 0, 0, 0] + Self.littleEndian(size.width - 1).prefix(3)
            + Self.littleEndian(size.height - 1).prefix(3)
    }

    /// Some writers put JPEG's "Exif" before the TIFF structure.
    private static func withoutPrefix(_ exif: ArraySlice<UInt8>) -> [UInt8] {
        exif.starts(with: "Exif\0\0".utf8) ? Array(exif.dropFirst(6)) : Array(exif)
    }

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func littleEndian(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { Array($0) }
    }
}
