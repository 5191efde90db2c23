package import Foundation
internal import HTTP
internal import System

/// X's API v2 with one account, as docs.x.com describes it in August 2026 (OpenAPI 2.167, read 2026-11-21).
package final class FakeTwitter: FakeService {
    /// The keys of the app and of the account, and how the service is set up.
    package struct Options: Sendable {
        package var consumerKey = "consumer-key"
        package var consumerSecret = "consumer-secret"
        package var token = "4711-access-token"
        package var tokenSecret = "access-token-secret"
        /// How often a video or GIF is looked at before it is ready.
        package var processingLooks = 2
        /// Whether it makes nothing of any file.
        package var failsProcessing = false
        /// How long a new post is missing from the timeline.
        package var timelineDelay: TimeInterval = 0
        /// Whether the answer to a segment has a body.
        package var answersAppend = true
        /// Whether posts that are read back name their media as the upload did.
        package var showsMediaKeys = true

        package init() {}
    }

    static let account = "4711"
    static let username = "alice"
    /// Of an upload, and of finished media.
    static let sessionLife: TimeInterval = 1_295_999
    static let mediaLife: TimeInterval = 86_400
    /// How long the same text is refused, as far as anybody has found out.
    static let duplicateWindow: TimeInterval = 24 * 3600

    let options: Options
    let now: @Sendable () -> Date
    /// The consents of both kinds.
    package let oauth2: FakeOAuth2
    let oauth1: FakeOAuth1
    let state = Lock(State())
    /// What others say.
    package let conversation = FakeConversation { String(2_000_000_000_000_000_000 + $0) }
    package var talk: FakeConversation? { conversation }

    struct State {
        var uploads: [String: Upload] = [:]
        var posts: [Post] = []
        var nonces: Set<String> = []
        /// Tokens of OAuth 1.0a that were taken back.
        var ended: Set<String> = []
        var lastID = 1_990_000_000_000_000_000

        mutating func nextID() -> String {
            lastID += 1
            return String(lastID)
        }
    }

    struct Upload {
        let id: String
        let category: String
        let mediaType: String
        let totalBytes: Int
        var expiresAt: Date
        var segments: [Int: [UInt8]] = [:]
        /// Set by `finalize`.
        var media: PublishedMedia?
        var looksLeft = 0
        var altText = ""
        var isUsed = false

        var key: String { "3_\(id)" }
        var isPicture: Bool { category == "tweet_image" }
    }

    struct Post {
        let published: PublishedPost
        let uploads: [String]
        /// The post that it answers.
        let answered: String?
    }

    /// Starts with nothing posted.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        var consent = FakeOAuth2.Options()
        consent.accessLife = 7200
        // "A code is good for 30 seconds."
        consent.codeLife = 30
        consent.rotates = true
        oauth2 = FakeOAuth2("twitter", consent, now: now)
        oauth1 = FakeOAuth1(now: now)
    }

    package var effects: [PublishedPost] { state.withLock { $0.posts.map(\.published) } }

    package func refusal(_ status: Int) -> FakeAnswer {
        switch status {
        case 401: problem(401, "Unauthorized", "Unauthorized")
        case 402: problem(402, "CreditsDepleted", "The account has no credits left.")
        case 403: problem(403, "Forbidden", "You are not permitted to perform this action.")
        case 404: problem(404, "Not Found Error", "Not found.", type: "resource-not-found")
        case 429: problem(429, "Too Many Requests", "Too Many Requests", type: "rate-limit-exceeded")
        case 400: problem(400, "Invalid Request", "One or more parameters to your request was invalid.")
        default: problem(status, "Error", "Something is technically wrong.")
        }
    }

    func problem(_ status: Int, _ title: String, _ detail: String, type: String? = nil) -> FakeAnswer {
        .json(
            [
                "title": .string(title), "detail": .string(detail), "status": JSONValue(status),
                "type": .string(type.map { "https://api.x.com/2/problems/\($0)" } ?? "about:blank"),
            ], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            authorized("GET /2/users/me") { _, _ in
                .json(["data": ["id": .string(Self.account), "username": .string(Self.username), "name": "Alice"]])
            },
            authorized("GET /2/users/{id}/tweets", timeline),
            authorized("POST /2/media/upload/initialize", initializeUpload),
            authorized("POST /2/media/upload/{id}/append", append),
            authorized("POST /2/media/upload/{id}/finalize", finalize),
            authorized("GET /2/media/upload", uploadStatus),
            authorized("POST /2/media/metadata", setMetadata),
            authorized("POST /2/tweets", createPost),
            authorized("DELETE /2/tweets/{id}", deletePost),
            authorized("GET /2/tweets/{id}", showPost),
        ] + conversationRoutes + [
            FakeRoute("GET /i/oauth2/authorize") { [oauth2] request, _ in oauth2.consent(request) },
            FakeRoute("POST /2/oauth2/token") { [oauth2] request, _ in oauth2.token(request) },
            FakeRoute("POST /2/oauth2/revoke") { [oauth2] request, _ in oauth2.revoke(request) },
            FakeRoute("POST /1.1/oauth/invalidate_token.json") { [self] request, _ in invalidate(request) },
            FakeRoute("POST /oauth/request_token") { [oauth1] request, _ in oauth1.requestToken(request) },
            FakeRoute("GET /oauth/authorize") { [oauth1] request, _ in oauth1.consent(request) },
            FakeRoute("POST /oauth/access_token") { [self] request, _ in
                // Who agrees anew gets a token that is good.
                state.withLock { _ = $0.ended.remove(FakeOAuth1.token) }
                return oauth1.accessToken(request, extra: ["user_id": Self.account, "screen_name": Self.username])
            },
        ]
    }

    /// A call with the account's signature; every answer tells how much of the limit is left.
    func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            guard isAuthorized(request) else { return refusal(401) }
            var response = response(request, parameters)
            response.fields.set("x-rate-limit-limit", "100")
            response.fields.set("x-rate-limit-remaining", "99")
            response.fields.set("x-rate-limit-reset", String(Int(now().timeIntervalSince1970) + 900))
            return response
        }
    }

    /// Ends the token of OAuth 1.0a that has signed the request.
    private func invalidate(_ request: FakeRequest) -> FakeAnswer {
        guard let token = OAuthCheck(request)?["oauth_token"], isAuthorized(request) else { return refusal(401) }
        state.withLock { _ = $0.ended.insert(token) }
        return .json(["access_token": .string(token)])
    }

    /// Whether the account has signed it, or it carries a token of OAuth 2 that has not ended.
    private func isAuthorized(_ request: FakeRequest) -> Bool {
        if request.fields["Authorization"]?.hasPrefix("Bearer ") == true {
            return oauth2.standing(of: request) == .good
        }
        guard let signature = OAuthCheck(request) else { return false }
        let consumer = (options.consumerKey, options.consumerSecret)
        let isOurs = [(options.token, options.tokenSecret), (FakeOAuth1.token, FakeOAuth1.tokenSecret)].contains {
            signature.holds(consumer: consumer, token: $0, at: now())
        }
        return isOurs
            && state.withLock {
                !$0.ended.contains(signature["oauth_token"] ?? "") && $0.nonces.insert(signature.nonce).inserted
            }
    }
}
