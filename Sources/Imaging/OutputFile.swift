internal import Glibc

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
