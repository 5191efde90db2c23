package import Domain

/// A service's facts, each with its source beside the value that a submitter gives.
package struct ServiceDescription: Sendable {
    /// The name in the API, the database and settings: lower-case letters, digits and `-`.
    package let id: String
    /// As people write it.
    package let name: String
    /// Other names that resolve to it, such as `x`.
    package let aliases: [String]
    /// The values that `pics connect` asks for, in order.
    package let credentialFields: [CredentialField]
    /// For accounts whose settings do not say otherwise.
    package let captionRule: CaptionRule
    package let mediaRule: MediaRule
    package let lane: LanePolicy
    package let retry: RetryPolicy
    package let takesAltText: Bool
    /// The policy for the position of photos.
    package let position: PositionPolicy
    /// Whether owners may choose how large and how bright the pictures are that go there; not where originals are kept.
    package let hasPictureChoices: Bool
    /// Whether anybody can open the address of a post; else its owner alone can, or members of the service.
    package let hasPublicLinks: Bool
    /// Advice for people before they connect an account, such as its cost; nil: none.
    package let note: String?
    /// Whether it is the owner's own archive on this server: every user is connected to it from the start, and private
    /// photos go there.
    package let isOwnArchive: Bool
    /// Whether the service is gone: its type stays, and a server that speaks its protocol may be connected.
    package let hasEnded: Bool
    /// How long an account's settings stay fresh; nil when there is nothing to refresh.
    package let settingsLife: Duration?
    /// Advice before links are put into posts, such as their cost; nil: none.
    package let linkNote: String?
    /// The kind of credentials that are entered.
    package let credentialKind: CredentialKind
    /// The audiences that an owner may choose for an account's posts; empty where the service leaves no choice.
    package let visibilities: [VisibilityChoice]
    /// Whether an owner may choose that files there get a link that everybody may open.
    package let canShareFiles: Bool
    /// The pages that hashtags and mentions in captions lead to; nil: none.
    package let entityPages: EntityPages?
    /// Whether a content warning counts as a part of the caption.
    package let countsWarning: Bool
    /// The content labels that posts there carry.
    package let labels: Set<ContentLabels.Kind>
    /// Whether it takes no bytes, and fetches files from this Pics.
    package let fetchesFiles: Bool
    /// Whether each post is an order that costs money (`PrintingSubmitter`): photos go there only when a person has confirmed the price, never by themselves.
    package let isOrdered: Bool

    package init(
        id: String, name: String, aliases: [String] = [], credentialFields: [CredentialField],
        captionRule: CaptionRule, mediaRule: MediaRule, lane: LanePolicy, retry: RetryPolicy = RetryPolicy(),
        takesAltText: Bool, position: PositionPolicy = .chosen, hasPictureChoices: Bool = true,
        hasPublicLinks: Bool = true, note: String? = nil, isOwnArchive: Bool = false, hasEnded: Bool = false,
        settingsLife: Duration? = nil,
        linkNote: String? = nil, credentialKind: CredentialKind = .other, visibilities: [VisibilityChoice] = [],
        canShareFiles: Bool = false, entityPages: EntityPages? = nil, countsWarning: Bool = false,
        labels: Set<ContentLabels.Kind> = [], fetchesFiles: Bool = false, isOrdered: Bool = false
    ) {
        self.id = id
        self.name = name
        self.aliases = aliases
        self.credentialFields = credentialFields
        self.captionRule = captionRule
        self.mediaRule = mediaRule
        self.lane = lane
        self.retry = retry
        self.takesAltText = takesAltText
        self.position = position
        self.hasPictureChoices = hasPictureChoices
        self.hasPublicLinks = hasPublicLinks
        self.note = note
        self.isOwnArchive = isOwnArchive
        self.hasEnded = hasEnded
        self.settingsLife = settingsLife
        self.linkNote = linkNote
        self.credentialKind = credentialKind
        self.visibilities = visibilities
        self.canShareFiles = canShareFiles
        self.entityPages = entityPages
        self.countsWarning = countsWarning
        self.labels = labels
        self.fetchesFiles = fetchesFiles
        self.isOrdered = isOrdered
    }

    /// Whether a post is a file of the owner's storage, whose path anybody can name: Pics deletes there only what it has made itself.
    package var keepsFiles: Bool { isOwnArchive || canShareFiles }

    /// Whether everybody may see posts of an account with this `visibility`; nil is the service's default.
    func isForEverybody(_ visibility: String?) -> Bool {
        guard let visibility else { return true }
        let audience = visibilities.first { $0.value == visibility }?.audience
        return audience == .everybody || audience == .unlisted
    }
}

/// An audience that an owner may choose for the posts of an account.
package struct VisibilityChoice: Sendable, Equatable {
    package enum Audience: Sendable {
        case everybody
        /// Everybody, but in no public list.
        case unlisted
        case followers
        /// People whom the text mentions.
        case mentioned
        case friendsOfFriends, friends, owner
    }

    /// The value of `visibility` in the account's settings, in the service's own words.
    package let value: String
    package let audience: Audience

    package init(_ value: String, _ audience: Audience) {
        self.value = value
        self.audience = audience
    }
}

/// The addresses of a service's pages of hashtags and people.
package struct EntityPages: Sendable {
    /// Makes an address; `word` is a hashtag or a name without its sign, percent-encoded, `server` the scheme and host of the post.
    package typealias Address = @Sendable (_ word: String, _ server: String) -> String?

    package let hashtag: Address
    package let profile: Address
    /// Whether each server has pages of its own, so that posts on several servers lead nowhere.
    package let isPerServer: Bool

    package init(hashtag: @escaping Address, profile: @escaping Address = { _, _ in nil }, isPerServer: Bool = false) {
        self.hashtag = hashtag
        self.profile = profile
        self.isPerServer = isPerServer
    }
}

/// The kind of secret that a person enters to connect an account.
package enum CredentialKind: Sendable {
    case appPassword, nameAndPassword, nameAndKey, token, other
}

/// Something a person enters to connect an account.
package struct CredentialField: Sendable, Equatable {
    /// The key of the entered value, such as `access_token`.
    package let name: String
    /// The question at the terminal.
    package let prompt: String
    /// Not shown while typed.
    package let isSecret: Bool
    /// Taken when nothing is entered; nil makes the field required.
    package let defaultValue: String?

    package init(_ name: String, prompt: String, isSecret: Bool = false, defaultValue: String? = nil) {
        self.name = name
        self.prompt = prompt
        self.isSecret = isSecret
        self.defaultValue = defaultValue
    }
}

/// The media that an account takes. Workers make a copy that fits when `submit` asks for the file.
package struct MediaRule: Sendable, Equatable {
    /// The part of the original that leaves.
    package enum Copy: Sendable, Equatable {
        /// The original bytes with every tag they came with, caption and short URL added where the format allows; only where the
        /// position may leave (`AccountPosition`), else as `cleaned`.
        case tagged
        /// Without position, serial numbers, owner's name and thumbnails; fitted to the limits.
        case cleaned
    }

    package let copy: Copy
    /// Media types that are taken as they are; a picture of another type becomes a JPEG.
    package let pictureTypes: Set<String>
    /// 0 when the service takes no pictures.
    package let maximumPictureBytes: Int64
    /// Pixels in all; larger pictures are scaled down. Nil when the service states none.
    package let maximumPixels: Int?
    /// Of either side, in pixels; larger pictures are scaled down. Nil when the service states none.
    package let longestSide: Int?
    /// Width by height, from at most 1 to at least 1; a picture outside leaves with white beside it. Nil when the service states none.
    package let aspectRatios: ClosedRange<Double>?
    /// Empty when the service takes no video.
    package let videoTypes: Set<String>
    package let maximumVideoBytes: Int64
    /// How many pictures a post may show, from 1; a video goes alone.
    package let maximumPictures: Int
    /// The surface that a picture is printed on: then it leaves cut to it, as a JPEG without any metadata. Nil: it leaves whole.
    package private(set) var fills: PictureFill?

    package init(
        copy: Copy = .cleaned, pictureTypes: Set<String>, maximumPictureBytes: Int64, maximumPixels: Int? = nil,
        longestSide: Int? = nil, aspectRatios: ClosedRange<Double>? = nil,
        videoTypes: Set<String> = [], maximumVideoBytes: Int64 = 0, maximumPictures: Int = 1
    ) {
        self.copy = copy
        self.pictureTypes = pictureTypes
        self.maximumPictureBytes = maximumPictureBytes
        self.maximumPixels = maximumPixels
        self.longestSide = longestSide
        self.aspectRatios = aspectRatios
        self.videoTypes = videoTypes
        self.maximumVideoBytes = maximumVideoBytes
        self.maximumPictures = maximumPictures
    }

    /// Whether a picture can be posted; else a video alone can.
    package var takesPictures: Bool { maximumPictureBytes > 0 }

    /// The rule of a service that takes videos alone, of `most` bytes.
    static func videos(_ types: Set<String>, most: Int64) -> MediaRule {
        MediaRule(pictureTypes: [], maximumPictureBytes: 0, videoTypes: types, maximumVideoBytes: most)
    }

    /// The rule of a store of files, of `most` bytes each: its owner's alone gets the original, what has a public link goes without its secrets.
    static func files(isShared: Bool = false, most: Int64 = .max) -> MediaRule {
        MediaRule(
            copy: isShared ? .cleaned : .tagged,
            pictureTypes: ["image/jpeg", "image/png", "image/webp", "image/gif", "image/heic"],
            maximumPictureBytes: most, videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: most)
    }

    /// The rule for a picture that is printed.
    package func filling(_ surface: PictureFill) -> MediaRule {
        var rule = self
        rule.fills = surface
        return rule
    }

    /// The rule for a picture that shares its post with others: no service lets what moves do that, so that a GIF leaves
    /// as a picture of its first frame.
    package var amongSeveral: MediaRule {
        MediaRule(
            copy: copy, pictureTypes: pictureTypes.subtracting(["image/gif"]), maximumPictureBytes: maximumPictureBytes,
            maximumPixels: maximumPixels, longestSide: longestSide, aspectRatios: aspectRatios,
            maximumPictures: maximumPictures)
    }
}

/// How many submissions of one account may run at once, how far apart they start, and how many may in a time.
package struct LanePolicy: Sendable, Equatable {
    package let concurrency: Int
    package let gap: Duration
    /// The limit of one account, such as posts a day; nil when the service states none.
    package let cap: Cap?
    /// The limit of all accounts of one application together.
    package let applicationCap: Cap?

    /// So many submissions in a window of time. Windows are fixed, and begin with their first submission.
    package struct Cap: Sendable, Equatable {
        package let submissions: Int
        package let window: Duration

        package init(_ submissions: Int, in window: Duration) {
            self.submissions = submissions
            self.window = window
        }
    }

    package init(concurrency: Int, gap: Duration = .zero, cap: Cap? = nil, applicationCap: Cap? = nil) {
        self.concurrency = concurrency
        self.gap = gap
        self.cap = cap
        self.applicationCap = applicationCap
    }
}

/// When trying again ends.
package struct RetryPolicy: Sendable, Equatable {
    package let maximumAttempts: Int
    package let maximumAge: Duration

    package init(maximumAttempts: Int = 12, maximumAge: Duration = .seconds(3 * 24 * 3600)) {
        self.maximumAttempts = maximumAttempts
        self.maximumAge = maximumAge
    }
}
