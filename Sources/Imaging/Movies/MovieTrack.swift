/// The facts of a track; an absent one is `nil`.
///
/// Source: ISO/IEC 14496-12, 8.3.2 (`tkhd`), 8.4.2 (`mdhd`), 8.4.3 (`hdlr`), 8.5.2 (`stsd`), 8.7.3 (`stsz`), 12.1.5 (`colr`).
struct MovieTrack {
    /// More frames a second than a phone takes in slow motion.
    private static let fastest: Double = 1000

    /// `vide`, `soun` and others.
    private(set) var handler: String?
    /// Pixels of the upright picture, with the shape that pixels have; sound has none.
    private(set) var size: (width: Int, height: Int)?
    /// Degrees clockwise: 0, 90, 180 or 270.
    private(set) var rotation = 0
    /// By which four characters its first sample description is known.
    private(set) var format: String?
    /// Frames a second.
    private(set) var frameRate: Double?
    /// Pictures that are brighter than a usual screen shows.
    private(set) var highRange: HighRange?

    /// A transfer of light of HDR (ITU-T H.273, table 3).
    enum HighRange: UInt64 {
        /// SMPTE ST 2084.
        case perceptualQuantizer = 16
        /// ARIB STD-B67.
        case hybridLogGamma = 18
    }

    /// - Throws: `.refused(.damaged)` when a box is longer than the one around it.
    init(_ track: MovieBox, with reader: inout MovieBoxReader) throws(ImagingError) {
        let parts = try reader.boxes(in: track.content)
        if let box = parts.first(where: { $0.type == "mdia" }) { try readMedia(box, with: &reader) }
        if let box = parts.first(where: { $0.type == "tkhd" }) { try readHeader(box, of: reader.input) }
    }

    private mutating func readHeader(_ box: MovieBox, of input: InputFile) throws(ImagingError) {
        let bytes = BigEndianReader(try input.bytes(of: box.content.prefix(96)))
        let matrix = bytes.integer(at: 0, count: 1) == 1 ? 52 : 40
        // The matrix has nine numbers of four bytes; width and height follow, 16.16 fixed.
        guard let width = bytes.integer(at: matrix + 36, count: 4),
            let height = bytes.integer(at: matrix + 40, count: 4),
            let a = bytes.integer(at: matrix, count: 4), let b = bytes.integer(at: matrix + 4, count: 4)
        else { throw .damaged("tkhd is cut off") }
        rotation = Self.rotation(Int32(truncatingIfNeeded: a), Int32(truncatingIfNeeded: b))
        // A sound track has no size; some recorders write none for pictures either, and the coded size is all there is.
        let shown = (width: Int(width >> 16), height: Int(height >> 16))
        let stored = shown.width > 0 && shown.height > 0 ? shown : size
        guard let stored else { return }
        size = rotation % 180 == 0 ? stored : (stored.height, stored.width)
    }

    /// Where the matrix turns the x axis to; what is no quarter of a turn counts as none.
    private static func rotation(_ a: Int32, _ b: Int32) -> Int {
        switch (a.signum(), b.signum()) {
        case (0, 1): 90
        case (-1, 0): 180
        case (0, -1): 270
        default: 0
        }
    }

    private mutating func readMedia(_ media: MovieBox, with reader: inout MovieBoxReader) throws(ImagingError) {
        let input = reader.input
        var seconds: Double?
        var information: MovieBox?
        for box in try reader.boxes(in: media.content) {
            switch box.type {
            case "hdlr": handler = BigEndianReader(try input.bytes(of: box.content.prefix(12))).characters(at: 8)
            case "mdhd": seconds = Self.seconds(BigEndianReader(try input.bytes(of: box.content.prefix(32))))
            case "minf": information = box
            default: break
            }
        }
        guard let information,
            let table = try reader.boxes(in: information.content).first(where: { $0.type == "stbl" })
        else { return }
        for box in try reader.boxes(in: table.content) {
            switch box.type {
            case "stsd":
                guard box.content.count > 8 else { break }
                // An entry of pictures: its header of 8 bytes, 24 of other fields, then the coded size.
                let entry = BigEndianReader(try input.bytes(of: box.content.dropFirst(8).prefix(36)))
                format = Self.printable(entry.characters(at: 4))
                guard handler == "vide", let width = entry.integer(at: 32, count: 2), width > 0,
                    let height = entry.integer(at: 34, count: 2), height > 0
                else { break }
                size = (Int(width), Int(height))
                // Behind its header and 78 bytes of fields.
                let rest = max(0, Int(clamping: entry.integer(at: 0, count: 4) ?? 0) - 86)
                highRange = Self.highRange(in: box.content.dropFirst(8 + 86).prefix(rest), with: &reader)
            case "stsz" where handler == "vide":
                let count = BigEndianReader(try input.bytes(of: box.content.prefix(12))).integer(at: 8, count: 4)
                frameRate = Self.rate(of: count, in: seconds)
            default: break
            }
        }
    }

    /// The facts in the boxes behind the fields of a picture description; other boxes do not matter here.
    private static func highRange(in boxes: Range<Int>, with reader: inout MovieBoxReader) -> HighRange? {
        do throws(ImagingError) {
            guard let colour = try reader.boxes(in: boxes).first(where: { $0.type == "colr" }) else { return nil }
            let bytes = BigEndianReader(try reader.input.bytes(of: colour.content.prefix(8)))
            guard let kind = bytes.characters(at: 0), kind == "nclx" || kind == "nclc" else { return nil }
            return bytes.integer(at: 6, count: 2).flatMap { HighRange(rawValue: $0) }
        } catch {
            return nil
        }
    }

    private static func seconds(_ header: BigEndianReader) -> Double? {
        let isLong = header.integer(at: 0, count: 1) == 1
        guard let scale = header.integer(at: isLong ? 20 : 12, count: 4), scale > 0,
            let length = header.integer(at: isLong ? 24 : 16, count: isLong ? 8 : 4)
        else { return nil }
        return Double(length) / Double(scale)
    }

    private static func rate(of count: UInt64?, in seconds: Double?) -> Double? {
        guard let count, count > 0, let seconds, seconds > 0 else { return nil }
        let rate = (Double(count) / seconds * 1000).rounded() / 1000
        return rate > 0 && rate <= fastest ? rate : nil
    }

    /// Four characters that may be shown anywhere; `nil` for what is none.
    private static func printable(_ format: String?) -> String? {
        guard let format, format.unicodeScalars.allSatisfy({ (0x20...0x7E).contains($0.value) }) else { return nil }
        let trimmed = format.split(separator: " ").joined(separator: " ")
        return trimmed.isEmpty ? nil : trimmed
    }
}
