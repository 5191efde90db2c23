/// Sees the head of every frame that comes, in any pieces.
///
/// nghttp2 tells of the frames that it takes; a flood may as well be of those that it passes over, such as frames of unknown
/// types, or header fields of streams that it refuses.
struct FrameScanner {
    /// The first bytes of a connection are no frames (RFC 9113, section 3.4).
    private var skipped = 24
    private var head: (bytes: UInt64, count: Int) = (0, 0)

    struct FrameHead {
        let length: Int
        let type: UInt8
        let flags: UInt8
    }

    /// Calls `use` with the head of each frame that begins in `bytes`.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, _ use: (FrameHead) -> Void) {
        var index = 0
        while index < bytes.count {
            guard skipped == 0 else {
                let step = min(skipped, bytes.count - index)
                skipped -= step
                index += step
                continue
            }
            // Length, type and flags are five bytes; the stream's number is four more.
            if head.count < 5 { head.bytes = head.bytes << 8 | UInt64(bytes[index]) }
            head.count += 1
            index += 1
            guard head.count == 9 else { continue }
            let length = Int(head.bytes >> 16)
            use(
                FrameHead(
                    length: length, type: UInt8(truncatingIfNeeded: head.bytes >> 8),
                    flags: UInt8(truncatingIfNeeded: head.bytes)))
            head = (0, 0)
            skipped = length
        }
    }
}
