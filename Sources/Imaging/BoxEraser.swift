internal import Media

/// A copy of a movie in the making: as long as the movie, and zero wherever nothing was chosen to stay.
///
/// What stays, stays at its offset, since the tables of a movie point to offsets of the file; or all moves as one
/// `FastStart` says, which the tables follow.
struct BoxEraser {
    private static let blockLength = 1 << 20
    private static let freeType = Array("free".utf8)
    /// Boxes that hold nothing: ISO/IEC 14496-12, 8.1.2; QuickTime File Format, "Free, skip and wide atoms".
    private static let emptyTypes: Set<String> = ["free", "skip", "wide"]

    private var kept: [Range<Int>] = []
    /// Where a type becomes `free`.
    private var freed: [Int] = []

    /// Lets bytes stay.
    mutating func keep(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if let last = kept.last, last.upperBound == range.lowerBound {
            kept[kept.count - 1] = last.lowerBound..<range.upperBound
        } else {
            kept.append(range)
        }
    }

    /// Lets a box stay as one that holds nothing.
    mutating func blank(_ box: MovieBox) {
        if Self.emptyTypes.contains(box.type) {
            keep(box.header)
        } else {
            keep(box.header.prefix(4))
            keep(box.header.dropFirst(8))
            freed.append(box.whole.lowerBound + 4)
        }
    }

    /// Adds what was chosen apart from it.
    mutating func append(_ other: BoxEraser) {
        for range in other.kept { keep(range) }
        freed += other.freed
    }

    /// Writes the copy, each byte where `move` puts it.
    ///
    /// - Throws: `.refused(.unsupported)` when a camera wrote its records into the pictures themselves.
    func write(from input: InputFile, to output: OutputFile, _ move: FastStart?) throws(ImagingError) {
        try output.clear(count: input.size)
        var search = MDPMScanner()
        for range in kept.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            var rest = range
            while !rest.isEmpty {
                let part = rest.prefix(min(Self.blockLength, move?.run(from: rest.lowerBound) ?? Self.blockLength))
                let block = try input.bytes(of: part)
                guard block.count == part.count else { throw .failed(detail: "the file became shorter") }
                guard !search.finds(in: block, at: part.lowerBound) else {
                    throw .refused(.unsupported, detail: "camera records among the pictures")
                }
                try output.write(block[...], at: move?.place(of: part.lowerBound) ?? part.lowerBound)
                rest = rest.dropFirst(part.count)
            }
        }
        for offset in freed { try output.write(Self.freeType[...], at: move?.place(of: offset) ?? offset) }
    }
}
