package import Domain
package import Foundation
package import HTTP

/// Everything a submitter gets for one try.
package struct SubmissionTask: Sendable {
    package let submission: SubmissionID
    /// A function of the submission, not of the try; what a service's idempotency key is made of.
    package let outboundKey: String
    package let photo: OutgoingPhoto
    /// The exact text to send, planned by the account's caption rule.
    package let text: String
    /// What the text was planned from, for services whose rule must be read again at run time.
    package let caption: String
    package let altText: String
    package let shortURL: String
    package let account: Account
    /// What earlier tries have left, and where this one leaves its steps.
    package let journal: any Journal
    package let transport: any Transport
    /// Bytes of the photo that the service has taken so far, of all; may be called often.
    package let progress: @Sendable (_ sent: Int64, _ total: Int64) -> Void
    /// The time, which tests move.
    package let now: @Sendable () -> Date

    package init(
        submission: SubmissionID, outboundKey: String, photo: OutgoingPhoto, text: String, caption: String,
        altText: String, shortURL: String, account: Account, journal: any Journal, transport: any Transport,
        progress: @escaping @Sendable (Int64, Int64) -> Void, now: @escaping @Sendable () -> Date
    ) {
        self.submission = submission
        self.outboundKey = outboundKey
        self.photo = photo
        self.text = text
        self.caption = caption
        self.altText = altText
        self.shortURL = shortURL
        self.account = account
        self.journal = journal
        self.transport = transport
        self.progress = progress
        self.now = now
    }
}

/// The copy of a photo that leaves: prepared by the media rule of the account, a file on disk for as long as the try.
package struct OutgoingPhoto: Sendable, Equatable {
    package let path: String
    package let bytes: Int64
    package let mediaType: String
    package let isVideo: Bool
    /// Of the upright picture; nil when a video does not say.
    package let width: Int?
    package let height: Int?
    package let code: ShortCode
    /// The name of the photo's owner.
    package let owner: String
    package let takenAt: Date?
    package let createdAt: Date

    package init(
        path: String, bytes: Int64, mediaType: String, isVideo: Bool, width: Int?, height: Int?, code: ShortCode,
        owner: String, takenAt: Date?, createdAt: Date
    ) {
        self.path = path
        self.bytes = bytes
        self.mediaType = mediaType
        self.isVideo = isVideo
        self.width = width
        self.height = height
        self.code = code
        self.owner = owner
        self.takenAt = takenAt
        self.createdAt = createdAt
    }

    /// The usual file name ending for the media type, without the dot.
    package var fileExtension: String {
        switch mediaType {
        case "image/jpeg": "jpg"
        case "image/png": "png"
        case "image/webp": "webp"
        case "image/gif": "gif"
        case "image/heic": "heic"
        case "video/mp4": "mp4"
        case "video/quicktime": "mov"
        default: "bin"
        }
    }
}

/// What a submission remembers between tries. Every write is durable when it returns, and fails with `.leaseLost` for a
/// worker that no longer owns the job.
package protocol Journal: Sendable {
    /// What an earlier step, of this try or of one before, has recorded.
    func value(_ key: String) async -> JSONValue?

    /// Records a step, such as the id of an uploaded picture; nil forgets it.
    func record(_ key: String, _ value: JSONValue?) async throws(SubmissionError)

    /// States that the next request may publish. From here on a crash leaves an unknown outcome, never a second post.
    /// Throws `.cancelled` when the submission was cancelled meanwhile.
    func arm() async throws(SubmissionError)
}
