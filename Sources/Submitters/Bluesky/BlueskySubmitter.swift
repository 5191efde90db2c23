internal import Domain
package import FoundationEssentials
package import HTTP

/// Publishes on Bluesky, or any server of the AT Protocol: uploads each picture, then writes a post that shows
/// them.
///
/// Source: lexicons of bluesky-social/atproto at d6296a1c (2026-08-20); docs.bsky.app, "Posts" and "Rate limits"; read
/// 2026-11-21.
package struct BlueskySubmitter: Submitter {
    package let description = ServiceDescription(
        id: "bluesky", name: "Bluesky", aliases: ["bsky", "atproto"],
        credentialFields: [
            CredentialField("identifier", prompt: "Your handle, such as alice.bsky.social"),
            CredentialField("password", prompt: "An app password (Settings, Privacy and security)", isSecret: true),
            CredentialField("base_url", prompt: "Address of your server", defaultValue: "https://bsky.social"),
        ],
        captionRule: .bluesky,
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/webp"], maximumPictureBytes: Self.maximumPictureBytes,
            maximumPixels: 16_000_000, videoTypes: ["video/mp4"], maximumVideoBytes: Self.maximumVideoBytes,
            maximumPictures: Self.maximumPictures),
        // Writes to one repository are serial in the server.
        lane: LanePolicy(concurrency: 1), takesAltText: true,
        credentialKind: .appPassword,
        entityPages: EntityPages(
            hashtag: { tag, _ in "https://bsky.app/hashtag/\(tag)" },
            // A handle is a host name.
            profile: { name, _ in name.contains(".") ? "https://bsky.app/profile/\(name)" : nil }),
        labels: [.language])

    /// `app.bsky.embed.images`, `maxLength`.
    private static let maximumPictures = 4
    /// `app.bsky.embed.images` since 2026.
    private static let maximumPictureBytes: Int64 = 2_000_000
    /// The largest blob of Bluesky's own hosts; the lexicon allows 300 MB by way of the video service.
    private static let maximumVideoBytes: Int64 = 50_000_000

    private let servers: ServerPolicy
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    /// Servers fail each for itself.
    package func gate(_ settings: JSONValue) -> String { "bluesky \(settings["base_url"]?.string ?? "")" }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let server = try entered.origin(default: "https://bsky.social", policy: servers)
        let handle = try entered.required("identifier", "Your handle")
        let password = try entered.required("password", "An app password")
        let api = api(at: server, authorization: nil, over: transport, now: now)

        let response = try await api.api.send(
            .post, "/xrpc/com.atproto.server.createSession",
            json: [
                "identifier": .string(handle.hasPrefix("@") ? String(handle.dropFirst()) : handle),
                "password": .string(password),
            ])
        guard BlueskyAPI.error(of: response) != "AuthenticationRequired" else {
            throw .unauthorized(
                api.client.problem(.credentialsRefused, response))
        }
        let session = try api.session(response)
        // Everything else goes to the server that holds the account's data.
        let home = try session.server.map { url throws(SubmissionError) in try ServerOrigin(url, policy: servers) }
        return ConnectedAccount(
            remoteID: session.did, name: session.handle, credentials: session.credentials,
            settings: ["base_url": .string(home?.description ?? server)])
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await BlueskyPosting(task: task, api: api(of: task.account, over: task.transport, now: task.now)).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await BlueskyPosting(task: task, api: api(of: task.account, over: task.transport, now: task.now))
            .reconcile()
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> BlueskyAPI {
        api(
            at: account.settings["base_url"]?.string ?? "https://bsky.social",
            authorization: "Bearer \(account.credentials["access_token"]?.string ?? "")", over: transport, now: now)
    }

    private func api(
        at origin: String, authorization: String?, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> BlueskyAPI {
        BlueskyAPI(
            api: AccountAPI(
                client: ServiceClient(service: "Bluesky", transport: transport, now: now), origin: origin,
                authorization: authorization, addresses: servers.addresses))
    }
}

extension BlueskySubmitter: RefreshingSubmitter {
    /// An access token lives for two hours.
    package func expiry(of credentials: JSONValue) -> Date? {
        credentials["access_token"]?.string.flatMap(BlueskySession.expiry)
    }

    /// `com.atproto.server.refreshSession`: the refresh token is spent with it.
    package func refreshCredentials(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue {
        let api = api(
            at: account.settings["base_url"]?.string ?? "https://bsky.social",
            authorization: "Bearer \(account.credentials["refresh_token"]?.string ?? "")", over: transport, now: now)
        let response = try await api.api.send(.post, "/xrpc/com.atproto.server.refreshSession")
        return try api.session(response).credentials
    }
}

extension BlueskySubmitter: RevokingSubmitter {
    /// `com.atproto.server.deleteSession`.
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {
        let api = api(
            at: account.settings["base_url"]?.string ?? "https://bsky.social",
            authorization: "Bearer \(account.credentials["refresh_token"]?.string ?? "")", over: transport, now: now)
        let response = try await api.api.send(.post, "/xrpc/com.atproto.server.deleteSession")
        guard !response.status.isSuccess else { return }
        let error = api.failure(response)
        if case .unauthorized = error { return }
        throw error
    }
}

extension BlueskySubmitter: DeletingSubmitter, EngagementSubmitter {
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        guard let key = post.remoteID.split(separator: "/").last else { return }
        try await api(of: post.account, over: post.transport, now: post.now)
            .delete(String(key), of: post.account.remoteID)
    }

    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try await api(of: post.account, over: post.transport, now: post.now).counts(of: post.remoteID)
    }
}

extension BlueskySubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(of: account, over: transport, now: now).picture(of: account.remoteID)
    }
}

extension BlueskySubmitter: ThreadingSubmitter {}
