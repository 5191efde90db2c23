internal import Domain
package import FoundationEssentials
package import HTTP

/// Publishes on Threads.
///
/// Source: as `ThreadsAPI`, and "Overview" (2025-12-22), "Posts, Media Specifications"; read 2026-11-26.
package struct ThreadsSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "threads", name: "Threads", credentialFields: Self.credentialFields, captionRule: .threads,
        mediaRule: MediaRule(
            // Threads makes pictures smaller by itself.
            pictureTypes: ["image/jpeg", "image/png"], maximumPictureBytes: 8_000_000, aspectRatios: 0.1...10,
            videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: 1_000_000_000, maximumPictures: 20),
        lane: LanePolicy(concurrency: 1, gap: .seconds(1), cap: LanePolicy.Cap(250, in: .seconds(24 * 3600))),
        takesAltText: true, position: .never,
        note: "Threads fetches each file from this Pics, whose address must be reachable from everywhere.",
        credentialKind: .token,
        entityPages: EntityPages(
            hashtag: { tag, _ in "https://www.threads.com/search?q=%23\(tag)" },
            profile: { name, _ in "https://www.threads.com/@\(name)" }),
        labels: [.sensitivity], fetchesFiles: true)

    static let login = GraphLogin(
        service: "Threads", webOrigin: "https://www.threads.net", graphOrigin: "https://graph.threads.net",
        codeOrigin: "https://graph.threads.net", prefix: "th",
        scopes: [
            "threads_basic", "threads_content_publish", "threads_delete", "threads_manage_insights",
            "threads_read_replies", "threads_manage_replies",
        ],
        appPrompt: "Threads app ID at developers.facebook.com",
        basePrompt: "Address of the API, if it is not that of Threads")

    let servers: ServerPolicy
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> GraphPosting<ThreadsAPI> {
        var api = api(of: task.account, over: task.transport, now: task.now)
        api.coversMedia = task.photo.labels.isSensitive
        return GraphPosting(task: task, api: api)
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> ThreadsAPI {
        ThreadsAPI(graph: graph(account.settings, account.credentials, over: transport, now: now))
    }
}

extension ThreadsSubmitter: GraphLoginSubmitter {
    func account(
        _ credentials: JSONValue, _ settings: JSONValue, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let profile = try await ThreadsAPI(graph: graph(settings, credentials, over: transport, now: now)).me()
        return ConnectedAccount(
            remoteID: profile.id, name: profile.username, credentials: credentials, settings: settings,
            picture: ProfilePicture(profile.picture))
    }
}

extension ThreadsSubmitter: DeletingSubmitter {
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).delete(post.remoteID)
    }
}

extension ThreadsSubmitter: ThreadingSubmitter {}
