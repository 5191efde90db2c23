internal import Domain
package import FoundationEssentials
package import HTTP

/// Posts photos to a channel of a Discord server by a webhook.
///
/// Source: discord/discord-api-docs at c98d64bc; read 2026-11-21.
package struct DiscordSubmitter: Submitter {
    /// The largest file of a server without boosts.
    private static let maximumBytes: Int64 = 10 << 20

    package let description = ServiceDescription(
        id: "discord", name: "Discord",
        credentialFields: [
            CredentialField(
                "webhook", prompt: "Address of the webhook (server settings, Integrations, Webhooks)", isSecret: true)
        ],
        captionRule: .discord,
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/webp", "image/gif"],
            maximumPictureBytes: Self.maximumBytes,
            videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: Self.maximumBytes),
        // As observed: 5 requests in 2 seconds of a webhook, 30 messages in a minute of a channel.
        lane: LanePolicy(concurrency: 1, gap: .seconds(2)), takesAltText: true,
        // Who is on the channel's server can open a message.
        hasPublicLinks: false, labels: [.sensitivity])

    private let servers: ServerPolicy
    private let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let webhook = try DiscordWebhook(
            try EnteredValues(entered).required("webhook", "The address of the webhook"), policy: servers)
        let facts = try await api(webhook, over: transport, now: now).facts()
        var settings: JSONObject = ["base_url": .string(webhook.origin), "channel": .string(facts.channel)]
        if let guild = facts.guild { settings["guild"] = .string(guild) }
        return ConnectedAccount(
            remoteID: webhook.id, name: facts.name, credentials: ["token": .string(webhook.token)],
            settings: .object(settings), picture: ProfilePicture(facts.picture))
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> DiscordPosting {
        DiscordPosting(
            task: task, api: api(DiscordWebhook(task.account), over: task.transport, now: task.now))
    }

    private func api(
        _ webhook: DiscordWebhook, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> DiscordAPI {
        // The address is the proof.
        DiscordAPI(
            api: AccountAPI(
                client: ServiceClient(service: description.name, transport: transport, now: now),
                origin: webhook.origin, authorization: nil, addresses: servers.addresses), webhook: webhook)
    }

    private func api(of post: PublishedPost) -> DiscordAPI {
        api(DiscordWebhook(post.account), over: post.transport, now: post.now)
    }
}

extension DiscordSubmitter: DeletingSubmitter, EditingSubmitter, EngagementSubmitter {
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post).delete(post.remoteID)
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        try await api(of: post).edit(post.remoteID, content: DiscordMarkdown(text).text, altText: altText)
    }

    /// Everybody's reactions, whatever they show.
    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        Engagement(likes: try await api(of: post).message(post.remoteID).reactions)
    }
}

extension DiscordSubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(DiscordWebhook(account), over: transport, now: now).facts().picture
    }
}
