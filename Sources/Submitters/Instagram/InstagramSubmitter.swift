internal import Domain
package import FoundationEssentials
package import HTTP

/// Publishes on Instagram, for professional accounts that are connected by Instagram Login.
///
/// Source: as `InstagramAPI`; read 2026-11-26.
package struct InstagramSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "instagram", name: "Instagram", credentialFields: Self.credentialFields,
        // What a character is, is not documented: UTF-16 counts most.
        captionRule: .plain(.utf16Units, limit: 2200),
        mediaRule: MediaRule(
            // 1,440 pixels of width are shown, which are 1,800 of height at most. What is wider, Instagram makes smaller by itself.
            pictureTypes: ["image/jpeg"], maximumPictureBytes: 8_000_000, longestSide: 1800, aspectRatios: 0.8...1.91,
            videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: 300_000_000, maximumPictures: 10),
        lane: LanePolicy(concurrency: 1, gap: .seconds(1), cap: LanePolicy.Cap(100, in: .seconds(24 * 3600))),
        takesAltText: true, position: .never,
        note: """
            Instagram lets Pics post to professional accounts alone, and fetches each file from this Pics, whose address must be reachable \
            from everywhere.
            """,
        credentialKind: .token,
        entityPages: EntityPages(
            hashtag: { tag, _ in "https://www.instagram.com/explore/tags/\(tag)/" },
            profile: { name, _ in "https://www.instagram.com/\(name)/" }), fetchesFiles: true)

    static let login = GraphLogin(
        service: "Instagram", webOrigin: "https://www.instagram.com", graphOrigin: "https://graph.instagram.com",
        codeOrigin: "https://api.instagram.com", prefix: "ig",
        scopes: [
            "instagram_business_basic", "instagram_business_content_publish", "instagram_business_manage_comments",
        ],
        appPrompt: "Instagram app ID at developers.facebook.com",
        basePrompt: "Address of the API, if it is not that of Instagram")

    private static let mostHashtags = 30
    private static let mostMentions = 20

    let servers: ServerPolicy
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try Self.checkTags(of: task.text)
        return try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    /// Refuses what Instagram refuses, before it has fetched anything.
    private static func checkTags(of text: String) throws(SubmissionError) {
        var (hashtags, mentions) = (0, 0)
        for entity in CaptionEntity.find(in: text) {
            switch entity.kind {
            case .hashtag: hashtags += 1
            case .mention: mentions += 1
            default: break
            }
        }
        guard hashtags <= mostHashtags, mentions <= mostMentions else {
            throw .rejected(.tooManyTags, ProblemParameters(service: login.service))
        }
    }

    private func posting(_ task: SubmissionTask) -> GraphPosting<InstagramAPI> {
        GraphPosting(task: task, api: api(of: task.account, over: task.transport, now: task.now))
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> InstagramAPI {
        InstagramAPI(
            graph: graph(account.settings, account.credentials, over: transport, now: now), user: account.remoteID)
    }
}

extension InstagramSubmitter: GraphLoginSubmitter {
    func account(
        _ credentials: JSONValue, _ settings: JSONValue, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let profile = try await InstagramAPI(
            graph: graph(settings, credentials, over: transport, now: now), user: ""
        ).me()
        return ConnectedAccount(
            remoteID: profile.id, name: profile.username, credentials: credentials, settings: settings,
            picture: ProfilePicture(profile.picture))
    }
}
