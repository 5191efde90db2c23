internal import FoundationEssentials
internal import HTTP

/// A file that the server has taken, as the journal keeps it.
struct MastodonUpload: Sendable {
    /// The first look at a file that is being processed, and how the pause grows.
    private static let firstPause = Duration.seconds(1)
    private static let pauseGrowth = 1.5
    private static let longestPause = Duration.seconds(15)
    /// A server that has not processed a file by then has lost it.
    private static let longestProcessing: TimeInterval = 600

    /// The picture that it is of.
    let picture: OutgoingPicture
    /// The attachment's id on the server.
    let id: String
    let uploadedAt: Date
    /// Until the next look.
    let pause: Duration

    init(of picture: OutgoingPicture, id: String, uploadedAt: Date, pause: Duration = Self.firstPause) {
        self.picture = picture
        self.id = id
        self.uploadedAt = uploadedAt
        self.pause = pause
    }

    /// The same upload after one more look; nil when the server has taken too long.
    func later(_ now: Date) -> MastodonUpload? {
        guard now < uploadedAt + Self.longestProcessing else { return nil }
        return MastodonUpload(
            of: picture, id: id, uploadedAt: uploadedAt, pause: min(pause * Self.pauseGrowth, Self.longestPause))
    }

    private static func key(_ picture: OutgoingPicture) -> String { picture.key("media") }

    static func recorded(_ picture: OutgoingPicture, in journal: any Journal) async -> MastodonUpload? {
        let recorded = await journal.value(key(picture))
        guard let id = recorded?["id"]?.string, let uploadedAt = recorded?["uploaded_at"]?.double,
            let pause = recorded?["pause"]?.double
        else { return nil }
        return MastodonUpload(
            of: picture, id: id, uploadedAt: Date(timeIntervalSince1970: uploadedAt), pause: .seconds(pause))
    }

    func record(in journal: any Journal) async throws(SubmissionError) {
        let json: JSONValue = [
            "id": .string(id), "uploaded_at": .double(uploadedAt.timeIntervalSince1970),
            "pause": .double(pause.timeInterval),
        ]
        try await journal.record(Self.key(picture), json)
    }

    /// So that the next attempt uploads it anew.
    func discard(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(Self.key(picture), nil)
    }
}
