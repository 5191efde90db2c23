import HTTP

/// What a person chooses for the position of what goes to one account: `--keep-position` of `pics connect`.
///
/// It is kept in the account's settings as `keep_position`, where null stands for what was taken back.
struct PositionChoice {
    static let options: Set<String> = ["keep-position"]

    /// What goes into the account's settings; empty when nothing was chosen.
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
