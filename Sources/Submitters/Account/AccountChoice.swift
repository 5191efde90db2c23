package import HTTP

/// A choice that an owner makes for an account. The account's settings hold it under `name`; forms, the API and the options of
/// commands are made from this list.
package enum AccountChoice: String, Sendable, CaseIterable {
    /// Whether photos go to the account unless they name others.
    case enabled
    /// Whether unlisted posts of apps go there, which can name no accounts.
    case takesUnlisted = "takes_unlisted"
    /// The word that chooses the account at the end of an app's post, as `family` in `+family`.
    case postWord = "post_word"
    /// Whether photos go there with their captions.
    case caption
    case captionTemplate = "caption_template"
    case captionRule = "caption_rule"
    /// The way of a caption that is too long.
    case longCaption = "long_caption"
    /// Whether photos tell where they were taken.
    case keepPosition = "keep_position"
    case quality
    case autoEnhance = "auto_enhance"
    /// The id of the album that photos go to.
    case album
    case visibility
    /// Whether files get a link that everybody may open.
    case share

    package enum Kind: Sendable, Equatable {
        case flag(default: Bool)
        case oneOf([String], default: String)
        /// One of `ServiceDescription.visibilities`.
        case oneOfService
        /// A text of 1 to `longestText` bytes.
        case text
    }

    /// In bytes.
    package static let longestText = 2000

    package var name: String { rawValue }

    /// Without `--`.
    package var option: String { rawValue.replacing("_", with: "-") }

    package var kind: Kind {
        switch self {
        case .enabled, .takesUnlisted, .caption: .flag(default: true)
        case .keepPosition, .autoEnhance, .share: .flag(default: false)
        case .quality:
            .oneOf(AccountPicture.Quality.allCases.map(\.rawValue), default: AccountPicture.Quality.original.rawValue)
        case .longCaption:
            .oneOf(LongCaption.allCases.map(\.rawValue), default: LongCaption.cut.rawValue)
        case .visibility: .oneOfService
        case .postWord, .captionTemplate, .captionRule, .album: .text
        }
    }

    package func isOffered(by submitter: any Submitter) -> Bool {
        let service = submitter.description
        return switch self {
        case .enabled, .takesUnlisted, .postWord, .caption, .captionTemplate, .captionRule, .longCaption: true
        case .keepPosition: service.position == .chosen
        case .quality, .autoEnhance: service.hasPictureChoices
        case .album: submitter is any AlbumSubmitter
        case .visibility: !service.visibilities.isEmpty
        case .share: service.canShareFiles
        }
    }

    /// The values that an owner may choose from; empty where there is no list of them.
    package func values(for submitter: any Submitter) -> [String] {
        switch kind {
        case .oneOf(let values, _):
            values.filter {
                self != .longCaption || $0 != LongCaption.thread.rawValue || submitter is any ThreadingSubmitter
            }
        case .oneOfService: submitter.description.visibilities.map(\.value)
        case .flag, .text: []
        }
    }

    /// Null: as the service has it.
    package var defaultValue: JSONValue {
        switch kind {
        case .flag(let usual): .bool(usual)
        case .oneOf(_, let usual): .string(usual)
        case .oneOfService, .text: .null
        }
    }

    /// The value that holds for an account with these settings.
    package func value(in settings: JSONValue) -> JSONValue {
        let value = settings[name] ?? .null
        return value.isNull ? defaultValue : value
    }

    /// A choice of yes or no.
    package func flag(in settings: JSONValue) -> Bool { (settings[name]?.bool ?? defaultValue.bool) == true }

    /// A chosen text or value; nil where nothing was chosen.
    package func text(in settings: JSONValue) -> String? {
        settings[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}
