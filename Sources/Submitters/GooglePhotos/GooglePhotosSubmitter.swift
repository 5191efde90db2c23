internal import Domain
package import Foundation
package import HTTP

/// Puts photos into a person's Google Photos: the heir of PhotoSubmitter's Picasa.
///
/// Source: developers.google.com/photos/library; read 2026-11-21. Since 2025-03-31 it sees only what Pics itself has
/// made.
package struct GooglePhotosSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "google-photos", name: "Google Photos", aliases: ["googlephotos", "picasa"],
        credentialFields: [
            CredentialField("client_id", prompt: "Client id of your project at console.cloud.google.com"),
            CredentialField("client_secret", prompt: "Client secret", isSecret: true),
            CredentialField("refresh_token", prompt: "Refresh token", isSecret: true),
            CredentialField("account", prompt: "A name for the account, such as its address"),
            CredentialField("base_url", prompt: "Address of the API, if it is not Google's", defaultValue: ""),
        ],
        captionRule: Self.captionRule,
        mediaRule: MediaRule(
            copy: .tagged, pictureTypes: ["image/jpeg", "image/png", "image/gif", "image/webp", "image/heic"],
            maximumPictureBytes: 200_000_000, videoTypes: ["video/mp4", "video/quicktime"],
            maximumVideoBytes: 20_000_000_000),
        // "Call batchCreate one at a time for each user."
        lane: LanePolicy(concurrency: 1), takesAltText: false,
        // `productUrl` "is only available to signed-in users" (reference of `mediaItems`).
        hasPublicLinks: false,
        note: "Google lets Pics see and change only the albums that Pics has made.")

    /// "Shorter than 1000 characters", whatever a character is: UTF-16 units are the most.
    static let captionRule = CaptionRule.plain(.utf16Units, limit: 999)

    /// Larger files go in pieces; a multiple of Google's granularity is taken.
    package static let segmentBytes: Int64 = 16 << 20

    private static let scopes = ["appendonly", "readonly.appcreateddata", "edit.appcreateddata"]
        .map { "https://www.googleapis.com/auth/photoslibrary.\($0)" }

    let servers: ServerPolicy
    private let segmentBytes: Int64
    private let now: @Sendable () -> Date

    /// Makes a submitter.
    ///
    /// - Parameters:
    ///   - servers: Which servers users may name.
    ///   - segmentBytes: How much of a file a request carries.
    ///   - now: The time while an account is being connected.
    package init(
        servers: ServerPolicy, segmentBytes: Int64 = Self.segmentBytes, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.servers = servers
        self.segmentBytes = segmentBytes
        self.now = now
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> GooglePhotosPosting {
        GooglePhotosPosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now), segmentBytes: segmentBytes)
    }

    /// Looks whether the credentials are good. The scopes do not tell who it is: the name is the person's word.
    func account(
        _ credentials: JSONValue, _ settings: JSONValue, _ entered: EnteredValues, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let name = try entered.required("account", "A name for the account")
        _ = try await api(settings, credentials, over: transport, now: now).albums()
        return ConnectedAccount(remoteID: name, name: name, credentials: credentials, settings: settings)
    }

    func flow(_ app: ClientCredentials, _ base: BaseURL) throws(SubmissionError) -> OAuth2Flow {
        OAuth2Flow(
            service: "Google", authorizeURL: "\(base.or("https://accounts.google.com"))/o/oauth2/v2/auth",
            tokenURL: "\(base.or("https://oauth2.googleapis.com"))/token",
            clientID: try app.required("client_id"), clientSecret: try app.required("client_secret"),
            scopes: Self.scopes.joined(separator: " "),
            // Asks for a refresh token each time, not the first time alone.
            parameters: ["access_type": "offline", "prompt": "consent"], addresses: servers.addresses, now: now)
    }

    private func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> GooglePhotosAPI {
        api(account.settings, account.credentials, over: transport, now: now)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> GooglePhotosAPI {
        GooglePhotosAPI(
            api: AccountAPI(
                client: ServiceClient(service: "Google Photos", transport: transport, now: now),
                origin: BaseURL(settings).or("https://photoslibrary.googleapis.com"),
                authorization: "Bearer \(OAuth2Credentials(credentials).accessToken)", addresses: servers.addresses))
    }
}

extension GooglePhotosSubmitter: OAuth2FlowSubmitter {
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2,
            appFields: [
                CredentialField("client_id", prompt: "Client id of your project at console.cloud.google.com"),
                CredentialField("client_secret", prompt: "Client secret", isSecret: true),
                CredentialField("base_url", prompt: "Address of all of the API", defaultValue: ""),
            ],
            accountFields: [CredentialField("account", prompt: "A name for the account, such as its address")],
            scopes: Self.scopes)
    }

    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {
        let known = OAuth2Credentials(account.credentials)
        let base = BaseURL(account.settings).or("https://oauth2.googleapis.com")
        let client = ServiceClient(service: "Google Photos", transport: transport, now: now)
        let form: FormFields = ["token": known.refreshToken]
        let response = try await AccountAPI(
            client: client, origin: base, authorization: nil, addresses: servers.addresses
        ).send(.post, "/revoke", form: form)
        // 400: it is good no more.
        guard response.status.isSuccess || response.status == .badRequest else { throw client.failure(response) }
    }

    /// A token takes all of what its person has allowed this app with it (developers.google.com/identity, "Using OAuth 2.0 for Web
    /// Server Applications", "Revoking a token").
    package func canRevoke(_ old: JSONValue, keeping new: JSONValue) -> Bool { false }
}

extension GooglePhotosSubmitter: AlbumSubmitter, EditingSubmitter {
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        try await api(of: account, over: transport, now: now).albums()
    }

    /// Two albums may have one title: the one that is there is taken.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = try Album.name(name, of: description) { $0.utf16.count <= 500 }
        let api = api(of: account, over: transport, now: now)
        if let there = try await api.albums().first(where: { $0.name == name }) { return there }
        return try await api.createAlbum(name)
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).setDescription(text, of: post.remoteID)
    }
}
