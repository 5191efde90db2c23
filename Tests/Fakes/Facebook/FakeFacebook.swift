internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// The Graph API v26.0 with one person who manages two pages, as developers.facebook.com describes it (read
/// 2026-11-21).
package final class FakeFacebook: FakeService {
    /// How the service is set up.
    package struct Options: Sendable {
        /// How long a new post is missing from lists.
        package var listDelay: TimeInterval = 0
        /// How much of a video it asks for at a time.
        package var pieceBytes = 12_000
        /// The wrong status that it gives for videos; nil: the right one.
        package var videoStatus: String?

        package init() {}
    }

    static let page = "104729384756102"
    static let pageToken = "page-token"
    static let personToken = "person-token"

    let options: Options
    let now: @Sendable () -> Date
    let oauth: FakeOAuth2
    let state = Lock(State())

    struct State {
        var photos: [String: PublishedMedia] = [:]
        var posts: [Post] = []
        var videos: [String: Video] = [:]
        var comments: [Comment] = []
        var subscribedPages: [String] = []
        var callback: String?
        var verifyToken: String?
        /// The permissions that the person granted last.
        var scopes: Set<String> = []
        var lastID = 122_100_000_000

        mutating func nextID() -> String {
            lastID += 1
            return String(lastID)
        }
    }

    /// The page's own.
    struct Comment {
        let id: String
        let parent: String
        let text: String
        let at: Date
    }

    struct Post {
        let post: PublishedPost
        let photo: String?
    }

    struct Video {
        let id: String
        let bytes: Int
        var content: [UInt8] = []
        var isFinished = false
    }

    /// What others say.
    package let conversation = FakeConversation { "\(FakeFacebook.page)_9\($0)" }
    package var talk: FakeConversation? { conversation }

    /// Starts with nothing posted.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        oauth = FakeOAuth2("facebook", FakeOAuth2.Options(), now: now)
    }

    package var effects: [PublishedPost] { state.withLock { $0.posts.map(\.post) } }

    package func refusal(_ status: Int) -> FakeAnswer {
        switch status {
        case 401: error(190, 401)
        case 403: error(200, 403)
        case 404: error(100, 404, subcode: 33)
        // "Photos should be less than 4 MB", as seen live (facebookarchive/php-graph-sdk issue 711).
        case 413: error(100, 413, subcode: 1_366_046)
        case 422: error(100, 422)
        case 429: error(32, 429)
        case 500: error(1, 500, subcode: 99)
        default: FakeAnswer(HTTPStatus(code: status))
        }
    }

    func error(_ code: Int, _ status: Int = 400, subcode: Int? = nil, _ data: JSONValue = .null) -> FakeAnswer {
        FakeGraph.error(code, status, subcode: subcode, data: data)
    }

    package var routes: [FakeRoute] {
        let page = "/v26.0/\(Self.page)"
        return conversationRoutes + [
            FakeRoute("GET /v26.0/dialog/oauth") { [self] request, _ in
                let scopes = FormFields(request.query)?["scope"]?.split(separator: ",").map(String.init) ?? []
                state.withLock { $0.scopes = Set(scopes) }
                return oauth.consent(request)
            },
            FakeRoute("POST /v26.0/oauth/access_token") { [self] request, _ in token(request) },
            asPerson("GET /v26.0/me/accounts") { _ in
                .json([
                    "data": [
                        Self.pageEntry(Self.page, "Lake", Self.pageToken), Self.pageEntry("2", "Hill", "hill-token"),
                        Self.pageEntry("3", "Readers", "readers-token", ["ANALYZE"]),
                    ]
                ])
            },
            // Pages of a business portfolio: with the scope `business_management` alone, here and not among one's own
            // (getopenpost/openpost PR 217, trypostit/trypost PR 301: live). Who has no role on a page gets no token of it.
            asPerson("GET /v26.0/me/businesses") { [self] _ in
                guard state.withLock({ $0.scopes.contains("business_management") }) else { return error(100, 403) }
                return .json(["data": [["id": "9001"]]])
            },
            asPerson("GET /v26.0/9001/owned_pages") { _ in
                .json(["data": [Self.pageEntry("5", "Harbour", "harbour-token"), ["id": "6", "name": "Quay"]]])
            },
            asPerson("GET /v26.0/9001/client_pages") { _ in
                .json([
                    "data": [
                        Self.pageEntry(Self.page, "Lake", Self.pageToken), Self.pageEntry("7", "Pier", "pier-token"),
                    ]
                ])
            },
            authorized("GET \(page)/picture") { _, _ in
                .json(["data": ["height": 128, "width": 128, "is_silhouette": true, "url": "https://facebook.test/i"]])
            },
            authorized("POST \(page)/photos", uploadPhoto),
            authorized("POST \(page)/feed", createPost),
            authorized("GET \(page)/published_posts", publishedPosts),
            authorized("POST \(page)/videos", video),
            authorized("GET /v26.0/{id}", show),
            authorized("DELETE /v26.0/{id}", delete),
        ]
    }

    private static func pageEntry(
        _ id: String, _ name: String, _ token: String, _ tasks: JSONValue = ["CREATE_CONTENT", "MODERATE"]
    ) -> JSONValue {
        ["id": .string(id), "name": .string(name), "access_token": .string(token), "tasks": tasks]
    }

    private func asPerson(_ name: String, _ response: @escaping @Sendable (FakeRequest) -> FakeAnswer) -> FakeRoute {
        FakeRoute(name) { [self] request, _ in
            request.fields["Authorization"] == "Bearer \(Self.personToken)" ? response(request) : refusal(401)
        }
    }

    func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            guard request.fields["Authorization"] == "Bearer \(Self.pageToken)" else { return refusal(401) }
            return response(request, parameters)
        }
    }

    /// A code gives a token of hours, and that one the token that lasts.
    private func token(_ request: FakeRequest) -> FakeAnswer {
        let form = FormFields(request.body) ?? [:]
        guard form["grant_type"] == "fb_exchange_token" else { return oauth.token(request) }
        guard form["client_id"] == "client-id", form["client_secret"] == "client-secret",
            oauth.standing(of: form["fb_exchange_token"] ?? "") == .good
        else { return refusal(401) }
        return .json(["access_token": .string(Self.personToken), "expires_in": 5_183_944])
    }
}
