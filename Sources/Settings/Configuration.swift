/// The values of all settings, checked, with where each came from.
package struct Configuration: Sendable {
    /// The source of a value.
    package enum Source: Sendable, Hashable, CustomStringConvertible {
        /// Nobody.
        case standard
        /// A line of the configuration file.
        case file(line: Int)
        /// An environment variable.
        case environment(String)

        package var description: String {
            switch self {
            case .standard: "default"
            case .file(let line): "file, line \(line)"
            case .environment(let variable): "environment, \(variable)"
            }
        }
    }

    struct Entry {
        let value: any SettingValue
        let source: Source
    }

    let descriptors: [any SettingDescriptor]
    let entries: [String: Entry]

    /// The value of `setting`, which is one of those that were read.
    package subscript<Value>(_ setting: Setting<Value>) -> Value {
        guard let entry = entries[setting.name] else { return setting.defaultValue }
        guard let value = entry.value as? Value else {
            preconditionFailure("Two settings of different types are called \(setting.name).")
        }
        return value
    }

    /// The source of the value of `setting`.
    package func source<Value>(of setting: Setting<Value>) -> Source {
        entries[setting.name]?.source ?? .standard
    }

    /// The values that somebody has set, by the names of their settings, without secrets.
    package var chosen: [String: String] {
        var chosen: [String: String] = [:]
        for setting in descriptors where !setting.isSecret {
            if let entry = entries[setting.name], entry.source != .standard {
                chosen[setting.name] = entry.value.settingText
            }
        }
        return chosen
    }

    /// One line per setting: its name, its value (secrets masked) and its source.
    package func table() -> String {
        let rows = descriptors.map { setting in
            let entry = entries[setting.name]
            let text = entry?.value.settingText ?? setting.defaultText
            let shown = text.isEmpty ? "(none)" : setting.isSecret ? "[secret]" : text
            return [setting.name, shown, (entry?.source ?? .standard).description]
        }
        let table = [["setting", "value", "decided by"]] + rows
        let widths = (0..<2).map { column in table.map { $0[column].count }.max() ?? 0 }
        return table.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }.joined() + row[2] + "\n"
        }.joined()
    }
}
