/// A box of an MP4 or QuickTime file: its length, its type, then its content, which may be boxes again.
///
/// Source: ISO/IEC 14496-12, 4.2; Apple, "QuickTime File Format", chapter "Atoms".
struct MovieBox {
    /// Four characters, read as Latin-1: many of QuickTime's begin with "©".
    let type: String
    /// From its length to its end.
    let whole: Range<Int>
    /// The bytes after its header.
    let content: Range<Int>

    var header: Range<Int> { whole.lowerBound..<content.lowerBound }
}

/// Finds the boxes of a file, and never more than a fixed number, whatever the file says.
struct MovieBoxReader {
    /// An hour of video in fragments of one second has half of that.
    private static let mostBoxes = 100_000

    let input: InputFile
    private var count = 0

    init(_ input: InputFile) {
        self.input = input
    }

    /// The boxes of the file itself, up to the first that `isLast` picks.
    ///
    /// - Throws: `.refused(.cutOff)` when a box is longer than the file, `.refused(.damaged)` when it is shorter than its header.
    mutating func boxes(until isLast: (MovieBox) -> Bool = { _ in false }) throws(ImagingError) -> [MovieBox] {
        var boxes: [MovieBox] = []
        var rest = 0..<input.size
        // A length of 0 lets the last box go on to the end of the file.
        while let box = try box(in: rest, lengthOfZero: rest.count) {
            boxes.append(box)
            if isLast(box) { break }
            rest = box.whole.upperBound..<rest.upperBound
        }
        return boxes
    }

    /// The boxes in `range`, which belongs to another box.
    ///
    /// - Throws: `.refused(.damaged)` when a box is longer than `range` or shorter than its header.
    mutating func boxes(in range: Range<Int>) throws(ImagingError) -> [MovieBox] {
        var boxes: [MovieBox] = []
        var rest = range
        // In here a length of 0 ends the list: QuickTime writes it behind user data.
        while let box = try box(in: rest, lengthOfZero: nil) {
            boxes.append(box)
            rest = box.whole.upperBound..<rest.upperBound
        }
        return boxes
    }

    /// The box at the beginning of `range`; `nil` if there is none.
    private mutating func box(in range: Range<Int>, lengthOfZero: Int?) throws(ImagingError) -> MovieBox? {
        guard range.count >= 8 else { return nil }
        let bytes = BigEndianReader(try input.bytes(at: range.lowerBound, count: min(16, range.count)))
        guard let type = bytes.characters(at: 4) else { return nil }
        count += 1
        guard count <= Self.mostBoxes else { throw .damaged("more than \(Self.mostBoxes) boxes") }
        var (header, length) = (8, try bytes.number(at: 0, count: 4))
        if length == 0 {
            guard let lengthOfZero else { return nil }
            length = lengthOfZero
        } else if length == 1 {
            (header, length) = (16, try bytes.number(at: 8, count: 8))
        }
        guard length >= header, length <= range.count else {
            let detail = "a box of \(length) bytes at \(range.lowerBound)"
            throw lengthOfZero != nil && length > range.count ? .cutOff(detail) : .damaged(detail)
        }
        let whole = range.prefix(length)
        return MovieBox(type: type, whole: whole, content: whole.dropFirst(header))
    }
}
