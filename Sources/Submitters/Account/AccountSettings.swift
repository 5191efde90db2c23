package import Domain
package import FoundationEssentials
package import HTTP
package import System

/// The way of a caption that is longer than an account takes.
package enum LongCaption: String, Sendable, CaseIterable {
    /// It is cut, with a link to the whole.
    case cut
    /// The photo is not sent there.
    case refuse
    /// It goes as several posts, each of which answers the one before.
    case thread
}

/// How the captions of one account are made: as its owner chose, else the caption as it is, by the rule of the service.
package struct AccountCaption: Sendable, Equatable {
    /// Nil: the caption as it is.
    package let template: String?
    package let rule: CaptionRule
    /// False: photos go there without words.
    package let isOn: Bool
    package internal(set) var long: LongCaption

    /// Whether the text is the caption as it is.
    package var isPlain: Bool { isOn && template == nil }

    /// - Parameters:
    ///   - settings: The account's.
    ///   - serviceRule: What its service asks for.
    package init(_ settings: JSONValue, serviceRule: CaptionRule) {
        isOn = AccountChoice.caption.flag(in: settings)
        long = AccountChoice.longCaption.text(in: settings).flatMap(LongCaption.init) ?? .cut
        template = AccountChoice.captionTemplate.text(in: settings)
        rule = AccountChoice.captionRule.text(in: settings).flatMap(CaptionRule.named) ?? serviceRule
    }

    /// The plan of a text for the account.
    package func plan(_ text: NormalizedCaption, shortURL: String) -> PlannedCaption {
        var plan = CaptionPlanner.plan(text, rule: rule, shortURL: shortURL)
        guard long == .thread, plan.isCut else { return plan }
        let posts = CaptionPlanner.thread(text, rule: rule, shortURL: shortURL)
        guard let last = posts.last, posts.count > 1 else { return plan }
        plan.thread = posts.map(\.text)
        plan.isCut = last.isCut
        return plan
    }

    /// The text that the rule then cuts; see `CaptionTemplate.render` for the parameters.
    package func text(of caption: String, moment: Date, timeZone: Zone, shortURL: String) -> String {
        guard isOn else { return "" }
        guard let template else { return caption }
        return CaptionTemplate.render(
            template, caption: caption, moment: moment, timeZone: timeZone, shortURL: shortURL)
    }
}

/// How the pictures of one account are made before they leave, as its owner chose; without a choice as good as
/// the service takes them, and not enhanced.
package struct AccountPicture: Sendable, Equatable {
    /// How much of a picture leaves. A picture that is smaller already goes as it is.
    package enum Quality: String, Sendable, CaseIterable {
        /// As good as the service takes it.
        case original
        case large, medium
        /// The size that PhotoSubmitter sent.
        case small

        /// Of the picture's sides, in pixels; nil: no bound.
        package var longestSide: Int? {
            switch self {
            case .original: nil
            case .large: 2048
            case .medium: 1280
            case .small: 960
            }
        }

        /// Of a JPEG that is made anew, 1 to 100; nil: as is usual for the service.
        package var compression: Int? {
            switch self {
            case .original: nil
            case .large: 85
            case .medium: 80
            case .small: 75
            }
        }

        /// As people read it.
        package var title: String {
            switch self {
            case .original: "full size"
            case .large: "large, up to 2,048 pixels"
            case .medium: "medium, up to 1,280 pixels"
            case .small: "small, up to 960 pixels"
            }
        }
    }

    package let quality: Quality
    /// Whether tones are stretched and dark or bright pictures led to the middle, as a recipe's `enhance` does.
    package let isEnhanced: Bool

    /// - Parameters:
    ///   - settings: The account's.
    ///   - description: Its service's: where originals are kept, nothing was chosen.
    package init(_ settings: JSONValue, _ description: ServiceDescription) {
        guard description.hasPictureChoices else {
            self.init()
            return
        }
        self.init(
            quality: AccountChoice.quality.text(in: settings).flatMap(Quality.init) ?? .original,
            isEnhanced: AccountChoice.autoEnhance.flag(in: settings))
    }

    package init(quality: Quality = .original, isEnhanced: Bool = false) {
        self.quality = quality
        self.isEnhanced = isEnhanced
    }
}

/// The position that photos carry to a service.
package enum PositionPolicy: Sendable, Equatable {
    /// Nothing: the service shows no position and throws away what a file says of it.
    case never
    /// That of the original: for the archive on this machine.
    case always
    /// By the owner's choice; public copies carry none until then.
    case chosen
}

/// Whether what goes to an account may tell where it was taken: as its service is, and where that leaves a choice as its
/// owner chose; not unless the owner said so.
package struct AccountPosition: Sendable, Equatable {
    package let isKept: Bool

    /// Reads the account's settings.
    package init(_ settings: JSONValue, _ policy: PositionPolicy) {
        isKept =
            switch policy {
            case .never: false
            case .always: true
            case .chosen: AccountChoice.keepPosition.flag(in: settings)
            }
    }
}
