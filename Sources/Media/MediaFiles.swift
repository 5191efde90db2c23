internal import Glibc

/// The open files of one request: the input, and the output if there is one.
///
/// They are closed at its end. The output is a new file, which disappears again unless it is kept.
final class MediaFiles {
    /// In the order of the protocol; lent, not given.
    private(set) var descriptors: [Int32] = []
    private var unfinished: String?

    /// - Throws: `.failed` when the input is not a file that can be read, or the output is there already.
    init(input: String, output: String?) throws(MediaError) {
        // O_NONBLOCK: opening a named pipe must not wait for somebody to write into it.
        try open(input, O_RDONLY | O_NONBLOCK)
        var facts = stat()
        guard fstat(descriptors[0], &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .failed(detail: "\(input) is not a regular file")
        }
        guard let output else { return }
        try open(output, O_RDWR | O_CREAT | O_EXCL)
        unfinished = output
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
        if let unfinished { unlink(unfinished) }
    }

    /// The output is complete and stays.
    func keepOutput() {
        unfinished = nil
    }

    private func open(_ path: String, _ flags: Int32) throws(MediaError) {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failed(detail: "\(path): \(String(cString: strerror(errno)))") }
        descriptors.append(descriptor)
    }
}
