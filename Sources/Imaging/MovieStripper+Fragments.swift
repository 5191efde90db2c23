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
