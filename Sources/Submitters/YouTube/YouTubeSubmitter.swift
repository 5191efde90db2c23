internal import Domain
package import FoundationEssentials
package import HTTP

/// Puts clips into a person's YouTube channel.
///
/// Source: developers.google.com/youtube, Data API v3 (reference; "Resumable uploads"; "Quota costs"; revision history up to 3 November
/// 2026), and its discovery document of that year; read 2026-11-26. Photos cannot be posted: posts of the community have no API.
package struct YouTubeSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "youtube", name: "YouTube",
        credentialFields: GoogleProject.credentialFields([Self.madeForKids]),
        captionRule: Self.captionRule,
        // "Maximum file size: 256 GB. Accepted media MIME types: video/*" (`videos.insert`).
        mediaRule: .videos(["video/mp4", "video/quicktime"], most: 256_000_000_000),
        // Each video is a job of its own at YouTube; in order, so that a channel has them in order.
        lane: LanePolicy(concurrency: 1), takesAltText: false,
        // `recordingDetails.location` is no property that can be set any more (`videos.insert`, "Request body").
        position: .never, hasPictureChoices: false,
        note: "YouTube takes videos alone: photos do not go there.",
        visibilities: YouTubeVisibility.choices,
        entityPages: EntityPages(
            hashtag: { tag, _ in "https://www.youtube.com/hashtag/\(tag)" },
            profile: { name, _ in "https://www.youtube.com/@\(name)" }), labels: [.language])

    /// `snippet.description`: "5000 bytes".
    static let captionRule = CaptionRule.plain(.utf8Bytes, limit: 5000)

    /// A multiple of 256 KiB, as all pieces but the last have to be.
    package static let segmentBytes: Int64 = 16 << 20

    /// It alone lets Pics post, change, delete, and read and write comments ("Authorization" of each method).
    let scopes = ["https://www.googleapis.com/auth/youtube.force-ssl"]

    /// What the law of some countries asks whoever posts (`status.selfDeclaredMadeForKids`).
    static let madeForKids = CredentialField(
        "made_for_kids", prompt: "Are your videos made for children? yes, or empty for no", defaultValue: "")

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

    private func posting(_ task: SubmissionTask) -> YouTubePosting {
        YouTubePosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now), segmentBytes: segmentBytes)
    }

    /// Asks for the channel that the person has chosen.
    func account(
        _ credentials: JSONValue, _ settings: JSONValue, _ entered: EnteredValues, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let isForKids = try Self.isForKids(entered)
        let channel = try await api(settings, credentials, over: transport, now: now).channel()
        var members = settings.object ?? [:]
        members["uploads"] = .string(channel.uploads)
        // As the field has it, which shows it when the channel is connected again.
        members[Self.madeForKids.name] = isForKids ? "yes" : "no"
        return ConnectedAccount(
            remoteID: channel.id, name: channel.name, credentials: credentials, settings: .object(members),
            picture: ProfilePicture(channel.picture))
    }

    private static func isForKids(_ entered: EnteredValues) throws(SubmissionError) -> Bool {
        switch entered[madeForKids.name]?.lowercased() {
        case "yes", "はい": return true
        case "no", "いいえ", nil: return false
        default:
            throw .rejected(
                .valueInvalid,
                ProblemParameters(field: madeForKids.name, label: "The answer about children", example: "yes"))
        }
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> YouTubeAPI {
        api(account.settings, account.credentials, over: transport, now: now)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> YouTubeAPI {
        YouTubeAPI(
            api: accountAPI(settings, credentials, origin: "https://www.googleapis.com", over: transport, now: now))
    }
}

extension YouTubeSubmitter: GoogleSubmitter {
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2, appFields: GoogleProject.appFields, accountFields: [Self.madeForKids], scopes: scopes)
    }
}

extension YouTubeSubmitter: AlbumSubmitter {
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        try await api(of: account, over: transport, now: now).playlists()
    }

    /// Two playlists may have one title: the one that is there is taken. A new one is seen by whom the account's videos are seen.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        // "Maximum length of 150 characters", without the signs that titles of videos may not have either.
        let name = try Album.name(name, of: description) { $0.utf16.count <= 150 && YouTubeWords.plain($0) == $0 }
        let api = api(of: account, over: transport, now: now)
        if let there = try await api.playlists().first(where: { $0.name == name }) { return there }
        return try await api.createPlaylist(
            name, visibility: YouTubeVisibility.ofVideo(.public, chosen: account.settings))
    }
}

extension YouTubeSubmitter: EditingSubmitter, DeletingSubmitter, EngagementSubmitter {
    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).setWords(
            text, language: YouTubeWords.language(post.labels), of: post.remoteID)
    }

    package var editsLabels: Bool { true }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).delete(post.remoteID)
    }

    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try await api(of: post.account, over: post.transport, now: post.now).counts(of: post.remoteID)
    }
}

extension YouTubeSubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(of: account, over: transport, now: now).channel().picture
    }
}

/// Who sees a video.
enum YouTubeVisibility {
    /// From wide to narrow (`status.privacyStatus`).
    static let choices = [
        VisibilityChoice("public", .everybody), VisibilityChoice("unlisted", .unlisted),
        VisibilityChoice("private", .owner),
    ]

    /// The `privacyStatus` of a video: what is chosen for the account, but no wider than it is here. It is always sent: left out it
    /// is `public`, or what the channel's owner has set there.
    static func ofVideo(_ video: Visibility, chosen settings: JSONValue) -> String {
        let values = choices.map(\.value)
        let bound =
            switch video {
            case .public: 0
            case .unlisted: 1
            case .private: 2
            }
        let chosen = AccountChoice.visibility.text(in: settings).flatMap(values.firstIndex) ?? 0
        return values[max(chosen, bound)]
    }
}
