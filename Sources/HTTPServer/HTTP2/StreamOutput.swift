/// The body of an answer on its way into DATA frames, in order.
struct StreamOutput {
    private enum Piece {
        case bytes(ArraySlice<UInt8>)
        case file(FileBody)
    }

    private var pieces: [Piece] = []
    /// The bytes that have still to be sent, of those that are there.
    private(set) var count: Int64 = 0
    /// Nothing will be appended any more.
    var hasEnded = false

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        pieces.append(.bytes(bytes))
        count += Int64(bytes.count)
    }

    mutating func append(_ file: FileBody) {
        guard file.length > 0 else { return }
        pieces.append(.file(file))
        count += file.length
    }

    mutating func removeAll() {
        pieces = []
        count = 0
    }

    /// Moves exactly `wanted` bytes into `output`; false when a file is shorter than it was said to be.
    mutating func move(_ wanted: Int, to output: OutputBuffer) -> Bool {
        var missing = wanted
        while missing > 0, let first = pieces.first {
            switch first {
            case .bytes(let bytes):
                let part = bytes.prefix(missing)
                output.append(part)
                missing -= part.count
                advance(part.count == bytes.count ? nil : .bytes(bytes.dropFirst(part.count)))
            case .file(let file):
                let part = Int(min(file.length, Int64(missing)))
                guard output.append(file: file.file.descriptor, offset: file.offset, count: part) else { return false }
                missing -= part
                let rest = FileBody(file.file, offset: file.offset + Int64(part), length: file.length - Int64(part))
                advance(rest.length == 0 ? nil : .file(rest))
            }
        }
        count -= Int64(wanted - missing)
        return missing == 0
    }

    private mutating func advance(_ rest: Piece?) {
        if let rest { pieces[0] = rest } else { pieces.removeFirst() }
    }
}
