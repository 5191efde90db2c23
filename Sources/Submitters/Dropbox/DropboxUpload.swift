internal import HTTP

/// An upload session, as the journal keeps it between its requests.
struct DropboxUpload: Sendable, Equatable {
    private static let key = "session"

    let session: String
    /// Of the whole file.
    let bytes: Int64
    /// What Dropbox has confirmed.
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
