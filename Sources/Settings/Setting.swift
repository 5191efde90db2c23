/// One thing an operator may decide: its name, its type, its default and what it means.
///
/// The name is the one of the configuration file, like `idle_timeout`; the environment knows it as
/// `PREFIX_IDLE_TIMEOUT`.
package struct Setting<Value: SettingValue>: SettingDescriptor {
    package let name: String
    package let unit: String?
    package let meaning: String
    package let isSecret: Bool
    package let allowed: String?
    /// The value when nobody decides.
    package let defaultValue: Value

    private let isAllowed: @Sendable (Value) -> Bool

    /// A setting of any value its type has.
    ///
    /// - Parameters:
    ///   - name: Small letters, digits and `_`.
    ///   - defaultValue: The value when nobody decides; a secret has none.
    ///   - unit: The unit of a bare number, like `connections`.
    ///   - isSecret: Whether the value is never shown, and may come from the file that `PREFIX_NAME_FILE` names.
    ///   - meaning: One sentence for the operator.
    package init(
        _ name: String, default defaultValue: Value, unit: String? = nil, isSecret: Bool = false, meaning: String
    ) {
        self.init(name, defaultValue, unit, isSecret, meaning, allowed: nil) { _ in true }
    }

    private init(
        _ name: String, _ defaultValue: Value, _ unit: String?, _ isSecret: Bool, _ meaning: String, allowed: String?,
        isAllowed: @escaping @Sendable (Value) -> Bool
    ) {
        self.name = name
        self.defaultValue = defaultValue
        self.unit = unit
        self.isSecret = isSecret
        self.meaning = meaning
        self.allowed = allowed
        self.isAllowed = isAllowed
    }

    package var kind: String { Value.settingKind }

    package var defaultText: String { defaultValue.settingText }

    package func parse(_ text: String) -> ParsedSetting {
        // The text of a secret stays out of messages.
        let shown = isSecret ? "the value" : "\"\(text)\""
        guard let value = Value(setting: text) else { return .wrong("\(shown) is not \(kind)") }
        guard isAllowed(value) else { return .wrong("\(shown) is outside \(allowed ?? "")") }
        return .value(value)
    }
}

extension Setting where Value: Comparable {
    /// A setting whose value lies in `range`; never a secret.
    package init(
        _ name: String, default defaultValue: Value, in range: ClosedRange<Value>, unit: String? = nil, meaning: String
    ) {
        let allowed = "\(range.lowerBound.settingText) to \(range.upperBound.settingText)"
        self.init(name, defaultValue, unit, false, meaning, allowed: allowed) { range.contains($0) }
    }
}

/// The members of all settings, independent of their type.
package protocol SettingDescriptor: Sendable {
    /// The name in the configuration file.
    var name: String { get }
    /// The unit of a bare number.
    var unit: String? { get }
    /// One sentence for the operator.
    var meaning: String { get }
    /// Whether the value is never shown.
    var isSecret: Bool { get }
    /// The allowed range in words, if there is one.
    var allowed: String? { get }
    /// The form of the text.
    var kind: String { get }
    /// The default as text.
    var defaultText: String { get }
    /// Reads and checks `text`.
    func parse(_ text: String) -> ParsedSetting
}

/// The result of reading a setting's text.
package enum ParsedSetting {
    /// The value, of the setting's type.
    case value(any SettingValue)
    /// The fault of the text, as the end of a sentence that starts with the setting's name.
    case wrong(String)
}

extension SettingDescriptor {
    /// The setting's environment variable: `PICS` and `idle_timeout` give `PICS_IDLE_TIMEOUT`.
    package func variable(prefix: String) -> String { "\(prefix)_\(name.uppercased())" }
}
