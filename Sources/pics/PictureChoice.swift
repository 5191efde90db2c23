import HTTP

/// What a person chooses for the pictures of one account: `--quality` and `--auto-enhance` of `pics connect`.
///
/// It is kept in the account's settings as `quality` and `auto_enhance`, where null stands for what was taken back.
struct PictureChoice {
    static let options: Set<String> = ["quality", "auto-enhance"]

    /// What goes into the account's settings; empty when nothing was chosen.
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
