package import Foundation
internal import HTTP
internal import System

/// A Mastodon server with one account, as docs.joinmastodon.org describes it at version 4.6 (read 2026-11-21), or one of
/// the programs that copy its API.
package final class FakeMastodon: FakeService {
    /// Whose ways it has.
    package enum Software: String, Sendable, CaseIterable {
        case mastodon
        /// Ignores `Idempotency-Key`, shows a file that a status has, refuses with 400, and an edit that changes nothing
        /// with 422.
        case gotosocial
        /// Says "accepted" of what it has stored, gives files to a status one by one, refuses a used `Idempotency-Key`, has collections.
        case pixelfed
        /// Replays the answer to an `Idempotency-Key`, takes a file for a second status.
        case akkoma
        /// Ignores `Idempotency-Key`, answers 400 "Invalid Bearer token" where others answer 401 (jointakahe/takahe 0.11, seen
        /// running), cannot change a status.
        case takahe
    }

    /// How the server is set up.
    package struct Options: Sendable {
        package var software = Software.mastodon
        package var token = "mastodon-token"
        /// Of tokens that were got by consent; nil: they do not end.
        package var tokenLife: TimeInterval?
        /// Whether it says that it knows PKCE, as since 4.3.
        package var knowsPKCE = true
        package var maxCharacters = 500
        package var descriptionLimit = 1500
        package var imageSizeLimit = 16_777_216
        package var videoSizeLimit = 103_809_024
        /// How often a file is looked at before it is ready; nil: 0 for pictures, 2 for videos.
        package var processingLooks: Int?
        /// Whether it makes nothing of any file.
        package var failsProcessing = false
        /// How long a new status is missing from lists.
        package var listDelay: TimeInterval = 0
        /// Whether Pixelfed loses the last file of the first status before it is made.
        package var losesFile = false
        /// Whether posts can be edited, at Pixelfed an experiment that its operator switches on.
        package var canEdit = true
        /// Whether its tokens may subscribe to pushes.
        package var canPush = true
        /// Whether it has version 2 of `instance` and `media`.
        package var hasVersion2 = true
        /// What its avatar's address answers with; nil: the account has none.
        package var avatar: FakeAnswer?

        package init() {}
    }

    static let account = "109348684164391372"
    static let avatarPath = "/system/accounts/avatars/alice.png"
    static let unattachedLife: TimeInterval = 24 * 3600
    static let keyLife: TimeInterval = 3600

    let options: Options
    let now: @Sendable () -> Date
    let oauth: FakeOAuth2
    let state = Lock(State())

    struct State {
        var media: [String: Media] = [:]
        var statuses: [Status] = []
        var keys: [String: (status: String, at: Date)] = [:]
        var burntKeys: Set<String> = []
        var lastID = 115_000_000_000_000_000
        var host = ""
        var isRevoked = false
        var pushEndpoint: String?
        /// Pixelfed's, with their statuses.
        var collections: [(id: String, title: String, statuses: [String])] = []
        /// Of the statuses that were edited.
        var edits: [String: Int] = [:]

        mutating func nextID() -> String {
            lastID += 1
            return String(lastID)
        }
    }

    struct Media {
        let id: String
        var published: PublishedMedia
        let uploadedAt: Date
        var looksLeft: Int
        var status: String?

        var isVideo: Bool { published.mediaType.hasPrefix("video/") }
    }

    struct Status {
        let post: PublishedPost
        let media: [String]
        var visibility: String?
        /// The status that it answers.
        var parent: String?
    }

    /// What others say; their statuses have greater numbers than the account's.
    package let conversation = FakeConversation { String(900_000_000_000_000_000 + $0) }
    package var talk: FakeConversation? { conversation }

    /// Starts with nothing posted.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        var consent = FakeOAuth2.Options()
        consent.accessLife = options.tokenLife
        oauth = FakeOAuth2("mastodon", consent, now: now)
    }

    /// Makes every token worthless, as its owner can in the settings of the server.
    package func revokeTokens() {
        state.withLock { $0.isRevoked = true }
    }

    /// Who sees the statuses, in order; nil: as the account has it.
    package var visibilities: [String?] { state.withLock { $0.statuses.map(\.visibility) } }

    package var effects: [PublishedPost] { state.withLock { $0.statuses.map(\.post) } }

    package func refusal(_ status: Int) -> FakeAnswer {
        let words =
            switch status {
            case 401: "The access token is invalid"
            case 403: "This action is outside the authorized scopes"
            case 404: "Record not found"
            case 409: "This request is still being processed"
            case 413: "The file is too large"
            case 422: "Validation failed"
            case 429: "Too many requests"
            default: "Something went wrong"
            }
        return .json(["error": .string(words)], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /.well-known/nodeinfo") { request, _ in
                .json(["links": [["rel": "…/2.0", "href": .string("\(request.origin)/nodeinfo/2.0")]]])
            },
            FakeRoute("GET /nodeinfo/2.0") { [self] _, _ in
                .json(["software": ["name": .string(options.software.rawValue)]])
            },
            FakeRoute("GET /api/v2/instance") { [self] _, _ in
                options.hasVersion2 ? .json(instance) : refusal(404)
            },
            FakeRoute("GET /api/v1/instance") { [self] _, _ in .json(instance) },
            authorized("GET /api/v1/accounts/verify_credentials") { [self] request, _ in
                let avatar = options.avatar == nil ? "/avatars/original/missing.png" : Self.avatarPath
                return .json([
                    "id": .string(Self.account), "acct": "alice", "username": "alice",
                    "avatar": .string(request.origin + avatar), "avatar_static": .string(request.origin + avatar),
                ])
            },
            FakeRoute("GET \(Self.avatarPath)") { [self] _, _ in options.avatar ?? FakeAnswer(.notFound) },
            authorized("GET /api/v1/accounts/{id}/statuses", statuses),
            authorized("POST /api/v2/media") { [self] request, _ in
                options.hasVersion2 ? upload(request, waits: false) : refusal(404)
            },
            authorized("POST /api/v1/media") { [self] request, _ in upload(request, waits: true) },
            authorized("GET /api/v1/media/{id}", mediaState),
            authorized("POST /api/v1/statuses", postStatus),
            authorized("DELETE /api/v1/statuses/{id}", deleteStatus),
            authorized("GET /api/v1/statuses/{id}", showStatus),
            authorized("GET /api/v1/statuses/{id}/source", statusSource),
            authorized("PUT /api/v1/statuses/{id}", editStatus),
            FakeRoute("GET /.well-known/oauth-authorization-server") { [self] _, _ in
                options.knowsPKCE ? .json(["code_challenge_methods_supported": ["S256"]]) : refusal(404)
            },
            FakeRoute("POST /api/v1/apps", registerApp),
            FakeRoute("GET /oauth/authorize") { [oauth] request, _ in oauth.consent(request) },
            FakeRoute("POST /oauth/token") { [oauth] request, _ in
                oauth.token(request, extra: ["scope": "read write push"])
            },
            FakeRoute("POST /oauth/revoke") { [oauth] request, _ in oauth.revoke(request) },
        ] + conversationRoutes + pixelfedRoutes
    }

    /// A call that needs the account's token; every answer tells how much of the limit is left.
    func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            guard
                request.fields.values("Authorization") == ["Bearer \(options.token)"]
                    || oauth.standing(of: request) == .good, !state.withLock(\.isRevoked)
            else {
                return options.software == .takahe ? .json(["error": "Invalid Bearer token"], 400) : refusal(401)
            }
            var response = response(request, parameters)
            response.fields.set("X-RateLimit-Limit", "300")
            response.fields.set("X-RateLimit-Remaining", "299")
            response.fields.set("X-RateLimit-Reset", (now() + 300).formatted(.iso8601))
            return response
        }
    }

    private var instance: JSONValue {
        [
            "version": options.software == .mastodon ? "4.6.0" : .string("3.5.3 (compatible; \(options.software))"),
            "api_versions": ["mastodon": 7],
            "configuration": [
                "statuses": [
                    "max_characters": JSONValue(options.maxCharacters), "max_media_attachments": 4,
                    "characters_reserved_per_url": 23,
                ],
                "media_attachments": [
                    "supported_mime_types": JSONValue(FakeMastodon.types),
                    "description_limit": JSONValue(options.descriptionLimit),
                    "image_size_limit": JSONValue(options.imageSizeLimit), "image_matrix_limit": 33_177_600,
                    "video_size_limit": JSONValue(options.videoSizeLimit),
                ],
            ],
        ]
    }

    static let types = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "video/mp4", "video/quicktime",
    ]
}
