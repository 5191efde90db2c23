internal import Domain
package import FoundationEssentials
package import HTTP

/// Publishes on a server that speaks Mastodon's API: uploads each picture, then posts a status that shows them.
///
/// Source: docs.joinmastodon.org at version 4.6, methods "media" and "statuses"; read 2026-11-21.
package struct MastodonSubmitter: MastodonServing, SubscribingSubmitter {
    package let description = ServiceDescription(
        id: "mastodon", name: "Mastodon", aliases: ["gotosocial", "pleroma", "akkoma"],
        credentialFields: [
            CredentialField("base_url", prompt: "Address of your server, such as https://mastodon.social"),
            CredentialField("access_token", prompt: "Access token with the scopes read and write", isSecret: true),
        ],
        captionRule: MastodonSettings([:]).captionRule, mediaRule: MastodonSettings([:]).mediaRule,
        // 30 uploads in 30 minutes are allowed (docs.joinmastodon.org, "Rate limits", read 2026-11-21).
        lane: LanePolicy(concurrency: 1), takesAltText: true,
        note: "How long captions may be, how large files, and whether there are videos, your server says.",
        settingsLife: .seconds(24 * 3600), visibilities: MastodonVisibility.choices,
        entityPages: EntityPages(
            hashtag: { tag, server in "\(server)/tags/\(tag)" }, profile: { name, server in "\(server)/@\(name)" },
            isPerServer: true), countsWarning: true, labels: [.sensitivity, .warning, .language])

    let servers: ServerPolicy
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    func check(_ software: String?) {}
}

extension MastodonSubmitter: ThreadingSubmitter {
    /// Pixelfed takes no status without a file.
    package func canThread(_ settings: JSONValue) -> Bool { !MastodonSettings(settings).isPixelfed }
}
