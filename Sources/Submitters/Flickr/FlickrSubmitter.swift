internal import Domain
package import FoundationEssentials
package import HTTP

/// Publishes on Flickr.
///
/// Source: flickr.com/services/api, "Uploading", "Asynchronous uploading", "User authentication"; read 2026-11-21.
package struct FlickrSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "flickr", name: "Flickr",
        credentialFields: [
            CredentialField("consumer_key", prompt: "API key of your app at flickr.com/services/apps"),
            CredentialField("consumer_secret", prompt: "Its secret", isSecret: true),
            CredentialField("access_token", prompt: "OAuth token with the permission to delete"),
            CredentialField("access_token_secret", prompt: "OAuth token secret", isSecret: true),
            CredentialField("base_url", prompt: "Address of all of the API, if it is not Flickr's", defaultValue: ""),
        ],
        captionRule: .plain(.codePoints, limit: 20_000),
        // 200 MB and 1 GB are commonly said; `flickr.people.getLimits` would tell (unconfirmed).
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/gif"], maximumPictureBytes: 200_000_000,
            videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: 1_000_000_000),
        // The photostream is in the order of uploads.
        lane: LanePolicy(concurrency: 1, gap: .seconds(1)), takesAltText: false,
        visibilities: [VisibilityChoice("public", .everybody), VisibilityChoice("private", .owner)],
        entityPages: EntityPages(hashtag: { tag, _ in "https://www.flickr.com/photos/tags/\(tag)" }),
        labels: [.sensitivity])

    private static let web = "https://www.flickr.com"

    private let servers: ServerPolicy
    private let nonce: @Sendable () -> String
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        nonce = OAuth1Tokens.randomNonce
        self.now = now
    }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let base = try BaseURL(entered["base_url"], policy: servers)
        var credentials = JSONObject()
        for name in ["consumer_key", "consumer_secret", "access_token", "access_token_secret"] {
            credentials[name] = .string(try entered.required(name, "Each of the four keys"))
        }
        return try await account(base, .object(credentials), over: transport)
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await FlickrPosting(task: task, api: api(of: task.account, over: task.transport, now: task.now)).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await FlickrPosting(task: task, api: api(of: task.account, over: task.transport, now: task.now)).reconcile()
    }

    private func account(
        _ base: BaseURL, _ credentials: JSONValue, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let user = try await api(base, credentials, over: transport, now: now).login()
        return ConnectedAccount(
            remoteID: user.id, name: user.name, credentials: credentials, settings: base.settings)
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> FlickrAPI {
        api(BaseURL(account.settings), account.credentials, over: transport, now: now)
    }

    func api(
        _ base: BaseURL, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> FlickrAPI {
        let key = { (name: String) in credentials[name]?.string ?? "" }
        return FlickrAPI(
            client: ServiceClient(service: "Flickr", transport: transport, now: now),
            origin: base.or("https://api.flickr.com"), uploadOrigin: base.or("https://up.flickr.com"),
            credentials: OAuth1(
                consumerKey: key("consumer_key"), consumerSecret: key("consumer_secret"), token: key("access_token"),
                tokenSecret: key("access_token_secret")), nonce: nonce, addresses: servers.addresses)
    }
}

extension FlickrSubmitter: OAuthSubmitter {
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth1,
            appFields: [
                CredentialField("consumer_key", prompt: "API key of your app at flickr.com/services/apps"),
                CredentialField("consumer_secret", prompt: "Its secret", isSecret: true),
                CredentialField("base_url", prompt: "Address of all of the API", defaultValue: ""),
            ], scopes: ["delete"])
    }

    package func authorizationRequest(
        _ start: AuthorizationStart, over transport: any Transport
    ) async throws(SubmissionError) -> AuthorizationRequest {
        let web = try BaseURL(start.app["base_url"], policy: servers).or(Self.web)
        let request = try await tokens(start.app, over: transport)
            .requestToken(at: "\(web)/services/oauth/request_token", callback: start.callback)
        // `delete` includes writing.
        let query: FormFields = ["oauth_token": request.token, "perms": "delete"]
        return AuthorizationRequest(
            url: "\(web)/services/oauth/authorize?\(query.encoded)",
            kept: ["oauth_token": .string(request.token), "oauth_token_secret": .string(request.secret)])
    }

    package func finishAuthorization(
        _ response: AuthorizationResponse, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let base = try BaseURL(response.app["base_url"], policy: servers)
        let access = try await tokens(response.app, over: transport)
            .accessToken(at: "\(base.or(Self.web))/services/oauth/access_token", response)
        let credentials: JSONValue = [
            "consumer_key": .string(try response.app.required("consumer_key")),
            "consumer_secret": .string(try response.app.required("consumer_secret")),
            "access_token": JSONValue(access["oauth_token"]),
            "access_token_secret": JSONValue(access["oauth_token_secret"]),
        ]
        return try await account(base, credentials, over: transport)
    }

    /// Flickr has no such call: its owner takes the permission back at flickr.com/services/auth/list.gne.
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {}

    private func tokens(_ app: ClientCredentials, over transport: any Transport) throws(SubmissionError) -> OAuth1Tokens
    {
        OAuth1Tokens(
            client: ServiceClient(service: "Flickr", transport: transport, now: now),
            consumerKey: try app.required("consumer_key"), consumerSecret: try app.required("consumer_secret"),
            nonce: nonce, addresses: servers.addresses)
    }
}

extension FlickrSubmitter: AlbumSubmitter, DeletingSubmitter, EngagementSubmitter {
    private static let newAlbum = "new:"
    private static let groupAlbum = "group:"

    /// The name in the `id` of an album that the first photo makes; nil for one that is there.
    static func nameOfNewAlbum(_ id: String) -> String? {
        id.hasPrefix(newAlbum) ? String(id.dropFirst(newAlbum.count)) : nil
    }

    /// The NSID in the `id` of an album that is a group; nil for any other.
    static func group(_ id: String) -> String? {
        id.hasPrefix(groupAlbum) ? String(id.dropFirst(groupAlbum.count)) : nil
    }

    /// Photosets, and then the groups that the account is a member of.
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        let api = api(of: account, over: transport, now: now)
        let groups = try await api.groups(of: account.remoteID).map { group in
            Album(id: "\(Self.groupAlbum)\(group.id)", name: "\(group.name) (group)")
        }
        return try await api.photosets() + groups
    }

    /// A photoset cannot be empty: the first photo makes it.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = try Album.name(name, of: description) { $0.count <= 255 }
        let there = try await api(of: account, over: transport, now: now).photosets().first { $0.name == name }
        return there ?? Album(id: "\(Self.newAlbum)\(name)", name: name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).delete(post.remoteID)
    }

    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try await api(of: post.account, over: post.transport, now: post.now).counts(of: post.remoteID)
    }
}

extension FlickrSubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(of: account, over: transport, now: now).picture(of: account.remoteID)
    }
}
