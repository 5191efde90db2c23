package import Crypto
package import EventLoops
internal import Glibc
internal import System

/// Files that are found by names such as `backups/1/manifest.json`: in a folder of a disk, or in a bucket.
///
/// A file appears whole and durable or not at all.
package struct NamedFiles: Sendable {
    package enum Root: Sendable {
        case folder(String)
        case bucket(BlobBucket)
    }

    private let root: Root
    private let threads: BlockingThreads

    /// Files in a folder, which is made with its first file, or in a bucket, which is there.
    package init(_ root: Root, threads: BlockingThreads) {
        self.root = root
        self.threads = threads
    }

    /// The folder's path or the bucket's address, for people.
    package var shown: String {
        switch root {
        case .folder(let path): path
        case .bucket(let bucket): bucket.shown
        }
    }

    /// Writes a copy of the file at `path`; one of that name is replaced.
    ///
    /// - Throws: `noSpace`, `unavailable` or `system`.
    package func put(fileAt path: String, as name: String) async throws(BlobError) {
        switch root {
        case .folder(let folder):
            try await threads.run { () throws(BlobError) in
                try Self.write(name, in: folder) { file throws(BlobError) in try Disk.append(path, to: file) }
            }
        case .bucket(let bucket):
            let (digest, bytes) = try await threads.run { () throws(BlobError) in try Self.hash(fileAt: path) }
            try await bucket.put(fileAt: path, as: digest, bytes: bytes, to: name)
        }
    }

    /// Writes a small file.
    ///
    /// - Throws: As `put(fileAt:as:)`.
    package func put(_ bytes: [UInt8], as name: String) async throws(BlobError) {
        switch root {
        case .folder(let folder):
            try await threads.run { () throws(BlobError) in
                try Self.write(name, in: folder) { file throws(BlobError) in try Disk.write(bytes[...], to: file) }
            }
        case .bucket(let bucket): try await bucket.putObject(bytes, to: name)
        }
    }

    /// Writes the bytes of a file to a new one at `path`, which is not durable.
    ///
    /// - Returns: Their digest; nil when there is no such file.
    /// - Throws: `noSpace`, `unavailable` or `system`; nothing is left at `path` then.
    package func get(_ name: String, to path: String) async throws(BlobError) -> SHA256Digest? {
        do throws(BlobError) {
            switch root {
            case .folder(let folder):
                return try await threads.run { () throws(BlobError) in
                    guard try Disk.status(of: "\(folder)/\(name)") != nil else { return nil }
                    let target = try Disk.open(path, O_WRONLY | O_CREAT | O_EXCL)
                    var hash = SHA256()
                    try Disk.readBlocks(of: try Disk.open("\(folder)/\(name)", O_RDONLY)) { block throws(BlobError) in
                        hash.update(block)
                        try Disk.write(block, to: target)
                    }
                    return hash.finish()
                }
            case .bucket(let bucket): return try await bucket.get(named: name, to: path)
            }
        } catch {
            await threads.remove([path])
            throw error
        }
    }

    /// The names and sizes of the files whose names begin with `folder`, which ends with a slash.
    ///
    /// - Throws: `unavailable` or `system`.
    package func list(_ folder: String) async throws(BlobError) -> [(name: String, bytes: Int64)] {
        switch root {
        case .folder(let root):
            return try await threads.run { () throws(BlobError) in try Self.files(in: folder, of: root) }
        case .bucket(let bucket): return try await bucket.objects(below: folder).map { ($0.name, $0.bytes) }
        }
    }

    /// Removes a file, which need not be there.
    ///
    /// - Throws: `unavailable` or `system`.
    package func remove(_ name: String) async throws(BlobError) {
        switch root {
        case .folder(let folder):
            try await threads.run { () throws(BlobError) in
                _ = try Disk.remove("\(folder)/\(name)")
                // Folders go with their last file.
                var parent = Self.parent(of: name)
                while !parent.isEmpty, rmdir("\(folder)/\(parent)") == 0 { parent = Self.parent(of: parent) }
            }
        case .bucket(let bucket): try await bucket.deleteObject(name)
        }
    }

    /// The digest and the size of a file of this machine. Blocks.
    ///
    /// - Throws: `system`.
    package static func hash(fileAt path: String) throws(BlobError) -> (SHA256Digest, Int64) {
        let file = try Disk.open(path, O_RDONLY)
        let bytes = try Disk.status(of: file).bytes
        return (try Disk.hash(of: file, from: 0, count: bytes), bytes)
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func write(
        _ name: String, in folder: String, _ fill: (OpenFile) throws(BlobError) -> Void
    ) throws(BlobError) {
        let path = "\(folder)/\(name)"
        try makeFolders(for: path)
        let unfinished = "\(path).\(Hex.encode(randomBytes(count: 4))).part"
        do throws(BlobError) {
            let file = try Disk.open(unfinished, O_WRONLY | O_CREAT | O_EXCL)
            try fill(file)
            try Disk.synchronizeData(of: file)
            try Disk.rename(unfinished, to: path)
        } catch {
            _ = try Disk.remove(unfinished)
            throw error
        }
        try Disk.synchronizeFolder(parent(of: path))
    }

    /// Makes the folders above a path that are missing, and their names durable.
    private static func makeFolders(for path: String) throws(BlobError) {
        let folder = parent(of: path)
        guard !folder.isEmpty, try Disk.status(of: folder) == nil else { return }
        try makeFolders(for: folder)
        try Disk.makeFolder(folder)
        try Disk.synchronizeFolder(parent(of: folder).isEmpty ? "/" : parent(of: folder))
    }

    private static func files(in folder: String, of root: String) throws(BlobError) -> [(name: String, bytes: Int64)] {
        var found: [(name: String, bytes: Int64)] = []
        for name in try Disk.names(in: "\(root)/\(folder)").sorted() where !name.hasSuffix(".part") {
            guard let status = try Disk.status(of: "\(root)/\(folder)\(name)") else { continue }
            if status.isFile {
                found.append(("\(folder)\(name)", status.bytes))
            } else {
                found += try files(in: "\(folder)\(name)/", of: root)
            }
        }
        return found
    }
}
