/// Finding links.
///
/// Source: twitter-text 3.1, `extractUrl.js` and the expressions it uses. One thing differs: a link with a scheme is
/// one whatever its top-level domain, so that `http://localhost:8080/x` and domains younger than our list stay whole.
extension EntityScanner {
    private static let longestLink = 4_096
    private static let longestShortenedPath = 40

    func link(at start: Int) -> Found? {
        guard isDomainCharacter(scalars[start]) else { return nil }
        let previous = scalar(at: start - 1)
        if let previous, previous.isASCIIAlphanumeric || isSign(previous) { return nil }
        if let hostStart = schemeEnd(from: start) { return linkWithScheme(at: start, host: hostStart) }
        if let previous, isDomainCharacter(previous) || isJoint(previous) { return nil }
        return bareDomain(at: start)
    }

    // MARK: With a scheme

    private func schemeEnd(from start: Int) -> Int? {
        var position = start
        for letter in "http".unicodeScalars {
            // ASCII letters differ from their capitals by one bit.
            guard let scalar = scalar(at: position), scalar.value | 0x20 == letter.value else { return nil }
            position += 1
        }
        if let scalar = scalar(at: position), scalar.value | 0x20 == 0x73 { position += 1 }
        return starts(with: "://", at: position) ? position + 3 : nil
    }

    private func linkWithScheme(at start: Int, host: Int) -> Found? {
        let known = knownHost(from: host)
        guard let hostEnd = known?.end ?? (links.withUnknownHosts ? otherHostEnd(from: host) : nil) else { return nil }
        let end: Int
        if string(host..<hostEnd).lowercased() == "t.co", scalar(at: hostEnd) == "/" {
            guard let slugEnd = shortenedPathEnd(from: hostEnd + 1) else { return nil }
            end = slugEnd
        } else {
            end = queryEnd(from: pathEnd(from: portEnd(from: hostEnd)))
        }
        return found(hasScheme: true, start..<end, known?.shortening ?? .none)
    }

    /// A host that ends in a known top-level domain, as far as it reaches. The label before that has no underscore.
    private func knownHost(from start: Int) -> DomainEnd? {
        let run = end(from: start, limit: HostName.longestName) { isHostCharacter($0) || $0 == "." || $0 == "_" }
        guard let found = lastDomain(in: start..<run, hasPlainName: true),
            HostName.isValid(scalars[start..<found.end], underscores: true)
        else { return nil }
        return found
    }

    /// Any other host: letters, digits, dots, hyphens, or an IPv6 address in brackets.
    private func otherHostEnd(from start: Int) -> Int? {
        if scalar(at: start) == "[" {
            let close = end(from: start + 1, limit: 45) { $0.isASCIIAlphanumeric || $0 == ":" || $0 == "." }
            return close > start + 2 && scalar(at: close) == "]" ? close + 1 : nil
        }
        var run = end(from: start) { $0.isNameCharacter || $0 == "." || $0 == "-" }
        while run > start, scalars[run - 1] == "." { run -= 1 }
        return HostName.isValid(scalars[start..<run], underscores: true) ? run : nil
    }

    /// X lets nothing but a query follow the slug of its own short links.
    private func shortenedPathEnd(from start: Int) -> Int? {
        let slugEnd = end(from: start, while: \.isASCIIAlphanumeric)
        guard slugEnd - start <= Self.longestShortenedPath else { return nil }
        return slugEnd > start ? queryEnd(from: slugEnd) : slugEnd
    }

    // MARK: Without a scheme

    private func bareDomain(at start: Int) -> Found? {
        let run = end(from: start) { isDomainCharacter($0) || $0 == "." }
        // What stands before an @ is an address or a name there.
        if scalar(at: run) == "@" { return nil }
        guard let host = lastDomain(in: start..<min(run, start + HostName.longestName)),
            HostName.isValid(scalars[start..<host.end], underscores: false)
        else { return nil }
        let port = portEnd(from: host.end)
        let end = scalar(at: port) == "/" ? queryEnd(from: pathEnd(from: port)) : host.end
        return found(hasScheme: false, start..<end, host.shortening)
    }

    private func found(
        hasScheme: Bool, _ range: Range<Int>, _ shortening: CaptionEntity.Shortening
    ) -> Found {
        Found(range.count <= Self.longestLink ? .link(hasScheme: hasScheme) : nil, range, shortening: shortening)
    }

    /// Where a top-level domain ends, and what X makes of it.
    struct DomainEnd {
        let end: Int
        let shortening: CaptionEntity.Shortening
    }

    /// The end of the last top-level domain that follows a dot in `run`; `hasPlainName`: a dot whose label before it has no
    /// underscore.
    func lastDomain(in run: Range<Int>, hasPlainName: Bool = false) -> DomainEnd? {
        for dot in run.reversed() where scalars[dot] == "." && dot > run.lowerBound {
            guard let found = topLevelDomain(from: dot + 1) else { continue }
            if !hasPlainName || hasPlainLabel(before: dot, from: run.lowerBound) { return found }
        }
        return nil
    }

    private func hasPlainLabel(before dot: Int, from start: Int) -> Bool {
        var position = dot - 1
        while position >= start, scalars[position] != "." {
            if scalars[position] == "_" { return false }
            position -= 1
        }
        return true
    }

    private func topLevelDomain(from start: Int) -> DomainEnd? {
        let labelEnd = end(from: start, limit: HostName.longestLabel + 1) { $0.isASCIIAlphanumeric || $0 == "-" }
        let next = scalar(at: labelEnd)
        if labelEnd > start, next != "@", next != "+" {
            let label = string(start..<labelEnd)
            if isEncoded(label) { return DomainEnd(end: labelEnd, shortening: .sure) }
            if let shortening = shortening(ofDomain: label) { return DomainEnd(end: labelEnd, shortening: shortening) }
        }
        guard let next, !next.isASCII else { return nil }
        var end = min(start + TopLevelDomains.longestInternational, scalars.count)
        while end > labelEnd {
            let follower = scalar(at: end)
            let isDelimited = follower.map { !$0.isASCIIAlphanumeric && $0 != "@" && $0 != "+" && $0 != "-" } ?? true
            if isDelimited, let shortening = shortening(ofDomain: string(start..<end)) {
                return DomainEnd(end: end, shortening: shortening)
            }
            end -= 1
        }
        return nil
    }

    private func shortening(ofDomain label: String) -> CaptionEntity.Shortening? {
        switch TopLevelDomains.standing(of: label) {
        case .known: .sure
        case .younger: .possible
        case .ended: links.withEndedDomains ? .possible : nil
        case nil: nil
        }
    }

    /// A domain label in Punycode.
    private func isEncoded(_ label: String) -> Bool {
        label.utf8.count > HostName.encodedPrefix.utf8.count && label.lowercased().hasPrefix(HostName.encodedPrefix)
    }

    // MARK: After the host

    private func portEnd(from start: Int) -> Int {
        guard scalar(at: start) == ":" else { return start }
        let end = end(from: start + 1, while: \.isASCIIDigit)
        return end > start + 1 ? end : start
    }

    private func pathEnd(from start: Int) -> Int {
        guard scalar(at: start) == "/" else { return start }
        var end = start + 1
        var position = end
        var letters = InternationalLetters()
        while let scalar = scalar(at: position) {
            if isPathCharacter(scalar) {
                letters.pass(scalar)
                position += 1
                if isPathEnding(scalar) { end = position }
            } else if isInternational, letters.take(scalar, after: self.scalar(at: position - 1)) {
                position += 1
                end = position
            } else if isInternational, letters.joins(scalar) {
                position += 1
            } else if let bracketEnd = bracketEnd(from: position) {
                position = bracketEnd
                end = bracketEnd
            } else {
                break
            }
        }
        return end
    }

    /// The end of a pair of parentheses with something in it; one pair may stand inside.
    private func bracketEnd(from start: Int) -> Int? {
        guard scalar(at: start) == "(" else { return nil }
        var position = end(from: start + 1, while: isBracketed)
        if scalar(at: position) == "(" {
            let inner = end(from: position + 1, while: isBracketed)
            guard inner > position + 1, scalar(at: inner) == ")" else { return nil }
            position = end(from: inner + 1, while: isBracketed)
        }
        guard position > start + 1, scalar(at: position) == ")" else { return nil }
        return position + 1
    }

    private func queryEnd(from start: Int) -> Int {
        guard scalar(at: start) == "?" else { return start }
        var end = start + 1
        var position = end
        var letters = InternationalLetters()
        while let scalar = scalar(at: position) {
            if isQueryCharacter(scalar) {
                position += 1
                if isQueryEnding(scalar) { end = position }
            } else if isInternational, letters.take(scalar, after: self.scalar(at: position - 1)) {
                position += 1
                end = position
            } else if isInternational, letters.joins(scalar) {
                position += 1
            } else {
                break
            }
        }
        return end > start + 1 ? end : start
    }

    // MARK: Characters

    /// After one of these a name follows, not a link.
    private func isSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "@", "\u{FF20}", "#", "\u{FF03}", "$": true
        default: false
        }
    }

    /// After one of these a domain without a scheme goes on, it does not begin.
    private func isJoint(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "_", "/": true
        default: false
        }
    }

    /// The characters of a domain without a scheme.
    private func isDomainCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCIIAlphanumeric || scalar == "-" || scalar.isLatinAccent
    }

    /// The characters of a host after a scheme: any letter, digit, mark or symbol, and the hyphen.
    private func isHostCharacter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.isASCIIAlphanumeric || scalar == "-" }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse, .spaceSeparator, .lineSeparator,
            .paragraphSeparator, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation:
            false
        default: true
        }
    }

    private func isPathCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "!", "*", "'", ";", ":", ",", ".", "$", "%", "[", "]", "\u{2013}", "~", "@", "|", "&": true
        default: isPathEnding(scalar)
        }
    }

    private func isBracketed(_ scalar: Unicode.Scalar) -> Bool {
        isPathCharacter(scalar) || isInternational && InternationalLetters.isLetter(scalar)
    }

    private func isPathEnding(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "+", "-", "=", "_", "#", "/", "\u{400}"..."\u{4FF}": true
        default: scalar.isASCIIAlphanumeric || scalar.isLatinAccent
        }
    }

    private func isQueryCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "!", "?", "*", "'", "@", "(", ")", ":", ";", "+", "$", "%", "[", "]", ".", ",", "~", "|": true
        default: isQueryEnding(scalar)
        }
    }

    private func isQueryEnding(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "_", "&", "=", "#", "/": true
        default: scalar.isASCIIAlphanumeric
        }
    }
}
