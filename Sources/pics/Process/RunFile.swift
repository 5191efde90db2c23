import FoundationEssentials
import Glibc
internal import System

/// The file in the data folder that tells commands where the running Pics is reached: `pics submit` and `pics status` ask
/// there, and links of `pics user invite` begin so.
///
/// The process that serves keeps its file locked: one that nobody locks was left by a process that was killed. Of several
/// that serve from one data folder, the last to start is named. Source: flock(2).
struct RunFile {
    private let path: String
    private let descriptor: Int32

    /// Writes it. `address` is one that this machine reaches.
    init(_ folder: DataFolder, address: String) throws(CommandFailure) {
        path = folder.runFile
        let unfinished = "\(path).\(getpid())"
        descriptor = open(unfinished, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
        let bytes = Array("\(address)\n".utf8)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, write(descriptor, bytes, bytes.count) == bytes.count,
            rename(unfinished, path) == 0
        else {
            let failure = Self.unwritable(path)
            close(descriptor)
            unlink(unfinished)
            throw failure
        }
    }

    /// Takes it away, unless another process has named itself since.
    func remove() {
        var (own, present) = (stat(), stat())
        if fstat(descriptor, &own) == 0, stat(path, &present) == 0, own.st_ino == present.st_ino,
            own.st_dev == present.st_dev
        {
            unlink(path)
        }
        close(descriptor)
    }

    /// Where the Pics of a data folder listens; nil when none runs there.
    static func address(in folder: DataFolder) -> String? {
        let descriptor = open(folder.runFile, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .trimmed
        return text.isEmpty ? nil : text
    }

    /// The address of this machine for one that stands for all of its addresses.
    static func reachable(_ address: String) -> String {
        for (all, one) in [("http://0.0.0.0:", "http://127.0.0.1:"), ("http://[::]:", "http://[::1]:")]
        where address.hasPrefix(all) {
            return one + address.dropFirst(all.count)
        }
        return address
    }

    private static func unwritable(_ path: String) -> CommandFailure {
        CommandFailure("\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
