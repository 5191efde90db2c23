internal import Glibc

/// A new file that was opened for writing by the parent process.
struct OutputFile {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes `pieces` one after the other, in place of what a process may have written that was killed over it.
    func write(_ pieces: [ArraySlice<UInt8>]) throws(ImagingError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw .failed(detail: "ftruncate: \(String(cString: strerror(errno)))")
        }
        for piece in pieces {
            var rest = piece
            while !rest.isEmpty {
                let result = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if result < 0 && errno == EINTR { continue }
                guard result > 0 else { throw .failed(detail: "write: \(String(cString: strerror(errno)))") }
                rest = rest.dropFirst(result)
            }
        }
    }
}
