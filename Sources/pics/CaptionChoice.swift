import Domain
import HTTP

/// What a person chooses for the captions of one account: `--caption-template` and `--caption-rule` of `pics connect`.
///
/// It is kept in the account's settings as `caption_template` and `caption_rule`, where null stands for what was taken
/// back.
struct CaptionChoice {
    static let options: Set<String> = ["caption-template", "caption-rule"]

    /// What goes into the account's settings; empty when nothing was chosen.
    let settings: JSONObject

    /// Those that `CaptionTemplate` fills in.
    private static let tokens = ["caption", "day", "days", "date", "short_url"]

    /// Reads the options. An empty text takes an earlier choice back.
    init(_ arguments: Arguments) throws(UsageError) {
        var settings = JSONObject()
        if let template = arguments["caption-template"] {
            settings["caption_template"] = try Self.kept(template, Self.checkTemplate)
        }
        if let rule = arguments["caption-rule"] {
            settings["caption_rule"] = try Self.kept(rule, Self.checkRule)
        }
        self.settings = settings
    }

    private static func kept(
        _ text: String, _ check: (String) throws(UsageError) -> Void
    ) throws(UsageError) -> JSONValue {
        if text.isEmpty { return .null }
        try check(text)
        return .string(text)
    }

    private static func checkTemplate(_ template: String) throws(UsageError) {
        let used = template.matches(of: #/\{([^{}]*)\}/#).map { String($0.output.1) }
        if let unknown = used.first(where: { !tokens.contains($0) }) {
            throw UsageError("{\(unknown)} stands for nothing in a caption template. There are \(list).")
        }
        guard used.contains("caption") else {
            throw UsageError("A caption template must have {caption}, or the caption is lost. There are \(list).")
        }
    }

    private static var list: String { tokens.map { "{\($0)}" }.joined(separator: ", ") }

    private static func checkRule(_ name: String) throws(UsageError) {
        guard CaptionRule.named(name) == nil else { return }
        throw UsageError(
            "There is no caption rule \(name). There are \(CaptionRule.allNames.joined(separator: ", ")); a colon and a "
                + "number set another limit, as in graphemes:300.")
    }
}
