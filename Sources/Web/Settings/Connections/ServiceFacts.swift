internal import Actions
internal import Domain
internal import Submitters

/// The limits and abilities of a service, in words.
struct ServiceFacts {
    let submitter: any Submitter

    private var service: ServiceDescription { submitter.description }

    /// In a line.
    func line(_ language: Language) -> String {
        var parts: [Phrase] = [media, .captionsOf(captions)]
        if submitter is any AlbumSubmitter { parts.append(.albumsInLine) }
        return parts.map { language($0) }.joined(separator: " · ")
    }

    /// One by one: what it is about, and what the service says to it.
    var list: [(term: Phrase, fact: Phrase)] {
        var list: [(term: Phrase, fact: Phrase)] = [
            (.photos, takesPictures ? Self.size(service.mediaRule.maximumPictureBytes) : .none),
            (.videos, takesVideo ? Self.size(service.mediaRule.maximumVideoBytes) : .none),
            (.captions, captions), (.altText, service.takesAltText ? .yes : .no),
            (.albums, submitter is any AlbumSubmitter ? .albumsAllow : .none),
            (.position, .positionPolicy(service.position)),
        ]
        let later = Phrase.later(
            canChange: submitter is any EditingSubmitter, canTakeBack: submitter is any DeletingSubmitter)
        list.append((.later, later))
        if submitter is any EngagementSubmitter { list.append((.likesTerm, .likesAllow)) }
        return list
    }

    private var takesVideo: Bool { !service.mediaRule.videoTypes.isEmpty }
    private var takesPictures: Bool { service.mediaRule.takesPictures }

    private var media: Phrase { takesPictures ? takesVideo ? .photosAndVideos : .photos : .videos }

    private var captions: Phrase {
        guard let limit = service.captionRule.limit else { return .anyLength }
        return .length(Language.english.number(limit), inBytes: service.captionRule.unit == .utf8Bytes)
    }

    private static func size(_ bytes: Int64) -> Phrase {
        switch bytes {
        case .max: .anySize
        case 1_000_000_000...: .upTo("\(tenths(bytes, of: 1_000_000_000)) GB")
        default: .upTo("\(tenths(bytes, of: 1_000_000)) MB")
        }
    }

    /// With one decimal where it tells something.
    private static func tenths(_ bytes: Int64, of unit: Int64) -> String {
        let tenths = bytes / (unit / 10)
        return tenths % 10 == 0 || tenths > 100 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}

/// Whether accounts of a service can be connected now, and how.
struct ServiceReadiness {
    /// Nil: not in the browser.
    let browser: (any OAuthSubmitter)?
    /// Keys that the operator has to enter before a browser can connect accounts.
    let missing: [CredentialField]
    /// The fields that a person may enter instead.
    let fields: [CredentialField]
    let kind: CredentialKind
    let hasEnded: Bool

    /// Whether anybody can connect an account now.
    var isReady: Bool { missing.isEmpty && !hasEnded }

    init(_ submitter: any Submitter, _ known: OAuthClients.Known) {
        let browser = submitter as? any OAuthSubmitter
        self.browser = browser
        fields = submitter.description.credentialFields
        kind = submitter.description.credentialKind
        hasEnded = submitter.description.hasEnded
        let names = browser?.missingKeys(of: known.keys) ?? []
        missing = names.compactMap { name in browser?.oauth.appFields.first { $0.name == name } }
    }

    /// In a few words.
    var words: Phrase {
        if hasEnded { return .hasEndedService }
        if browser == nil { return fields.isEmpty ? .enterNothing : kind.words }
        if missing.isEmpty { return .agreeInBrowser }
        return fields.isEmpty ? .keysMissing : .keysMissingBringOwn
    }
}

extension CredentialKind {
    fileprivate var words: Phrase {
        switch self {
        case .appPassword: .appPassword
        case .nameAndPassword: .nameAndPassword
        case .nameAndKey: .nameAndKey
        case .token: .token
        case .other: .accountDetails
        }
    }
}
