internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// Pinterest's API v5 with one account, as pinterest/api-description at c05b189 (v5.23.0) describes it (read 2026-11-26).
package final class FakePinterest: FakeService {
    /// How the service is set up.
    package struct Options: Sendable {
        /// How long a new pin is missing from lists.
        package var listDelay: TimeInterval = 0
        /// How long a video is worked on.
        package var processing: TimeInterval = 5
        /// Whether a video turns out to be none.
        package var failsVideos = false
        /// Whether the app has Trial access alone.
        package var isTrial = false
        /// Whether pins may be changed: the call is in beta.
        package var letsEdit = true
        /// Whether pins lose their links.
        package var dropsLinks = false

        package init() {}
    }

    /// A board that is there from the start.
    package static let board = "549755885175"
    package static let user = (id: "2783136121146311751", name: "alice")

    struct Board {
        let id: String
        let name: String
        var privacy = "PUBLIC"
        var owner = user.name
        var isAdsOnly = false
    }

    struct Pin {
        var post: PublishedPost
        let board: String
        var title: String
        let link: String?
        let visibleAt: Date
    }

    struct Media {
        let key: String
        var file: (bytes: [UInt8], mediaType: String)?
        var storedAt: Date?
    }

    struct State {
        var boards = [Board(id: FakePinterest.board, name: "Lakes")]
        var pins: [Pin] = []
        var media: [String: Media] = [:]
        var scope = ""
        var count: Int64 = 999_658_448_514_149_466

        mutating func nextID() -> String {
            count += 1
            return String(count)
        }
    }

    let options: Options
    let now: @Sendable () -> Date
    /// Its consent and tokens.
    package let oauth: FakeOAuth2
    let state = Lock(State())

    /// Starts with one board, and nothing on it.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        var consent = FakeOAuth2.Options()
        consent.accessLife = 2_592_000
        consent.rotates = true
        oauth = FakeOAuth2("pinterest", consent, now: now)
    }

    package var effects: [PublishedPost] { state.withLock { $0.pins.map(\.post) } }

    package var albumNames: [String] {
        state.withLock { state in
            state.pins.compactMap { pin in state.boards.first { $0.id == pin.board }?.name }
        }
    }

    /// The titles of the pins, and where they lead.
    package var titles: [String] { state.withLock { $0.pins.map(\.title) } }
    package var links: [String?] { state.withLock { $0.pins.map(\.link) } }

    /// The scopes that the last consent was asked for.
    package var scope: String { state.withLock(\.scope) }

    /// Adds a board of the account's, or another's that it takes part in.
    @discardableResult
    package func add(
        board name: String, privacy: String = "PUBLIC", owner: String = "alice", isAdsOnly: Bool = false
    ) -> String {
        state.withLock { state in
            let id = state.nextID()
            state.boards.append(Board(id: id, name: name, privacy: privacy, owner: owner, isAdsOnly: isAdsOnly))
            return id
        }
    }

    /// Deletes a board with its pins, as its owner does.
    package func delete(board name: String) {
        state.withLock { state in
            guard let id = state.boards.first(where: { $0.name == name })?.id else { return }
            state.boards.removeAll { $0.id == id }
            state.pins.removeAll { $0.board == id }
        }
    }

    /// Adds a pin that somebody else has made, so many times.
    @discardableResult
    package func add(pin text: String, link: String?, times: Int = 1, age: TimeInterval = 0) -> [String] {
        let createdAt = now() - age
        return state.withLock { state in
            (0..<times).map { _ in
                let id = state.nextID()
                state.pins.append(
                    Pin(
                        post: PublishedPost(id: id, url: Self.url(id), text: text, media: [], createdAt: createdAt),
                        board: Self.board, title: "", link: link, visibleAt: createdAt))
                return id
            }
        }
    }

    /// Forgets every video that was registered.
    package func dropMedia() { state.withLock { $0.media = [:] } }

    static func url(_ id: String) -> String { "https://www.pinterest.com/pin/\(id)/" }

    // MARK: Answers

    package func refusal(_ status: Int) -> FakeAnswer {
        switch status {
        case 401: error(401, 2, "Authentication failed.")
        case 403: error(403, 29, "You are not permitted to access that resource.")
        case 404: error(404, 404, "Not found.")
        case 429: error(429, 8, "You have exceeded your rate limit. Try again later.")
        default: error(status, status, "Something went wrong on our end. Sorry about that.")
        }
    }

    /// The store answers in XML.
    package func refusal(_ status: Int, of route: String) -> FakeAnswer {
        route == Self.storeRoute ? store(status, "AccessDenied") : refusal(status)
    }

    func error(_ status: Int, _ code: Int, _ message: String) -> FakeAnswer {
        .json(["code": JSONValue(code), "message": .string(message)], HTTPStatus(code: status))
    }

    func store(_ status: Int, _ code: String) -> FakeAnswer {
        FakeAnswer(
            HTTPStatus(code: status), fields: ["Content-Type": "application/xml"],
            body: Array("<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>No.</Message></Error>".utf8))
    }

    // MARK: Routes

    static let storeRoute = "POST /pinterest-media-upload"

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /oauth/") { [self] request, _ in
                state.withLock { $0.scope = FormFields(request.query)?["scope"] ?? "" }
                return oauth.consent(request)
            },
            FakeRoute("POST /v5/oauth/token", token),
            authorized("GET /v5/user_account") { _, _ in
                .json([
                    "account_type": "BUSINESS", "id": .string(Self.user.id), "username": .string(Self.user.name),
                    "profile_image": "https://i.pinimg.com/280x280_RS/a.jpg",
                ])
            },
            authorized("GET /v5/boards", listBoards),
            authorized("POST /v5/boards", createBoard),
            authorized("GET /v5/boards/{board}/pins", listPins),
            authorized("POST /v5/pins", createPin),
            authorized("GET /v5/pins/{pin}", showPin),
            authorized("PATCH /v5/pins/{pin}", changePin),
            authorized("DELETE /v5/pins/{pin}", deletePin),
            authorized("POST /v5/media", registerMedia),
            FakeRoute(Self.storeRoute, storeMedia),
            authorized("GET /v5/media/{media}", showMedia),
        ]
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            oauth.standing(of: request) == .good ? response(request, parameters) : refusal(401)
        }
    }

    /// The app says who it is in `Authorization` alone.
    private func token(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let form = FormFields(request.body) ?? [:]
        guard request.fields["Authorization"]?.hasPrefix("Basic ") == true, form["client_secret"] == nil else {
            return refusal(401)
        }
        let end = Int64(now().timeIntervalSince1970) + 5_184_000
        return oauth.token(
            request,
            extra: [
                "response_type": JSONValue(form["grant_type"]), "refresh_token_expires_in": 5_184_000,
                "refresh_token_expires_at": .int(end), "token_type": "bearer",
                "scope": .string(state.withLock(\.scope).replacing(",", with: " ")),
            ])
    }

    // MARK: Boards

    private func listBoards(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        // Secret ones need a scope of their own.
        page(request, state.withLock(\.boards).filter { $0.privacy != "SECRET" }.map(Self.entity))
    }

    private func createBoard(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let name = request.json?["name"]?.string, !name.isEmpty,
            ["PUBLIC", "PROTECTED", "SECRET"].contains(request.json?["privacy"]?.string ?? "PUBLIC")
        else { return error(400, 1, "Invalid request: name is required.") }
        return state.withLock { state in
            guard !state.boards.contains(where: { $0.name == name && $0.owner == Self.user.name }) else {
                return error(400, 58, "You already have a board with this name.")
            }
            let board = Board(id: state.nextID(), name: name)
            state.boards.append(board)
            return .json(Self.entity(board), .created)
        }
    }

    private static func entity(_ board: Board) -> JSONValue {
        [
            "id": .string(board.id), "name": .string(board.name), "privacy": .string(board.privacy),
            "owner": ["username": .string(board.owner)], "is_ads_only": .bool(board.isAdsOnly),
        ]
    }

    /// A page of a list: 25 items unless the query says otherwise, at most 250.
    func page(_ request: FakeRequest, _ items: [JSONValue]) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let size = query["page_size"].flatMap { Int($0) } ?? 25
        let start =
            query["bookmark"].flatMap { Base64.decode($0) }.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        guard 1...250 ~= size, start <= items.count else { return error(400, 1, "Invalid bookmark or page_size.") }
        let end = min(start + size, items.count)
        let bookmark = end < items.count ? Base64.encode(Array(String(end).utf8)) : nil
        return .json(["items": JSONValue(Array(items[start..<end])), "bookmark": JSONValue(bookmark)])
    }
}
