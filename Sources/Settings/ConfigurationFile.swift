/// The grammar of a configuration file.
///
/// ```
/// # A comment stands on a line of its own,
/// listen = 127.0.0.1:8080     # or after a value and a space.
/// title = "a # in \"quotes\""  # Quotes are needed only for spaces at the ends, for # and for an empty text.
/// ```
///
/// A line is empty, a comment, or `name = value`. Names are small letters, digits and `_`. In quotes, `\"`, `\\`, `\n`
/// and `\t` are escapes. The file is UTF-8; lines end with LF or CRLF. No name occurs twice.
enum ConfigurationFile {
    struct Line: Equatable {
        let number: Int
        let name: String
        let value: String
    }

    struct LineMistake: Equatable {
        let number: Int
        let text: String
    }

    /// Reads all lines, and says what is wrong with each that has another form.
    static func parse(_ bytes: some Sequence<UInt8>) -> (lines: [Line], mistakes: [LineMistake]) {
        var lines: [Line] = []
        var mistakes: [LineMistake] = []
        let raw = Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in raw.enumerated() {
            let number = index + 1
            guard let text = String(validating: bytes, as: UTF8.self)?.trimmed else {
                mistakes.append(LineMistake(number: number, text: "this line is not UTF-8"))
                continue
            }
            if text.isEmpty || text.hasPrefix("#") { continue }
            guard let equals = text.firstIndex(of: "="), isName(text[..<equals].trimmed) else {
                mistakes.append(LineMistake(number: number, text: "this line is not of the form name = value"))
                continue
            }
            let name = text[..<equals].trimmed
            guard let value = value(text[text.index(after: equals)...].trimmed) else {
                mistakes.append(
                    LineMistake(number: number, text: "the quotes of \(name) do not end, or something follows them"))
                continue
            }
            if let first = lines.first(where: { $0.name == name }) {
                mistakes.append(LineMistake(number: number, text: "\(name) is already set in line \(first.number)"))
            } else {
                lines.append(Line(number: number, name: name, value: value))
            }
        }
        return (lines, mistakes)
    }

    /// The text that reads as `value`, in quotes only where they are needed.
    static func quotedIfNeeded(_ value: String) -> String {
        let isPlain = !value.isEmpty && value == value.trimmed && !value.contains { "\"#\n\t\\".contains($0) }
        guard !isPlain else { return value }
        var text = "\""
        for character in value {
            switch character {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default: text.append(character)
            }
        }
        return text + "\""
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 || $0 == "_" }
    }

    /// The value that `text` stands for, without quotes and comment; `nil` when the quotes are wrong.
    private static func value(_ text: String) -> String? {
        guard text.hasPrefix("\"") else { return withoutComment(text) }
        var value = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            switch character {
            case "\"":
                let end = rest.trimmed
                return end.isEmpty || end.hasPrefix("#") ? value : nil
            case "\\":
                guard let escaped = rest.popFirst().flatMap({ escapes[$0] }) else { return nil }
                value.append(escaped)
            default:
                value.append(character)
            }
        }
        return nil
    }

    private static let escapes: [Character: Character] = ["\"": "\"", "\\": "\\", "n": "\n", "t": "\t"]

    /// A `#` starts a comment at the beginning or after a space; an address may hold one in its middle.
    private static func withoutComment(_ text: String) -> String {
        var previous: Character = " "
        for index in text.indices {
            if text[index] == "#", previous.isWhitespace { return text[..<index].trimmed }
            previous = text[index]
        }
        return text
    }
}

/// Settings that belong together, under one heading of the configuration file.
package struct SettingSection: Sendable {
    /// The heading.
    package let title: String
    /// In the order of the file.
    package let settings: [any SettingDescriptor]

    /// A section called `title`.
    package init(_ title: String, _ settings: [any SettingDescriptor]) {
        self.title = title
        self.settings = settings
    }
}

/// Writes a configuration file with every setting at its default, commented out and explained.
///
/// - Parameters:
///   - sections: All settings.
///   - prefix: The prefix of the names of environment variables.
/// - Returns: The text of the file, which decides nothing until a `#` is removed.
package func generateConfigurationFile(_ sections: [SettingSection], prefix: String) -> String {
    var lines = [
        "# Remove the # before a setting to change it. Environment variables win over this file.",
        "# A value may stand in \"quotes\"; it must when it has a # in it, or spaces at its ends.",
    ]
    for section in sections {
        lines += ["", "## \(section.title)"]
        for setting in section.settings {
            lines += ["", "# \(setting.meaning)", "# \(details(of: setting, prefix: prefix))"]
            lines.append("#\(setting.name) = \(ConfigurationFile.quotedIfNeeded(setting.defaultText))")
        }
    }
    return lines.joined(separator: "\n") + "\n"
}

private func details(of setting: any SettingDescriptor, prefix: String) -> String {
    let variable = setting.variable(prefix: prefix)
    let form = [setting.kind, setting.allowed.map { "from \($0)" }, setting.unit.map { "in \($0)" }]
    let sentence = form.compactMap { $0 }.joined(separator: ", ")
    let source = setting.isSecret ? "\(variable), or \(variable)_FILE with the name of a file" : variable
    return "\(sentence.prefix(1).uppercased())\(sentence.dropFirst()). Environment: \(source)."
}
