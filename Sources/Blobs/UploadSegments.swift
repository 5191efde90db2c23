internal import Crypto
internal import EventLoops
internal import FoundationEssentials
internal import Glibc
internal import System

/// A writer of an upload: its number, and the offset at which it began.
package struct UploadTurn: Sendable, Equatable {
    package let writer: Int
    package let offset: Int64

    package init(writer: Int, offset: Int64) { (self.writer, self.offset) = (writer, offset) }
}

/// Uploads in parts in a bucket: `uploads/ID/begun`, and an object for each stretch of bytes that were made durable together,
/// `uploads/ID/WRITER-OFFSET-DIGEST`. The folder has copies of those that came or were asked for here.
///
/// Each request that writes has a number of its own, higher than all before. Where it begins, what others have written behind that place counts no
/// more, whenever it arrives: a node that was thought to be gone cannot change what another has told its client.
struct UploadSegments: Sendable {
    /// A stretch of an upload.
    struct Segment: Sendable, Equatable {
        let writer: Int
        let offset: Int64
        let digest: SHA256Digest
        /// How many of its bytes count.
        var bytes: Int64
        /// The name of its object.
        let name: String

        init(writer: Int, offset: Int64, digest: SHA256Digest, bytes: Int64) {
            (self.writer, self.offset, self.digest, self.bytes) = (writer, offset, digest, bytes)
            name = "\(Self.padded(writer, 10))-\(Self.padded(Int(offset), 16))-\(digest.hex)"
        }

        /// Reads a name; nil when it is another's.
        init?(name: String, bytes: Int64) {
            let parts = name.split(separator: "-")
            guard parts.count == 3, let writer = Int(parts[0]), let offset = Int64(parts[1]),
                let digest = SHA256Digest(hex: String(parts[2]))
            else { return nil }
            self.init(writer: writer, offset: offset, digest: digest, bytes: bytes)
        }

        private static func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
    }

    let bucket: BlobBucket
    let folder: BlobFolder
    let threads: BlockingThreads

    /// Where the copies of an upload are.
    func copies(of id: UUID) -> String { "\(folder.uploads)/\(id.uuidString.lowercased())" }

    /// The name of an object of an upload.
    func name(_ id: UUID, _ name: String) -> String { "\(names(of: id))\(name)" }
    private func names(of id: UUID) -> String { "uploads/\(id.uuidString.lowercased())/" }

    func create(_ id: UUID) async throws(BlobError) { try await bucket.putObject([], to: name(id, "begun")) }

    /// The stretches that count, one after the other from the first byte on; nil when there is no upload. `turn` is the last writer's, of whom there
    /// may be nothing yet.
    func segments(of id: UUID, since turn: UploadTurn? = nil) async throws(BlobError) -> [Segment]? {
        let objects = try await bucket.objects(below: names(of: id))
        guard !objects.isEmpty else { return nil }
        var segments = objects.compactMap { object in
            Segment(name: String(object.name.split(separator: "/").last ?? ""), bytes: object.bytes)
        }
        if let turn {
            let nothing = SHA256Digest(of: [])
            segments.append(Segment(writer: turn.writer, offset: turn.offset, digest: nothing, bytes: 0))
        }
        return Self.chain(segments)
    }

    static func chain(_ segments: [Segment]) -> [Segment] {
        var chain: [Segment] = []
        var (end, writer) = (Int64(0), -1)
        for segment in segments.sorted(by: { ($0.writer, $0.offset) < ($1.writer, $1.offset) }) {
            if segment.writer != writer, segment.offset < end {
                while let last = chain.last, last.offset >= segment.offset { chain.removeLast() }
                if let last = chain.last {
                    chain[chain.count - 1].bytes = min(last.bytes, segment.offset - last.offset)
                }
                end = segment.offset
            }
            writer = segment.writer
            // What follows a gap was told to nobody.
            guard segment.offset == end else { continue }
            if segment.bytes > 0 { chain.append(segment) }
            end += segment.bytes
        }
        return chain
    }

    static func bytes(of chain: [Segment]) -> Int64 { chain.last.map { $0.offset + $0.bytes } ?? 0 }

    /// Writes a stretch whose file lies at `path`; it is durable when this returns.
    func put(_ segment: Segment, fileAt path: String, of id: UUID) async throws(BlobError) {
        try await bucket.put(fileAt: path, as: segment.digest, bytes: segment.bytes, to: name(id, segment.name))
    }

    func remove(_ segments: [Segment], of id: UUID) async throws(BlobError) {
        for segment in segments { try await bucket.deleteObject(name(id, segment.name)) }
    }

    /// The path of a file with all bytes that count, made of the copies; those that are missing are fetched.
    func wholeFile(of id: UUID) async throws(BlobError) -> String {
        guard let chain = try await segments(of: id) else { throw .system(call: "open", code: ENOENT) }
        let folder = copies(of: id)
        let content = SHA256Digest(of: chain.map { "\($0.name) \($0.bytes)" }.joined(separator: "\n"))
        let path = "\(folder)/whole-\(content.hex)"
        let bytes = Self.bytes(of: chain)
        let isThere = try await threads.run { () throws(BlobError) in
            try Disk.makeFolder(folder)
            return try Disk.status(of: path)?.bytes == bytes
        }
        if isThere { return path }
        for segment in chain { try await fetch(segment, of: id) }
        let files = self.folder
        try await threads.run { () throws(BlobError) in
            try files.makeFile(isDurable: false) { file throws(BlobError) in
                for segment in chain {
                    try Disk.append("\(folder)/\(segment.name)", to: file, count: segment.bytes)
                }
                return path
            }
        }
        return path
    }

    private func fetch(_ segment: Segment, of id: UUID) async throws(BlobError) {
        let path = "\(copies(of: id))/\(segment.name)"
        let isThere = try await threads.run { () throws(BlobError) in
            // It may be longer than what counts of it, and never shorter.
            (try Disk.status(of: path)?.bytes ?? -1) >= segment.bytes
        }
        if isThere { return }
        let temporary = folder.newTemporary()
        try await bucket.get(segment.digest, named: name(id, segment.name), to: temporary)
        try await threads.run { () throws(BlobError) in try Disk.rename(temporary, to: path) }
    }

    /// Removes an upload; it need not be there.
    func remove(_ id: UUID) async throws(BlobError) {
        for object in try await bucket.objects(below: names(of: id)) { try await bucket.deleteObject(object.name) }
        let folder = copies(of: id)
        try await threads.run { () throws(BlobError) in try Disk.removeFolder(folder) }
    }

    /// Uploads that nobody has written to since `limit`.
    func uploads(untouchedSince limit: Date) async throws(BlobError) -> [UUID] {
        var last: [UUID: Date] = [:]
        for object in try await bucket.objects(below: "uploads/") {
            guard let name = object.name.split(separator: "/").dropFirst().first,
                let id = UUID(uuidString: String(name))
            else { continue }
            last[id] = max(last[id] ?? .distantPast, object.modified)
        }
        return last.filter { $0.value < limit }.map(\.key)
    }

    /// Makes an upload of the bytes of others, one after the other.
    func join(_ parts: [UUID], as id: UUID) async throws(BlobError) {
        let writer = SegmentWriter(id, writer: 0, at: 0, in: self)
        for part in parts { try await writer.write(fileAt: try await wholeFile(of: part)) }
        try await writer.synchronize()
        try await create(id)
    }
}

/// The stretch of an upload that is being written.
///
/// One task at a time uses it.
final class SegmentWriter {
    /// The file and its hash, passed from thread to thread.
    private struct Pending: ~Copyable {
        /// Nil before the first byte.
        var file: OpenFile?
        var path = ""
        var hash = SHA256()
        var bytes: Int64 = 0
    }

    private let id: UUID
    private let writer: Int
    private let segments: UploadSegments
    private let pending = Lock(Pending())
    /// Where the next stretch begins.
    private var offset: Int64
    /// Those that are in the bucket.
    private var written: [UploadSegments.Segment] = []

    init(_ id: UUID, writer: Int, at offset: Int64, in segments: UploadSegments) {
        (self.id, self.writer, self.offset, self.segments) = (id, writer, offset, segments)
    }

    deinit {
        guard let path = abandon() else { return }
        segments.threads.start { unlink(path) }
    }

    /// Tells that what others have written from here on counts no more.
    func begin() async throws(BlobError) {
        let segment = UploadSegments.Segment(writer: writer, offset: offset, digest: SHA256Digest(of: []), bytes: 0)
        try await segments.bucket.putObject([], to: segments.name(id, segment.name))
    }

    func write(_ chunk: ArraySlice<UInt8>) async throws(BlobError) {
        let (pending, folder) = (pending, segments.copies(of: id))
        try await segments.threads.run { () throws(BlobError) in try Self.append(chunk, to: pending, in: folder) }
    }

    /// Writes the bytes of the file at `path`.
    func write(fileAt path: String) async throws(BlobError) {
        let (pending, folder) = (pending, segments.copies(of: id))
        try await segments.threads.run { () throws(BlobError) in
            try Disk.readBlocks(of: try Disk.open(path, O_RDONLY)) { block throws(BlobError) in
                try Self.append(block, to: pending, in: folder)
            }
        }
    }

    private static func append(
        _ chunk: ArraySlice<UInt8>, to pending: borrowing Lock<Pending>, in folder: String
    ) throws(BlobError) {
        try pending.withLock { pending throws(BlobError) in
            let file: OpenFile
            if let open = pending.file {
                file = open
            } else {
                try Disk.makeFolder(folder)
                pending.path = "\(folder)/open-\(Hex.encode(randomBytes(count: 16)))"
                file = try Disk.open(pending.path, O_WRONLY | O_CREAT | O_EXCL)
                pending.file = file
            }
            try Disk.write(chunk, to: file)
            pending.hash.update(chunk)
            pending.bytes += Int64(chunk.count)
        }
    }

    /// Writes what has come to the bucket.
    func synchronize() async throws(BlobError) {
        let (pending, folder, writer, offset) = (pending, segments.copies(of: id), writer, offset)
        let ended = try await segments.threads.run { () throws(BlobError) in
            try pending.withLock { pending throws(BlobError) -> UploadSegments.Segment? in
                guard pending.file != nil else { return nil }
                let digest = exchange(&pending.hash, with: SHA256()).finish()
                let segment = UploadSegments.Segment(
                    writer: writer, offset: offset, digest: digest, bytes: exchange(&pending.bytes, with: 0))
                pending.file = nil
                try Disk.rename(pending.path, to: "\(folder)/\(segment.name)")
                return segment
            }
        }
        guard let ended else { return }
        try await segments.put(ended, fileAt: "\(folder)/\(ended.name)", of: id)
        written.append(ended)
        self.offset += ended.bytes
    }

    /// Drops everything behind `count`, which is where this writer began or later.
    func truncate(to count: Int64) async throws(BlobError) {
        if let path = abandon() { await segments.threads.remove([path]) }
        try await segments.remove(written.filter { $0.offset >= count }, of: id)
        written.removeAll { $0.offset >= count }
        offset = count
    }

    /// The file of what has not become a stretch; nil when there is none.
    private func abandon() -> String? {
        pending.withLock { pending in
            guard exchange(&pending.file, with: nil) != nil else { return nil }
            pending.hash = SHA256()
            pending.bytes = 0
            return pending.path
        }
    }
}
