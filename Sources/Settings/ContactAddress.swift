internal import Foundation

/// Where somebody can be written to: `mailto:somebody@example.com`, or a page such as `https://example.com/contact`.
package struct ContactAddress: SettingValue, Hashable {
    /// The address, as a link needs it.
    package let text: String

    package static var settingKind: String { "an address such as mailto:me@example.com or https://example.com/contact" }

    package init?(setting text: String) {
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false) else { return nil }
        switch parts.scheme {
        case "mailto": guard parts.path.contains("@"), parts.query == nil else { return nil }
        case "https": guard let host = parts.host, !host.isEmpty else { return nil }
        default: return nil
        }
        self.text = text
    }

    package var settingText: String { text }
}
