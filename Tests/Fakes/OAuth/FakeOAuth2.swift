internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// The OAuth 2 part of a fake: one app, and one person who always agrees (RFC 6749, RFC 7636).
package final class FakeOAuth2: Sendable {
    /// How the service is set up.
    package struct Options: Sendable {
        package var clientID = "client-id"
        /// The secret of a confidential client; a public one sends its verifier instead.
        package var clientSecret: String? = "client-secret"
        /// Of an access token; nil: it does not end.
        package var accessLife: TimeInterval? = 14_400
        /// Of a code.
        package var codeLife: TimeInterval = 600
        /// Whether a refresh spends the refresh token.
        package var rotates = false
        /// Whether a code is taken with a secret or with a verifier, and never with both: Dropbox's own SDKs send one of them
        /// (dropbox-sdk-python, `oauth.py`, `_finish`).
        package var takesOneProof = false
        /// The scheme of `Authorization`, before the token.
        package var scheme = "Bearer"

        package init() {}
    }

    /// Where an access token stands.
    enum Standing {
        case good, ended, unknown
    }

    private struct Code {
        let clientID: String
        let callback: String
        let challenge: String?
        let expiresAt: Date
    }

    private struct State {
        var codes: [String: Code] = [:]
        /// The access tokens: the time at which each ends, and the number of its consent.
        var access: [String: (end: Date, consent: Int)] = [:]
        var refresh: [String: Int] = [:]
        var count = 0
    }

    let options: Options
    private let name: String
    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// `name` begins every token; one refresh token and one access token, `NAME-refresh` and `NAME-access`, exist
    /// from the start.
    init(_ name: String, _ options: Options, now: @escaping @Sendable () -> Date) {
        self.name = name
        self.options = options
        self.now = now
        let end = options.accessLife.map { now() + $0 } ?? .distantFuture
        state.withLock {
            $0.refresh = ["\(name)-refresh": 0]
            $0.access = ["\(name)-access": (end, 0)]
        }
    }

    /// Where the token of a request stands.
    func standing(of request: FakeRequest) -> Standing {
        let parts = request.fields["Authorization"]?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0] == options.scheme else { return .unknown }
        return standing(of: String(parts[1]))
    }

    func standing(of token: String) -> Standing {
        state.withLock { state in
            guard let end = state.access[token]?.end else { return .unknown }
            return now() < end ? .good : .ended
        }
    }

    /// The consent page: the person agrees, and is sent back at once.
    func consent(_ request: FakeRequest) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        guard query["response_type"] == "code", query["client_id"] == options.clientID,
            let callback = query["redirect_uri"], callback.contains("://"),
            query["code_challenge"] == nil || query["code_challenge_method"] == "S256",
            options.clientSecret != nil || query["code_challenge"] != nil
        else { return FakeAnswer(.badRequest) }
        let code = state.withLock { state in
            state.count += 1
            let code = "\(name)-code-\(state.count)"
            state.codes[code] = Code(
                clientID: options.clientID, callback: callback, challenge: query["code_challenge"],
                expiresAt: now() + options.codeLife)
            return code
        }
        var back: FormFields = ["code": code]
        if let state = query["state"] { back.add("state", state) }
        return FakeAnswer(.found, fields: ["Location": "\(callback)?\(back.encoded)"])
    }

    /// The token endpoint; `extra` is what the service adds to its answer.
    func token(_ request: FakeRequest, extra: JSONObject = [:]) -> FakeAnswer {
        guard request.contentType == MediaType.form.essence, let form = FormFields(request.body) else {
            return error("invalid_request")
        }
        let (clientID, secret) = Self.client(request, form)
        guard clientID == options.clientID, secret == nil || secret == options.clientSecret else {
            return error("invalid_client", 401)
        }
        let isKnown = secret != nil
        return state.withLock { state in
            var consent = state.count + 1
            switch form["grant_type"] {
            case "authorization_code":
                guard let code = form["code"].flatMap({ state.codes.removeValue(forKey: $0) }), now() < code.expiresAt,
                    code.callback == form["redirect_uri"]
                else { return error("invalid_grant") }
                guard !options.takesOneProof || secret == nil || form["code_verifier"] == nil else {
                    return error("invalid_request")
                }
                let proof = form["code_verifier"].map { Base64URL.encode(SHA256Digest(of: $0).bytes) }
                guard code.challenge == proof, isKnown || proof != nil else { return error("invalid_grant") }
            case "refresh_token":
                guard let token = form["refresh_token"], let earlier = state.refresh[token] else {
                    return error("invalid_grant")
                }
                consent = earlier
                if options.rotates { state.refresh[token] = nil }
            default:
                return error("unsupported_grant_type")
            }
            let isRefresh = form["grant_type"] == "refresh_token"
            return .json(.object(issue(&state, consent, withRefresh: options.rotates || !isRefresh, extra)))
        }
    }

    /// Ends the token of a form, and those of the same consent; one that is not known is no error (RFC 7009).
    ///
    /// - Parameters:
    ///   - request: The call.
    ///   - asksApp: Whether the app has to say who it is.
    ///   - endsAll: Whether every consent that the person has given the app ends with it, as at Google.
    /// - Returns: The service's answer.
    func revoke(_ request: FakeRequest, asksApp: Bool = true, endsAll: Bool = false) -> FakeAnswer {
        guard request.contentType == MediaType.form.essence, let form = FormFields(request.body),
            let token = form["token"]
        else { return error("invalid_request") }
        if asksApp {
            let (clientID, secret) = Self.client(request, form)
            guard clientID == options.clientID, secret == nil || secret == options.clientSecret else {
                return error("invalid_client", 401)
            }
        }
        revoke(token, endsAll: endsAll)
        return .json([:])
    }

    /// Ends a token, and those of the same consent.
    func revoke(_ token: String, endsAll: Bool = false) {
        state.withLock { state in
            guard let consent = state.access[token]?.consent ?? state.refresh[token] else { return }
            state.access = state.access.filter { !endsAll && $0.value.consent != consent }
            state.refresh = state.refresh.filter { !endsAll && $0.value != consent }
        }
    }

    private func issue(
        _ state: inout State, _ consent: Int, withRefresh: Bool, _ extra: JSONObject
    ) -> JSONObject {
        state.count += 1
        let access = "\(name)-access-\(state.count)"
        state.access[access] = (options.accessLife.map { now() + $0 } ?? .distantFuture, consent)
        var json: JSONObject = ["access_token": .string(access), "token_type": "Bearer"]
        if let life = options.accessLife {
            json["expires_in"] = JSONValue(Int(life))
            if withRefresh {
                let refresh = "\(name)-refresh-\(state.count)"
                state.refresh[refresh] = consent
                json["refresh_token"] = .string(refresh)
            }
        }
        for member in extra { json[member.name] = member.value }
        return json
    }

    private static func client(_ request: FakeRequest, _ form: FormFields) -> (id: String?, secret: String?) {
        guard let basic = request.fields["Authorization"], basic.hasPrefix("Basic "),
            let pair = Base64.decode(String(basic.dropFirst(6)))
        else { return (form["client_id"], form["client_secret"]) }
        let parts = String(decoding: pair, as: UTF8.self).split(separator: ":").map(String.init)
        return parts.count == 2 ? (PercentEncoding.decode(parts[0]), PercentEncoding.decode(parts[1])) : (nil, nil)
    }

    private func error(_ name: String, _ status: Int = 400) -> FakeAnswer {
        .json(["error": .string(name)], HTTPStatus(code: status))
    }
}
