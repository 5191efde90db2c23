internal import Domain
package import FoundationEssentials
package import HTTP

/// Puts photos into a person's Google Photos: the heir of PhotoSubmitter's Picasa.
///
/// Source: developers.google.com/photos/library; read 2026-11-21. Since 2025-03-31 it sees only what Pics itself has
/// made.
package struct GooglePhotosSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "google-photos", name: "Google Photos", aliases: ["googlephotos", "picasa"],
        credentialFields: GoogleProject.credentialFields([
            CredentialField("account", prompt: "A name for the account, such as its address")
        ]),
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

    let scopes = ["appendonly", "readonly.appcreateddata", "edit.appcreateddata"]
        .map { "https://www.googleapis.com/auth/photoslibrary.\($0)" }

    let servers: ServerPolicy
    private let segmentBytes: Int64
    let now: @Sendable () -> Date

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
            api: accountAPI(
                settings, credentials, origin: "https://photoslibrary.googleapis.com", over: transport, now: now))
    }
}

extension GooglePhotosSubmitter: GoogleSubmitter {
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2,
            appFields: GoogleProject.appFields,
            accountFields: [CredentialField("account", prompt: "A name for the account, such as its address")],
            scopes: scopes)
    }
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
