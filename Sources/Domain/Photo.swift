package import Crypto
package import FoundationEssentials
package import System

/// A stored photo or video with what its owner says of it.
package struct Photo: Sendable, Equatable {
    package enum Kind: String, Sendable { case photo, video }

    /// The state of the pictures that are made of a new photo or a new recipe.
    package enum Processing: String, Sendable, CaseIterable {
        case pending
        case done
        /// Its file does not let them be made.
        case failed
    }

    /// What became of a photo at its accounts, worst first.
    package enum State: String, Sendable, CaseIterable {
        /// Its owner has not published it yet.
        case draft
        /// A post needs its owner: an account asks for a new login, or nobody knows whether the post is out.
        case attention
        /// A service has refused it.
        case failed
        /// On its way.
        case sending
        /// Waits for its time.
        case scheduled
        /// Out wherever it was to go.
        case sent
        /// Here alone.
        case stored
    }

    package let id: PhotoID
    package let owner: UserID
    package let code: ShortCode
    package let kind: Kind
    /// The file as it came in, by content.
    package let blob: BlobID
    package let mediaType: String
    package let bytes: Int64
    /// Of the upright picture, in pixels; nil when a video does not say.
    package let width: Int?
    package let height: Int?
    /// Nil for a photo, and for a video that was stored before Pics read it.
    package let video: VideoFacts?
    package let takenAt: Date?
    /// The camera's difference to UTC then, in minutes, east positive; nil where the camera did not say.
    package var takenOffset: Int?
    package let position: Position?
    package let caption: String
    package let altText: String
    package let visibility: Visibility
    /// The recipe for what is shown; nil shows the photo as it is.
    package let recipe: Recipe?
    /// The photos it was made of, in their order; they may be gone.
    package let sources: [PhotoID]
    /// Photos of the same owner that go along in the same post, in their order, 0 to 19; those that may.
    package let companions: [PhotoID]
    /// Likes of users and visitors here.
    package let likeCount: Int
    /// Likes elsewhere, as the services that it was posted to counted them last.
    package let networkLikeCount: Int
    /// Grows with each edit of caption, alternative text, visibility or recipe; the first half of the ETag.
    package let version: Int
    package let createdAt: Date
    package let deletedAt: Date?
    /// The owner's word for what belongs together, 1 to 100 characters; nil when it is in no album.
    package let album: String?
    /// When caption, alternative text, visibility, recipe or album changed last.
    package let editedAt: Date?
    package let processing: Processing
    /// The photo whose post it is part of: it stands in no list, and is seen by whom that is seen. Nil for a post of its own.
    package let partOf: PhotoID?
    /// What it will be; nil for one that is published.
    package var plan: Plan?
    /// When it was published; nil while it is not.
    package var publishedAt: Date?
    package var labels = ContentLabels()
    /// Whether there is a picture or video; without one the photo is what is said of a post that its owner's app has made, and its file
    /// is a stand-in that nobody is shown.
    package var hasPicture = true
    /// The point of the picture that matters; nil: nobody has said.
    package var focus: FocalPoint?
    /// The fault that was found in its file; nil when none is known.
    package var fileFault: FileFault?

    package init(
        id: PhotoID, owner: UserID, code: ShortCode, kind: Kind, blob: BlobID, mediaType: String, bytes: Int64,
        width: Int?, height: Int?, video: VideoFacts?, takenAt: Date?, position: Position?, caption: String,
        altText: String, visibility: Visibility, recipe: Recipe? = nil, sources: [PhotoID] = [],
        companions: [PhotoID] = [],
        likeCount: Int,
        networkLikeCount: Int = 0, version: Int, createdAt: Date, deletedAt: Date?, album: String? = nil,
        editedAt: Date? = nil, processing: Processing = .done, partOf: PhotoID? = nil
    ) {
        self.id = id
        self.owner = owner
        self.code = code
        self.kind = kind
        self.blob = blob
        self.mediaType = mediaType
        self.bytes = bytes
        self.width = width
        self.height = height
        self.video = video
        self.takenAt = takenAt
        self.position = position
        self.caption = caption
        self.altText = altText
        self.visibility = visibility
        self.recipe = recipe
        self.sources = sources
        self.companions = companions
        self.likeCount = likeCount
        self.networkLikeCount = networkLikeCount
        self.version = version
        self.createdAt = createdAt
        self.deletedAt = deletedAt
        self.album = album
        self.editedAt = editedAt
        self.processing = processing
        self.partOf = partOf
    }
}

extension Photo {
    /// The offsets of clocks that exist, in minutes.
    package static let takenOffsets = -840...840

    /// The clock that the photo's time is shown by: the camera's where it is known, else that of `zone`.
    package func clock(or zone: Zone) -> Zone {
        takenOffset.flatMap { Zone(secondsFromUTC: $0 * 60) } ?? zone
    }

    /// When it was taken, else when Pics got it.
    package var moment: Date { takenAt ?? createdAt }

    /// The size of the picture that pages, feeds and cards show; nil when there is none: it is unknown, or no picture can be made of
    /// the file.
    package var shownSize: (width: Int, height: Int)? {
        guard processing != .failed, let width, let height else { return nil }
        return (width, height)
    }
}

extension Photo {
    /// The future of a photo that is not published: until then it is private.
    package struct Plan: Sendable, Equatable {
        /// Its visibility then.
        package let visibility: Visibility
        /// When it is published; nil for a draft, which waits for its owner.
        package let publishAt: Date?
        /// A JSON object with the owner's further choices for a draft, in the form in which `POST /v1/photos` takes them.
        package let choices: String?

        package init(visibility: Visibility, publishAt: Date? = nil, choices: String? = nil) {
            (self.visibility, self.publishAt, self.choices) = (visibility, publishAt, choices)
        }
    }

    package var isDraft: Bool { plan.map { $0.publishAt == nil } ?? false }
}

/// What readers are told of a photo's content before they see it.
package struct ContentLabels: Sendable, Equatable {
    /// Whether it is covered until a reader wants to see it.
    package let isSensitive: Bool
    /// Why, in the owner's words, 1 to 200 characters; nil: nothing is said.
    package let warning: String?
    /// Of the caption, as a language tag (BCP 47) of at most 35 characters; nil: it is not known.
    package let language: String?

    /// What has a warning is sensitive.
    package init(isSensitive: Bool = false, warning: String? = nil, language: String? = nil) {
        (self.isSensitive, self.warning, self.language) = (isSensitive || warning != nil, warning, language)
    }
}

extension ContentLabels {
    package enum Kind: Sendable, CaseIterable {
        case sensitivity, warning, language
    }

    /// The labels whose values are not those of `other`.
    package func differences(from other: ContentLabels) -> Set<Kind> {
        var kinds: Set<Kind> = []
        if isSensitive != other.isSensitive { kinds.insert(.sensitivity) }
        if warning != other.warning { kinds.insert(.warning) }
        if language != other.language { kinds.insert(.language) }
        return kinds
    }
}

extension Photo {
    /// As `shownSize`, for other sites and readers of feeds; nil also for a sensitive photo, which they would show uncovered.
    package var previewSize: (width: Int, height: Int)? { labels.isSensitive ? nil : shownSize }
}

extension Photo.State {
    /// The state of a photo with these submissions at the time `now`; as the database's `photo_state`.
    package init(_ photo: Photo, _ submissions: [Submission], at now: Date) {
        guard !photo.isDraft else {
            self = .draft
            return
        }
        let states: [Self] =
            submissions.compactMap { submission in
                switch submission.state {
                case .needsLogin, .unknown: .attention
                case .rejected: .failed
                case .waiting, .running, .paused:
                    submission.scheduledAt.map { $0 > now } == true ? .scheduled : .sending
                case .done: .sent
                case .cancelled, .deleted: nil
                }
            }
        self = (states + (photo.plan == nil ? [] : [.scheduled])).min(by: Self.isWorse) ?? .stored
    }

    private static func isWorse(_ one: Self, _ other: Self) -> Bool {
        allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
    }
}

/// The audience of a photo's short link.
package enum Visibility: String, Sendable, CaseIterable {
    /// Everybody; may be listed.
    case `public`
    /// Everybody who has the link; never listed.
    case unlisted
    /// The owner alone; the link answers 404 to others.
    case `private`
}

/// The point of a picture that stays in sight when it is cut, from its middle: x to the right and y upwards, from -1 to 1.
package struct FocalPoint: Sendable, Equatable {
    package let x: Double
    package let y: Double

    /// Nil outside -1...1, and for values that are no numbers.
    package init?(x: Double, y: Double) {
        guard (-1...1).contains(x), (-1...1).contains(y) else { return nil }
        // Finer than a pixel.
        (self.x, self.y) = ((x * 10_000).rounded() / 10_000, (y * 10_000).rounded() / 10_000)
    }

    /// Reads `0.1,-0.5`.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmedOfSpaces)
        }
        guard parts.count == 2, let x = parts[0], let y = parts[1] else { return nil }
        self.init(x: x, y: y)
    }
}

/// Where a photo was taken (WGS 84, degrees; south and west are negative).
package struct Position: Sendable, Equatable {
    package let latitude: Double
    package let longitude: Double

    /// Nil outside -90...90 and -180...180, and for values that are no numbers.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// The SHA-256 of a file's bytes, which is its name in the blob store.
package struct BlobID: Hashable, Sendable, CustomStringConvertible {
    package let digest: SHA256Digest

    package init(_ digest: SHA256Digest) { self.digest = digest }

    /// Nil unless there are 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard let digest = SHA256Digest(bytes: bytes) else { return nil }
        self.digest = digest
    }

    /// Nil unless there are 64 hexadecimal digits.
    package init?(hex: String) {
        guard let digest = SHA256Digest(hex: hex) else { return nil }
        self.digest = digest
    }

    /// 32 bytes.
    package var bytes: [UInt8] { digest.bytes }

    /// 64 hexadecimal digits, lower case.
    package var description: String { digest.hex }
}

/// A stored file that is not as it was stored.
package enum FileFault: String, Sendable, Hashable {
    /// There is no file.
    case missing
    /// The file has other bytes, or cannot be read.
    case damaged
}
