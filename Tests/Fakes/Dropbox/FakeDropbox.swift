internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// Dropbox's HTTP API 2 with one account, as dropbox-api-spec describes it on 2026-08-05 (read 2026-11-21).
package final class FakeDropbox: FakeService {
    /// How the account is set up.
    package struct Options: Sendable {
        package var oauth = FakeOAuth2.Options()
        /// Bytes that still fit.
        package var space = 1 << 40

        package init() {}
    }

    static let account = "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc"
    static let longestRequest = 150 << 20
    static let sessionLife: TimeInterval = 7 * 86_400

    /// Its consent and tokens.
    package let oauth: FakeOAuth2
    let options: Options
    let now: @Sendable () -> Date
    let state = Lock(State())

    struct State {
        var files: [File] = []
        var folders: [String] = ["/Pics"]
        var sessions: [String: Session] = [:]
        var links: [String: String] = [:]
        var count = 0
    }

    struct File {
        let id: String
        let path: String
        let content: [UInt8]
        let createdAt: Date
        var mediaType: String { path.hasSuffix(".mp4") ? "video/mp4" : "image/jpeg" }
    }

    struct Session {
        var content: [UInt8] = []
        let expiresAt: Date
        var isClosed = false
    }

    /// Starts with one empty folder.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        var consent = options.oauth
        consent.takesOneProof = true
        oauth = FakeOAuth2("dropbox", consent, now: now)
    }

    package var effects: [PublishedPost] {
        state.withLock { state in
            state.files.map { file in
                PublishedPost(
                    id: file.id, url: state.links[file.id] ?? "", text: "",
                    media: [
                        PublishedMedia(
                            sha256: SHA256Digest(of: file.content).hex, bytes: file.content.count,
                            mediaType: file.mediaType, altText: "")
                    ], createdAt: file.createdAt)
            }
        }
    }

    /// The full paths of the stored files.
    package var paths: [String] { state.withLock { $0.files.map(\.path) } }

    package var albumNames: [String] {
        paths.compactMap { $0.split(separator: "/").dropLast().last.map { String($0) } }
    }

    /// Forgets the begun uploads, as after a week.
    package func dropSessions() { state.withLock { $0.sessions = [:] } }

    package func refusal(_ status: Int) -> FakeAnswer {
        switch status {
        case 401: error("invalid_access_token", 401)
        case 409: error("too_many_write_operations", 409)
        case 429: error("too_many_requests", 429)
        default: FakeAnswer(HTTPStatus(code: status), body: Array("Error".utf8))
        }
    }

    func error(_ path: String, _ status: Int = 409, _ members: JSONObject = [:]) -> FakeAnswer {
        let tags = path.split(separator: "/").map(String.init)
        var error: JSONValue = .string(tags.last ?? "")
        for (index, tag) in tags.enumerated().reversed() {
            var object: JSONObject = [".tag": .string(tag)]
            if index == tags.count - 1 {
                for member in members { object[member.name] = member.value }
            } else {
                object[tag] = error
            }
            error = .object(object)
        }
        return .json(["error_summary": .string("\(path)/..."), "error": error], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /oauth2/authorize") { [oauth] request, _ in oauth.consent(request) },
            FakeRoute("POST /oauth2/token") { [oauth] request, _ in
                oauth.token(request, extra: ["account_id": .string(Self.account)])
            },
            authorized("POST /2/users/get_current_account") { [self] request, _ in
                guard request.body.isEmpty, request.contentType == nil else { return refusal(400) }
                return .json(["account_id": .string(Self.account), "email": "alice@example.com"])
            },
            authorized("POST /2/auth/token/revoke") { [oauth] request, _ in
                oauth.revoke(request.fields["Authorization"].map { String($0.dropFirst("Bearer ".count)) } ?? "")
                return FakeAnswer(.ok, body: Array("null".utf8))
            },
            authorized("POST /2/files/upload", upload),
            authorized("POST /2/files/upload_session/start", startSession),
            authorized("POST /2/files/upload_session/append_v2", append),
            authorized("POST /2/files/upload_session/finish", finish),
            authorized("POST /2/files/get_metadata", metadata),
            authorized("POST /2/files/delete_v2", delete),
            authorized("POST /2/files/list_folder", listFolder),
            authorized("POST /2/files/create_folder_v2", createFolder),
            authorized("POST /2/sharing/create_shared_link_with_settings", createLink),
            authorized("POST /2/sharing/list_shared_links", listLinks),
        ]
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            switch oauth.standing(of: request) {
            case .good: response(request, parameters)
            case .ended: error("expired_access_token", 401)
            case .unknown: refusal(401)
            }
        }
    }
}
