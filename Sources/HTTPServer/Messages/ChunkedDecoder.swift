/// Takes the chunked coding apart as the bytes come, in any pieces (RFC 9112, section 7.1).
///
/// A pure value that never copies: it says which bytes are data. Chunk extensions are checked and ignored, trailers are
/// checked and dropped, both within bounds.
struct ChunkedDecoder {
    /// The meaning of the next bytes.
    enum Step: Equatable {
        /// These are data.
        case data(Range<Int>)
        /// All were used up, more have to come.
        case more
        /// The body is over; what begins here belongs to the next request.
        case end(Int)
    }

    /// The coding was broken.
    struct Malformed: Error, Equatable {}

    /// The longest sum of all extensions of a body, and of all its trailers.
    static let overheadLimit = 8 << 10

    private enum State {
        case size(digits: Int), sizeSpace, `extension`, sizeLineEnd
        case data, dataEnd, dataLineEnd
        case trailerStart, trailerName, trailerValue, trailerLineEnd, lastLineEnd
        case over
    }

    private var state = State.size(digits: 0)
    /// The size being read, then what is left of the chunk's data.
    private var remaining = 0
    private var overhead = 0

    /// Looks at `bytes` from `start` on.
    mutating func next(_ bytes: Span<UInt8>, from start: Int) throws(Malformed) -> Step {
        var index = start
        while index < bytes.count {
            if case .data = state {
                let end = min(bytes.count, index + remaining)
                remaining -= end - index
                if remaining == 0 { state = .dataEnd }
                return .data(index..<end)
            }
            state = try next(after: bytes[index])
            index += 1
            if case .over = state { return .end(index) }
        }
        if case .over = state { return .end(index) }
        return .more
    }

    private mutating func next(after byte: UInt8) throws(Malformed) -> State {
        switch state {
        case .size(let digits):
            if let value = byte.hexValue {
                // 15 digits stay within an Int, and nobody needs leading zeros without end.
                guard digits < 15 else { throw Malformed() }
                remaining = remaining << 4 | Int(value)
                return .size(digits: digits + 1)
            }
            guard digits > 0 else { throw Malformed() }
            if byte == .cr { return .sizeLineEnd }
            fallthrough
        case .sizeSpace:
            // Bad whitespace, which only an extension may have before it (section 7.1.1).
            if byte.isSpaceOrTab {
                try countOverhead()
                return .sizeSpace
            }
            return try require(byte == UInt8(ascii: ";"), then: .extension)
        case .extension:
            if byte == .cr { return .sizeLineEnd }
            try countOverhead()
            return try require(byte.isFieldValue, then: .extension)
        case .sizeLineEnd:
            return try require(byte == .lf, then: remaining == 0 ? .trailerStart : .data)
        case .dataEnd:
            return try require(byte == .cr, then: .dataLineEnd)
        case .dataLineEnd:
            return try require(byte == .lf, then: .size(digits: 0))
        case .trailerStart:
            if byte == .cr { return .lastLineEnd }
            try countOverhead()
            return try require(byte.isToken, then: .trailerName)
        case .trailerName:
            try countOverhead()
            if byte == UInt8(ascii: ":") { return .trailerValue }
            return try require(byte.isToken, then: .trailerName)
        case .trailerValue:
            if byte == .cr { return .trailerLineEnd }
            try countOverhead()
            return try require(byte.isFieldValue, then: .trailerValue)
        case .trailerLineEnd:
            return try require(byte == .lf, then: .trailerStart)
        case .lastLineEnd:
            return try require(byte == .lf, then: .over)
        case .data, .over:
            return state
        }
    }

    private func require(_ condition: Bool, then next: State) throws(Malformed) -> State {
        guard condition else { throw Malformed() }
        return next
    }

    private mutating func countOverhead() throws(Malformed) {
        overhead += 1
        guard overhead <= Self.overheadLimit else { throw Malformed() }
    }
}
