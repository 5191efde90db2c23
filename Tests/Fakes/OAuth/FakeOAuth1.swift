internal import Foundation
internal import HTTP
internal import System

/// The OAuth 1.0a part of a fake: one app, and one person who always agrees (RFC 5849).
package final class FakeOAuth1: Sendable {
    package static let consumerKey = "consumer-key"
    package static let consumerSecret = "consumer-secret"
    /// Of the account, from the start.
    package static let token = "access-token"
    package static let tokenSecret = "access-token-secret"

    private struct Request {
        let secret: String
        let callback: String
        var verifier: String?
    }

    private struct State {
        var requests: [String: Request] = [:]
        var nonces: Set<String> = []
        var count = 0
    }

    private let now: @Sendable () -> Date
    private let state = Lock(State())

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Whether the account has signed a request; each nonce counts once.
    func holds(_ request: FakeRequest, signedFields: [(String, String)] = []) -> Bool {
        guard let check = OAuthCheck(request, signedFields: signedFields) else { return false }
        return check.holds(
            consumer: (Self.consumerKey, Self.consumerSecret), token: (Self.token, Self.tokenSecret), at: now())
            && isFresh(check)
    }

    private func isFresh(_ check: OAuthCheck) -> Bool { state.withLock { $0.nonces.insert(check.nonce).inserted } }

    /// Gives temporary credentials.
    func requestToken(_ request: FakeRequest) -> FakeAnswer {
        guard let check = OAuthCheck(request), isFresh(check),
            check.holds(consumer: (Self.consumerKey, Self.consumerSecret), token: nil, at: now()),
            let callback = check["oauth_callback"]
        else { return FakeAnswer(.unauthorized, body: Array("oauth_problem=signature_invalid".utf8)) }
        return state.withLock { state in
            state.count += 1
            let token = "request-\(state.count)"
            state.requests[token] = Request(secret: "hidden-\(state.count)", callback: callback)
            return form([
                "oauth_token": token, "oauth_token_secret": "hidden-\(state.count)", "oauth_callback_confirmed": "true",
            ])
        }
    }

    /// The consent page: the person agrees, and is sent back at once.
    func consent(_ request: FakeRequest) -> FakeAnswer {
        let token = FormFields(request.query)?["oauth_token"] ?? ""
        return state.withLock { state in
            guard let callback = state.requests[token]?.callback else { return FakeAnswer(.badRequest) }
            state.requests[token]?.verifier = "proof-of-\(token)"
            let back: FormFields = ["oauth_token": token, "oauth_verifier": "proof-of-\(token)"]
            // The callback's own query stays (RFC 5849, section 2.2).
            let mark = callback.contains("?") ? "&" : "?"
            return FakeAnswer(.found, fields: ["Location": "\(callback)\(mark)\(back.encoded)"])
        }
    }

    /// Changes the proof for the account's token, once; `extra` is what the service adds.
    func accessToken(_ request: FakeRequest, extra: FormFields) -> FakeAnswer {
        guard let check = OAuthCheck(request), isFresh(check), let token = check["oauth_token"] else {
            return FakeAnswer(.unauthorized)
        }
        return state.withLock { state in
            guard let begun = state.requests[token], let verifier = begun.verifier,
                check["oauth_verifier"] == verifier,
                check.holds(
                    consumer: (Self.consumerKey, Self.consumerSecret), token: (token, begun.secret), at: now())
            else { return FakeAnswer(.unauthorized) }
            state.requests[token] = nil
            var fields: FormFields = ["oauth_token": Self.token, "oauth_token_secret": Self.tokenSecret]
            for pair in extra.pairs { fields.add(pair.name, pair.value) }
            return form(fields)
        }
    }

    private func form(_ fields: FormFields) -> FakeAnswer {
        FakeAnswer(.ok, fields: ["Content-Type": "text/plain"], body: Array(fields.encoded.utf8))
    }
}
