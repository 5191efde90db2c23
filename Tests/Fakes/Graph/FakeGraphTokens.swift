internal import Foundation
internal import HTTP
internal import System

/// The tokens of Threads and Instagram: a code gives one of an hour, that one of sixty days, which is renewed while it is good and older than a day
/// ("Long-Lived Tokens" of the Threads API, "Refresh Access Token" of the Instagram Platform).
final class FakeGraphTokens: Sendable {
    private static let life: TimeInterval = 5_183_944
    private static let youngest: TimeInterval = 24 * 3600

    private let oauth: FakeOAuth2
    private let prefix: String
    private let name: String
    private let now: @Sendable () -> Date
    /// When each was given; the time of those that were taken back is long ago.
    private let given = Lock<[String: Date]>([:])

    /// `NAME-token` exists from the start.
    init(_ name: String, prefix: String, now: @escaping @Sendable () -> Date) {
        var options = FakeOAuth2.Options()
        options.accessLife = 3600
        oauth = FakeOAuth2(name, options, now: now)
        self.prefix = prefix
        self.name = name
        self.now = now
        given.withLock { $0 = ["\(name)-token": now()] }
    }

    func consent(_ request: FakeRequest) -> FakeAnswer { oauth.consent(request) }

    /// `POST /oauth/access_token`; `user` is the account's number.
    func code(_ request: FakeRequest, user: String) -> FakeAnswer {
        let answer = oauth.token(request)
        guard answer.status.isSuccess, let token = (try? JSONValue(parsing: answer.body))?["access_token"] else {
            // As api.instagram.com writes it.
            return .json(
                ["error_type": "OAuthException", "code": 400, "error_message": "Invalid authorization code"],
                HTTPStatus(code: 400))
        }
        return .json(["access_token": token, "user_id": .string(user), "permissions": []])
    }

    /// `GET /access_token`.
    func exchange(_ request: FakeRequest) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        guard query["grant_type"] == "\(prefix)_exchange_token", query["client_secret"] == "client-secret" else {
            return FakeGraph.error(101)
        }
        guard oauth.standing(of: query["access_token"] ?? "") == .good else { return FakeGraph.error(190) }
        return give()
    }

    /// `GET /refresh_access_token`.
    func refresh(_ request: FakeRequest) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        guard query["grant_type"] == "\(prefix)_refresh_token" else { return FakeGraph.error(101) }
        guard let time = given.withLock({ $0[query["access_token"] ?? ""] }), now() < time + Self.life else {
            return FakeGraph.error(190, subcode: 463)
        }
        guard now() >= time + Self.youngest else { return FakeGraph.error(100, message: "The token is too young.") }
        return give()
    }

    private func give() -> FakeAnswer {
        let token = given.withLock { given in
            let token = "\(name)-token-\(given.count)"
            given[token] = now()
            return token
        }
        return .json(["access_token": .string(token), "token_type": "bearer", "expires_in": JSONValue(Int(Self.life))])
    }

    /// Whether a request shows a token that is good.
    func holds(_ request: FakeRequest) -> Bool {
        let parts = request.fields["Authorization"]?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0] == "Bearer" else { return false }
        let token = String(parts[1])
        if let time = given.withLock({ $0[token] }) { return now() < time + Self.life }
        return oauth.standing(of: token) == .good
    }
}
