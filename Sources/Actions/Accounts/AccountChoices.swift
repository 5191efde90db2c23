internal import Domain
package import HTTP
package import Submitters

/// The choices of an owner for one account: members of its settings that submitters and workers read.
package enum AccountChoices {
    /// A choice that cannot be taken.
    package struct Mistake: Error, Sendable, Equatable {
        /// The member's name.
        package let name: String
        /// For people.
        package let sentence: String
    }

    /// The longest text of a choice, in bytes.
    private static let longestText = 2000

    /// The names of the choices for accounts of a service.
    package static func names(of submitter: any Submitter) -> [String] {
        let service = submitter.description
        var names = ["enabled", "caption", "caption_template", "caption_rule"]
        if service.position == .chosen { names.append("keep_position") }
        if service.hasPictureChoices { names += ["quality", "auto_enhance"] }
        if submitter is any AlbumSubmitter { names.append("album") }
        if !AccountVisibility.choices(of: service.id).isEmpty { names.append("visibility") }
        if AccountSharing.isKnown(to: service.id) { names.append("share") }
        return names
    }

    /// The choices that hold for an account with these settings: the owner's, else the defaults.
    package static func standing(_ settings: JSONValue, of submitter: any Submitter) -> JSONObject {
        var standing = JSONObject()
        for name in names(of: submitter) {
            let usual: JSONValue =
                switch name {
                case "enabled", "caption": true
                case "keep_position", "share", "auto_enhance": false
                case "quality": .string(AccountPicture.Quality.original.rawValue)
                default: .null
                }
            let value = settings[name] ?? .null
            standing[name] = value.isNull ? usual : value
        }
        return standing
    }

    /// Checks members of a merge patch (RFC 7396); null takes a choice back.
    ///
    /// - Returns: What goes into the account's settings.
    package static func checked(_ members: JSONObject, for submitter: any Submitter) throws(Mistake) -> JSONObject {
        let names = names(of: submitter)
        for member in members {
            guard names.contains(member.name) else {
                throw Mistake(
                    name: member.name,
                    sentence: "This cannot be chosen for \(submitter.description.name). There are "
                        + "\(names.joined(separator: ", ")).")
            }
            if !member.value.isNull { try check(member.value, of: member.name, for: submitter) }
        }
        return members
    }

    private static func check(
        _ value: JSONValue, of name: String, for submitter: any Submitter
    ) throws(Mistake) {
        switch name {
        case "enabled", "caption", "keep_position", "share", "auto_enhance":
            guard value.bool != nil else { throw Mistake(name: name, sentence: "It must be true, false or null.") }
        case "visibility":
            let choices = AccountVisibility.choices(of: submitter.description.id)
            guard let chosen = value.string, choices.contains(chosen) else {
                throw Mistake(name: name, sentence: "It must be one of \(choices.joined(separator: ", ")), or null.")
            }
        case "quality":
            guard value.string.flatMap(AccountPicture.Quality.init) != nil else {
                let choices = AccountPicture.Quality.allCases.map(\.rawValue).joined(separator: ", ")
                throw Mistake(name: name, sentence: "It must be one of \(choices), or null.")
            }
        case "caption_template":
            if let mistake = mistake(inTemplate: try text(value, of: name)) {
                throw Mistake(name: name, sentence: mistake)
            }
        case "caption_rule":
            if let mistake = mistake(inRule: try text(value, of: name)) { throw Mistake(name: name, sentence: mistake) }
        default:
            _ = try text(value, of: name)
        }
    }

    private static func text(_ value: JSONValue, of name: String) throws(Mistake) -> String {
        guard let text = value.string, (1...longestText).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw Mistake(name: name, sentence: "It must be a text of 1 to \(longestText) bytes, or null.")
        }
        return text
    }

    // MARK: Captions

    /// Those that `CaptionTemplate` fills in.
    private static let tokens = ["caption", "day", "days", "date", "short_url"]

    /// The mistake in a caption template; nil when there is none.
    package static func mistake(inTemplate template: String) -> String? {
        let used = template.matches(of: #/\{([^{}]*)\}/#).map { String($0.output.1) }
        let list = tokens.map { "{\($0)}" }.joined(separator: ", ")
        if let unknown = used.first(where: { !tokens.contains($0) }) {
            return "{\(unknown)} stands for nothing in a caption template. There are \(list)."
        }
        guard used.contains("caption") else {
            return "A caption template must have {caption}, or the caption is lost. There are \(list)."
        }
        return nil
    }

    /// The mistake in a caption rule's name; nil when there is none.
    package static func mistake(inRule name: String) -> String? {
        guard CaptionRule.named(name) == nil else { return nil }
        return "There is no caption rule \(name). There are \(CaptionRule.allNames.joined(separator: ", ")); a colon "
            + "and a number set another limit, as in graphemes:300."
    }
}
