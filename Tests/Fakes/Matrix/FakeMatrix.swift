package import Foundation
package import HTTP
internal import System

/// A Matrix server with one person and one room, as the client-server API describes it at version 1.19 (matrix-org/matrix-spec at d0ba2aa, read
/// 2026-11-26). What others say in the room, they say as members from another server.
package final class FakeMatrix: FakeService {
    /// How the server and the room are set up.
    package struct Options: Sendable {
        package var takesPasswords = true
        /// Of an access token that came with a refresh token; nil: the server gives none.
        package var tokenLife: TimeInterval? = 7200
        /// Whether files can be sent in two steps, as since version 1.7.
        package var createsMedia = true
        /// How many places may wait for their files.
        package var mostPlaces = 5
        /// Whether the API has the paths of version 1.11 for media.
        package var hasMediaConfig = true
        package var uploadLimit: Int? = 52_428_800
        /// How long a transaction is remembered; the specification names no time.
        package var transactionLife: TimeInterval = 24 * 3600
        /// How long a new event is missing from `messages`.
        package var listDelay: TimeInterval = 0
        package var isEncrypted = false
        /// Whether the person is in the room already.
        package var isJoined = false
        /// Whether the room lets anybody in.
        package var joinRule = "public"
        package var history = "shared"
        /// The level that messages need; the person has 0.
        package var messageLevel = 0
        package var roomVersion = "10"
        /// Whether others answer in a thread.
        package var answersInThreads = false

        package init() {}
    }

    package static let user = "@alice:lakes.test"
    package static let password = "correct horse"
    package static let token = "syt_pasted"
    package static let room = "!Nj2xRq:lakes.test"
    package static let alias = "#lakes:lakes.test"
    static let server = "lakes.test"
    /// Of a place for a file that did not come.
    static let placeLife: TimeInterval = 24 * 3600
    static let maximumEventBytes = 65_536

    struct Media {
        var bytes: [UInt8]?
        var mediaType = ""
        let expiresAt: Date
    }

    struct Event {
        let id: String
        let type: String
        var content: JSONObject
        let at: Date
        let device: String
        let transaction: String
        var isRedacted = false

        var relation: JSONValue? { content["m.relates_to"] }
    }

    struct Session {
        let device: String
        let end: Date?
    }

    struct State {
        var media: [String: Media] = [:]
        var events: [Event] = []
        /// By device and path.
        var transactions: [String: (event: String, at: Date)] = [:]
        var sessions: [String: Session] = [FakeMatrix.token: Session(device: "ELEMENT", end: nil)]
        /// Refresh tokens: the device of each, and the access token that it was spent for, whose first use ends it.
        var refresh: [String: (device: String, spentFor: String?)] = [:]
        var isJoined = false
        var isEncrypted = false
        var last = 0

        mutating func next() -> Int {
            last += 1
            return last
        }
    }

    let options: Options
    let now: @Sendable () -> Date
    let state: Lock<State>

    package let conversation = FakeConversation { "$said\($0)" }
    package var talk: FakeConversation? { conversation }

    /// Starts with nothing said.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        var state = State()
        state.isJoined = options.isJoined
        state.isEncrypted = options.isEncrypted
        self.state = Lock(state)
    }

    // MARK: For tests

    /// Somebody turns encryption on, which nobody turns off.
    package func encrypt() { state.withLock { $0.isEncrypted = true } }

    /// A moderator empties all events of the account; with `device` they are told as those of another.
    package func redactAll(of device: String? = nil) {
        state.withLock { state in
            state.events = state.events.map { event in
                Event(
                    id: event.id, type: event.type, content: [:], at: event.at, device: device ?? event.device,
                    transaction: event.transaction, isRedacted: true)
            }
        }
    }

    /// The account says so much in another client.
    package func sayMuch(_ count: Int) {
        state.withLock { state in
            for number in 0..<count {
                state.events.append(
                    Event(
                        id: "$much\(number)", type: "m.room.message", content: ["msgtype": "m.text", "body": "Hm."],
                        at: now(), device: "ELEMENT", transaction: "much\(number)"))
            }
        }
    }

    /// The events that are there, oldest first, as they were sent.
    package var sent: [JSONValue] { state.withLock { $0.events.filter { !$0.isRedacted }.map { .object($0.content) } } }

    /// How many files the server has.
    package var files: Int { state.withLock { $0.media.values.count { $0.bytes != nil } } }

    /// What the account likes: events to which it has reacted.
    package var favourites: [String] {
        state.withLock { state in
            state.events.filter { $0.type == "m.reaction" && !$0.isRedacted }
                .compactMap { $0.relation?["event_id"]?.string }
        }
    }

    /// A picture or a video with those in its thread.
    package var effects: [PublishedPost] {
        state.withLock { state in
            let shown = state.events.filter { event in
                !event.isRedacted && event.relation?["rel_type"]?.string != "m.replace"
                    && ["m.image", "m.video"].contains(event.content["msgtype"]?.string)
            }
            return shown.filter { $0.relation == nil }.map { root in
                let thread = shown.filter {
                    $0.relation?["rel_type"] == "m.thread" && $0.relation?["event_id"]?.string == root.id
                }
                let change = state.events.last {
                    !$0.isRedacted && $0.relation?["rel_type"] == "m.replace"
                        && $0.relation?["event_id"]?.string == root.id
                }
                let content = change?.content["m.new_content"]?.object ?? root.content
                let (body, name) = (content["body"]?.string ?? "", content["filename"]?.string)
                return PublishedPost(
                    id: ([root] + thread).map(\.id).joined(separator: ","),
                    url: "https://matrix.to/#/%21Nj2xRq%3Alakes.test/%24\(root.id.dropFirst())?via=lakes.test",
                    text: name == nil || name == body ? "" : body,
                    media: ([root] + thread).map { published($0.content, state) }, createdAt: root.at)
            }
        }
    }

    private func published(_ content: JSONObject, _ state: State) -> PublishedMedia {
        let name = content["url"]?.string?.split(separator: "/").last.map(String.init) ?? ""
        let file = state.media[name]
        return PublishedMedia(
            sha256: file?.bytes.map(Self.hash) ?? "", bytes: file?.bytes?.count ?? 0, mediaType: file?.mediaType ?? "",
            altText: "")
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        let code =
            switch status {
            case 401: "M_UNKNOWN_TOKEN"
            case 403: "M_FORBIDDEN"
            case 404: "M_NOT_FOUND"
            case 413: "M_TOO_LARGE"
            case 429: "M_LIMIT_EXCEEDED"
            default: "M_UNKNOWN"
            }
        return error(status, code)
    }

    func error(_ status: Int, _ code: String, _ more: JSONObject = [:]) -> FakeAnswer {
        var json: JSONObject = ["errcode": .string(code), "error": "Something is wrong."]
        for member in more { json[member.name] = member.value }
        return .json(.object(json), HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] { accountRoutes + mediaRoutes + roomRoutes }

    // MARK: Tokens

    /// A call that needs a token; `device` is whose it is.
    func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters, _ device: String) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            guard let token = Self.token(of: request) else { return error(401, "M_MISSING_TOKEN") }
            let session = state.withLock { state -> Session? in
                guard let session = state.sessions[token] else { return nil }
                state.refresh = state.refresh.filter { $0.value.spentFor != token }
                return session
            }
            guard let session else { return error(401, "M_UNKNOWN_TOKEN", ["soft_logout": false]) }
            if let end = session.end, end <= now() { return error(401, "M_UNKNOWN_TOKEN", ["soft_logout": true]) }
            return response(request, parameters, session.device)
        }
    }

    static func token(of request: FakeRequest) -> String? {
        guard let field = request.fields["Authorization"], field.hasPrefix("Bearer ") else { return nil }
        return String(field.dropFirst(7))
    }
}
