import EventLoops
import HTTP
import Settings
import Submitters

/// The id of a service that Pics knows.
struct ServiceName: SettingValue, Equatable {
    let id: String

    static var settingKind: String { "a service such as mastodon" }
    init?(setting text: String) {
        guard let service = PicsSettings.registry[text] else { return nil }
        id = service.description.id
    }
    var settingText: String { id }
}

extension PicsSettings {
    /// The services, for their facts alone.
    static let registry: Registry = {
        // Nothing runs on it.
        let threads = BlockingThreads(name: "facts", count: 1)
        defer { threads.stop() }
        return Registry.standard(SubmitterConfiguration(archive: "", threads: threads, servers: .publicOnly))
    }()

    static let services = Setting(
        "services", default: [ServiceName](),
        meaning: """
            The services at which users may connect accounts; without it, admins choose in the settings. Accounts that are connected \
            go on.
            """)

    /// The ids of the services that the setting names; nil: admins choose.
    static func offeredServices(_ configuration: Configuration) -> Set<String>? {
        let named = configuration[services].map(\.id)
        return named.isEmpty ? nil : Set(named)
    }
}
