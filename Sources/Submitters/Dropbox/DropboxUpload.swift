internal import Crypto
internal import HTTP
internal import System

/// An upload session, as the journal keeps it between its requests.
struct DropboxUpload: Sendable, Equatable {
    private static let key = "session"

    let session: String
    /// Of the whole file.
    let bytes: Int64
    /// The bytes that Dropbox has confirmed.
    var sent: Int64 = 0

    static func recorded(in journal: any Journal) async -> DropboxUpload? {
        let json = await journal.value(key)
        guard let session = json?["session"]?.string, let bytes = json?["bytes"]?.int, let sent = json?["sent"]?.int
        else { return nil }
        return DropboxUpload(session: session, bytes: bytes, sent: sent)
    }

    func record(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(
            Self.key, ["session": .string(session), "bytes": .int(bytes), "sent": .int(sent)])
    }

    static func discard(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(key, nil)
    }
}

/// Dropbox's `content_hash`: the SHA-256 of the SHA-256s of all blocks of 4 MiB.
///
/// Source: dropbox.com/developers/reference/content-hash; read 2026-11-21.
struct DropboxContentHash: Sendable {
    static let blockBytes = 4 << 20

    /// Of a stretch of a file, in small hexadecimal digits. Blocks while it reads.
    static func of(file path: String, offset: Int64, length: Int64) throws(ArchiveError) -> String {
        let file = try OwnedDescriptor(opening: path, flags: 0)
        var outer = SHA256()
        var position: Int64 = 0
        while position < length {
            let count = Int(min(Int64(blockBytes), length - position))
            let block = try file.content(at: offset + position, atMost: count)
            guard block.count == count else { throw .shortOriginal }
            outer.update(SHA256Digest(of: block).bytes)
            position += Int64(count)
        }
        return outer.finish().hex
    }
}
