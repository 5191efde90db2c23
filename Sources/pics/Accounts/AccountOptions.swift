import Actions
import HTTP

/// The choices for the captions of one account: `--caption-template` and `--caption-rule` of `pics connect`.
///
/// It is kept in the account's settings as `caption_template` and `caption_rule`, where null stands for what was taken
/// back.
struct CaptionChoice {
    static let options: Set<String> = ["caption-template", "caption-rule"]

    /// Members of the account's settings; empty when nothing was chosen.
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

/// The choices for the pictures of one account: `--quality` and `--auto-enhance` of `pics connect`.
///
/// It is kept in the account's settings as `quality` and `auto_enhance`, where null stands for what was taken back.
struct PictureChoice {
    static let options: Set<String> = ["quality", "auto-enhance"]

    /// Members of the account's settings; empty when nothing was chosen.
    let settings: JSONObject

    /// Reads the options. An empty text takes an earlier choice back.
    init(_ arguments: Arguments) throws(UsageError) {
        var settings = JSONObject()
        if let quality = arguments["quality"] { settings["quality"] = quality.isEmpty ? .null : .string(quality) }
        switch arguments["auto-enhance"] {
        case nil: break
        case "yes": settings["auto_enhance"] = .bool(true)
        case "no": settings["auto_enhance"] = .bool(false)
        case "": settings["auto_enhance"] = .null
        case let other?: throw UsageError("--auto-enhance is yes or no, not \(other).")
        }
        self.settings = settings
    }
}

/// The choice about the position in posts of one account: `--keep-position` of `pics connect`.
///
/// It is kept in the account's settings as `keep_position`, where null stands for what was taken back.
struct PositionChoice {
    static let options: Set<String> = ["keep-position"]

    /// Members of the account's settings; empty when nothing was chosen.
    let settings: JSONObject

    /// Reads the option. An empty text takes an earlier choice back.
    init(_ arguments: Arguments) throws(UsageError) {
        var settings = JSONObject()
        switch arguments["keep-position"] {
        case nil: break
        case "yes": settings["keep_position"] = .bool(true)
        case "no": settings["keep_position"] = .bool(false)
        case "": settings["keep_position"] = .null
        case let other?: throw UsageError("--keep-position is yes or no, not \(other).")
        }
        self.settings = settings
    }
}
