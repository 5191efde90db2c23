internal import Glibc

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

/// An open file or folder, closed exactly once.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Opens `name`, which must not be a symbolic link, in a folder.
    init(
        opening name: String, in folder: borrowing Descriptor, flags: Int32, mode: mode_t = 0
    ) throws(ArchiveError) {
        number = openat(folder.number, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
        guard number >= 0 else { throw .system(call: "openat", code: errno) }
    }

    /// Opens a path that the operator or Pics itself chose.
    init(opening path: String, flags: Int32) throws(ArchiveError) {
        number = open(path, flags | O_CLOEXEC)
        guard number >= 0 else { throw .system(call: "open", code: errno) }
    }

    deinit { close(number) }

    /// Opens a folder in this one; makes it, durably, when it is missing.
    func folder(_ name: String) throws(ArchiveError) -> Descriptor {
        if mkdirat(number, name, 0o700) == 0 {
            try sync()
        } else if errno != EEXIST {
            throw .system(call: "mkdirat", code: errno)
        }
        return try Descriptor(opening: name, in: self, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Waits until what was written, or renamed in this folder, survives a loss of power.
    func sync() throws(ArchiveError) {
        guard fsync(number) == 0 else { throw .system(call: "fsync", code: errno) }
    }

    /// The bytes from `offset`: as many as asked for, fewer at the end of the file.
    func read(at offset: Int64, atMost count: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let step = pread(number, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + filled)
                if step == 0 { break }
                if step > 0 {
                    filled += step
                } else if errno != EINTR {
                    failure = errno
                    break
                }
            }
        }
        if let failure { throw .system(call: "pread", code: failure) }
        return bytes[...]
    }

    /// Writes all of `bytes`.
    func write(_ bytes: ArraySlice<UInt8>) throws(ArchiveError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .system(call: "write", code: errno)
            }
        }
    }
}
