internal import CVips
internal import Glibc
internal import Media

/// A file that was opened for reading by the parent process.
struct InputFile {
    /// Lent, not owned.
    let descriptor: Int32
    /// Bytes.
    let size: Int
    /// The type by its first bytes; `nil` when Pics does not take such files.
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

/// A new file that was opened for writing by the parent process.
struct OutputFile {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes `pieces` one after the other, in place of what a process may have written that was killed over it.
    func write(_ pieces: [ArraySlice<UInt8>]) throws(ImagingError) {
        try clear(count: 0)
        var offset = 0
        for piece in pieces {
            try write(piece, at: offset)
            offset += piece.count
        }
    }

    /// Makes it so many zeros, which take no room on the disk.
    func clear(count: Int) throws(ImagingError) {
        guard ftruncate(descriptor, 0) == 0, ftruncate(descriptor, count) == 0 else { throw Self.failure("ftruncate") }
    }

    /// Writes `bytes` over what is there.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(ImagingError) {
        var (rest, offset) = (bytes, offset)
        while !rest.isEmpty {
            let result = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
            if result < 0 && errno == EINTR { continue }
            guard result > 0 else { throw Self.failure("pwrite") }
            rest = rest.dropFirst(result)
            offset += result
        }
    }

    private static func failure(_ call: String) -> ImagingError {
        .failed(detail: "\(call): \(String(cString: strerror(errno)))")
    }
}
