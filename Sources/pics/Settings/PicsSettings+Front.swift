import Settings
import Web

extension FrontPage: SettingValue {
    package static var settingKind: String { "welcome, newest, or user:NAME" }
    package init?(setting text: String) { self.init(text) }
    package var settingText: String { text }
}

extension PicsSettings {
    static let front = Setting(
        "front", default: FrontPage.welcome,
        meaning:
            "The first page of strangers: a welcome, the newest public photos of open galleries, or one user's open gallery."
    )
}
