internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// A personal data server with one account, as the lexicons and the reference server of August 2026 describe it (read
/// 2026-11-21).
package final class FakeBluesky: FakeService {
    /// How the server is set up.
    package struct Options: Sendable {
        package var handle = "alice.test"
        package var password = "app-pass-word-1234"
        package var accessLife: TimeInterval = 7200
        package var greatestPicture = 2_000_000
        /// Whether it says that a record is not there; some answer 401.
        package var tellsAbsence = true

        package init() {}
    }

    static let did = "did:plc:z72i7hdynmk6r22z27h6tvur"

    let options: Options
    let now: @Sendable () -> Date
    let state = Lock(State())

    struct State {
        /// By refresh token the access token: each login has a session of its own (bluesky-social/atproto,
        /// `packages/pds/src/account-manager`, table `refresh_token`).
        var sessions: [String: String] = [:]
        var tokens = 0
        var blobs: [String: Blob] = [:]
        var records: [Record] = []
        /// Likes and reposts of the account: by collection and key the post.
        var acts: [String: String] = [:]
    }

    /// What others say.
    package let conversation = FakeConversation { "at://did:plc:far/app.bsky.feed.post/\($0)" }
    package var talk: FakeConversation? { conversation }

    /// The posts that the account has liked or reposted, as often as there is a record.
    package func acts(in collection: String) -> [String] {
        state.withLock { $0.acts.filter { $0.key.hasPrefix(collection) }.map(\.value) }
    }

    struct Blob {
        let mediaType: String
        let sha256: String
        let bytes: Int
    }

    struct Record {
        let key: String
        let json: JSONValue
        let post: PublishedPost
    }

    /// Starts with nothing posted.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
    }

    package var effects: [PublishedPost] { state.withLock { $0.records.map(\.post) } }

    /// Throws uploaded files away, as the server does with those that no post shows.
    package func dropBlobs() { state.withLock { $0.blobs = [:] } }

    package func refusal(_ status: Int) -> FakeAnswer {
        let name =
            switch status {
            case 400: "InvalidRequest"
            case 401: "AuthMissing"
            case 403: "ScopeMissingError"
            case 413: "PayloadTooLarge"
            case 429: "RateLimitExceeded"
            case 502: "UpstreamFailure"
            default: "InternalServerError"
            }
        return error(name, "No.", status)
    }

    func error(_ name: String, _ message: String, _ status: Int = 400) -> FakeAnswer {
        .json(["error": .string(name), "message": .string(message)], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("POST /xrpc/com.atproto.server.createSession", createSession),
            FakeRoute("POST /xrpc/com.atproto.server.refreshSession", refreshSession),
            FakeRoute("POST /xrpc/com.atproto.server.deleteSession") { [self] request, _ in
                endSession(request) ? FakeAnswer(.ok) : error("ExpiredToken", "Token has been revoked")
            },
            FakeRoute("GET /xrpc/com.atproto.identity.resolveHandle") { [self] request, _ in
                guard FormFields(request.query)?["handle"] == "bob.bsky.social" else {
                    return error("InvalidRequest", "Unable to resolve handle")
                }
                return .json(["did": "did:plc:bob"])
            },
            authorized("POST /xrpc/com.atproto.repo.uploadBlob", uploadBlob),
            authorized("POST /xrpc/com.atproto.repo.putRecord", putRecord),
            authorized("GET /xrpc/com.atproto.repo.getRecord", getRecord),
            authorized("POST /xrpc/com.atproto.repo.deleteRecord", deleteRecord),
            authorized("GET /xrpc/app.bsky.feed.getPosts", getPosts),
            authorized("GET /xrpc/app.bsky.actor.getProfile") { [self] _, _ in
                .json(["did": .string(Self.did), "handle": .string(options.handle)])
            },
        ].map(Self.recorded) + conversationRoutes.map(Self.recorded)
    }

    /// A call with an access token; every answer tells how much of the limit is left.
    func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            let token = Self.bearer(request)
            guard state.withLock({ $0.sessions.values.contains(token) }) else { return refusal(401) }
            guard Self.expiry(of: token) > now() else { return error("ExpiredToken", "Token has expired") }
            var response = response(request, parameters)
            response.fields.set("RateLimit-Limit", "5000")
            response.fields.set("RateLimit-Remaining", "4990")
            response.fields.set("RateLimit-Reset", String(Int(now().timeIntervalSince1970) + 3600))
            return response
        }
    }

    // MARK: Sessions

    private func createSession(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let json = request.json, json["identifier"]?.string == options.handle,
            json["password"]?.string == options.password
        else { return error("AuthenticationRequired", "Invalid identifier or password", 401) }
        return session(request)
    }

    private func refreshSession(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard request.body.isEmpty, endSession(request) else { return error("ExpiredToken", "Token has been revoked") }
        return session(request)
    }

    private static func bearer(_ request: FakeRequest) -> String {
        String(request.fields["Authorization"]?.dropFirst("Bearer ".count) ?? "")
    }

    /// Ends the session whose refresh token the request carries; false when there is none.
    private func endSession(_ request: FakeRequest) -> Bool {
        state.withLock { $0.sessions.removeValue(forKey: Self.bearer(request)) != nil }
    }

    private func session(_ request: FakeRequest) -> FakeAnswer {
        state.withLock { state in
            state.tokens += 1
            let access = token(state.tokens, now() + options.accessLife)
            let refresh = token(-state.tokens, now() + 90 * 86_400)
            state.sessions[refresh] = access
            let service: JSONValue = [
                "id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": .string(request.origin),
            ]
            return .json([
                "did": .string(Self.did), "handle": .string(options.handle), "active": true,
                "accessJwt": .string(access), "refreshJwt": .string(refresh),
                "didDoc": ["id": .string(Self.did), "service": [service]],
            ])
        }
    }

    private func token(_ number: Int, _ end: Date) -> String {
        let claims: JSONValue = ["sub": .string(Self.did), "exp": JSONValue(Int(end.timeIntervalSince1970))]
        return "\(Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))).\(Base64URL.encode(claims.serialized)).s\(number)"
    }

    private static func expiry(of token: String) -> Date {
        let claims = Base64URL.decode(String(token.split(separator: ".")[1])).flatMap { try? JSONValue(parsing: $0) }
        return Date(timeIntervalSince1970: claims?["exp"]?.double ?? 0)
    }
}
