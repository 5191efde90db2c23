/// Finding mentions, tags and custom emoji.
extension EntityScanner {
    /// X allows 20 and Mastodon 30; other software more.
    private static let longestName = 64

    // MARK: Mentions

    /// `@user`, `@user/list` (X), `@user@host` (Mastodon), `@domain` (Bluesky).
    func mention(at start: Int) -> Found? {
        let previous = scalar(at: start - 1)
        if let previous, previous.isNameCharacter && !isAfterRetweet(start) || forbidsMention(previous) { return nil }
        let nameEnd = end(from: start + 1, limit: Self.longestName + 1, while: \.isNameCharacter)
        guard nameEnd > start + 1, nameEnd - start - 1 <= Self.longestName else { return nil }
        return mentionWithHost(at: start, after: previous) ?? domainMention(at: start)
            ?? plainMention(at: start, nameEnd: nameEnd)
    }

    /// Source: Mastodon, `OpenedAccount::MENTION_RE`; here the host needs a dot.
    private func mentionWithHost(at start: Int, after previous: Unicode.Scalar?) -> Found? {
        if let previous, previous.isWordCharacter || previous == "/" || previous == "=" { return nil }
        let nameEnd = dottedEnd(from: start + 1, limit: Self.longestName, while: \.isNameCharacter)
        guard scalar(at: nameEnd) == "@" else { return nil }
        let hostEnd = dottedEnd(from: nameEnd + 1, limit: HostName.longestName, while: \.isASCIIAlphanumeric)
        guard scalars[(nameEnd + 1)..<hostEnd].contains("."), scalar(at: hostEnd) != "@" else { return nil }
        return Found(.mention(host: nil), start..<hostEnd, hostStart: nameEnd)
    }

    private func domainMention(at start: Int) -> Found? {
        let end = dottedEnd(from: start + 1, limit: HostName.longestName, while: \.isASCIIAlphanumeric)
        guard lastDomain(in: (start + 1)..<end)?.end == end, isNotContinued(at: end),
            HostName.isValid(scalars[(start + 1)..<end], underscores: false)
        else { return nil }
        return Found(.mention(host: nil), start..<end)
    }

    private func plainMention(at start: Int, nameEnd: Int) -> Found? {
        guard isNotContinued(at: nameEnd) else { return nil }
        var end = nameEnd
        if scalar(at: end) == "/", scalar(at: end + 1)?.isASCIILetter == true {
            end = self.end(from: end + 1, limit: 25) { $0.isNameCharacter || $0 == "-" }
        }
        return Found(.mention(host: nil), start..<end)
    }

    /// People wrote "RT@user" before there was a button.
    private func isAfterRetweet(_ start: Int) -> Bool {
        guard start >= 2, string((start - 2)..<start).lowercased() == "rt" else { return false }
        guard let before = scalar(at: start - 3) else { return true }
        return !before.isNameCharacter && before != "+" && before != "~" && before != "." && before != "-"
    }

    /// Source: twitter-text, `validMentionPrecedingChars`.
    private func forbidsMention(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "!", "#", "$", "%", "&", "*", "@", "\u{FF20}": true
        default: false
        }
    }

    /// Source: twitter-text, `endMentionMatch`.
    private func isNotContinued(at end: Int) -> Bool {
        guard let next = scalar(at: end) else { return true }
        return next != "@" && next != "\u{FF20}" && !next.isLatinAccent && !starts(with: "://", at: end)
    }

    /// The end of a run that may have dots and hyphens inside but not at its end.
    private func dottedEnd(from start: Int, limit: Int, while accepts: (Unicode.Scalar) -> Bool) -> Int {
        var end = end(from: start, limit: limit) { accepts($0) || $0 == "." || $0 == "-" }
        while end > start, !accepts(scalars[end - 1]) { end -= 1 }
        return end
    }

    // MARK: Tags

    /// Source: twitter-text, `validHashtag` and `endHashtagMatch`.
    func hashtag(at start: Int) -> Found? {
        if let previous = scalar(at: start - 1) {
            let isVariation = previous == "\u{FE0E}" || previous == "\u{FE0F}"
            guard isVariation || !(previous.isHashtagCharacter || previous == "&") else { return nil }
        }
        // With one of these the sign is a keycap.
        if let next = scalar(at: start + 1), next == "\u{FE0F}" || next == "\u{20E3}" { return nil }
        let end = end(from: start + 1, while: \.isHashtagCharacter)
        guard scalars[(start + 1)..<end].contains(where: \.isLetterOrMark) else { return nil }
        if let next = scalar(at: end), next == "#" || next == "\u{FF03}" || starts(with: "://", at: end) { return nil }
        return Found(.hashtag, start..<end)
    }

    /// Source: twitter-text, `validCashtag`: one to six letters, then perhaps a dot or underscore and one or two more.
    func cashtag(at start: Int) -> Found? {
        if let previous = scalar(at: start - 1), !previous.properties.isWhitespace { return nil }
        let symbolEnd = end(from: start + 1, limit: 7, while: \.isASCIILetter)
        guard (1...6).contains(symbolEnd - start - 1), endsCashtag(at: symbolEnd) else { return nil }
        if let separator = scalar(at: symbolEnd), separator == "." || separator == "_" {
            let suffixEnd = end(from: symbolEnd + 1, limit: 3, while: \.isASCIILetter)
            if (1...2).contains(suffixEnd - symbolEnd - 1), endsCashtag(at: suffixEnd) {
                return Found(.cashtag, start..<suffixEnd)
            }
        }
        return Found(.cashtag, start..<symbolEnd)
    }

    private func endsCashtag(at end: Int) -> Bool {
        guard let next = scalar(at: end) else { return true }
        return next.isASCII ? !next.isASCIIAlphanumeric : next.properties.isWhitespace
    }

    /// `:name:` as Mastodon and Misskey write custom emoji.
    func customEmoji(at start: Int) -> Found? {
        if let previous = scalar(at: start - 1), previous.isASCIIAlphanumeric || previous == ":" { return nil }
        let end = end(from: start + 1, limit: Self.longestName) { $0.isNameCharacter || $0 == "+" || $0 == "-" }
        guard end > start + 1, scalar(at: end) == ":" else { return nil }
        if let next = scalar(at: end + 1), next.isASCIIAlphanumeric || next == ":" { return nil }
        return Found(.customEmoji, start..<(end + 1))
    }
}
