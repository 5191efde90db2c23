internal import Domain
package import FoundationEssentials
package import HTTP

/// Publishes at a Pixelfed server: it speaks Mastodon's API, and has collections.
///
/// Source: pixelfed/pixelfed at c25e318 (2026), `app/Http/Controllers/Api/V1Api`, and at 8aae92d (March 2024), `CollectionController`,
/// `StatusEditController`; read 2026-11-26.
package struct PixelfedSubmitter: MastodonServing {
    package let description = ServiceDescription(
        id: "pixelfed", name: "Pixelfed",
        credentialFields: [
            CredentialField("base_url", prompt: "Address of your server, such as https://pixelfed.social"),
            CredentialField("access_token", prompt: "Access token with the scopes read and write", isSecret: true),
        ],
        captionRule: PixelfedSubmitter.standard.captionRule, mediaRule: PixelfedSubmitter.standard.mediaRule,
        // 1,000 posts and 1,250 files a day.
        lane: LanePolicy(concurrency: 1, cap: .init(1000, in: .seconds(86_400))), takesAltText: true,
        note: "How long captions may be, how large files, and whether there are videos, your server says.",
        settingsLife: .seconds(24 * 3600),
        visibilities: MastodonVisibility.choices.filter { $0.audience != .mentioned },
        entityPages: EntityPages(
            hashtag: { tag, server in "\(server)/discover/tags/\(tag)" },
            profile: { name, server in "\(server)/\(name)" },
            isPerServer: true), labels: [.sensitivity, .warning])

    /// A server that says nothing of its limits (`config/pixelfed.php`).
    private static let standard = MastodonSettings(
        baseURL: "", accountID: "", software: "pixelfed",
        instance: [
            "configuration": [
                "media_attachments": [
                    "image_size_limit": 15_000_000, "video_size_limit": 15_000_000,
                    "supported_mime_types": ["image/jpeg", "image/png", "image/gif"],
                ]
            ]
        ])

    let servers: ServerPolicy
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    func check(_ software: String?) throws(SubmissionError) {
        guard software == "pixelfed" else {
            throw .rejected(
                .destinationMissing,
                ProblemParameters(service: description.name, label: "A Pixelfed server at this address"))
        }
    }
}

extension PixelfedSubmitter: AlbumSubmitter {
    package var createsAlbums: Bool { false }

    package func albums(of account: OpenedAccount, over transport: any Transport) async throws(SubmissionError)
        -> [Album]
    {
        try await api(for: account, over: transport, now: now)
            .collections(of: MastodonSettings(account.settings).accountID)
    }

    /// Collections are made in the browser: programs have no call for it.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        throw .rejected(.albumsMadeThere, ProblemParameters(service: description.name))
    }
}
