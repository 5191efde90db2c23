internal import FoundationEssentials
internal import Media

/// The facts of an MP4 or QuickTime file in `moov`; no sample is touched.
///
/// Source: ISO/IEC 14496-12, 8.2.2 (`mvhd`). It looks at a bounded number of boxes in a bounded depth, whatever the file
/// says.
struct MovieHeader {
    /// Longer than anybody films; a header that says more is wrong.
    private static let longest: Double = 366 * 24 * 3600

    /// Seconds.
    private(set) var duration: Double?
    private var createdAt: Date?
    /// As `PictureFacts.takenAt`, by the camera's clock.
    private var takenAt: String?
    private var picture: MovieTrack?
    private var sound: MovieTrack?
    private var position: PictureFacts.Position?
    private let playsFromStart: Bool

    /// Pixels of the upright picture.
    var size: (width: Int, height: Int)? { picture?.size }

    /// Whether the pictures are HDR, and how.
    var highRange: MovieTrack.HighRange? { picture?.highRange }

    /// - Throws: `.refused(.damaged)` when there is no `moov`, `.refused(.cutOff)` when a box is longer than the file.
    init(of input: InputFile) throws(ImagingError) {
        var reader = MovieBoxReader(input)
        // All of them: a file that was cut off is known by its last box.
        let top = try reader.boxes()
        guard let place = top.firstIndex(where: { $0.type == "moov" }) else { throw .damaged("no moov box") }
        playsFromStart = !top[..<place].contains { $0.type == "mdat" }
        for box in try reader.boxes(in: top[place].content) {
            switch box.type {
            case "mvhd": try readMovie(box, of: input)
            case "trak": take(try MovieTrack(box, with: &reader))
            case "udta", "meta":
                var search = MoviePosition(reader: reader)
                if position == nil { position = try search.position(in: box) }
                if takenAt == nil, box.type == "meta" { takenAt = try MovieCreationDate.text(in: box, &reader) }
            default: break
            }
        }
    }

    /// The facts, as far as they are there.
    func facts(as type: SniffedType) -> PictureFacts {
        PictureFacts(
            kind: .video, mediaType: type.mediaType, width: size?.width, height: size?.height,
            takenAt: takenAt ?? createdAt.map { $0.formatted(.iso8601) }, position: position, duration: duration,
            video: PictureFacts.Video(
                rotation: picture?.rotation ?? 0, frameRate: picture?.frameRate, pictureFormat: picture?.format,
                soundFormat: sound?.format, playsFromStart: playsFromStart))
    }

    /// The first of each kind is the one that players show. A track that hides its kind counts as pictures if it has a size.
    private mutating func take(_ track: MovieTrack) {
        switch track.handler {
        case "soun": sound = sound ?? track
        case "vide", nil: if picture?.size == nil, track.size != nil { picture = track }
        default: break
        }
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
        if scale > 0, isKnown, Double(length) / Double(scale) <= Self.longest {
            duration = Double(length) / Double(scale)
        }
        // Seconds since 1904 in UTC. Cameras without a clock write 0, or a time before the format existed.
        let seconds = Double(created) - 2_082_844_800
        if seconds > 0, seconds < 4_102_444_800 { createdAt = Date(timeIntervalSince1970: seconds) }
    }
}
