internal import Domain
package import FoundationEssentials
package import HTTP

/// Publishes on a blog at Tumblr.
///
/// Source: tumblr/docs of 2024-10-18; read 2026-11-21.
package struct TumblrSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "tumblr", name: "Tumblr",
        credentialFields: [
            CredentialField("client_id", prompt: "OAuth consumer key of your app at tumblr.com/oauth/apps"),
            CredentialField("client_secret", prompt: "Its secret", isSecret: true),
            CredentialField("refresh_token", prompt: "Refresh token", isSecret: true),
            CredentialField("blog", prompt: "Name of the blog, if it is not your first", defaultValue: ""),
            CredentialField("base_url", prompt: "Address of the API, if it is not Tumblr's", defaultValue: ""),
        ],
        captionRule: .tumblr,
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/gif"], maximumPictureBytes: 10_000_000,
            videoTypes: ["video/mp4"], maximumVideoBytes: 500_000_000),
        // One video of an account is worked on at a time.
        lane: LanePolicy(concurrency: 1, gap: .seconds(1)), takesAltText: true, position: .never,
        entityPages: EntityPages(
            hashtag: { tag, _ in "https://www.tumblr.com/tagged/\(tag)" },
            profile: { name, _ in "https://www.tumblr.com/\(name)" }))

    private static let scopes = ["basic", "write", "offline_access"]

    let servers: ServerPolicy
    private let now: @Sendable () -> Date

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

    private func posting(_ task: SubmissionTask) -> TumblrPosting {
        TumblrPosting(task: task, api: api(of: task.account, over: task.transport, now: task.now))
    }

    func account(
        _ credentials: JSONValue, _ settings: JSONValue, _ entered: EnteredValues, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let wanted = entered["blog"]
        let blogs = try await api(settings, credentials, blog: "", over: transport, now: now).blogs()
        let found =
            wanted.map { wanted in blogs.first { $0.name == wanted || $0.id == wanted } }
            ?? (blogs.first(where: \.isPrimary) ?? blogs.first)
        guard let blog = found else {
            throw .rejected(.destinationMissing, ProblemParameters(service: "Tumblr", label: "A blog of this name"))
        }
        return ConnectedAccount(remoteID: blog.id, name: blog.name, credentials: credentials, settings: settings)
    }

    func flow(_ app: ClientCredentials, _ base: BaseURL) throws(SubmissionError) -> OAuth2Flow {
        OAuth2Flow(
            service: "Tumblr", authorizeURL: "\(base.or("https://www.tumblr.com"))/oauth2/authorize",
            tokenURL: "\(base.or("https://api.tumblr.com"))/v2/oauth2/token",
            clientID: try app.required("client_id"), clientSecret: try app.required("client_secret"),
            scopes: Self.scopes.joined(separator: " "), usesPKCE: false, addresses: servers.addresses, now: now)
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> TumblrAPI {
        api(account.settings, account.credentials, blog: account.remoteID, over: transport, now: now)
    }

    func api(
        _ settings: JSONValue, _ credentials: JSONValue, blog: String, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> TumblrAPI {
        TumblrAPI(
            api: AccountAPI(
                client: ServiceClient(service: "Tumblr", transport: transport, now: now),
                origin: BaseURL(settings).or("https://api.tumblr.com"),
                authorization: "Bearer \(OAuth2Credentials(credentials).accessToken)", addresses: servers.addresses),
            blog: blog)
    }
}

// Tokens are good for 42 minutes; a refresh token is spent.
extension TumblrSubmitter: OAuth2FlowSubmitter {
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2,
            appFields: [
                CredentialField("client_id", prompt: "OAuth consumer key of your app at tumblr.com/oauth/apps"),
                CredentialField("client_secret", prompt: "Its secret", isSecret: true),
                CredentialField("base_url", prompt: "Address of all of the API", defaultValue: ""),
            ],
            accountFields: [
                CredentialField("blog", prompt: "Name of the blog, if it is not your first", defaultValue: "")
            ],
            scopes: Self.scopes)
    }

    /// No such call is documented: its owner takes the permission back in Tumblr's settings, "Apps".
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {}
}

extension TumblrSubmitter: DeletingSubmitter, EngagementSubmitter {
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).delete(post.remoteID)
    }

    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try await api(of: post.account, over: post.transport, now: post.now).counts(of: post.remoteID)
    }
}

extension TumblrSubmitter: PictureSubmitter {
    /// `/v2/blog/{blog}/avatar/{size}` is the picture itself for whoever does not sign the request (`api.md`, "Retrieve a Blog
    /// Avatar").
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        "\(BaseURL(account.settings).or("https://api.tumblr.com"))/v2/blog/\(PercentEncoding.encode(account.remoteID))/avatar/128"
    }
}
