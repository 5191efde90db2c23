internal import Foundation

/// Small files of kinds that the tests cannot write themselves.
package enum Samples {
    /// 64 × 48, left half red, right half blue.
    package static let heic = decoded(
        """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
        AA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAASwACAAEAAAAAAAAA
        AQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAA
        ALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQED
        cAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlz
        cGUAAAAAAAAAQAAAADAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGlt
        ZwACAAEAAQAAAFNtZGF0AAAARygBrxOA9SeBP//QFR/+8jnh+QHsxP/63syP5m0X/5P/HbgMNhQgjfp+fxW7NvoCpgSidmK3HMTF
        p+4vTu5da5HocYY4jZrg
        """)

    /// 16 × 12, three frames: red, green, blue, for 100, 200 and 300 ms.
    package static let animatedGIF = decoded(
        """
        R0lGODlhEAAMAIAAAEdwTP8AACH/C05FVFNDQVBFMi4wAwEAAAAh+QQFCgAAACwAAAAAEAAMAAACDIyPqcvtD6OctNprCgAh+QQF
        FAAAACwAAAAAEAAMAIBHcEwA/wACDIyPqcvtD6OctNprCgAh+QQFHgAAACwAAAAAEAAMAIBHcEwAAP8CDIyPqcvtD6OctNprCgA7
        """)

    /// A progressive JPEG of 32 × 24 with ten scans.
    package static let progressive = decoded(
        """
        /9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgV
        GC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wgARCAAYACADASIAAhEBAxEB/8QA
        FgABAQEAAAAAAAAAAAAAAAAAAwAF/8QAFwEBAQEBAAAAAAAAAAAAAAAAAwQBBf/aAAwDAQACEAMQAAABxVRQ00VSvJaPiotFf//EABUQAQEA
        AAAAAAAAAAAAAAAAAAEA/9oACAEBAAEFAggggggggggggv/EABcRAAMBAAAAAAAAAAAAAAAAAAABAwL/2gAIAQMBAT8BnsnsmybP/8QAFhEB
        AQEAAAAAAAAAAAAAAAAAAQAC/9oACAECAQE/AXU6llv/xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAY/Ak//xAAUEAEAAAAAAAAAAAAA
        AAAAAAAw/9oACAEBAAE/IUVVVV//2gAMAwEAAgADAAAAEDEA/wD/xAAWEQEBAQAAAAAAAAAAAAAAAAAAARD/2gAIAQMBAT8Qxaqv/8QAFhEB
        AQEAAAAAAAAAAAAAAAAAAAEQ/9oACAECAQE/EM+yz//EABUQAQEAAAAAAAAAAAAAAAAAAABh/9oACAEBAAE/EIooooooooooov/Z
        """)

    /// A grey JPEG of 128 × 96 with a restart behind each of its 192 blocks, all of them numbered wrongly: a decoder warns of each, and
    /// shows all that there is.
    package static let mixedRestarts = decoded(
        """
        /9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCABgAIABAREA
        /8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/3QAEAAH/2gAIAQEAAD8AP//TP//UP//VP//WP//XP//QP//RP//S
        P//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//W
        P//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//S
        P//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//W
        P//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//S
        P//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//W
        P//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//S
        P//TP//UP//VP//WP//XP//QP//RP//SP//TP//UP//VP//WP//XP//QP//RP//Z
        """)

    private static func decoded(_ text: String) -> [UInt8] {
        [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }

    /// A GIF of this size that ends after a few of its pixels.
    package static func gif(side: Int) -> [UInt8] {
        let (low, high) = (UInt8(side & 0xFF), UInt8(side >> 8))
        return Array("GIF89a".utf8) + [low, high, low, high, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            + [0x2C, 0, 0, 0, 0, low, high, low, high, 0, 2, 2, 0x44, 1, 0, 0x3B]
    }

    /// An MP4 with one sound track and one picture track, and no samples. `matrix` has the picture track's a, b, c, d as
    /// whole numbers; `created` counts seconds since 1904.
    package static func mp4(width: Int, height: Int, matrix: [Int], milliseconds: Int, created: Int) -> [UInt8] {
        let fixed = { (value: Int) in PixelGrid.bigEndian(Int(UInt32(bitPattern: Int32(value << 16)))) }
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        let movie =
            zeros(4) + PixelGrid.bigEndian(created) + zeros(4) + PixelGrid.bigEndian(1000)
            + PixelGrid.bigEndian(milliseconds) + zeros(80)
        let track = { (width: Int, height: Int) in
            zeros(40) + fixed(matrix[0]) + fixed(matrix[1]) + zeros(4) + fixed(matrix[2]) + fixed(matrix[3]) + zeros(16)
                + fixed(width) + fixed(height)
        }
        return box("ftyp", Array("isom".utf8) + zeros(4) + Array("mp42".utf8)) + box("mdat", zeros(100))
            + box(
                "moov",
                box("mvhd", movie) + box("trak", box("tkhd", track(0, 0)))
                    + box("trak", box("tkhd", track(width, height))))
    }

    /// A box of an MP4 file; its type is written as Latin-1.
    package static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        PixelGrid.bigEndian(content.count + 8) + type.unicodeScalars.map { UInt8($0.value) } + content
    }

    /// A colour profile in which red and green have changed places: everybody sees whether it was obeyed.
    ///
    /// Source: ICC.1:2022, 7 (header, tag table) and 10 (curve, XYZ).
    package static let swappedProfile: [UInt8] = {
        // sRGB's primaries, adapted to D50.
        let red: [Double] = [0.43607, 0.22249, 0.01392]
        let green: [Double] = [0.38515, 0.71687, 0.09708]
        let blue: [Double] = [0.14307, 0.06061, 0.71410]
        let number = { (value: Double) in PixelGrid.bigEndian(Int(value * 65_536)) }
        let primary = { (xyz: [Double]) in Array("XYZ ".utf8) + PixelGrid.bigEndian(0) + xyz.flatMap(number) }
        let curve = Array("curv".utf8) + PixelGrid.bigEndian(0) + PixelGrid.bigEndian(1) + [2, 51, 0, 0]
        let tags =
            [("rXYZ", primary(green)), ("gXYZ", primary(red)), ("bXYZ", primary(blue))]
            + ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
        var table = PixelGrid.bigEndian(tags.count)
        var content: [UInt8] = []
        for (name, data) in tags {
            let offset = 128 + 4 + tags.count * 12 + content.count
            table += Array(name.utf8) + PixelGrid.bigEndian(offset) + PixelGrid.bigEndian(data.count)
            content += data
        }
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(0..<4, with: PixelGrid.bigEndian(128 + table.count + content.count))
        header.replaceSubrange(8..<12, with: [2, 0x40, 0, 0])
        header.replaceSubrange(12..<24, with: "mntrRGB XYZ ".utf8)
        header.replaceSubrange(36..<40, with: "acsp".utf8)
        header.replaceSubrange(68..<80, with: [0.9642, 1, 0.82491].flatMap(number))
        return header + table + content
    }()
}
