internal import Glibc
internal import System

/// Why the archive could not be written.
enum ArchiveError: Error, Equatable, CustomStringConvertible {
    /// A call of the system failed with this `errno`.
    case system(call: String, code: Int32)
    /// The original ended before its length was copied.
    case shortOriginal
    case cancelled

    /// Safe for a log: names no file.
    var description: String {
        switch self {
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .shortOriginal: "the original is shorter than it should be"
        case .cancelled: "cancelled"
        }
    }
}

extension OwnedDescriptor {
    /// Opens `name`, which must not be a symbolic link, in a folder.
    init(
        opening name: String, in folder: borrowing OwnedDescriptor, flags: Int32, mode: mode_t = 0
    ) throws(ArchiveError) {
        try self.init(checking: openat(folder.number, name, flags | O_NOFOLLOW | O_CLOEXEC, mode), "openat")
    }

    /// Opens a path that the operator or Pics itself chose.
    init(opening path: String, flags: Int32) throws(ArchiveError) {
        try self.init(checking: open(path, flags | O_CLOEXEC), "open")
    }

    private init(checking number: Int32, _ call: String) throws(ArchiveError) {
        guard number >= 0 else { throw .system(call: call, code: errno) }
        self.init(owning: number)
    }

    /// Opens a folder in this one; makes it, durably, when it is missing.
    func folder(_ name: String) throws(ArchiveError) -> OwnedDescriptor {
        if mkdirat(number, name, 0o700) == 0 {
            try sync()
        } else if errno != EEXIST {
            throw .system(call: "mkdirat", code: errno)
        }
        return try OwnedDescriptor(opening: name, in: self, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Waits until what was written, or renamed in this folder, survives a loss of power.
    func sync() throws(ArchiveError) {
        guard fsync(number) == 0 else { throw .system(call: "fsync", code: errno) }
    }

    /// The bytes from `offset`: as many as asked for, fewer at the end of the file.
    func content(at offset: Int64, atMost count: Int) throws(ArchiveError) -> [UInt8] {
        guard let bytes = read(at: offset, atMost: count) else { throw .system(call: "pread", code: errno) }
        return bytes
    }

    /// Writes all of `bytes`.
    func append(_ bytes: [UInt8]) throws(ArchiveError) {
        guard write(bytes[...]) else { throw .system(call: "write", code: errno) }
    }
}
