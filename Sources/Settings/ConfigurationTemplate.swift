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
///   - prefix: What the names of environment variables start with.
/// - Returns: The text of the file, which decides nothing until a `#` is removed.
package func generateConfigurationFile(_ sections: [SettingSection], prefix: String) -> String {
    var lines = [
        "# Remove the # before a setting to decide it. Environment variables win over this file.",
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
