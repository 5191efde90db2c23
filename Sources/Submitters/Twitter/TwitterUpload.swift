internal import FoundationEssentials
internal import HTTP

/// A chunked upload, as the journal keeps it between its requests.
struct TwitterUpload: Sendable, Equatable {
    /// From version 1.1; X tells the lifetime of an upload in nearly every response.
    private static let defaultLife: TimeInterval = 3600
    /// An upload that ends within this time is not gone on with.
    private static let reserve: TimeInterval = 300

    /// Under which the journal keeps it.
    let key: String
    /// The media's id, for posts.
    let id: String
    /// The media's name in posts that are read back.
    let mediaKey: String?
    /// Of the whole file.
    let bytes: Int64
    /// How many segments X has acknowledged; they are sent in order.
    var segments = 0
    /// The bytes in them.
    var sentBytes: Int64 = 0
    /// When X throws the upload away.
    var expiresAt: Date
    /// When the last segment was followed by `finalize`.
    var finalizedAt: Date?
    /// Processed, so that a post may show it.
    var isReady = false
    var hasAltText = false

    /// Takes the response to `initialize`; nil when it names no media.
    init?(_ response: JSONValue, of picture: OutgoingPicture, bytes: Int64, now: Date) {
        guard let id = response["data"]?["id"]?.string else { return nil }
        key = Self.key(picture)
        self.id = id
        mediaKey = response["data"]?["media_key"]?.string
        self.bytes = bytes
        expiresAt = now + Self.defaultLife
        extend(response, now: now)
    }

    /// Takes over the end of life that a response states: a time after `append`, a duration after the other calls.
    mutating func extend(_ response: JSONValue, now: Date) {
        if let time = response["data"]?["expires_at"]?.double {
            expiresAt = Date(timeIntervalSince1970: time)
        } else if let life = response["data"]?["expires_after_secs"]?.double {
            expiresAt = now + life
        }
    }

    /// Whether it can still be gone on with.
    func isUsable(_ now: Date) -> Bool { now + Self.reserve < expiresAt }

    /// Whether X has all of the file.
    var isWhole: Bool { sentBytes >= bytes }

    /// The stretch of the file that comes next; nil when X has all of it.
    func nextSegment(of file: OutgoingFile, atMost segmentBytes: Int64) -> BodyPart? {
        guard !isWhole else { return nil }
        return .file(path: file.path, offset: sentBytes, length: min(segmentBytes, bytes - sentBytes))
    }

    /// Counts a segment that X has acknowledged.
    mutating func acknowledge(_ segment: BodyPart) {
        segments += 1
        sentBytes += segment.length
    }
}

// In the journal.
extension TwitterUpload {
    private static func key(_ picture: OutgoingPicture) -> String { picture.key("upload") }

    static func recorded(_ picture: OutgoingPicture, in journal: any Journal) async -> TwitterUpload? {
        let key = key(picture)
        return await journal.value(key).flatMap { TwitterUpload($0, key: key) }
    }

    func record(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(key, json)
    }

    static func discard(_ picture: OutgoingPicture, in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(key(picture), nil)
    }

    private init?(_ json: JSONValue, key: String) {
        guard let id = json["id"]?.string, let bytes = json["bytes"]?.int,
            let segments = json["segments"]?.int.flatMap(Int.init(exactly:)),
            let sentBytes = json["sent_bytes"]?.int, let expiresAt = json["expires_at"]?.double
        else { return nil }
        self.key = key
        self.id = id
        mediaKey = json["media_key"]?.string
        self.bytes = bytes
        self.segments = segments
        self.sentBytes = sentBytes
        self.expiresAt = Date(timeIntervalSince1970: expiresAt)
        finalizedAt = json["finalized_at"]?.double.map(Date.init(timeIntervalSince1970:))
        isReady = json["is_ready"]?.bool ?? false
        hasAltText = json["has_alt_text"]?.bool ?? false
    }

    private var json: JSONValue {
        [
            "id": .string(id), "media_key": JSONValue(mediaKey), "bytes": .int(bytes), "segments": JSONValue(segments),
            "sent_bytes": .int(sentBytes), "expires_at": .double(expiresAt.timeIntervalSince1970),
            "finalized_at": JSONValue(finalizedAt?.timeIntervalSince1970), "is_ready": .bool(isReady),
            "has_alt_text": .bool(hasAltText),
        ]
    }
}
