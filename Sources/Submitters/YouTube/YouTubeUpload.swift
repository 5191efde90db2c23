internal import HTTP

/// A begun upload, as the journal keeps it. Its address lets anybody who knows it send the file.
struct YouTubeUpload: Sendable, Equatable {
    private static let key = "upload"

    /// With its query.
    let path: String
    /// Of the whole file.
    let bytes: Int64
    /// Of what it makes: words, audience, date.
    let digest: String
    /// The text that people are told was sent.
    let text: String

    static func recorded(in journal: any Journal) async -> YouTubeUpload? {
        let json = await journal.value(key)
        guard let path = json?["path"]?.string, let bytes = json?["bytes"]?.int, let digest = json?["digest"]?.string,
            let text = json?["text"]?.string
        else { return nil }
        return YouTubeUpload(path: path, bytes: bytes, digest: digest, text: text)
    }

    func record(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(
            Self.key,
            ["path": .string(path), "bytes": .int(bytes), "digest": .string(digest), "text": .string(text)])
    }
}
