internal import CLinux
internal import Crypto
package import EventLoops
internal import FoundationEssentials
internal import Glibc
internal import System

/// The calls to the file system, which block; each retries what a signal interrupted and turns `errno` into an error.
enum Disk {
    /// How much is read at once.
    static let blockSize = 256 << 10

    static func open(_ path: String, _ flags: Int32) throws(BlobError) -> OpenFile {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
        return OpenFile(owning: descriptor)
    }

    static func write(_ bytes: ArraySlice<UInt8>, to file: OpenFile) throws(BlobError) {
        guard file.write(bytes) else { throw .last("write") }
    }

    /// Calls `body` with all bytes from the descriptor's position on, block by block.
    static func readBlocks(
        of file: OpenFile, _ body: (ArraySlice<UInt8>) throws(BlobError) -> Void
    ) throws(BlobError) {
        var block = [UInt8](repeating: 0, count: blockSize)
        while true {
            let count = read(file.descriptor, &block, block.count)
            if count > 0 {
                try body(block[..<count])
            } else if count == 0 {
                return
            } else if errno != EINTR {
                throw .last("read")
            }
        }
    }

    /// Writes the bytes of the file at `path` behind those of another, `count` at most.
    static func append(_ path: String, to file: OpenFile, count: Int64 = .max) throws(BlobError) {
        var left = count
        try readBlocks(of: try open(path, O_RDONLY)) { block throws(BlobError) in
            let part = block.prefix(Int(min(left, Int64(block.count))))
            try write(part, to: file)
            left -= Int64(part.count)
        }
    }

    /// The digest of a part of a file.
    static func hash(of file: OpenFile, from offset: Int64, count: Int64) throws(BlobError) -> SHA256Digest {
        var block = [UInt8](repeating: 0, count: blockSize)
        var hash = SHA256()
        var done: Int64 = 0
        while done < count {
            let read = pread(file.descriptor, &block, Int(min(count - done, Int64(block.count))), off_t(offset + done))
            guard read >= 0 else {
                if errno == EINTR { continue }
                throw .last("pread")
            }
            // Shorter than it was.
            guard read > 0 else { break }
            hash.update(block[..<read])
            done += Int64(read)
        }
        return hash.finish()
    }

    /// Drops what is behind the first `count` bytes; a shorter file stays as it is.
    static func truncate(_ file: OpenFile, to count: Int64) throws(BlobError) {
        guard try status(of: file).bytes > count else { return }
        guard ftruncate(file.descriptor, off_t(count)) == 0 else { throw .last("ftruncate") }
    }

    /// Has the disk begin to write a range; what fails, the next `synchronizeData` of the same file tells.
    static func beginWriting(_ range: Range<Int64>, of file: OpenFile) {
        _ = pics_begin_writing(file.descriptor, range.lowerBound, range.upperBound - range.lowerBound)
    }

    static func synchronizeData(of file: OpenFile) throws(BlobError) {
        guard fdatasync(file.descriptor) == 0 else { throw .last("fdatasync") }
    }

    /// Makes the names in a folder durable.
    static func synchronizeFolder(_ path: String) throws(BlobError) {
        let folder = try open(path, O_RDONLY | O_DIRECTORY)
        let result = withExtendedLifetime(folder) { fsync(folder.descriptor) }
        guard result == 0 else { throw .last("fsync") }
    }

    /// Does `body` while this open file description holds the folder: alone, or beside others that share it.
    static func holding<Value>(
        _ folder: String, alone: Bool, _ body: () throws(BlobError) -> Value
    ) throws(BlobError) -> Value {
        let lock = try open(folder, O_RDONLY | O_DIRECTORY)
        defer { unlock(lock) }
        while flock(lock.descriptor, alone ? LOCK_EX : LOCK_SH) != 0 {
            guard errno == EINTR else { throw .last("flock") }
        }
        return try body()
    }

    /// Lets go of a lock, also of the copies of the descriptor that a child process holds until it runs another program.
    ///
    /// Closing alone would leave the lock to those. Source: flock(2).
    static func unlock(_ file: OpenFile) { _ = flock(file.descriptor, LOCK_UN | LOCK_NB) }

    static func makeFolder(_ path: String) throws(BlobError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last("mkdir") }
    }

    /// Removes a folder with the files in it; it need not be there.
    static func removeFolder(_ path: String) throws(BlobError) {
        for name in try names(in: path) { _ = try remove("\(path)/\(name)") }
        guard rmdir(path) == 0 || errno == ENOENT else { throw .last("rmdir") }
    }

    static func rename(_ path: String, to target: String) throws(BlobError) {
        guard Glibc.rename(path, target) == 0 else { throw .last("rename") }
    }

    /// Whether there was a file to remove.
    static func remove(_ path: String) throws(BlobError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw .last("unlink") }
        return false
    }

    /// The status of the file at `path`, `nil` when there is nothing.
    static func status(of path: String) throws(BlobError) -> FileStatus? {
        var status = stat()
        if lstat(path, &status) == 0 { return FileStatus(status) }
        guard errno == ENOENT || errno == ENOTDIR else { throw .last("lstat") }
        return nil
    }

    static func status(of file: OpenFile) throws(BlobError) -> FileStatus {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { throw .last("fstat") }
        return FileStatus(status)
    }

    /// Sets the modification time to now; false when there is no such file.
    static func touch(_ path: String) throws(BlobError) -> Bool {
        if utimensat(AT_FDCWD, path, nil, 0) == 0 { return true }
        guard errno == ENOENT else { throw .last("utimensat") }
        return false
    }

    /// Sets the modification time of a copy that is used, so that it is not the first to go; at most once an hour, as that is a write. A copy whose time
    /// cannot be set goes earlier, and can be fetched again.
    static func noteUse(of path: String) {
        guard let status = try? status(of: path), status.modified.timeIntervalSinceNow < -3600 else { return }
        _ = try? touch(path)
    }

    /// The names in a folder, none when there is no such folder.
    static func names(in path: String) throws(BlobError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw .last("opendir")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The bytes that this user may still fill on the file system of `path`.
    static func availableBytes(at path: String) throws(BlobError) -> Int64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw .last("statvfs") }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }
}

/// The file system's facts of a file.
struct FileStatus {
    let isFile: Bool
    let bytes: Int64
    let modified: Date

    init(_ status: stat) {
        isFile = status.st_mode & S_IFMT == S_IFREG
        bytes = Int64(status.st_size)
        let time = status.st_mtim
        modified = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
}

extension BlockingThreads {
    /// Does `work`, then removes the files at `paths`, which need not be there.
    ///
    /// A file that cannot be removed stays: the owner of the folder deletes old ones when it starts.
    package func removing<Value, Failure: Error>(
        _ paths: [String], after work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        await remove(paths)
        return try result.get()
    }

    /// Removes the files at `paths`, which need not be there.
    package func remove(_ paths: [String]) async {
        await run { for path in paths { unlink(path) } }
    }
}
