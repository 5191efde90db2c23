internal import Domain
package import EventLoops
package import FoundationEssentials
package import HTTP

/// Puts photos into a person's Dropbox.
///
/// Source: dropbox/dropbox-api-spec at 0d994eb (2026-08-05) and the SDK of Python at 1bc398c; read 2026-11-21.
package struct DropboxSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "dropbox", name: "Dropbox",
        credentialFields: [
            CredentialField("client_id", prompt: "App key of your app at dropbox.com/developers"),
            CredentialField(
                "client_secret", prompt: "App secret, if it is not used with PKCE", isSecret: true, defaultValue: ""),
            CredentialField("refresh_token", prompt: "Refresh token", isSecret: true),
            CredentialField("base_url", prompt: "Address of all of the API, if it is not Dropbox's", defaultValue: ""),
        ],
        captionRule: .unlimited, mediaRule: .files(most: Self.longestFile),
        // Commits to one account meet a lock; `too_many_write_operations` says so.
        lane: LanePolicy(concurrency: 1), takesAltText: false, canShareFiles: true)

    /// A request may carry 150 MiB; smaller pieces lose less. Blocks of 4 MiB are hashed.
    package static let segmentBytes: Int64 = 32 << 20

    static let scopes = [
        "account_info.read", "files.content.write", "files.content.read", "files.metadata.read", "files.metadata.write",
        "sharing.read", "sharing.write",
    ]

    /// 2^41 - 2^22 bytes.
    private static let longestFile: Int64 = 2_199_019_061_248

    let servers: ServerPolicy
    private let threads: BlockingThreads
    private let segmentBytes: Int64
    private let now: @Sendable () -> Date

    /// Makes a submitter.
    ///
    /// - Parameters:
    ///   - servers: Which servers users may name.
    ///   - threads: To read files on, for their hashes.
    ///   - segmentBytes: How much of a file a request carries; a multiple of 4 MiB but for tests.
    ///   - now: The time while an account is being connected.
    package init(
        servers: ServerPolicy, threads: BlockingThreads, segmentBytes: Int64 = Self.segmentBytes,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.servers = servers
        self.threads = threads
        self.segmentBytes = segmentBytes
        self.now = now
    }

    package func mediaRule(_ settings: JSONValue) -> MediaRule {
        .files(isShared: AccountChoice.share.flag(in: settings), most: Self.longestFile)
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> DropboxPosting {
        DropboxPosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now), segmentBytes: segmentBytes,
            threads: threads)
    }

    func account(
        _ credentials: JSONValue, _ settings: JSONValue, _ entered: EnteredValues, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let account = try await api(settings, credentials, over: transport, now: now).account()
        return ConnectedAccount(
            remoteID: account.id, name: account.name, credentials: credentials, settings: settings,
            picture: ProfilePicture(account.picture))
    }

    private func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> DropboxAPI {
        api(account.settings, account.credentials, over: transport, now: now)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> DropboxAPI {
        let base = BaseURL(settings)
        let rpc = AccountAPI(
            client: ServiceClient(service: "Dropbox", transport: transport, now: now),
            origin: base.or("https://api.dropboxapi.com"),
            authorization: "Bearer \(OAuth2Credentials(credentials).accessToken)", addresses: servers.addresses)
        return DropboxAPI(rpc: rpc, content: rpc.at(base.or("https://content.dropboxapi.com")))
    }

    func flow(_ app: ClientCredentials, _ base: BaseURL) throws(SubmissionError) -> OAuth2Flow {
        OAuth2Flow(
            service: "Dropbox", authorizeURL: "\(base.or("https://www.dropbox.com"))/oauth2/authorize",
            tokenURL: "\(base.or("https://api.dropboxapi.com"))/oauth2/token",
            clientID: try app.required("client_id"), clientSecret: app["client_secret"],
            scopes: Self.scopes.joined(separator: " "), parameters: ["token_access_type": "offline"],
            // The verifier is the proof: Dropbox's own SDKs leave the secret out (dropbox-sdk-python, `oauth.py`, `_finish`).
            sendsSecretWithCode: false, addresses: servers.addresses, now: now)
    }
}

extension DropboxSubmitter: OAuth2FlowSubmitter {
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2,
            appFields: [
                CredentialField("client_id", prompt: "App key of your app at dropbox.com/developers"),
                CredentialField(
                    "client_secret", prompt: "App secret; empty for PKCE alone", isSecret: true, defaultValue: ""),
                CredentialField("base_url", prompt: "Address of all of the API", defaultValue: ""),
            ], scopes: Self.scopes)
    }

    /// The call ends the refresh token of the access token that it carries: one that has ended meanwhile is renewed for it.
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {
        guard try await !endsToken(of: account, account.credentials, over: transport) else { return }
        let credentials: JSONValue
        do throws(SubmissionError) {
            credentials = try await refreshCredentials(of: account, over: transport)
        } catch {
            // The refresh token is good no more either.
            if case .unauthorized = error { return }
            throw error
        }
        _ = try await endsToken(of: account, credentials, over: transport)
    }

    /// False when the access token is not known.
    private func endsToken(
        of account: OpenedAccount, _ credentials: JSONValue, over transport: any Transport
    ) async throws(SubmissionError) -> Bool {
        let api = api(account.settings, credentials, over: transport, now: now)
        let response = try await api.rpc.send(.post, "/2/auth/token/revoke")
        if response.status == .unauthorized { return false }
        guard response.status.isSuccess else { throw api.failure(response) }
        return true
    }
}

extension DropboxSubmitter: AlbumSubmitter, DeletingSubmitter {
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        try await api(of: account, over: transport, now: now).folders()
    }

    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = try Album.name(name, of: description) { name in
            name.count <= 255 && !name.contains { "/\\".contains($0) }
        }
        return try await api(of: account, over: transport, now: now).createFolder(name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).delete(post.remoteID)
    }
}

extension DropboxSubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(of: account, over: transport, now: now).account().picture
    }
}
