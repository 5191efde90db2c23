import Actions
import Crypto
import Settings

/// The issuer of OpenID Connect that people may sign in by. It is the operator's own choice, so it may be at a private address.
extension PicsSettings {
    static let openIDIssuer = Setting(
        "oidc_issuer", default: WebAddress?.none,
        meaning: """
            The issuer of OpenID Connect that people may sign in by, such as https://id.example.com; its redirect URI is \
            /sign-in/openid/callback below base_url. Without it, none.
            """)
    static let openIDClient = Setting(
        "oidc_client_id", default: String?.none, meaning: "The name of Pics there; oidc_issuer needs it.")
    static let openIDSecret = Setting(
        "oidc_client_secret", default: String?.none, isSecret: true,
        meaning: "The secret of Pics there; without it, Pics is a public client.")
    static let openIDName = Setting(
        "oidc_name", default: "OpenID Connect", meaning: "The name of the issuer for people, on the button.")
    static let openIDRegister = Setting(
        "oidc_register", default: false,
        meaning: "Whether people whom the issuer knows, and who are unknown here, become users without an invitation.")

    static let openIDConnect = SettingSection(
        "OpenID Connect", [openIDIssuer, openIDClient, openIDSecret, openIDName, openIDRegister])

    /// How Pics is known at the issuer; nil where there is none.
    ///
    /// - Throws: `CommandFailure` when the name of Pics is missing.
    static func openID(_ configuration: Configuration) throws -> OpenIDConfiguration? {
        guard let issuer = configuration[openIDIssuer] else { return nil }
        guard let client = configuration[openIDClient] else {
            throw CommandFailure("oidc_issuer is set: set oidc_client_id, too, to the name of Pics there.")
        }
        return OpenIDConfiguration(
            issuer: issuer.text, clientID: client, clientSecret: configuration[openIDSecret].map { Secret($0) },
            name: configuration[openIDName], registers: configuration[openIDRegister])
    }
}
