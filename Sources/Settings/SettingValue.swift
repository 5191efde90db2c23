/// A type that a setting can have: it reads itself from text and writes itself as the same text.
package protocol SettingValue: Sendable {
    /// The form of the text, to complete the sentence "X is not …": `a whole number`.
    static var settingKind: String { get }

    /// Reads `text`, without surrounding spaces; `nil` when it has another form.
    init?(setting text: String)

    /// The text that reads as this value.
    var settingText: String { get }
}

extension String: SettingValue {
    package static var settingKind: String { "text" }
    package init?(setting text: String) { self = text }
    package var settingText: String { self }
}

extension Int: SettingValue {
    package static var settingKind: String { "a whole number" }
    package init?(setting text: String) { self.init(text) }
    package var settingText: String { description }
}

extension Bool: SettingValue {
    package static var settingKind: String { "true or false" }

    /// Reads `true`, `yes`, `on` and `1`, or `false`, `no`, `off` and `0`, in small or capital letters.
    package init?(setting text: String) {
        switch text.lowercased() {
        case "true", "yes", "on", "1": self = true
        case "false", "no", "off", "0": self = false
        default: return nil
        }
    }

    package var settingText: String { description }
}

/// A list is written with commas: `a, b, c`. Its elements hold no comma; empty text is the empty list.
extension Array: SettingValue where Element: SettingValue {
    package static var settingKind: String { "a list, with commas, of which each is \(Element.settingKind)" }

    package init?(setting text: String) {
        self = []
        for part in text.split(separator: ",") {
            let trimmed = part.trimmed
            if trimmed.isEmpty { continue }
            guard let element = Element(setting: trimmed) else { return nil }
            append(element)
        }
    }

    package var settingText: String { map(\.settingText).joined(separator: ", ") }
}

/// A value that may be absent; empty text means that it is.
extension Optional: SettingValue where Wrapped: SettingValue {
    package static var settingKind: String { Wrapped.settingKind }

    package init?(setting text: String) {
        if text.isEmpty {
            self = .none
        } else {
            guard let value = Wrapped(setting: text) else { return nil }
            self = .some(value)
        }
    }

    package var settingText: String { map(\.settingText) ?? "" }
}

/// An enumeration of names becomes a setting with `extension Level: SettingValue {}`.
extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var settingKind: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }
    package init?(setting text: String) { self.init(rawValue: text) }
    package var settingText: String { rawValue }
}

extension StringProtocol {
    /// The text without spaces, tabs and line ends around it.
    var trimmed: String {
        let blank: (Character) -> Bool = { $0.isWhitespace }
        return String(drop(while: blank).reversed().drop(while: blank).reversed())
    }
}
