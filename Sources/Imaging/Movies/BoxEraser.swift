internal import Glibc
internal import Media

/// A copy of a movie in the making: as long as the movie, and zero wherever nothing was chosen to stay.
///
/// Bytes that stay keep their offset, since the tables of a movie point to offsets of the file; or all moves as one
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

/// Looks for the records, with a position among them, that AVCHD cameras hide in H.264 pictures.
///
/// Source: ExifTool, tags "H264", "MDPM": user data of supplemental information (ITU-T H.264, D.1.7) of this UUID.
struct MDPMScanner {
    private static let mark: [UInt8] =
        [0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66]
        + Array("MDPM".utf8)

    /// The last bytes of the block before, and where they end.
    private var tail: [UInt8] = []
    private var end = 0

    /// Whether records begin in `block`, or in the one before if `block` goes on where that ended.
    mutating func finds(in block: [UInt8], at offset: Int) -> Bool {
        let bytes = offset == end ? tail + block : block
        tail = Array(bytes.suffix(Self.mark.count - 1))
        end = offset + block.count
        return bytes.withUnsafeBytes { Self.isMark(in: $0) }
    }

    private static func isMark(in bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while rest.count >= mark.count, let place = firstPlace(in: UnsafeRawBufferPointer(rebasing: rest)) {
            rest = rest.dropFirst(place)
            if rest.starts(with: mark) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// The position of the mark's first byte, nil without one; by the C library, which is fast.
    private static func firstPlace(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress, let place = memchr(start, Int32(mark[0]), bytes.count) else { return nil }
        return UnsafeRawPointer(place) - start
    }
}
