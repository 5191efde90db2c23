internal import Domain
package import EventLoops
package import FoundationEssentials
package import HTTP

/// Publishes pins on boards at Pinterest.
///
/// Source: pinterest/api-description at c05b189 (API v5.23.0, 2025-12-11); developers.pinterest.com, "Set up authentication and authorization",
/// "Access tiers", "Rate limits", "Sandbox"; read 2026-11-26.
package struct PinterestSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "pinterest", name: "Pinterest",
        credentialFields: [
            CredentialField("client_id", prompt: "App id at developers.pinterest.com/apps"),
            CredentialField("client_secret", prompt: "App secret key", isSecret: true),
            CredentialField("refresh_token", prompt: "Refresh token", isSecret: true),
            CredentialField("base_url", prompt: "Address of the API, if it is not Pinterest's", defaultValue: ""),
        ],
        captionRule: .plain(.codePoints, limit: PinterestPin.longestDescription),
        // 20 MB are commonly said. All pictures of a pin go in one request as Base64, a third larger, which is held in memory while it is sent:
        // half of it. Of videos 1 GB and 2 GB are said; the smaller is safe.
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png"], maximumPictureBytes: 10_000_000,
            videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: 1_000_000_000, maximumPictures: 5),
        lane: LanePolicy(concurrency: 1, gap: .seconds(1)), takesAltText: true, position: .never,
        note:
            "Until Pinterest gives the app of this server Standard access, it refuses pins, or shows them to you alone.",
        entityPages: EntityPages(
            hashtag: { tag, _ in "https://www.pinterest.com/search/pins/?q=%23\(tag)" },
            profile: { name, _ in "https://www.pinterest.com/\(name)/" }))

    private static let scopes = ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"]
    private static let origin = "https://api.pinterest.com"

    let servers: ServerPolicy
    private let threads: BlockingThreads
    let now: @Sendable () -> Date

    /// Takes which servers users may name, threads to read pictures on, and the time while an account is being connected.
    package init(
        servers: ServerPolicy, threads: BlockingThreads, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.servers = servers
        self.threads = threads
        self.now = now
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> PinterestPosting {
        PinterestPosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now), threads: threads)
    }

    func account(
        _ credentials: JSONValue, _ settings: JSONValue, _ entered: EnteredValues, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let account = try await api(settings, credentials, over: transport, now: now).account()
        return ConnectedAccount(
            remoteID: account.id, name: account.name, credentials: credentials, settings: settings,
            picture: ProfilePicture(account.picture))
    }

    /// The sandbox has tokens of its own, and shares Pinterest's consent page ("Sandbox").
    func flow(_ app: ClientCredentials, _ base: BaseURL) throws(SubmissionError) -> OAuth2Flow {
        let origin = base.or(Self.origin)
        let web = origin.hasSuffix(".pinterest.com") ? "https://www.pinterest.com" : origin
        return OAuth2Flow(
            service: description.name, authorizeURL: "\(web)/oauth/", tokenURL: "\(origin)/v5/oauth/token",
            clientID: try app.required("client_id"), clientSecret: try app.required("client_secret"),
            scopes: Self.scopes.joined(separator: ","), usesPKCE: false, authentication: .basic,
            // Apps of before 2025-09-25 get refresh tokens that last only so.
            codeParameters: ["continuous_refresh": "true"], addresses: servers.addresses, now: now)
    }

    private func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> PinterestAPI {
        api(account.settings, account.credentials, over: transport, now: now)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> PinterestAPI {
        PinterestAPI(
            api: AccountAPI(
                client: ServiceClient(service: description.name, transport: transport, now: now),
                origin: BaseURL(settings).or(Self.origin),
                authorization: "Bearer \(OAuth2Credentials(credentials).accessToken)", addresses: servers.addresses))
    }
}

// Access tokens are good for 30 days, refresh tokens for 60; each refresh gives a new one of both.
extension PinterestSubmitter: OAuth2FlowSubmitter {
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2,
            appFields: [
                CredentialField("client_id", prompt: "App id at developers.pinterest.com/apps"),
                CredentialField("client_secret", prompt: "App secret key", isSecret: true),
                CredentialField(
                    "base_url", prompt: "Address of the API, such as that of its sandbox", defaultValue: ""),
            ], scopes: Self.scopes)
    }

    /// `/oauth/token/revoke` is for system users alone: a person takes the permission back in Pinterest's settings, "Security".
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {}
}

extension PinterestSubmitter: AlbumSubmitter, DeletingSubmitter, EditingSubmitter, EngagementSubmitter {
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        try await api(of: account, over: transport, now: now).boards().prefix(Album.longestList).map {
            Album(id: $0.id, name: $0.name)
        }
    }

    /// An account has one board of a name.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = try Album.name(name, of: description) { $0.unicodeScalars.count <= PinterestAPI.longestBoardName }
        let board = try await api(of: account, over: transport, now: now).board(named: name, of: account.name)
        return Album(id: board.id, name: board.name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).delete(post.remoteID)
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now)
            .change(post.remoteID, PinterestPin.words(text, altText: altText))
    }

    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try await api(of: post.account, over: post.transport, now: post.now).counts(of: post.remoteID)
    }
}

extension PinterestSubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(of: account, over: transport, now: now).account().picture
    }
}
