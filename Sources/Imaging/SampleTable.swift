internal import Media

/// Which bytes of a file are the samples of a track, as its `stbl` says: chunks at offsets, with so many samples each.
///
/// Source: ISO/IEC 14496-12, 8.7.3 (`stsz`), 8.7.4 (`stsc`), 8.7.5 (`stco`, `co64`).
struct SampleTable {
    private enum Length {
        /// In bytes.
        case each(Int)
        /// So many bytes for so many samples.
        case packed(bytes: Int, samples: Int)
        case listed
    }

    private let sizes: BigEndianReader
    private let runs: BigEndianReader
    private let chunks: BigEndianReader
    private let sampleCount: Int
    private let runCount: Int
    private let chunkCount: Int
    /// Of an offset, in bytes.
    private let offsetWidth: Int
    private let length: Length

    /// - Parameters:
    ///   - boxes: What is in `stbl`.
    ///   - kind: Of the track.
    ///   - packing: What the sample description of sound says.
    ///   - input: The file.
    /// - Throws: `.refused(.damaged)` when a table is missing or cut off, `.refused(.unsupported)` for QuickTime's sound when
    ///   `packing` is unknown.
    init(
        _ boxes: [MovieBox], _ kind: MovieStripper.Track.Kind, _ packing: (bytes: Int, samples: Int)?,
        of input: InputFile
    ) throws(ImagingError) {
        offsetWidth = boxes.contains { $0.type == "co64" } ? 8 : 4
        let offsets = boxes.filter { $0.type == "stco" || $0.type == "co64" }
        guard offsets.count == 1 else { throw .damaged("\(offsets.count) tables of chunks") }
        chunks = BigEndianReader(try input.bytes(of: offsets[0].content))
        runs = BigEndianReader(try input.bytes(of: try MovieStripper.only("stsc", of: boxes).content))
        sizes = BigEndianReader(try input.bytes(of: try MovieStripper.only("stsz", of: boxes).content))
        chunkCount = try chunks.number(at: 4, count: 4)
        runCount = try runs.number(at: 4, count: 4)
        sampleCount = try sizes.number(at: 8, count: 4)

        switch (try sizes.number(at: 4, count: 4), kind, packing) {
        case (0, _, _): length = .listed
        // QuickTime writes 1 for sound whose samples are smaller or larger than a byte.
        case (1, .sound, let packing?): length = .packed(bytes: packing.bytes, samples: packing.samples)
        case (1, .sound, nil): throw .refused(.unsupported, detail: "sound with samples of unknown length")
        case (let size, _, let packing?): length = .each(max(size, packing.samples == 1 ? packing.bytes : 0))
        case (let size, _, nil): length = .each(size)
        }
        guard 8 + chunkCount * offsetWidth <= chunks.count, 8 + runCount * 12 <= runs.count else {
            throw .damaged("a table of chunks is cut off")
        }
        if case .listed = length, 12 + sampleCount * 4 > sizes.count { throw .damaged("a table of samples is cut off") }
        guard chunkCount == 0 || runCount > 0 else { throw .damaged("chunks without samples") }
    }

    /// Adds where the samples are.
    func add(to ranges: inout SampleRanges) throws(ImagingError) {
        var (run, sample) = (0, 0)
        for chunk in 0..<chunkCount {
            while run + 1 < runCount, try runs.number(at: 8 + (run + 1) * 12, count: 4) <= chunk + 1 { run += 1 }
            let count = min(try runs.number(at: 8 + run * 12 + 4, count: 4), sampleCount - sample)
            let offset = try chunks.number(at: 8 + chunk * offsetWidth, count: offsetWidth)
            try ranges.add(at: offset, count: try bytes(of: sample..<sample + count))
            sample += count
        }
    }

    private func bytes(of samples: Range<Int>) throws(ImagingError) -> Int {
        switch length {
        case .each(let size): return try product(samples.count, size)
        case .packed(let bytes, let count): return try product((samples.count + count - 1) / count, bytes)
        case .listed:
            var sum = 0
            for sample in samples { sum += try sizes.number(at: 12 + sample * 4, count: 4) }
            return sum
        }
    }

    private func product(_ a: Int, _ b: Int) throws(ImagingError) -> Int {
        let (product, isTooLarge) = a.multipliedReportingOverflow(by: b)
        guard !isTooLarge else { throw .damaged("\(a) samples of \(b) bytes") }
        return product
    }
}
