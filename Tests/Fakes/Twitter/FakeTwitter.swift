internal import EventLoops
package import Foundation
internal import HTTP

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
    let state = Lock(State())

    struct State {
        var uploads: [String: Upload] = [:]
        var posts: [Post] = []
        var nonces: Set<String> = []
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
    }

    /// Starts with nothing posted.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
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
        ]
    }

    /// A call with the account's signature; every answer tells how much of the limit is left.
    private func authorized(
        _ name: String, _ answer: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            guard let signature = OAuthCheck(request),
                signature.holds(
                    consumer: (options.consumerKey, options.consumerSecret),
                    token: (options.token, options.tokenSecret), at: now()),
                state.withLock({ $0.nonces.insert(signature.nonce).inserted })
            else { return refusal(401) }
            var answer = answer(request, parameters)
            answer.fields.set("x-rate-limit-limit", "100")
            answer.fields.set("x-rate-limit-remaining", "99")
            answer.fields.set("x-rate-limit-reset", String(Int(now().timeIntervalSince1970) + 900))
            return answer
        }
    }
}
