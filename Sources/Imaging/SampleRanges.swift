internal import Media

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
