internal import Glibc

/// Looks for the records, with a position among them, that AVCHD cameras hide in H.264 pictures.
///
/// Source: ExifTool, tags "H264", "MDPM": user data of supplemental information (ITU-T H.264, D.1.7) of this UUID.
struct MDPMScanner {
    private static let mark: [UInt8] =
        [0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66]
        + Array("MDPM".utf8)

    /// The last bytes of the block before, and where they end.
    private var tail: [UInt8] = []
    private var end = 0

    /// Whether records begin in `block`, or in the one before if `block` goes on where that ended.
    mutating func finds(in block: [UInt8], at offset: Int) -> Bool {
        let bytes = offset == end ? tail + block : block
        tail = Array(bytes.suffix(Self.mark.count - 1))
        end = offset + block.count
        return bytes.withUnsafeBytes { Self.isMark(in: $0) }
    }

    private static func isMark(in bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while rest.count >= mark.count, let place = firstPlace(in: UnsafeRawBufferPointer(rebasing: rest)) {
            rest = rest.dropFirst(place)
            if rest.starts(with: mark) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Where the mark's first byte stands; by the C library, which is fast.
    private static func firstPlace(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress, let place = memchr(start, Int32(mark[0]), bytes.count) else { return nil }
        return UnsafeRawPointer(place) - start
    }
}
