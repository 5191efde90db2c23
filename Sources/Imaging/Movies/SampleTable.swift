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
    ///   - boxes: The content of `stbl`.
    ///   - kind: Of the track.
    ///   - packing: The packing in the sample description of sound.
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

/// Bytes of a file that are samples.
struct SampleRanges {
    /// A day of pictures and sound in chunks of a tenth of a second has half of that.
    private static let mostRanges = 4_000_000

    private let fileSize: Int
    private var ranges: [Range<Int>] = []

    /// - Parameter fileSize: In bytes.
    init(fileSize: Int) {
        self.fileSize = fileSize
    }

    /// Adds `count` bytes at `offset`.
    ///
    /// - Throws: `.refused(.damaged)` when they are not in the file, `.refused(.tooCostly)` when there are too many.
    mutating func add(at offset: Int, count: Int) throws(ImagingError) {
        guard count > 0 else { return }
        guard offset >= 0, offset <= fileSize, count <= fileSize - offset else {
            throw .damaged("a sample of \(count) bytes at \(offset)")
        }
        if let last = ranges.last, last.upperBound == offset {
            ranges[ranges.count - 1] = last.lowerBound..<offset + count
        } else {
            guard ranges.count < Self.mostRanges else {
                throw .refused(.tooCostly, detail: "more than \(Self.mostRanges) chunks")
            }
            ranges.append(offset..<offset + count)
        }
    }

    /// All of them in order, each byte once.
    ///
    /// - Parameter mediaData: The contents of `mdat`, in order.
    /// - Returns: Ranges that do not touch.
    /// - Throws: `.refused(.damaged)` when a sample is elsewhere: there it could be anything.
    func sorted(inside mediaData: [Range<Int>]) throws(ImagingError) -> [Range<Int>] {
        var sorted: [Range<Int>] = []
        var place = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            while place < mediaData.count, mediaData[place].upperBound < range.upperBound { place += 1 }
            guard place < mediaData.count, mediaData[place].lowerBound <= range.lowerBound else {
                throw .damaged("a sample outside mdat at \(range.lowerBound)")
            }
            if let last = sorted.last, last.upperBound >= range.lowerBound {
                sorted[sorted.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                sorted.append(range)
            }
        }
        return sorted
    }
}

/// How some samples of a track are coded: an entry of `stsd`.
///
/// Source: ISO/IEC 14496-12, 12.1.3 and 12.2.3; QuickTime File Format, "Sound sample descriptions".
struct SampleDescription {
    /// The field of a picture description that holds a name of the encoder's choice, in bytes.
    static let encoderName = 42..<74
    /// Sound without compression, for which QuickTime's tables count single values as samples.
    private static let plainFormats: Set<String> = ["raw ", "NONE", "twos", "sowt"]

    let box: MovieBox
    /// How many bytes of fields it has; boxes follow.
    let fields: Int
    /// How many bytes so many samples of sound have, as far as the description says it.
    let packing: (bytes: Int, samples: Int)?

    init(_ box: MovieBox, _ kind: MovieStripper.Track.Kind, tableVersion: Int, of input: InputFile) throws(ImagingError)
    {
        self.box = box
        switch kind {
        case .picture:
            (fields, packing) = (78, nil)
        case .sound:
            let bytes = BigEndianReader(try input.bytes(of: box.content.prefix(44)))
            switch (try bytes.number(at: 8, count: 2), tableVersion) {
            case (1, 0):
                let (samples, length) = (try bytes.number(at: 28, count: 4), try bytes.number(at: 36, count: 4))
                (fields, packing) = (44, samples > 0 && length > 0 ? (length, samples) : nil)
            case (2, 0):
                (fields, packing) = (64, nil)
            default:
                let (channels, bits) = (try bytes.number(at: 16, count: 2), try bytes.number(at: 18, count: 2))
                (fields, packing) = (28, Self.plainFormats.contains(box.type) ? (channels * ((bits + 7) / 8), 1) : nil)
            }
        }
        guard box.content.count >= fields else { throw .damaged("a sample description of \(box.content.count) bytes") }
    }
}
