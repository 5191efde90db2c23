internal import Domain
package import FoundationEssentials
package import HTTP

/// Puts photos on mixi by its Graph API.
///
/// Source: as `MixiAPI`. The network's successor, mixi2, lets applications post, not people: it is another service.
package struct MixiSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "mixi", name: "mixi",
        credentialFields: [
            CredentialField("client_id", prompt: "Consumer key of your app at developer.mixi.co.jp"),
            CredentialField("client_secret", prompt: "Consumer secret", isSecret: true),
            CredentialField("refresh_token", prompt: "Refresh token", isSecret: true),
            CredentialField("base_url", prompt: "Address of all of the API, if it is not mixi's", defaultValue: ""),
        ],
        // Of a title; nothing is documented.
        captionRule: .plain(.codePoints, limit: 255),
        mediaRule: MediaRule(pictureTypes: ["image/jpeg", "image/png"], maximumPictureBytes: 10_000_000),
        lane: LanePolicy(concurrency: 1, gap: .seconds(2)), takesAltText: false, position: .never,
        // Albums are shown to who has signed in there.
        hasPublicLinks: false,
        note: "Whether mixi still answers applications is not known: its last sign of life was in 2023.",
        // Of the albums that Pics makes.
        visibilities: [
            VisibilityChoice("self", .owner), VisibilityChoice("friends", .friends),
            VisibilityChoice("friends_of_friends", .friendsOfFriends), VisibilityChoice("everyone", .everybody),
        ])

    private static let scopes = ["r_profile", "r_photo", "w_photo"]

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

    private func posting(_ task: SubmissionTask) -> MixiPosting {
        MixiPosting(
            task: task, api: api(task.account.settings, task.account.credentials, over: task.transport, now: task.now))
    }

    func account(
        _ credentials: JSONValue, _ settings: JSONValue, _ entered: EnteredValues, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let user = try await api(settings, credentials, over: transport, now: now).me()
        return ConnectedAccount(
            remoteID: user.id, name: user.name, credentials: credentials, settings: settings,
            picture: ProfilePicture(user.picture))
    }

    func flow(_ app: ClientCredentials, _ base: BaseURL) throws(SubmissionError) -> OAuth2Flow {
        OAuth2Flow(
            service: "mixi", authorizeURL: "\(base.or("https://mixi.jp"))/connect_authorize.pl",
            tokenURL: "\(base.or("https://secure.mixi-platform.com"))/2/token",
            clientID: try app.required("client_id"), clientSecret: try app.required("client_secret"),
            scopes: Self.scopes.joined(separator: " "), usesPKCE: false, parameters: ["display": "pc"],
            addresses: servers.addresses, now: now)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> MixiAPI {
        MixiAPI(
            api: AccountAPI(
                client: ServiceClient(service: "mixi", transport: transport, now: now),
                origin: BaseURL(settings).or("https://api.mixi-platform.com"),
                authorization: "Bearer \(OAuth2Credentials(credentials).accessToken)", addresses: servers.addresses))
    }
}

// Tokens are good for 15 minutes; a refresh token is spent.
extension MixiSubmitter: OAuth2FlowSubmitter {
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2,
            appFields: [
                CredentialField("client_id", prompt: "Consumer key of your app at developer.mixi.co.jp"),
                CredentialField("client_secret", prompt: "Consumer secret", isSecret: true),
                CredentialField("base_url", prompt: "Address of all of the API", defaultValue: ""),
            ], scopes: Self.scopes)
    }

    /// No such call is documented: its owner takes the permission back in mixi's settings.
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {}
}

extension MixiSubmitter: AlbumSubmitter, DeletingSubmitter {
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        try await api(account.settings, account.credentials, over: transport, now: now).albums()
    }

    /// For friends' eyes, as PhotoSubmitter's were, unless the account's `visibility` says otherwise.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = try Album.name(name, of: description) { $0.count <= 255 }
        let api = api(account.settings, account.credentials, over: transport, now: now)
        if let there = try await api.albums().first(where: { $0.name == name }) { return there }
        return try await api.createAlbum(
            name, visibility: AccountChoice.visibility.text(in: account.settings) ?? "friends")
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let parts = post.remoteID.split(separator: "/").map(String.init)
        guard parts.count == 2 else { return }
        try await api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
            .delete(parts[1], in: parts[0])
    }
}

extension MixiSubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(account.settings, account.credentials, over: transport, now: now).me().picture
    }
}
