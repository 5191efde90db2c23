/// The type of a file by its first bytes, the only one that Pics believes.
///
/// A file name and a `Content-Type` are the sender's claim and are never looked at. Types that can carry scripts or drawing
/// programs (SVG, PDF, PostScript), and types nobody's phone sends, are not in this list and so do not exist for Pics.
package enum SniffedType: Sendable {
    case jpeg
    case png
    case webp
    case gif
    case heic
    case mp4
    case quicktime

    /// Sources: ITU-T T.81 B.2.1; W3C PNG 5.2; RFC 9649 2.4; GIF89a 17; ISO/IEC 14496-12 4.3 and 14496-15 (brands).
    ///
    /// - Parameter firstBytes: The file's beginning; 256 bytes are enough, fewer are read as far as they go.
    /// - Returns: `nil` when it is none of them. AVIF counts as none: Pics does not read it.
    package static func of(firstBytes: some Collection<UInt8>) -> SniffedType? {
        let head = Array(firstBytes.prefix(256))
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) { return .gif }
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBPVP8".utf8) { return .webp }
        if head.dropFirst(4).starts(with: "ftyp".utf8) { return ofBrands(in: head) }
        // QuickTime files from before `ftyp` begin with one of these boxes.
        if ["moov", "mdat", "wide"].contains(where: { head.dropFirst(4).starts(with: $0.utf8) }) { return .quicktime }
        return nil
    }

    /// The registered media type (IANA).
    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .gif: "image/gif"
        case .heic: "image/heic"
        case .mp4: "video/mp4"
        case .quicktime: "video/quicktime"
        }
    }

    /// Whether it is a moving picture with a time line.
    package var isVideo: Bool { self == .mp4 || self == .quicktime }

    /// An `ftyp` box: length, "ftyp", major brand, minor version, then compatible brands to its end.
    private static func ofBrands(in head: [UInt8]) -> SniffedType? {
        guard head.count >= 16 else { return nil }
        let length = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let compatible = stride(from: 16, to: min(length, head.count) - 3, by: 4).map { brand(in: head, at: $0) }
        let brands = [brand(in: head, at: 8)] + compatible
        if brands.contains(where: { $0 == "avif" || $0 == "avis" }) { return nil }
        // The major brand decides; the compatible ones only when it is unknown.
        for brand in brands {
            if brand == "qt  " { return .quicktime }
            if heicBrands.contains(brand) { return .heic }
            if mp4Brands.contains(brand) { return .mp4 }
        }
        return nil
    }

    private static func brand(in head: [UInt8], at offset: Int) -> String {
        String(decoding: head[offset..<offset + 4], as: UTF8.self)
    }

    private static let heicBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
    private static let mp4Brands: Set<String> = [
        "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "M4VH", "M4VP", "MSNV", "dash",
    ]
}
