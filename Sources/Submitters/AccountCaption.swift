package import Domain
package import Foundation
package import HTTP

/// How the captions of one account are made: as its owner chose (`caption`, `caption_template` and `caption_rule` in the
/// account's settings), else the caption as it is, by the rule of the service.
package struct AccountCaption: Sendable, Equatable {
    /// Nil: the caption as it is.
    package let template: String?
    package let rule: CaptionRule
    /// False: photos go there without words.
    package let isOn: Bool

    /// Whether the text is the caption as it is.
    package var isPlain: Bool { isOn && template == nil }

    /// - Parameters:
    ///   - settings: The account's.
    ///   - serviceRule: What its service asks for.
    package init(_ settings: JSONValue, serviceRule: CaptionRule) {
        isOn = settings["caption"]?.bool != false
        template = settings["caption_template"]?.string
        rule = settings["caption_rule"]?.string.flatMap(CaptionRule.named) ?? serviceRule
    }

    /// The text that the rule then cuts; see `CaptionTemplate.render` for the parameters.
    package func text(of caption: String, moment: Date, timeZone: TimeZone, shortURL: String) -> String {
        guard isOn else { return "" }
        guard let template else { return caption }
        return CaptionTemplate.render(
            template, caption: caption, moment: moment, timeZone: timeZone, shortURL: shortURL)
    }
}
