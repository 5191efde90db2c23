internal import Media

extension MovieStripper {
    /// Chooses what stays of a track: nothing unless it has pictures or sound. Subtitles, too, may be a drone's flight record.
    mutating func chooseTrack(_ track: MovieBox) throws(ImagingError) {
        let parts = try reader.boxes(in: track.content)
        let header = BigEndianReader(try input.bytes(of: try Self.only("tkhd", of: parts).content.prefix(24)))
        let number = try header.number(at: try header.number(at: 0, count: 1) == 1 ? 20 : 12, count: 4)
        let media = try reader.boxes(in: try Self.only("mdia", of: parts).content)
        let handler = BigEndianReader(try input.bytes(of: try Self.only("hdlr", of: media).content.prefix(12)))
        guard let kind = handler.characters(at: 8).flatMap(Track.Kind.init(rawValue:)) else { return copy.blank(track) }
        guard tracks[number]?.kind == nil else { throw .damaged("two tracks \(number)") }
        tracks[number, default: Track()].kind = kind

        self.kind = kind
        try chooseChildren(of: track)
        let information = try reader.boxes(in: try Self.only("minf", of: media).content)
        let table = try reader.boxes(in: try Self.only("stbl", of: information).content)
        let packing = kind == .sound ? try descriptions(in: try Self.only("stsd", of: table)).first?.packing : nil
        try SampleTable(table, kind, packing, of: input).add(to: &samples)
        for box in table where box.type == "stco" || box.type == "co64" {
            chunkOffsets.append(try ChunkOffsets(box, of: input))
        }
    }

    /// Chooses what stays of sample descriptions: their own fields but for the encoder's name, and the boxes that are known.
    mutating func chooseDescriptions(_ box: MovieBox) throws(ImagingError) {
        copy.keep(box.header)
        copy.keep(box.content.prefix(8))
        for description in try descriptions(in: box) {
            let content = description.box.content
            copy.keep(description.box.header)
            if kind == .picture {
                guard BoxAllowList.pictureFormats.contains(description.box.type) else {
                    throw .refused(.unsupported, detail: "pictures of the format \(description.box.type)")
                }
                copy.keep(content.prefix(SampleDescription.encoderName.lowerBound))
                copy.keep(content.prefix(description.fields).dropFirst(SampleDescription.encoderName.upperBound))
            } else {
                copy.keep(content.prefix(description.fields))
            }
            for box in try reader.boxes(in: content.dropFirst(description.fields)) {
                if BoxAllowList.descriptionExtensions.contains(box.type) {
                    copy.keep(box.whole)
                } else {
                    copy.blank(box)
                }
            }
        }
    }

    private mutating func descriptions(in box: MovieBox) throws(ImagingError) -> [SampleDescription] {
        let head = BigEndianReader(try input.bytes(of: box.content.prefix(8)))
        let version = try head.number(at: 0, count: 1)
        var descriptions: [SampleDescription] = []
        for box in try reader.boxes(in: box.content.dropFirst(8)) {
            descriptions.append(try SampleDescription(box, kind, tableVersion: version, of: input))
        }
        return descriptions
    }
}

/// Movies in fragments, as browsers record them: each `moof` tells of the samples in the `mdat` behind it.
///
/// Source: ISO/IEC 14496-12, 8.8.4 (`moof`), 8.8.7 (`tfhd`), 8.8.8 (`trun`).
extension MovieStripper {
    private enum HeaderFlag {
        static let baseOffset = 0x01
        static let descriptionIndex = 0x02
        static let sampleDuration = 0x08
        static let sampleSize = 0x10
        static let baseIsFragment = 0x02_0000
    }

    private enum RunFlag {
        static let dataOffset = 0x01
        static let firstSampleFlags = 0x04
        static let sampleDuration = 0x100
        static let sampleSize = 0x200
        static let sampleFlags = 0x400
        static let sampleTimeOffset = 0x800
    }

    /// Chooses what stays of a `moof`.
    mutating func chooseFragment(_ fragment: MovieBox) throws(ImagingError) {
        copy.keep(fragment.header)
        // Samples that say nothing of their place follow those before.
        var end = fragment.whole.lowerBound
        for box in try reader.boxes(in: fragment.content) {
            if box.type == "traf" {
                try chooseTrackFragment(box, of: fragment, after: &end)
            } else {
                try choose(box, in: fragment.type)
            }
        }
    }

    private mutating func chooseTrackFragment(
        _ box: MovieBox, of fragment: MovieBox, after end: inout Int
    ) throws(ImagingError) {
        let parts = try reader.boxes(in: box.content)
        let header = BigEndianReader(try input.bytes(of: try Self.only("tfhd", of: parts).content.prefix(28)))
        let flags = try header.number(at: 1, count: 3)
        let track = tracks[try header.number(at: 4, count: 4)] ?? Track()
        var (base, sampleSize, offset) = (end, track.fragmentSampleSize, 8)
        if flags & HeaderFlag.baseOffset != 0 {
            base = try header.number(at: offset, count: 8)
            offset += 8
        } else if flags & HeaderFlag.baseIsFragment != 0 {
            base = fragment.whole.lowerBound
        }
        guard base <= input.size else { throw .damaged("samples at \(base)") }
        for flag in [HeaderFlag.descriptionIndex, HeaderFlag.sampleDuration] where flags & flag != 0 { offset += 4 }
        if flags & HeaderFlag.sampleSize != 0 { sampleSize = try header.number(at: offset, count: 4) }

        end = base
        for run in parts where run.type == "trun" {
            let range = try place(of: run, base: base, after: end, sampleSize: sampleSize)
            if track.kind != nil { try samples.add(at: range.lowerBound, count: range.count) }
            end = range.upperBound
        }
        if track.kind == nil { copy.blank(box) } else { try chooseChildren(of: box) }
    }

    /// Where the samples of a run are.
    private func place(
        of run: MovieBox, base: Int, after end: Int, sampleSize: Int
    ) throws(ImagingError) -> Range<Int> {
        let bytes = BigEndianReader(try input.bytes(of: run.content))
        let (flags, count) = (try bytes.number(at: 1, count: 3), try bytes.number(at: 4, count: 4))
        var (start, table) = (end, 8)
        if flags & RunFlag.dataOffset != 0 {
            start = base + Int(Int32(truncatingIfNeeded: try bytes.number(at: table, count: 4)))
            table += 4
        }
        if flags & RunFlag.firstSampleFlags != 0 { table += 4 }
        let optional = [RunFlag.sampleDuration, RunFlag.sampleSize, RunFlag.sampleFlags, RunFlag.sampleTimeOffset]
        let width = 4 * optional.count { flags & $0 != 0 }
        var length = 0
        if flags & RunFlag.sampleSize != 0 {
            let place = table + (flags & RunFlag.sampleDuration != 0 ? 4 : 0)
            guard table + count * width <= bytes.count else { throw .damaged("a run is cut off") }
            for sample in 0..<count { length += try bytes.number(at: place + sample * width, count: 4) }
        } else {
            // Both numbers have 32 bits.
            length = Int(clamping: UInt64(count) * UInt64(sampleSize))
        }
        guard start >= 0, start <= input.size, length <= input.size - start else {
            throw .damaged("a run of \(length) bytes at \(start)")
        }
        return start..<start + length
    }
}
