internal import EventLoops
internal import Glibc

/// A file without a name, gone with its last descriptor: what has to be written before it can be sent, and must not be held in
/// memory.
final class SpoolFile: Sendable {
    private let descriptor: Int32
    private let threads: BlockingThreads

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ action: String) { description = "\(action): \(String(cString: strerror(errno)))" }
    }

    /// Makes one in `folder`.
    init(in folder: String, threads: BlockingThreads) async throws(Failure) {
        self.threads = threads
        descriptor = try await threads.run { () throws(Failure) in
            let path = "\(folder)/export-\(getpid())-\(UInt64.random(in: .min ... .max))"
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Failure("a file for the export cannot be made") }
            unlink(path)
            return descriptor
        }
    }

    /// Its bytes are deleted with it, which takes a while when there are many.
    deinit { threads.start { [descriptor] in close(descriptor) } }

    /// Writes all of `bytes` at its end.
    func append(_ bytes: [UInt8]) async throws(Failure) {
        try await threads.run { [descriptor] () throws(Failure) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 || errno == EINTR else { throw Failure("the export cannot be written") }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    /// Up to `length` bytes from `offset` on; none at its end.
    func read(at offset: Int64, _ length: Int) async throws(Failure) -> [UInt8] {
        try await Self.read(descriptor, at: offset, length, threads)
    }

    /// The same of any file that somebody holds open.
    static func read(
        _ descriptor: Int32, at offset: Int64, _ length: Int, _ threads: BlockingThreads
    ) async throws(Failure) -> [UInt8] {
        try await threads.run { () throws(Failure) in
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
                repeat {
                    count = pread(descriptor, buffer.baseAddress, length, off_t(offset))
                } while count < 0 && errno == EINTR
                initialized = max(0, count)
            }
            guard count >= 0 else { throw Failure("a file of the export cannot be read") }
            return bytes
        }
    }
}
