package import Blobs
package import Domain
package import EventLoops
internal import Foundation
internal import HTTP
package import HTTPServer
package import Logging
package import Store
internal import Zip

/// Gives people everything that they own: a ZIP archive of their photos as they came, and of what is known of them as JSON.
///
/// Its length is told beforehand, and it is made while it is sent: in memory and on the disk it costs a few hundred bytes for
/// each photo, whatever their sizes. Whoever hangs up has cost nothing.
package final class Exports: Sendable {
    let store: Store
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
        store: Store, blobs: BlobStore, addresses: Addresses, logger: Logger, folder: String, threads: BlockingThreads
    ) {
        self.store = store
        self.blobs = blobs
        self.addresses = addresses
        self.logger = logger
        self.folder = folder
        self.threads = threads
    }

    /// The answer with everything of a user's; 503 when one is under way for them already, or several for others.
    package func answer(for user: User) async throws -> Response {
        guard let permit = underWay.take(user.id) else {
            return .problem(
                ProblemDetails(
                    type: "/problems/exports-under-way", status: .serviceUnavailable,
                    title: "An export is under way already",
                    detail: "One at a time for each user, a few for everybody. Try again when it has ended.",
                    retryAfter: .seconds(60)))
        }
        let plan = try await ExportPlan(of: user, self)
        logger.notice("export begins", ["user": user.name, "files": plan.fileCount, "bytes": plan.layout.length])
        let day = Timestamp(plan.made).description.prefix(10)
        return Response(
            .ok,
            fields: [
                "Content-Type": "application/zip", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Content-Disposition": "attachment; filename=\"pics-\(user.name)-\(day).zip\"",
            ],
            body: .stream(length: plan.layout.length) { [self] writer in
                try await send(plan, to: writer)
                _ = permit
            })
    }

    func spool() async throws(SpoolFile.Failure) -> SpoolFile { try await SpoolFile(in: folder, threads: threads) }

    // MARK: Sending

    private func send(_ plan: ExportPlan, to writer: BodyWriter) async throws {
        var layout = ZipLayout()
        // A line for each file; it grows with them, so it is kept beside them.
        var directory = ExportText(try await spool())
        func begin(_ entry: ZipEntry) async throws {
            try await directory.write(entry.record(at: layout.offset))
            layout.add(entry)
            try await writer.write(entry.header)
        }
        for (name, text) in plan.texts {
            try await begin(ZipEntry(name: name, size: text.size, modified: plan.made, checksum: text.sum))
            try await copy(text, to: writer)
        }
        for index in 0..<plan.fileCount {
            let file = try await plan.file(index)
            let blob = try await blobs.open(file.digest, expecting: file.bytes)
            // Its checksum comes before its bytes, so they are read twice; the second time they are in memory.
            var checksum = CRC32()
            try await pieces(of: blob) { checksum.update($0[...]) }
            try await begin(file.entry(checksum: checksum.value))
            try await pieces(of: blob) { try await writer.write($0) }
        }
        try await directory.flush()
        try await copy(directory, to: writer)
        try await writer.write(layout.end)
    }

    private func copy(_ text: ExportText, to writer: BodyWriter) async throws {
        var offset: Int64 = 0
        while offset < text.size {
            let piece = try await text.file.read(at: offset, Self.pieceLength)
            guard !piece.isEmpty else { throw SpoolFile.Failure("an export's text is short") }
            try await writer.write(piece)
            offset += Int64(piece.count)
        }
    }

    private func pieces(of blob: OpenBlob, _ use: ([UInt8]) async throws -> Void) async throws {
        var offset: Int64 = 0
        while offset < blob.bytes {
            let piece = try await SpoolFile.read(blob.descriptor, at: offset, Self.pieceLength, threads)
            guard !piece.isEmpty else { throw SpoolFile.Failure("a stored file is short") }
            try await use(piece)
            offset += Int64(piece.count)
        }
    }
}
