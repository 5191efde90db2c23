internal import FoundationEssentials
internal import HTTP

/// A registered video, as the journal keeps it.
struct PinterestVideo: Sendable, Equatable {
    private static let key = "video"
    /// The first look at a video that is being processed, and how the pause grows.
    private static let firstPause = Duration.seconds(2)
    private static let pauseGrowth = 1.5
    private static let longestPause = Duration.seconds(30)
    /// One that Pinterest has not processed by then is lost.
    private static let longestProcessing: TimeInterval = 3600

    let id: String
    let registeredAt: Date
    /// Whether the store has confirmed the file. Else it may have arrived, too.
    var isStored = false
    /// Until the next look.
    var pause = Self.firstPause

    init(id: String, registeredAt: Date) { (self.id, self.registeredAt) = (id, registeredAt) }

    /// The same video after one more look; nil when Pinterest has taken too long.
    func later(_ now: Date) -> PinterestVideo? {
        guard now < registeredAt + Self.longestProcessing else { return nil }
        var later = self
        later.pause = min(pause * Self.pauseGrowth, Self.longestPause)
        return later
    }

    static func recorded(in journal: any Journal) async -> PinterestVideo? {
        let json = await journal.value(key)
        guard let id = json?["id"]?.string, let registeredAt = json?["registered_at"]?.double else { return nil }
        var video = PinterestVideo(id: id, registeredAt: Date(timeIntervalSince1970: registeredAt))
        video.isStored = json?["is_stored"]?.bool == true
        if let pause = json?["pause"]?.double { video.pause = .seconds(pause) }
        return video
    }

    func record(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(
            Self.key,
            [
                "id": .string(id), "registered_at": .double(registeredAt.timeIntervalSince1970),
                "is_stored": .bool(isStored), "pause": .double(pause.timeInterval),
            ])
    }

    /// So that the next attempt sends it anew.
    static func discard(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(key, nil)
    }
}
