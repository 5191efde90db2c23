import Actions
import HTTP

/// What a person chooses for the captions of one account: `--caption-template` and `--caption-rule` of `pics connect`.
///
/// It is kept in the account's settings as `caption_template` and `caption_rule`, where null stands for what was taken
/// back.
struct CaptionChoice {
    static let options: Set<String> = ["caption-template", "caption-rule"]

    /// What goes into the account's settings; empty when nothing was chosen.
    let settings: JSONObject

    /// Reads the options. An empty text takes an earlier choice back.
    init(_ arguments: Arguments) throws(UsageError) {
        var settings = JSONObject()
        if let template = arguments["caption-template"] {
            settings["caption_template"] = try Self.kept(template, AccountChoices.mistake(inTemplate:))
        }
        if let rule = arguments["caption-rule"] {
            settings["caption_rule"] = try Self.kept(rule, AccountChoices.mistake(inRule:))
        }
        self.settings = settings
    }

    private static func kept(_ text: String, _ mistake: (String) -> String?) throws(UsageError) -> JSONValue {
        if text.isEmpty { return .null }
        if let mistake = mistake(text) { throw UsageError(mistake) }
        return .string(text)
    }
}
