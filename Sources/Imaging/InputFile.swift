internal import Glibc
internal import Media

/// A file that was opened for reading by the parent process.
struct InputFile {
    /// Lent, not owned.
    let descriptor: Int32
    /// Bytes.
    let size: Int
    /// What its first bytes say; `nil` when Pics does not take such files.
    let type: SniffedType?

    init(_ descriptor: Int32) throws(ImagingError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .failed(detail: "fstat: \(errno)") }
        self.descriptor = descriptor
        size = Int(facts.st_size)
        type = SniffedType.of(firstBytes: try Self.read(descriptor, at: 0, count: min(256, size)))
    }

    /// Up to `count` bytes from `offset`; fewer at the end of the file.
    func bytes(at offset: Int, count: Int) throws(ImagingError) -> [UInt8] {
        guard offset >= 0, offset < size else { return [] }
        return try Self.read(descriptor, at: offset, count: min(count, size - offset))
    }

    /// The bytes in `range`; fewer at the end of the file.
    func bytes(of range: Range<Int>) throws(ImagingError) -> [UInt8] {
        try bytes(at: range.lowerBound, count: range.count)
    }

    /// The whole file.
    ///
    /// - Throws: `.refused(.unsupported)` when it has more than `limit` bytes.
    func allBytes(limit: Int) throws(ImagingError) -> [UInt8] {
        guard size <= limit else { throw .refused(.unsupported, detail: "\(size) bytes are too many to be edited") }
        return try bytes(at: 0, count: size)
    }

    private static func read(_ descriptor: Int32, at offset: Int, count: Int) throws(ImagingError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let result = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, offset + filled)
                if result < 0 && errno == EINTR { continue }
                if result < 0 { failure = errno }
                guard result > 0 else { break }
                filled += result
            }
        }
        guard failure == 0 else { throw .failed(detail: "pread: \(failure)") }
        return bytes
    }
}
