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

    /// The choices that a service offers for its accounts.
    package static func offered(by submitter: any Submitter) -> [AccountChoice] {
        AccountChoice.allCases.filter { $0.isOffered(by: submitter) }
    }

    /// The values that hold for an account with these settings, by name.
    package static func values(_ settings: JSONValue, of submitter: any Submitter) -> JSONObject {
        JSONObject(offered(by: submitter).map { ($0.name, $0.value(in: settings)) })
    }

    /// Checks members of a merge patch (RFC 7396); null takes a choice back.
    ///
    /// - Returns: What goes into the account's settings.
    package static func checked(_ members: JSONObject, for submitter: any Submitter) throws(Mistake) -> JSONObject {
        let offered = offered(by: submitter)
        for member in members {
            guard let choice = offered.first(where: { $0.name == member.name }) else {
                let names = offered.map(\.name).joined(separator: ", ")
                throw Mistake(
                    name: member.name,
                    sentence: "This cannot be chosen for \(submitter.description.name). There are \(names).")
            }
            guard !member.value.isNull else { continue }
            if let sentence = mistake(in: member.value, of: choice, for: submitter) {
                throw Mistake(name: choice.name, sentence: sentence)
            }
        }
        return members
    }

    private static func mistake(in value: JSONValue, of choice: AccountChoice, for submitter: any Submitter) -> String?
    {
        switch choice.kind {
        case .flag: value.bool == nil ? "It must be true, false or null." : nil
        case .oneOf, .oneOfService: mistake(in: value, outOf: choice.values(for: submitter))
        case .text: mistake(inText: value, of: choice)
        }
    }

    private static func mistake(in value: JSONValue, outOf values: [String]) -> String? {
        value.string.map(values.contains) == true
            ? nil : "It must be one of \(values.joined(separator: ", ")), or null."
    }

    private static func mistake(inText value: JSONValue, of choice: AccountChoice) -> String? {
        let longest = AccountChoice.longestText
        guard let text = value.string, (1...longest).contains(text.utf8.count), !text.utf8.contains(0) else {
            return "It must be a text of 1 to \(longest) bytes, or null."
        }
        return switch choice {
        case .captionTemplate: mistake(inTemplate: text)
        case .captionRule: mistake(inRule: text)
        case .postWord:
            text.count <= 20 && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
                ? nil : "It must be a word of 1 to 20 letters and digits."
        default: nil
        }
    }

    // MARK: Captions

    /// Those that `CaptionTemplate` fills in.
    private static let tokens = ["caption", "day", "days", "date", "short_url"]

    /// The mistake in a caption template; nil when there is none.
    private static func mistake(inTemplate template: String) -> String? {
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
    private static func mistake(inRule name: String) -> String? {
        guard CaptionRule.named(name) == nil else { return nil }
        return "There is no caption rule \(name). There are \(CaptionRule.allNames.joined(separator: ", ")); a colon "
            + "and a number set another limit, as in graphemes:300."
    }
}
