/// Files that were made to do harm, each with a name.
package enum HostileGallery {
    package static let files: [(name: String, bytes: [UInt8])] =
        activeTypes + bombs + liars + polyglots + metadata + movies

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: Types that can run something, and types that are not taken

    package static let activeTypes: [(name: String, bytes: [UInt8])] = [
        ("SVG with a script", text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")),
        ("SVG that reads a file", text("<?xml version='1.0'?><svg><image href='file:///etc/passwd'/></svg>")),
        (
            "SVG of entities without end",
            text("<!DOCTYPE svg [<!ENTITY a '&b;&b;&b;'><!ENTITY b '&a;&a;'>]><svg>&a;</svg>")
        ),
        ("PDF", text("%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert)>>>>endobj")),
        ("PostScript", text("%!PS-Adobe-3.0\n(/etc/passwd) (r) file")),
        ("HTML", text("<!DOCTYPE html><script>alert(1)</script>")),
        ("ImageMagick's drawing", text("push graphic-context\nviewbox 0 0 1 1\nimage over 0,0 0,0 'https://x/'\n")),
        ("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]), ("ZIP", text("PK\u{3}\u{4}") + [UInt8](repeating: 0, count: 60)),
        ("TIFF", [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 200)),
        ("BMP", text("BM") + [UInt8](repeating: 0x7F, count: 100)),
        ("Radiance HDR", text("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99999 +X 99999\n")),
        ("PNM", text("P6 99999 99999 255\n")), ("ELF", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]),
    ]

    // MARK: Bombs

    private static let png = PixelGrid.flag.png()

    package static let bombs: [(name: String, bytes: [UInt8])] = [
        ("PNG of 60000 x 60000", png.prefix(8) + PixelGrid.header(60_000, 60_000) + png.dropFirst(33)),
        (
            "PNG of 2^31 - 1 pixels a side",
            png.prefix(8) + PixelGrid.header(0x7FFF_FFFF, 0x7FFF_FFFF) + png.dropFirst(33)
        ),
        ("PNG of 4000 x 4000 in 6 KB", png.prefix(8) + PixelGrid.header(4000, 4000) + png.dropFirst(33)),
        ("PNG of no pixels", png.prefix(8) + PixelGrid.header(0, 0) + png.dropFirst(33)),
        ("GIF of 20000 x 20000", Samples.gif(side: 20_000)), ("GIF of 65535 x 65535", Samples.gif(side: 65_535)),
        ("JPEG of 65535 x 65535", jpegHeader(width: 65_535, height: 65_535)),
        ("JPEG of 12000 x 8400 without data", jpegHeader(width: 12_000, height: 8400)),
        ("JPEG of no lines", jpegHeader(width: 100, height: 0)),
        ("PNG with text that unpacks to 64 MB", PixelGrid.flag.png().inserting(chunk: "zTXt", text("k\0\0") + zeros)),
        (
            "PNG with a profile that unpacks to 64 MB",
            PixelGrid.flag.png().inserting(chunk: "iCCP", text("p\0\0") + zeros)
        ),
    ]

    /// 64 MB of zeros in zlib's format: stored blocks would be as long, so fixed codes repeat one zero 258 at a time.
    private static let zeros: [UInt8] = {
        var bits = BitWriter()
        bits.write(0b011, count: 3)
        // The literal 0, then a length of 258 (code 285) at a distance of 1 (code 0), again and again.
        bits.writeReversed(0x30, count: 8)
        for _ in 0..<(64 << 20) / 258 {
            bits.writeReversed(0xC5, count: 8)
            bits.writeReversed(0, count: 5)
        }
        bits.writeReversed(0, count: 7)
        return [0x78, 0x9C] + bits.bytes + [0, 0, 0, 1]
    }()

    private static func jpegHeader(width: Int, height: Int) -> [UInt8] {
        let size = [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
        return [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8] + size + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
            + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0, 0, 0xFF, 0xD9]
    }

    // MARK: Headers that lie

    package static let liars: [(name: String, bytes: [UInt8])] = [
        ("JPEG whose segment is longer than the file", [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF] + text("Exif\0\0")),
        ("JPEG whose segment is shorter than its length", [0xFF, 0xD8, 0xFF, 0xE1, 0, 0, 0xFF, 0xD9]),
        ("JPEG of markers alone", [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 100_000)),
        ("PNG whose chunk is longer than the file", png.prefix(33) + [0x7F, 0xFF, 0xFF, 0xFF] + text("IDAT")),
        ("PNG of half its data", Array(png.prefix(png.count / 2))),
        ("PNG that was closed in the midst of its rows", closedEarly),
        ("PNG without data", png.prefix(33) + PixelGrid.chunk("IEND", [])),
        (
            "PNG whose data is not packed",
            png.prefix(33) + PixelGrid.chunk("IDAT", text("hello")) + PixelGrid.chunk("IEND", [])
        ),
        ("WebP of 4 GB", text("RIFF") + [0xFF, 0xFF, 0xFF, 0xFF] + text("WEBPVP8 ") + [0xFF, 0xFF, 0xFF, 0x7F, 0]),
        ("WebP whose frame is empty", text("RIFF") + [12, 0, 0, 0] + text("WEBPVP8L") + [0, 0, 0, 0]),
        (
            "GIF with codes beyond its table",
            text("GIF89a") + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 12, 2, 0xFF, 0xFF, 0, 0x3B]
        ),
        ("HEIC whose boxes point outside", Array(Samples.heic.prefix(60)) + [UInt8](repeating: 0xFF, count: 600)),
        ("HEIC that is a movie's brand", Samples.box("ftyp", text("heic\0\0\0\0mif1")) + Samples.box("moov", [])),
    ]

    /// Its end comes after half of its rows.
    private static let closedEarly: [UInt8] = {
        let data = 41
        let length = png[33..<37].reduce(0) { $0 << 8 | Int($1) }
        let half = Array(png[data..<data + length / 2])
        return png.prefix(33) + PixelGrid.chunk("IDAT", half) + PixelGrid.chunk("IEND", [])
    }()

    // MARK: Two types at once

    package static let polyglots: [(name: String, bytes: [UInt8])] = [
        ("GIF that is JavaScript", text("GIF89a/*") + [0, 0, 0, 0, 0] + text("*/=1;alert(1)//")),
        ("JPEG header before HTML", [0xFF, 0xD8, 0xFF, 0xE0] + text("<script>alert(1)</script>")),
        ("PNG with a ZIP behind it", png + text("PK\u{3}\u{4}") + [UInt8](repeating: 0, count: 200)),
        ("PNG with HTML in its text", png.inserting(chunk: "tEXt", text("k\0<script>alert(1)</script>"))),
        ("PDF inside a PNG", png.inserting(chunk: "teSt", text("%PDF-1.4\n%%EOF"))),
        ("PNG named twice", png + png),
    ]

    // MARK: Metadata

    package static let metadata: [(name: String, bytes: [UInt8])] = [
        ("EXIF of 1 MB", png.inserting(chunk: "eXIf", tiff(entries: 80_000))),
        (
            "EXIF that points to itself",
            png.inserting(chunk: "eXIf", [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0])
        ),
        (
            "EXIF of 65535 entries in no bytes",
            png.inserting(chunk: "eXIf", [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0xFF, 0xFF])
        ),
        ("EXIF whose values lie outside", png.inserting(chunk: "eXIf", outside)),
        ("a profile that is none", PixelGrid.flag.png(profile: text("no profile at all"))),
        (
            "a million chunks",
            png.prefix(33) + Array(repeatElement(PixelGrid.chunk("teSt", []), count: 100_000).joined())
                + png.dropFirst(33)
        ),
    ]

    private static let outside: [UInt8] =
        [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] + [0x0F, 0x01, 2, 0] + [0xFF, 0xFF, 0xFF, 0x7F, 0xF0, 0xFF, 0xFF, 0x7F]
        + [0, 0, 0, 0]

    private static func tiff(entries: Int) -> [UInt8] {
        let entry: [UInt8] = [0x0F, 0x01, 2, 0, 4, 0, 0, 0, 0x41, 0x41, 0x41, 0]
        return [0x49, 0x49, 42, 0, 8, 0, 0, 0, UInt8(entries & 0xFF), UInt8(entries >> 8 & 0xFF)]
            + Array(repeatElement(entry, count: entries).joined()) + [0, 0, 0, 0]
    }

    // MARK: Movies

    private static let video = Samples.box("ftyp", text("isom\0\0\0\0"))

    package static let movies: [(name: String, bytes: [UInt8])] = [
        ("MP4 of boxes 10000 deep", video + nested("moov", depth: 10_000)),
        ("MP4 of tracks 5000 deep", video + Samples.box("moov", nested("trak", depth: 5000))),
        (
            "MP4 whose box is longer than any file",
            video + [0, 0, 0, 1] + text("moov") + [UInt8](repeating: 0xFF, count: 8)
        ),
        ("MP4 of 100000 empty boxes", video + Array(repeatElement(Samples.box("free", []), count: 100_000).joined())),
    ]

    private static func nested(_ type: String, depth: Int) -> [UInt8] {
        var lengths: [UInt8] = []
        for level in 0..<depth { lengths += PixelGrid.bigEndian((depth - level) * 8) + text(type) }
        return lengths
    }
}

extension [UInt8] {
    /// A PNG with another chunk behind its header.
    fileprivate func inserting(chunk type: String, _ data: [UInt8]) -> [UInt8] {
        prefix(33) + PixelGrid.chunk(type, data) + dropFirst(33)
    }
}

/// Bits in the order of deflate (RFC 1951, 3.1.1): into each byte from its lowest bit on.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 0

    mutating func write(_ value: Int, count: Int) {
        for bit in 0..<count { append(value >> bit & 1) }
    }

    /// Huffman codes begin with their highest bit.
    mutating func writeReversed(_ value: Int, count: Int) {
        for bit in (0..<count).reversed() { append(value >> bit & 1) }
    }

    private mutating func append(_ bit: Int) {
        if used % 8 == 0 { bytes.append(0) }
        bytes[bytes.count - 1] |= UInt8(bit << (used % 8))
        used += 1
    }
}
