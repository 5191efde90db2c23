internal import Crypto
internal import Domain
package import FoundationEssentials
package import HTTP
internal import System

/// Publishes on X: uploads each picture in segments and describes it, then posts the text with them.
///
/// Source: docs.x.com as of 2026-08-22 (OpenAPI 2.167); read 2026-11-21. Keys of OAuth 1.0a do not end by themselves.
package struct TwitterSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "twitter", name: "Twitter", aliases: ["x"],
        credentialFields: [
            CredentialField("consumer_key", prompt: "API key of your app at console.x.com"),
            CredentialField("consumer_secret", prompt: "API key secret", isSecret: true),
            CredentialField("access_token", prompt: "Access token, made with the permission to read and write"),
            CredentialField("access_token_secret", prompt: "Access token secret", isSecret: true),
            CredentialField("base_url", prompt: "Address of the API", defaultValue: "https://api.x.com"),
        ],
        captionRule: .twitterClassic,
        // docs.x.com, "Media best practices", August 2026: up to 4 pictures, or 1 GIF, or 1 video. The greatest side is
        // 8,192 pixels (tested by others).
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/webp", "image/gif"], maximumPictureBytes: 5_000_000,
            maximumPixels: 8192 * 8192, videoTypes: ["video/mp4", "video/quicktime"],
            maximumVideoBytes: 512_000_000, maximumPictures: 4),
        // Several at once were refused, hence PhotoSubmitter's 5 seconds; equal texts meet in order, too.
        lane: LanePolicy(concurrency: 1, gap: .seconds(5)), takesAltText: true, position: .never,
        note: "X charges the operator's application for each post, and several times as much for one with a link.",
        // docs.x.com, "Pricing", effective 2026-04-20; read 2026-11-21.
        linkNote:
            "X takes $0.20 for a post with a link, and $0.015 for one without. A caption that is cut ends with a link.",
        entityPages: EntityPages(
            hashtag: { tag, _ in "https://x.com/hashtag/\(tag)" }, profile: { name, _ in "https://x.com/\(name)" }))

    /// X takes up to 5 MB in a segment and 1,000 segments (docs.x.com, "Chunked media upload", OpenAPI 2.167).
    package static let segmentBytes: Int64 = 4 << 20

    /// 128 random bits.
    package static let randomNonce: @Sendable () -> String = { Hex.encode(randomBytes(count: 16)) }

    let servers: ServerPolicy
    private let segmentBytes: Int64
    let nonce: @Sendable () -> String
    let now: @Sendable () -> Date

    /// Makes a submitter.
    ///
    /// - Parameters:
    ///   - servers: Which servers users may name.
    ///   - segmentBytes: How much of a file a request carries.
    ///   - nonce: Different at every call; signatures are made of it.
    ///   - now: The time of signatures while an account is being connected.
    package init(
        servers: ServerPolicy, segmentBytes: Int64 = Self.segmentBytes,
        nonce: @escaping @Sendable () -> String = Self.randomNonce,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.servers = servers
        self.segmentBytes = segmentBytes
        self.nonce = nonce
        self.now = now
    }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let server = try ServerOrigin(entered["base_url"] ?? "https://api.x.com", policy: servers)
        var credentials = JSONObject()
        for name in ["consumer_key", "consumer_secret", "access_token", "access_token_secret"] {
            let value = (entered[name] ?? "").trimmed
            guard !value.isEmpty else {
                throw .rejected(.valueRequired, ProblemParameters(field: name, label: "Each of the four keys"))
            }
            credentials[name] = .string(value)
        }
        return try await account(at: server.description, .object(credentials), over: transport)
    }

    /// Asks whose the credentials are.
    func account(
        at origin: String, _ credentials: JSONValue, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let user = try await api(at: origin, credentials, over: transport, now: now).me()
        return ConnectedAccount(
            remoteID: user.id, name: user.username, credentials: credentials,
            settings: ["base_url": .string(origin)], picture: ProfilePicture(user.picture))
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> TwitterPosting {
        TwitterPosting(
            task: task, segmentBytes: segmentBytes, api: api(of: task.account, over: task.transport, now: task.now))
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> TwitterAPI {
        api(
            at: account.settings["base_url"]?.string ?? "https://api.x.com", account.credentials, over: transport,
            now: now)
    }

    func api(
        at origin: String, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> TwitterAPI {
        TwitterAPI(
            client: ServiceClient(service: "X", transport: transport, now: now), origin: origin,
            credentials: TwitterCredentials(credentials), nonce: nonce, addresses: servers.addresses)
    }
}

extension TwitterSubmitter: ThreadingSubmitter {}
