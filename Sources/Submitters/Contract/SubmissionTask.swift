package import Domain
package import FoundationEssentials
package import HTTP

/// Everything a submitter gets for one attempt.
package struct SubmissionTask: Sendable {
    package let submission: SubmissionID
    /// A function of the submission, not of the attempt; what a service's idempotency key is made of.
    package let outboundKey: String
    package let photo: OutgoingPhoto
    /// The file that leaves, prepared by the media rule of the account: made when it is first asked for, the same for as
    /// long as the attempt, and gone afterwards. An attempt whose journal says that the service has the file need not ask.
    package let file: @Sendable () async throws(SubmissionError) -> OutgoingFile
    /// The address at which the service fetches the file: of this file alone, until the submission has ended, for a day at most. The same
    /// demands as on `file`; a second one is made where the first was asked for by an earlier attempt.
    package let address: @Sendable () async throws(SubmissionError) -> String
    /// The exact text to send, planned by the account's caption rule.
    package let text: String
    /// The caption that the text was planned from, the account's template filled in: for services whose rule must be read again at run time.
    package let caption: String
    package let altText: String
    /// The exact texts of the posts that follow in a thread, in order; each is planned by the account's caption rule.
    package let parts: [String]
    /// Of a part of a thread, its place: then the task asks for no file, and is posted as a text that answers the post before it, with the labels and
    /// the audience of the first. Nil for a post that begins.
    package let answering: ThreadPlace?
    /// Pictures that go along in the same post, in order: never more than the account's media rule lets.
    package let companions: [OutgoingPicture]
    package let shortURL: String
    /// The order of a printed card, for a service that prints it; it has a person's address in it. Nil for all others.
    package let order: PrintOrder?
    package let account: OpenedAccount
    /// Whether another submission of the account is known to have this post: then a look that finds it by its words has found
    /// somebody else's.
    package let isTaken: @Sendable (_ remoteID: String) async throws(SubmissionError) -> Bool
    /// The steps of earlier attempts and of this one.
    package let journal: any Journal
    package let transport: any Transport
    /// Bytes of the photo that the service has taken so far, of all; may be called often.
    package let progress: @Sendable (_ sent: Int64, _ total: Int64) -> Void
    /// The time, which tests move.
    package let now: @Sendable () -> Date

    package init(
        submission: SubmissionID, outboundKey: String, photo: OutgoingPhoto,
        file: @escaping @Sendable () async throws(SubmissionError) -> OutgoingFile,
        address: @escaping @Sendable () async throws(SubmissionError) -> String, text: String, caption: String,
        altText: String, parts: [String] = [], answering: ThreadPlace? = nil, companions: [OutgoingPicture] = [],
        shortURL: String, order: PrintOrder? = nil, account: OpenedAccount,
        isTaken: @escaping @Sendable (String) async throws(SubmissionError) -> Bool = { _ in false },
        journal: any Journal, transport: any Transport,
        progress: @escaping @Sendable (Int64, Int64) -> Void, now: @escaping @Sendable () -> Date
    ) {
        self.submission = submission
        self.outboundKey = outboundKey
        self.photo = photo
        self.file = file
        self.address = address
        self.text = text
        self.caption = caption
        self.altText = altText
        self.parts = parts
        self.answering = answering
        self.companions = companions
        self.shortURL = shortURL
        self.order = order
        self.account = account
        self.isTaken = isTaken
        self.journal = journal
        self.transport = transport
        self.progress = progress
        self.now = now
    }
}

/// The metadata of a photo, without its file.
package struct OutgoingPhoto: Sendable, Equatable {
    package let isVideo: Bool
    package let code: ShortCode
    /// The name of the photo's owner.
    package let owner: String
    package let takenAt: Date?
    /// The camera's difference to UTC then, in minutes; nil where it is not known.
    package var takenOffset: Int?
    package let createdAt: Date
    /// The audience here.
    package let visibility: Visibility
    /// Where it was taken; nil unless the account's owner lets its photos tell (`AccountPosition`).
    package let position: Position?
    package var labels: ContentLabels

    package init(
        isVideo: Bool, code: ShortCode, owner: String, takenAt: Date?, createdAt: Date,
        visibility: Visibility = .public, position: Position? = nil,
        labels: ContentLabels = ContentLabels()
    ) {
        self.isVideo = isVideo
        self.code = code
        self.owner = owner
        self.takenAt = takenAt
        self.createdAt = createdAt
        self.visibility = visibility
        self.position = position
        self.labels = labels
    }
}

/// A file on disk that a photo leaves as.
package struct OutgoingFile: Sendable, Equatable {
    package let path: String
    package let bytes: Int64
    package let mediaType: String
    /// Of the upright picture; nil when a video does not say.
    package let width: Int?
    package let height: Int?

    package init(path: String, bytes: Int64, mediaType: String, width: Int?, height: Int?) {
        self.path = path
        self.bytes = bytes
        self.mediaType = mediaType
        self.width = width
        self.height = height
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

/// The memory of a submission between attempts. Every write is durable when it returns, and fails with `.leaseLost` for a
/// worker that no longer owns the job.
package protocol Journal: Sendable {
    /// The value that an earlier step, of this attempt or another, has recorded.
    func value(_ key: String) async -> JSONValue?

    /// Records a step, such as the id of an uploaded picture; nil forgets it.
    func record(_ key: String, _ value: JSONValue?) async throws(SubmissionError)

    /// States that the next request may publish, and records `steps` in the same write. From here on a crash leaves an unknown
    /// outcome, never a second post. Throws `.cancelled` when the submission was cancelled meanwhile.
    func arm(recording steps: JSONObject) async throws(SubmissionError)
}

/// The names of a journal's members: those of the queue begin with `prefix`, all others are the service's.
package enum JournalKey {
    package static let prefix = "pics."
    /// The posts of a thread that are there, from the first on: once it is recorded, no step may forget it, nor make the job look unpublished.
    package static let thread = "\(prefix)thread"

    /// The beginning of the names of a part's members; the first post of a thread is number 1.
    package static func part(_ number: Int) -> String { "\(prefix)part\(number)." }
}

extension Journal {
    /// States that the next request may publish.
    package func arm() async throws(SubmissionError) { try await arm(recording: [:]) }
}
