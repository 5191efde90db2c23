internal import CLinux
internal import Glibc
internal import System

/// The open files of one request: the inputs, and the outputs if there are any.
///
/// They are closed at its end. Outputs are new files, which disappear again unless they are kept.
final class MediaFiles {
    /// In the order of the protocol; lent, not given.
    private(set) var descriptors: [Int32] = []
    /// Outputs that are still to disappear.
    private var unfinished: [String?] = []

    /// - Throws: `.failed` when an input is not a file that can be read, or an output is there already.
    init(inputs: [String], outputs: [String]) throws(MediaError) {
        for input in inputs {
            // O_NONBLOCK: opening a named pipe must not wait for somebody to write into it.
            try open(input, O_RDONLY | O_NONBLOCK)
            var facts = stat()
            guard let last = descriptors.last, fstat(last, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                throw .failed(detail: "\(input) is not a regular file")
            }
        }
        for output in outputs {
            try open(output, O_RDWR | O_CREAT | O_EXCL)
            unfinished.append(output)
        }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
        for case let output? in unfinished { unlink(output) }
    }

    /// A file in memory, without a path.
    static func memory(_ name: String) throws(MediaError) -> OwnedDescriptor {
        let descriptor = pics_memfd(name)
        guard descriptor >= 0 else { throw .failed(detail: "memfd_create: \(String(cString: strerror(errno)))") }
        return OwnedDescriptor(owning: descriptor)
    }

    /// Whether the file's first bytes are those of a video.
    static func isVideo(_ descriptor: Int32) throws(MediaError) -> Bool {
        var head = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &head, head.count, 0)
        guard count >= 0 else { throw .failed(detail: "pread: \(String(cString: strerror(errno)))") }
        return SniffedType.of(firstBytes: head.prefix(count))?.isVideo == true
    }

    /// The outputs are complete and stay.
    func keepOutputs() {
        unfinished = []
    }

    /// The output of this number stays, whatever becomes of the others.
    func keepOutput(_ number: Int) {
        if unfinished.indices.contains(number) { unfinished[number] = nil }
    }

    private func open(_ path: String, _ flags: Int32) throws(MediaError) {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failed(detail: "\(path): \(String(cString: strerror(errno)))") }
        descriptors.append(descriptor)
    }
}
