internal import Foundation
internal import Media

/// What an MP4 or QuickTime file says about itself in `moov`; no sample is touched.
///
/// Source: ISO/IEC 14496-12, 8.2.2 (`mvhd`), 8.3.2 (`tkhd`). It goes three levels deep and looks at a bounded number of
/// boxes, whatever the file says.
struct MovieHeader {
    private var duration: Double?
    private var createdAt: Date?
    private var size: (width: Int, height: Int)?

    /// - Throws: `.refused(.damaged)` when there is no `moov`, or a box is longer than the file.
    init(of input: InputFile) throws(ImagingError) {
        var reader = MovieBoxReader(input)
        let top = try reader.boxes { $0.type == "moov" }
        guard let movie = top.last, movie.type == "moov" else { throw .damaged("no moov box") }
        for box in try reader.boxes(in: movie.content) {
            switch box.type {
            case "mvhd": try readMovie(box, of: input)
            case "trak" where size == nil: try readTrack(box, with: &reader)
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

    private mutating func readMovie(_ box: MovieBox, of input: InputFile) throws(ImagingError) {
        let bytes = BigEndianReader(try input.bytes(of: box.content.prefix(32)))
        let isLong = bytes.integer(at: 0, count: 1) == 1
        guard let created = bytes.integer(at: 4, count: isLong ? 8 : 4),
            let scale = bytes.integer(at: isLong ? 20 : 12, count: 4),
            let length = bytes.integer(at: isLong ? 24 : 16, count: isLong ? 8 : 4)
        else { throw .damaged("mvhd is cut off") }
        // All bits set: unknown.
        let isKnown = length != (isLong ? UInt64.max : UInt64(UInt32.max))
        if scale > 0, isKnown { duration = Double(length) / Double(scale) }
        // Seconds since 1904 in UTC. Cameras without a clock write 0, or a time before the format existed.
        let seconds = Double(created) - 2_082_844_800
        if seconds > 0, seconds < 4_102_444_800 { createdAt = Date(timeIntervalSince1970: seconds) }
    }

    private mutating func readTrack(_ track: MovieBox, with reader: inout MovieBoxReader) throws(ImagingError) {
        guard let box = try reader.boxes(in: track.content).first(where: { $0.type == "tkhd" }) else { return }
        let bytes = BigEndianReader(try reader.input.bytes(of: box.content.prefix(96)))
        let matrix = bytes.integer(at: 0, count: 1) == 1 ? 52 : 40
        // The matrix has nine numbers of four bytes; width and height follow, 16.16 fixed.
        guard let width = bytes.integer(at: matrix + 36, count: 4),
            let height = bytes.integer(at: matrix + 40, count: 4),
            let a = bytes.integer(at: matrix, count: 4), let b = bytes.integer(at: matrix + 4, count: 4)
        else { throw .damaged("tkhd is cut off") }
        let (pixelWidth, pixelHeight) = (Int(width >> 16), Int(height >> 16))
        // A sound track has no size.
        guard pixelWidth > 0, pixelHeight > 0 else { return }
        // A turn by 90° maps x to y alone.
        size = a == 0 && b != 0 ? (pixelHeight, pixelWidth) : (pixelWidth, pixelHeight)
    }
}
