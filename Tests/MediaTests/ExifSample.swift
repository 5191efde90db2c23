import MediaSamples

/// An EXIF block put together byte by byte, for what no camera and no program writes.
///
/// Source: TIFF 6.0, section 2; EXIF 2.32, 4.6.
struct ExifSample {
    enum Value {
        /// In UTF-8, with NUL at its end.
        case text(String)
        case fractions([(Int, Int)])
        /// Where another directory begins.
        case directory(at: Int)

        /// The number of its type, how many there are, and their bytes.
        var stored: (type: Int, count: Int, bytes: [UInt8]) {
            switch self {
            case .text(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
            case .fractions(let fractions):
                (5, fractions.count, fractions.flatMap { ExifSample.number($0.0, 4) + ExifSample.number($0.1, 4) })
            case .directory(let offset): (4, 1, ExifSample.number(offset, 4))
            }
        }
    }

    /// By tag, as in the two others.
    var picture: [Int: Value] = [:]
    var photo: [Int: Value] = [:]
    var position: [Int: Value] = [:]

    var bytes: [UInt8] {
        let head = Array("II".utf8) + Self.number(42, 2) + Self.number(8, 4)
        let photoStart = head.count + pictures(photoStart: 0, positionStart: 0).count
        let photos = Self.directory(photo, at: photoStart)
        let positionStart = photoStart + photos.count
        return head + pictures(photoStart: photoStart, positionStart: positionStart) + photos
            + Self.directory(position, at: positionStart)
    }

    /// The flag as a PNG file with this block.
    var png: [UInt8] {
        // The signature and the header chunk come first.
        let file = PixelGrid.flag.png()
        return Array(file.prefix(33)) + PixelGrid.chunk("eXIf", bytes) + Array(file.dropFirst(33))
    }

    private func pictures(photoStart: Int, positionStart: Int) -> [UInt8] {
        var entries = picture
        entries[0x8769] = .directory(at: photoStart)
        entries[0x8825] = .directory(at: positionStart)
        return Self.directory(entries, at: 8)
    }

    /// A table of entries, then what does not fit into them; equal values are stored once.
    private static func directory(_ entries: [Int: Value], at start: Int) -> [UInt8] {
        var table = number(entries.count, 2)
        var data: [UInt8] = []
        var places: [[UInt8]: Int] = [:]
        let dataStart = start + 2 + entries.count * 12 + 4
        for (tag, value) in entries.sorted(by: { $0.key < $1.key }) {
            let (type, count, bytes) = value.stored
            table += number(tag, 2) + number(type, 2) + number(count, 4)
            if bytes.count <= 4 {
                table += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
                continue
            }
            let place = places[bytes] ?? dataStart + data.count
            if places.updateValue(place, forKey: bytes) == nil {
                data += bytes + [UInt8](repeating: 0, count: bytes.count % 2)
            }
            table += number(place, 4)
        }
        return table + number(0, 4) + data
    }

    /// With its lowest byte first.
    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(value).littleEndian) { Array($0.prefix(count)) }
    }
}
