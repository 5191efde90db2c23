/// What of a growing file the disk should begin to write while more of it comes, so that the sync at its end finds
/// little.
///
/// Without it the disk rests while bytes arrive, and the processor rests while the disk writes them.
struct EarlyWriteback {
    /// In bytes: long enough for few and large writes, short enough that little of a photo is left at its end.
    static let stride: Int64 = 1 << 20

    private var begun: Int64 = 0

    /// All whole strides of the first `bytes` bytes that were not given before.
    mutating func due(at bytes: Int64) -> Range<Int64>? {
        let end = bytes - bytes % Self.stride
        guard end > begun else { return nil }
        defer { begun = end }
        return begun..<end
    }
}
