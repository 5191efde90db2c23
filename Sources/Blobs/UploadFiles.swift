package import EventLoops
package import FoundationEssentials
internal import Glibc
internal import System

/// The files of uploads that come in parts, in `uploads/` of a blob store: a growing file of the folder, whose size is how much has arrived, or
/// stretches in the bucket (`UploadSegments`).
///
/// Nothing of it is told to a client before it is durable, so what was told is there after any crash.
package struct UploadFiles: Sendable {
    private let store: BlobStore
    /// Where blobs are kept in a bucket.
    private let segments: UploadSegments?
    private var folder: String { store.folder.uploads }
    private var threads: BlockingThreads { store.threads }

    /// The files beside the blobs of `store`; waits for the disk.
    package init(_ store: BlobStore) throws(BlobError) {
        self.store = store
        segments = store.keeper.map { UploadSegments(bucket: $0, folder: store.folder, threads: store.threads) }
        try Disk.makeFolder(folder)
        try Disk.synchronizeFolder(store.folder.path)
    }

    /// The path of a file with all bytes of an upload that has arrived, for programs that read it themselves.
    package func wholeFile(of id: UUID) async throws(BlobError) -> String {
        if let segments { return try await segments.wholeFile(of: id) }
        return path(of: id)
    }

    private func path(of id: UUID) -> String { "\(folder)/\(id.uuidString.lowercased())" }

    /// Makes an empty file.
    package func create(_ id: UUID) async throws(BlobError) {
        if let segments { return try await segments.create(id) }
        let (path, folder) = (path(of: id), folder)
        try await threads.run { () throws(BlobError) in
            _ = try Disk.open(path, O_WRONLY | O_CREAT | O_EXCL)
            try Disk.synchronizeFolder(folder)
        }
    }

    /// The bytes that have arrived, once they would survive a power failure; nil when there is no file. In a bucket they are those that count since
    /// the last writer's `turn`.
    package func durableBytes(of id: UUID, since turn: UploadTurn? = nil) async throws(BlobError) -> Int64? {
        if let segments { return try await segments.segments(of: id, since: turn).map(UploadSegments.bytes) }
        let path = path(of: id)
        return try await threads.run { () throws(BlobError) in
            guard try Disk.status(of: path) != nil else { return nil }
            let file = try Disk.open(path, O_RDONLY)
            try Disk.synchronizeData(of: file)
            return try Disk.status(of: file).bytes
        }
    }

    /// The bytes that are in the file now, for progress; nil when there is no file.
    package func bytes(of id: UUID) async throws(BlobError) -> Int64? {
        if let segments { return try await segments.segments(of: id).map(UploadSegments.bytes) }
        let path = path(of: id)
        return try await threads.run { () throws(BlobError) in try Disk.status(of: path)?.bytes }
    }

    /// The first bytes of a file, `count` at most.
    package func firstBytes(_ count: Int, of id: UUID) async throws(BlobError) -> [UInt8] {
        let path = try await wholeFile(of: id)
        return try await threads.run { () throws(BlobError) in
            let file = try Disk.open(path, O_RDONLY)
            var bytes = [UInt8](repeating: 0, count: count)
            let length = pread(file.descriptor, &bytes, count, 0)
            guard length >= 0 else { throw .last("pread") }
            return Array(bytes.prefix(length))
        }
    }

    /// Opens a file for its only writer, and drops what it holds beyond `limit`. In a bucket `writer` is a number that is higher than those of all
    /// writers before: whoever is overtaken has to be stopped before the client is told of the bytes.
    ///
    /// - Throws: `inUse` when another process has it open.
    package func open(_ id: UUID, writer: Int = 0, keeping limit: Int64? = nil) async throws(BlobError) -> UploadFile {
        if let segments {
            let kept = try await keptBytes(of: id, segments, since: nil, limit)
            return try await open(id, of: segments, writer, at: kept, isCut: limit != nil)
        }
        let path = path(of: id)
        let (file, bytes) = try await threads.run { () throws(BlobError) in
            let file = try Disk.open(path, O_WRONLY | O_APPEND)
            // A process that has died holds nothing any more.
            guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK ? BlobError.inUse : .last("flock")
            }
            if let limit { try Disk.truncate(file, to: limit) }
            return (file, try Disk.status(of: file).bytes)
        }
        return UploadFile(.file(file), bytes: bytes, threads: threads)
    }

    /// Opens an upload in a bucket for the writer whose number `begin` gives, once it knows where that begins.
    ///
    /// - Parameters:
    ///   - id: The upload.
    ///   - turn: The last writer's.
    ///   - limit: What is beyond it does not count.
    ///   - begin: Given the offset.
    /// - Returns: The open file.
    /// - Throws: What `begin` throws; `BlobError`.
    package func open(
        _ id: UUID, since turn: UploadTurn, keeping limit: Int64?, begin: (Int64) async throws -> Int
    ) async throws -> UploadFile {
        guard let segments else { return try await open(id, keeping: limit) }
        let kept = try await keptBytes(of: id, segments, since: turn, limit)
        return try await open(id, of: segments, try await begin(kept), at: kept, isCut: limit != nil)
    }

    private func keptBytes(
        of id: UUID, _ segments: UploadSegments, since turn: UploadTurn?, _ limit: Int64?
    ) async throws(BlobError) -> Int64 {
        guard let chain = try await segments.segments(of: id, since: turn) else {
            throw .system(call: "open", code: ENOENT)
        }
        let bytes = UploadSegments.bytes(of: chain)
        return min(bytes, limit ?? bytes)
    }

    private func open(
        _ id: UUID, of segments: UploadSegments, _ writer: Int, at kept: Int64, isCut: Bool
    ) async throws(BlobError) -> UploadFile {
        let target = SegmentWriter(id, writer: writer, at: kept, in: segments)
        // Bytes of an earlier writer that nobody has compared may still be on their way.
        if isCut { try await target.begin() }
        return UploadFile(.segments(target), bytes: kept, threads: threads)
    }

    /// The blob that `install` will store: nothing is stored yet.
    package func examine(_ id: UUID) async throws(BlobError) -> HashedFile {
        try await store.examine(fileAt: try await wholeFile(of: id))
    }

    /// Makes a file that was examined a blob; the file stays, so that nothing is lost when what follows fails.
    package func install(_ id: UUID, as examined: HashedFile) async throws(BlobError) {
        let path = try await wholeFile(of: id)
        let link = store.folder.newTemporary()
        try await threads.run { () throws(BlobError) in
            guard Glibc.link(path, link) == 0 else { throw .last("link") }
        }
        try await store.install(movingFileAt: link, as: examined)
    }

    /// Makes a file of the bytes of others, one after the other; the others stay. It is there when it is whole and durable.
    package func join(_ parts: [UUID], as id: UUID) async throws(BlobError) {
        if let segments { return try await segments.join(parts, as: id) }
        let (sources, target, folder, files) = (parts.map(path(of:)), path(of: id), folder, store.folder)
        try await threads.run { () throws(BlobError) in
            try files.makeFile(isDurable: true) { file throws(BlobError) in
                for source in sources { try Disk.append(source, to: file) }
                return target
            }
            try Disk.synchronizeFolder(folder)
        }
    }

    /// Removes a file; it need not be there.
    package func remove(_ id: UUID) async throws(BlobError) {
        if let segments { return try await segments.remove(id) }
        let path = path(of: id)
        _ = try await threads.run { () throws(BlobError) in try Disk.remove(path) }
    }

    /// The files that nobody has written to since `limit`.
    package func files(untouchedSince limit: Date) async throws(BlobError) -> [UUID] {
        if let segments { return try await segments.uploads(untouchedSince: limit) }
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            var found: [UUID] = []
            for name in try Disk.names(in: folder) {
                guard let id = UUID(uuidString: name), let status = try Disk.status(of: "\(folder)/\(name)"),
                    status.modified < limit
                else { continue }
                found.append(id)
            }
            return found
        }
    }
}

/// The file of an upload, open for its only writer. One task at a time uses it.
package final class UploadFile {
    /// The bytes in the file, and those that are collected for it.
    package private(set) var bytes: Int64

    enum Target {
        case file(OpenFile)
        case segments(SegmentWriter)
    }

    private let target: Target
    private let threads: BlockingThreads
    private var buffer: [UInt8] = []
    /// Told of all bytes on their way to the file.
    private let observer = Lock<(@Sendable (ArraySlice<UInt8>) -> Void)?>(nil)

    init(_ target: Target, bytes: Int64, threads: BlockingThreads) {
        self.target = target
        self.bytes = bytes
        self.threads = threads
    }

    deinit { if case .file(let file) = target { Disk.unlock(file) } }

    /// Calls `observer` with everything that is appended from now on, on another thread.
    package func observe(_ observer: @escaping @Sendable (ArraySlice<UInt8>) -> Void) {
        self.observer.withLock { $0 = observer }
    }

    /// Appends `chunk`, and waits for the disk when enough has come together.
    package func append(_ chunk: ArraySlice<UInt8>) async throws(BlobError) {
        bytes += Int64(chunk.count)
        guard chunk.count < BlobWriter.blockSize else {
            try await writeBuffer()
            return try await write(chunk)
        }
        buffer += chunk
        if buffer.count >= BlobWriter.blockSize { try await writeBuffer() }
    }

    /// Makes everything durable.
    ///
    /// - Returns: The bytes that would survive a power failure.
    package func synchronize() async throws(BlobError) -> Int64 {
        try await writeBuffer()
        switch target {
        case .file(let file):
            try await threads.run { () throws(BlobError) in try Disk.synchronizeData(of: file) }
        case .segments(let segments): try await segments.synchronize()
        }
        return bytes
    }

    /// Drops everything behind the first `count` bytes.
    package func truncate(to count: Int64) async throws(BlobError) {
        buffer = []
        bytes = count
        switch target {
        case .file(let file): try await threads.run { () throws(BlobError) in try Disk.truncate(file, to: count) }
        case .segments(let segments): try await segments.truncate(to: count)
        }
    }

    private func writeBuffer() async throws(BlobError) {
        guard !buffer.isEmpty else { return }
        let bytes = buffer[...]
        buffer = []
        try await write(bytes)
    }

    private func write(_ chunk: ArraySlice<UInt8>) async throws(BlobError) {
        switch target {
        case .file(let file):
            try await threads.run { [observer] () throws(BlobError) in
                try Disk.write(chunk, to: file)
                observer.withLock { $0?(chunk) }
            }
        case .segments(let segments):
            try await segments.write(chunk)
            observer.withLock { $0?(chunk) }
        }
    }
}

/// When bytes that come in are made durable and told of on the way: after so many, or after so long.
///
/// A fast sender is bound by the disk, a slow one wants to see that something moves.
package struct SyncInterval {
    /// In bytes.
    package static let stride: Int64 = 16 << 20
    package static let interval: Duration = .seconds(3)

    private var bytes: Int64
    private var moment: Moment

    /// Begins with so many bytes that are durable.
    package init(from bytes: Int64, at moment: Moment = .now) {
        self.bytes = bytes
        self.moment = moment
    }

    /// Whether it is time, now that there are so many bytes; if so, the next stride begins.
    package mutating func isDue(_ bytes: Int64, at moment: Moment = .now) -> Bool {
        let hasMoved = bytes > self.bytes
        guard hasMoved, bytes - self.bytes >= Self.stride || moment - self.moment >= Self.interval else { return false }
        (self.bytes, self.moment) = (bytes, moment)
        return true
    }
}
