internal import Actions
internal import Domain
internal import HTTP
internal import Store
internal import Submitters

/// The accounts that a post from an app goes to, as apps have no list of Pics's accounts to choose from.
extension AppHandlers {
    /// The caption without the words that choose accounts, and the accounts that are chosen; nil: those to which photos go by default.
    ///
    /// Words such as `+family` at the end of a caption choose the accounts whose owner has given them this word. Without any, an unlisted
    /// post leaves out the accounts that shall not have such.
    func accounts(
        for text: String, _ visibility: Visibility, of user: User
    ) async throws -> (caption: String, services: [String]?) {
        let recipients = try await store.connections(of: user.id).filter { record in
            registry.takesPosts(record.connection.service)
        }.map { record in
            (record.connection.id, try JSONValue(parsing: Array(record.settings.utf8)))
        }
        let words = Self.words(endingIn: text)
        let known = words.prefix { word in recipients.contains { Self.word(of: $0.1) == word } }
        if !known.isEmpty {
            let caption = Self.removing(known.count, from: text)
            // A private photo stays here, whatever words it ends in.
            guard visibility != .private else { return (caption, nil) }
            let chosen = recipients.filter { recipient in Self.word(of: recipient.1).map(known.contains) == true }
            return (caption, chosen.map(\.0.description))
        }
        guard visibility == .unlisted, recipients.contains(where: { !AccountChoice.takesUnlisted.flag(in: $0.1) })
        else {
            return (text, nil)
        }
        let chosen = recipients.filter {
            AccountChoice.enabled.flag(in: $0.1) && AccountChoice.takesUnlisted.flag(in: $0.1)
        }
        return (text, chosen.map(\.0.description))
    }

    private static func word(of settings: JSONValue) -> String? {
        AccountChoice.postWord.text(in: settings).map { $0.lowercased() }
    }

    /// The words behind a plus sign at the end of a text, the last one first, in small letters.
    private static func words(endingIn text: String) -> [String] {
        var words: [String] = []
        for part in text.split(whereSeparator: \.isWhitespace).reversed() {
            guard part.first == "+", part.count > 1 else { break }
            words.append(part.dropFirst().lowercased())
        }
        return words
    }

    private static func removing(_ count: Int, from text: String) -> String {
        var rest = text[...]
        for _ in 0..<count {
            while rest.last?.isWhitespace == true { rest.removeLast() }
            while let last = rest.last, !last.isWhitespace { rest.removeLast() }
        }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
