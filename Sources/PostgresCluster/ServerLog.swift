internal import Glibc
internal import System

/// The file that the server writes its log to, kept from growing without end.
struct ServerLog {
    /// Of a longer file the content moves to `<path>.1`, which it replaces.
    static let limit: off_t = 8 << 20

    let path: String

    func open() throws(PostgresClusterError) -> OwnedDescriptor {
        try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_APPEND)
    }

    /// The length in bytes.
    var size: off_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_size : 0
    }

    /// Moves the content away if there is too much. What is written meanwhile may be lost: the server keeps the file open.
    func trim() {
        guard size > Self.limit else { return }
        let old = path + ".1"
        unlink(old)
        // Without room for the copy, losing the old lines is better than filling the disk.
        _ = ChildProcess.output(of: ["cp", "--", path, old])
        truncate(path, 0)
    }

    /// The last lines of what was written after the first `offset` bytes.
    func lastLines(after offset: off_t) -> [String] {
        do throws(PostgresClusterError) {
            let file = try OwnedDescriptor(opening: path, O_RDONLY)
            lseek(file.number, max(offset, size - 4096), SEEK_SET)
            let text = String(decoding: file.readToEnd(), as: UTF8.self)
            return text.split(separator: "\n").suffix(10).map { String($0) }
        } catch {
            return []  // What is being reported with these lines matters more.
        }
    }
}
