internal import Foundation
internal import Media

/// What an MP4 or QuickTime file says about itself in `moov`; no sample is touched.
///
/// Source: ISO/IEC 14496-12, 4.2 (boxes), 8.2.2 (`mvhd`), 8.3.2 (`tkhd`). It goes three levels deep and looks at a bounded
/// number of boxes, whatever the file says.
struct MovieHeader {
    private struct Box {
        let type: String
        /// Of what follows its header.
        let content: Range<Int>
    }

    private static let mostBoxes = 1000

    private var duration: Double?
    private var createdAt: Date?
    private var size: (width: Int, height: Int)?

    /// - Throws: `.refused(.damaged)` when there is no `moov`, or a box is longer than the file.
    init(of input: InputFile) throws(ImagingError) {
        let top = try Self.boxes(in: 0..<input.size, of: input) { $0.type == "moov" }
        guard let movie = top.last, movie.type == "moov" else {
            throw .refused(.damaged, detail: "no moov box")
        }
        for box in try Self.boxes(in: movie.content, of: input) {
            switch box.type {
            case "mvhd": try readMovie(box, of: input)
            case "trak" where size == nil: try readTrack(box, of: input)
            default: break
            }
        }
    }

    /// The facts, as far as they are there.
    func facts(as type: SniffedType) -> PictureFacts {
        PictureFacts(
            kind: .video, mediaType: type.mediaType, width: size?.width, height: size?.height,
            takenAt: createdAt.map { $0.formatted(.iso8601) }, duration: duration)
    }

    private mutating func readMovie(_ box: Box, of input: InputFile) throws(ImagingError) {
        let bytes = BigEndianReader(try input.bytes(at: box.content.lowerBound, count: min(32, box.content.count)))
        let isLong = bytes.integer(at: 0, count: 1) == 1
        guard let created = bytes.integer(at: 4, count: isLong ? 8 : 4),
            let scale = bytes.integer(at: isLong ? 20 : 12, count: 4),
            let length = bytes.integer(at: isLong ? 24 : 16, count: isLong ? 8 : 4)
        else { throw .refused(.damaged, detail: "mvhd is cut off") }
        // All bits set: unknown.
        let isKnown = length != (isLong ? UInt64.max : UInt64(UInt32.max))
        if scale > 0, isKnown { duration = Double(length) / Double(scale) }
        // Seconds since 1904 in UTC. Cameras without a clock write 0, or a time before the format existed.
        let seconds = Double(created) - 2_082_844_800
        if seconds > 0, seconds < 4_102_444_800 { createdAt = Date(timeIntervalSince1970: seconds) }
    }

    private mutating func readTrack(_ track: Box, of input: InputFile) throws(ImagingError) {
        let found = try Self.boxes(in: track.content, of: input) { $0.type == "tkhd" }
        guard let box = found.last, box.type == "tkhd" else { return }
        let bytes = BigEndianReader(try input.bytes(at: box.content.lowerBound, count: min(96, box.content.count)))
        let matrix = bytes.integer(at: 0, count: 1) == 1 ? 52 : 40
        // The matrix has nine numbers of four bytes; width and height follow, 16.16 fixed.
        guard let width = bytes.integer(at: matrix + 36, count: 4),
            let height = bytes.integer(at: matrix + 40, count: 4),
            let a = bytes.integer(at: matrix, count: 4), let b = bytes.integer(at: matrix + 4, count: 4)
        else { throw .refused(.damaged, detail: "tkhd is cut off") }
        let (pixelWidth, pixelHeight) = (Int(width >> 16), Int(height >> 16))
        // A sound track has no size.
        guard pixelWidth > 0, pixelHeight > 0 else { return }
        // A turn by 90° maps x to y alone.
        size = a == 0 && b != 0 ? (pixelHeight, pixelWidth) : (pixelWidth, pixelHeight)
    }

    /// The boxes side by side in `range`, up to the first that `isLast` picks.
    private static func boxes(
        in range: Range<Int>, of input: InputFile, until isLast: (Box) -> Bool = { _ in false }
    ) throws(ImagingError) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            guard boxes.count < mostBoxes else { throw .refused(.damaged, detail: "too many boxes") }
            let bytes = try input.bytes(at: offset, count: 16)
            let header = BigEndianReader(bytes)
            guard let short = header.integer(at: 0, count: 4), bytes.count >= 8 else { break }
            // 1: the length follows in eight bytes. 0: to the end.
            let headerLength = short == 1 ? 16 : 8
            let length =
                short == 1 ? header.integer(at: 8, count: 8) : short == 0 ? UInt64(range.upperBound - offset) : short
            guard let length, length >= UInt64(headerLength), length <= UInt64(range.upperBound - offset) else {
                throw .refused(.damaged, detail: "a box too long at \(offset)")
            }
            let end = offset + Int(length)
            let box = Box(type: String(decoding: bytes[4..<8], as: UTF8.self), content: offset + headerLength..<end)
            boxes.append(box)
            if isLast(box) { break }
            offset = end
        }
        return boxes
    }
}

/// Numbers with their highest byte first.
private struct BigEndianReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number in `count` bytes, at most 8; `nil` if they are not all there.
    func integer(at offset: Int, count: Int) -> UInt64? {
        guard offset + count <= bytes.count else { return nil }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
