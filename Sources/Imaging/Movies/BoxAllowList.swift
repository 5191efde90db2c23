/// The boxes of a movie that everybody may see. All lists say what stays, never what goes.
///
/// Source: ISO/IEC 14496-12, table 1; Apple, "QuickTime File Format"; MP4 Registration Authority, mp4ra.org.
enum BoxAllowList {
    /// By the type of a box, the types of the boxes that stay in it; the file itself has the type "". A box that is not a key
    /// stays whole. Nothing stays that is deeper than this tree.
    static let children: [String: Set<String>] = [
        "": ["ftyp", "styp", "moov", "mdat", "moof", "sidx", "mfra"],
        "moov": ["mvhd", "trak", "mvex", "udta", "meta"],
        "trak": ["tkhd", "edts", "mdia", "tapt"],
        "edts": ["elst"],
        "tapt": ["clef", "prof", "enof"],
        "mdia": ["mdhd", "hdlr", "elng", "minf"],
        "minf": ["vmhd", "smhd", "hdlr", "dinf", "stbl"],
        "dinf": ["dref"],
        "stbl": [
            "stsd", "stts", "ctts", "cslg", "stss", "stps", "sdtp", "stsc", "stsz", "stco", "co64", "sgpd", "sbgp",
        ],
        "mvex": ["mehd", "trex"],
        "moof": ["mfhd", "traf"],
        "traf": ["tfhd", "tfdt", "trun", "sdtp", "sgpd", "sbgp"],
        "mfra": ["tfra", "mfro"],
    ]

    /// Codecs whose pictures have no room for files in files, as JPEG with its EXIF has.
    static let pictureFormats: Set<String> = [
        "avc1", "avc2", "avc3", "avc4", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "vvc1", "vvi1", "av01", "vp08",
        "vp09", "mp4v", "s263", "h263", "apco", "apcs", "apcn", "apch", "ap4h", "ap4x",
    ]

    /// Boxes inside a sample description that decoders need.
    static let descriptionExtensions: Set<String> = [
        // Pictures.
        "avcC", "hvcC", "lhvC", "vvcC", "av1C", "vpcC", "dvcC", "dvvC", "dvwC", "hvcE", "d263", "esds", "colr", "pasp",
        "clap", "fiel", "gama", "btrt", "mdcv", "clli", "SmDm", "CoLL", "amve", "st3d", "sv3d", "vexu", "hfov",
        // Sound.
        "wave", "chan", "chnl", "srat", "dac3", "dec3", "dac4", "alac", "dfLa", "dOps", "damr", "mhaC", "pcmC", "SA3D",
    ]

    /// Types of user data, and of metadata items that have a type.
    static let notes: Set<String> = ["©cpy", "cprt"]
    /// Names of metadata items that have a name.
    static let keys: Set<String> = ["com.apple.quicktime.copyright", "com.apple.quicktime.creationdate"]

    /// As `notes`, where the position is to stay.
    static let positionNotes: Set<String> = ["©xyz", "loci"]
    /// As `keys`, where the position is to stay.
    static let positionKeys: Set<String> = ["com.apple.quicktime.location.ISO6709"]
}

/// How a movie's tables come before its media data: `moov` goes to where the first `mdat` begins, and all from there to where
/// it was moves up by its length. Everything else stays, and the file is as long as before.
struct FastStart {
    private let movie: Range<Int>
    private let place: Int

    /// `nil` when there is nothing to move, or not by this means: in fragments, offsets stand in other places, too.
    ///
    /// - Parameters:
    ///   - boxes: All boxes of the file, of which one is `moov`.
    ///   - tables: Its offsets to chunks; those of 32 bits leave no room in a file of more than 4 GiB.
    ///   - input: The file.
    /// - Throws: `.failed` when it cannot be read.
    init?(_ boxes: [MovieBox], _ tables: [ChunkOffsets], of input: InputFile) throws(ImagingError) {
        guard let movie = boxes.first(where: { $0.type == "moov" })?.whole,
            let place = boxes.first(where: { $0.type == "mdat" })?.whole.lowerBound, place < movie.lowerBound,
            !boxes.contains(where: { $0.type == "moof" }),
            movie.upperBound <= UInt32.max || tables.allSatisfy({ $0.width == 8 }),
            // A length of 0 means all that follows, which is right at the end only.
            try BigEndianReader(try input.bytes(of: movie.prefix(4))).number(at: 0, count: 4) != 0
        else { return nil }
        self.movie = movie
        self.place = place
    }

    /// Where a byte goes.
    func place(of offset: Int) -> Int {
        if movie.contains(offset) { return offset - movie.lowerBound + place }
        return (place..<movie.lowerBound).contains(offset) ? offset + movie.count : offset
    }

    /// How many bytes from `offset` on stay together.
    func run(from offset: Int) -> Int {
        let ends = [place, movie.lowerBound, movie.upperBound]
        return (ends.first { $0 > offset } ?? Int.max) - offset
    }
}

/// A table of where a track's chunks are: the content of `stco` or `co64`.
///
/// Source: ISO/IEC 14496-12, 8.7.5.
struct ChunkOffsets {
    /// The numbers themselves.
    let range: Range<Int>
    /// Of one number, in bytes: 4 or 8.
    let width: Int

    /// - Throws: `.refused(.damaged)` when the table is longer than its box.
    init(_ box: MovieBox, of input: InputFile) throws(ImagingError) {
        width = box.type == "co64" ? 8 : 4
        let count = try BigEndianReader(try input.bytes(of: box.content.prefix(8))).number(at: 4, count: 4)
        let entries = box.content.dropFirst(8)
        guard count * width <= entries.count else { throw .damaged("a table of chunks is cut off") }
        range = entries.prefix(count * width)
    }

    /// The numbers as they are after `move`.
    func moved(by move: FastStart, of input: InputFile) throws(ImagingError) -> [UInt8] {
        let reader = BigEndianReader(try input.bytes(of: range))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for entry in stride(from: 0, to: range.count, by: width) {
            let offset = move.place(of: try reader.number(at: entry, count: width))
            for shift in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: offset >> (shift * 8))) }
        }
        return bytes
    }
}
