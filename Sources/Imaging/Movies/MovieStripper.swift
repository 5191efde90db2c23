internal import Media

/// Answers `MediaRequest.strip` for a video: chooses box by box what stays in the copy.
///
/// A box that goes becomes `free` with zeros inside, so that every offset in the file stays right. Of the media data the
/// samples of pictures and sound stay; all between them, and all that other tracks hold, becomes zero. Then, if it is asked
/// for, the tables move before the media data.
struct MovieStripper {
    /// The longest `moov` or `moof`; hours of video have less.
    private static let mostHeaderBytes = 64 << 20

    /// The facts of a track.
    struct Track {
        enum Kind: String {
            case picture = "vide"
            case sound = "soun"
        }

        /// `nil` when it does not stay.
        var kind: Kind?
        /// From `trex`: the length of a sample in fragments that do not say it.
        var fragmentSampleSize = 0
    }

    let rules: StripRules
    /// The file.
    var input: InputFile { reader.input }
    var reader: MovieBoxReader
    var copy = BoxEraser()
    var samples: SampleRanges
    /// By the number in `tkhd`.
    var tracks: [Int: Track] = [:]
    /// Of the track that is being looked at.
    var kind = Track.Kind.picture
    /// Of the tracks that stay.
    var chunkOffsets: [ChunkOffsets] = []
    private var mediaData: [Range<Int>] = []

    /// Writes the copy without what `rules` do not keep.
    ///
    /// - Throws: `.refused(.damaged)`, `.refused(.tooCostly)` for a `moov` of more than 64 MiB, or `.refused(.unsupported)` when
    ///   the file is longer than `limits` let it be written, has no picture track, or one whose private content cannot be told
    ///   apart from the pictures.
    static func strip(
        _ input: InputFile, _ rules: StripRules, within limits: MediaLimits, to output: OutputFile
    ) throws(ImagingError) {
        guard input.size <= limits.fileBytes else {
            throw .refused(.unsupported, detail: "\(input.size) bytes are too many to be edited")
        }
        var stripper = MovieStripper(input, rules)
        let boxes = try stripper.reader.boxes()
        try stripper.chooseAll(boxes)
        let move = rules.movesTablesFirst ? try FastStart(boxes, stripper.chunkOffsets, of: input) : nil
        try stripper.copy.write(from: input, to: output, move)
        guard let move else { return }
        for table in stripper.chunkOffsets {
            try output.write(try table.moved(by: move, of: input)[...], at: move.place(of: table.range.lowerBound))
        }
    }

    private init(_ input: InputFile, _ rules: StripRules) {
        self.rules = rules
        reader = MovieBoxReader(input)
        samples = SampleRanges(fileSize: input.size)
    }

    private mutating func chooseAll(_ boxes: [MovieBox]) throws(ImagingError) {
        // Fragments need to know the tracks.
        let movie = try Self.only("moov", of: boxes)
        try choose(movie, in: "")
        guard tracks.values.contains(where: { $0.kind == .picture }) else {
            throw .refused(.unsupported, detail: "no track with pictures")
        }
        for box in boxes where box.type != "moov" { try choose(box, in: "") }
        for range in try samples.sorted(inside: mediaData) { copy.keep(range) }
    }

    /// Chooses what stays of `box`, which is in a box of the type `parent`.
    mutating func choose(_ box: MovieBox, in parent: String) throws(ImagingError) {
        guard BoxAllowList.children[parent]?.contains(box.type) == true else { return copy.blank(box) }
        switch box.type {
        case "mdat":
            copy.keep(box.header)
            mediaData.append(box.content)
        case "moov", "moof":
            guard box.whole.count <= Self.mostHeaderBytes else {
                throw .refused(.tooCostly, detail: "\(box.whole.count) bytes of \(box.type)")
            }
            if box.type == "moov" { try chooseChildren(of: box) } else { try chooseFragment(box) }
        case "trak": try chooseTrack(box)
        case "trex":
            let bytes = BigEndianReader(try input.bytes(of: box.content.prefix(24)))
            let (track, size) = (try bytes.number(at: 4, count: 4), try bytes.number(at: 16, count: 4))
            tracks[track, default: Track()].fragmentSampleSize = size
            copy.keep(box.whole)
        case "hdlr":
            // A name follows, which may be any text.
            copy.keep(box.header)
            copy.keep(box.content.prefix(24))
        case "dref": try chooseReferences(box)
        case "stsd": try chooseDescriptions(box)
        case "udta", "meta": try chooseNotes(box)
        default: try chooseChildren(of: box)
        }
    }

    /// Chooses what stays in `box`: all if it has no boxes inside.
    mutating func chooseChildren(of box: MovieBox) throws(ImagingError) {
        guard BoxAllowList.children[box.type] != nil else { return copy.keep(box.whole) }
        copy.keep(box.header)
        for child in try reader.boxes(in: box.content) { try choose(child, in: box.type) }
    }

    /// The only box of a type.
    ///
    /// - Throws: `.refused(.damaged)` when there is none, or a second one, of which another reader may believe the other.
    static func only(_ type: String, of boxes: [MovieBox]) throws(ImagingError) -> MovieBox {
        let found = boxes.filter { $0.type == type }
        guard found.count == 1 else { throw .damaged("\(found.count) boxes \(type)") }
        return found[0]
    }

    /// Data references: without the names of files elsewhere (8.7.2).
    private mutating func chooseReferences(_ box: MovieBox) throws(ImagingError) {
        copy.keep(box.header)
        copy.keep(box.content.prefix(8))
        for reference in try reader.boxes(in: box.content.dropFirst(8)) {
            let flags = try BigEndianReader(try input.bytes(of: reference.content.prefix(4))).number(at: 0, count: 4)
            guard flags & 1 == 1 else { throw .refused(.unsupported, detail: "media data in another file") }
            copy.keep(reference.header)
            copy.keep(reference.content.prefix(4))
        }
    }
}
