/// The path of a file or folder; a relative one starts at the folder the program was started in.
package struct SettingPath: SettingValue, Hashable {
    /// The path as it was given.
    package let text: String

    /// The path `text`.
    package init(_ text: String) { self.text = text }

    package static var settingKind: String { "a path" }

    package init?(setting text: String) {
        // C would end the path at the zero byte and open another file than the one that was checked.
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        self.text = text
    }

    package var settingText: String { text }
}
