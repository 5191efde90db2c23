package import Blobs
package import Domain
package import EventLoops
internal import Formats
internal import FoundationEssentials
internal import HTTP
package import Logging
package import Store
internal import System

/// An archive that is made while it is sent.
package struct Export: Sendable {
    package typealias Write = @Sendable ([UInt8]) async throws -> Void

    package let fileName: String
    /// Its length.
    package let bytes: Int64
    /// Makes the archive, and hands on its bytes in order.
    package let send: @Sendable (Write) async throws -> Void

    fileprivate init(fileName: String, bytes: Int64, send: @escaping @Sendable (Write) async throws -> Void) {
        (self.fileName, self.bytes, self.send) = (fileName, bytes, send)
    }
}

/// Gives people everything that they own: a ZIP archive of their photos as they came, and of what is known of them as JSON.
///
/// Its length is told beforehand, and it is made while it is sent: in memory and on the disk it costs a few hundred bytes for
/// each photo, whatever their sizes. A client that hangs up has cost nothing.
package final class Exports: Sendable {
    let store: PicsStore
    let blobs: BlobStore
    let addresses: Addresses
    private let logger: Logger
    private let folder: String
    private let threads: BlockingThreads
    /// One for each user. One costs little while its reader is slow, so those of many fit at once.
    private let underWay = ConcurrencyLimit<UserID>(each: 1, all: Exports.mostAtOnce)

    /// Of all users together; each may have a few files open.
    package static let mostAtOnce = 32

    private static let pieceLength = 256 << 10

    /// Takes what it works with; what has to be written down first goes into `folder`.
    package init(
        store: PicsStore, blobs: BlobStore, addresses: Addresses, logger: Logger, folder: String,
        threads: BlockingThreads
    ) {
        self.store = store
        self.blobs = blobs
        self.addresses = addresses
        self.logger = logger
        self.folder = folder
        self.threads = threads
    }

    /// Begins an export of everything that a user owns.
    ///
    /// - Throws: `ActionError.exportUnderWay` when the user has one under way, or several others have; `StoreError`,
    ///   `SpoolFile.Failure`.
    package func begin(for user: User) async throws -> Export {
        guard let permit = underWay.take(user.id) else { throw ActionError.exportUnderWay }
        let plan = try await ExportPlan(of: user, self)
        try await store.audit(AuditEntry(.exportDownloaded, of: user.id))
        logger.notice("export begins", ["user": user.name, "files": plan.fileCount, "bytes": plan.layout.length])
        let day = Timestamp(plan.made).description.prefix(10)
        return Export(fileName: "pics-\(user.name)-\(day).zip", bytes: plan.layout.length) { [self] write in
            try await send(plan, to: write)
            _ = permit
        }
    }

    func spool() async throws(SpoolFile.Failure) -> SpoolFile { try await SpoolFile(in: folder, threads: threads) }

    // MARK: Sending

    private func send(_ plan: ExportPlan, to write: Export.Write) async throws {
        var layout = ZipLayout()
        // A line for each file; it grows with them, so it is kept beside them.
        var directory = ExportText(try await spool())
        func begin(_ entry: ZipEntry) async throws {
            try await directory.write(entry.record(at: layout.offset))
            layout.add(entry)
            try await write(entry.header)
        }
        for (name, text) in plan.texts {
            try await begin(ZipEntry(name: name, size: text.size, modified: plan.made, checksum: text.sum))
            try await copy(text, to: write)
        }
        for index in 0..<plan.fileCount {
            let file = try await plan.file(index)
            let blob = try await blobs.open(file.digest, expecting: file.bytes)
            // Its checksum comes before its bytes, so they are read twice; the second time they are in memory.
            var checksum = CRC32()
            try await pieces(of: blob) { checksum.update($0[...]) }
            try await begin(file.entry(checksum: checksum.value))
            try await pieces(of: blob) { try await write($0) }
        }
        try await directory.flush()
        try await copy(directory, to: write)
        try await write(layout.end)
    }

    private func copy(_ text: ExportText, to write: Export.Write) async throws {
        var offset: Int64 = 0
        while offset < text.size {
            let piece = try await text.file.read(at: offset, Self.pieceLength)
            guard !piece.isEmpty else { throw SpoolFile.Failure("an export's text is short") }
            try await write(piece)
            offset += Int64(piece.count)
        }
    }

    private func pieces(of blob: OpenBlob, _ use: ([UInt8]) async throws -> Void) async throws {
        var offset: Int64 = 0
        while offset < blob.bytes {
            let piece = try await SpoolFile.read(blob.file.descriptor, at: offset, Self.pieceLength, threads)
            guard !piece.isEmpty else { throw SpoolFile.Failure("a stored file is short") }
            try await use(piece)
            offset += Int64(piece.count)
        }
    }
}
