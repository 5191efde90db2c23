import Actions
import Settings
import Submitters

extension AppScheme: SettingValue {
    package static var settingKind: String { "the scheme of an app's own addresses, such as myapp" }
    package init?(setting text: String) { self.init(text) }
    package var settingText: String { name }
}

/// The settings that say which application Pics is at the services.
extension PicsSettings {
    /// One key of one service.
    struct ApplicationKey {
        let service: String
        let field: String
        let setting: Setting<String?>
    }

    /// `SERVICE_FIELD` for each field that a service's application has, such as `twitter_client_id`.
    static let applications: [ApplicationKey] =
        registry.submitters.compactMap { $0 as? any OAuthSubmitter }.flatMap { submitter in
            let service = submitter.description
            return submitter.oauth.appFields.map { field in
                ApplicationKey(
                    service: service.id, field: field.name,
                    setting: Setting(
                        "\(service.id.replacing("-", with: "_"))_\(field.name)", default: String?.none,
                        isSecret: field.isSecret, meaning: "\(service.name): \(field.prompt)."))
            }
        }

    /// The keys of the settings, by service and field.
    static func applicationKeys(_ configuration: Configuration) -> [String: [String: String]] {
        var keys: [String: [String: String]] = [:]
        for key in applications {
            guard let value = configuration[key.setting], !value.isEmpty else { continue }
            keys[key.service, default: [:]][key.field] = value
        }
        return keys
    }
}
