/// Pixels made by hand, and the smallest PNG writer there is.
package struct PixelGrid: Equatable {
    package var width: Int
    package var height: Int
    /// Row by row: red, green, blue, alpha.
    package var pixels: [[UInt8]]

    /// Six blocks of 16 × 16 pixels in six colours, 48 × 32: no turn and no mirror image of it is like another. JPEG keeps such
    /// blocks exactly, in whatever orientation.
    package static let flag = PixelGrid(width: 48, height: 32) { x, y in
        [
            [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [0, 0, 0, 255], [255, 255, 255, 255],
            [128, 128, 128, 255],
        ][
            x / 16 + y / 16 * 3]
    }

    /// A picture that compresses badly, always the same.
    package static func noise(_ width: Int, _ height: Int) -> PixelGrid {
        var state: UInt64 = 1
        return PixelGrid(width: width, height: height) { _, _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return [UInt8(state >> 56), UInt8(state >> 48 & 0xFF), UInt8(state >> 40 & 0xFF), 255]
        }
    }

    /// One colour.
    package static func plain(_ width: Int, _ height: Int, _ colour: [UInt8]) -> PixelGrid {
        PixelGrid(width: width, height: height) { _, _ in colour }
    }

    package init(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
        self.width = width
        self.height = height
        pixels = (0..<width * height).map { pixel($0 % width, $0 / width) }
    }

    /// One pixel.
    package subscript(x: Int, y: Int) -> [UInt8] { pixels[y * width + x] }

    /// Without alpha, as `Workbench.pixels` gives them.
    package var colours: PixelGrid { PixelGrid(width: width, height: height) { Array(self[$0, $1].prefix(3)) } }

    /// The picture as a camera stores it that notes `orientation`: shown by that rule it looks like this one (EXIF 2.32, tag 274).
    package func stored(orientation: Int) -> PixelGrid {
        let isLying = orientation >= 5
        return PixelGrid(width: isLying ? height : width, height: isLying ? width : height) { x, y in
            let (u, v) =
                switch orientation {
                case 2: (width - 1 - x, y)
                case 3: (width - 1 - x, height - 1 - y)
                case 4: (x, height - 1 - y)
                case 5: (y, x)
                case 6: (width - 1 - y, x)
                case 7: (width - 1 - y, height - 1 - x)
                case 8: (y, height - 1 - x)
                default: (x, y)
                }
            return pixels[v * width + u]
        }
    }

    /// As a PNG file, not compressed, with `orientation` noted in `eXIf` and a colour `profile` if they are given.
    package func png(orientation: Int? = nil, profile: [UInt8]? = nil) -> [UInt8] {
        let rows = (0..<height).flatMap { [0] + pixels[($0 * width)..<($0 + 1) * width].joined() }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.header(width, height)
        if let profile { file += Self.chunk("iCCP", Array("p\0\0".utf8) + Self.deflated(profile)) }
        if let orientation {
            // A TIFF structure with one entry.
            let entry: [UInt8] = [0x12, 0x01, 3, 0, 1, 0, 0, 0, UInt8(orientation), 0, 0, 0]
            file += Self.chunk("eXIf", [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] + entry + [0, 0, 0, 0])
        }
        return file + Self.chunk("IDAT", Self.deflated(rows)) + Self.chunk("IEND", [])
    }

    /// The header chunk of an RGBA picture.
    package static func header(_ width: Int, _ height: Int) -> [UInt8] {
        chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 6, 0, 0, 0])
    }

    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        let sum = checked.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
        return bigEndian(data.count) + checked + bigEndian(Int(~sum))
    }

    package static func bigEndian(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
    }

    /// zlib's format with stored blocks only.
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            result += [start + block.count == bytes.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        let (a, b) = bytes.reduce((1, 0)) { sums, byte in
            let a = (sums.0 + Int(byte)) % 65_521
            return (a, (sums.1 + a) % 65_521)
        }
        return result + bigEndian(b << 16 | a)
    }
}
