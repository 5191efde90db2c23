internal import Actions
internal import Authentication
internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store

/// The endpoints of the authorization server that apps speak to themselves; the page on which its user decides is a page of `Web`.
extension AppHandlers {
    package static let authorizationPath = "/oauth/authorize"

    /// `GET /.well-known/oauth-authorization-server` (RFC 8414; IndieAuth, section 4.1.1), with the members of Mastodon.
    package func serverMetadata(_ request: HTTPRequest) async throws -> HTTPResponse {
        let base = addresses.base
        return .json(
            [
                "issuer": .string(apps.issuer),
                "authorization_endpoint": .string(base + Self.authorizationPath),
                "token_endpoint": .string("\(base)/oauth/token"),
                "revocation_endpoint": .string("\(base)/oauth/revoke"),
                "introspection_endpoint": .string("\(base)/oauth/introspect"),
                "userinfo_endpoint": .string("\(base)/oauth/userinfo"),
                "registration_endpoint": .string("\(base)/oauth/register"),
                "app_registration_endpoint": .string("\(base)/api/v1/apps"),
                "service_documentation": "https://docs.joinmastodon.org/spec/oauth/",
                "scopes_supported": JSONValue(Self.supportedScopes),
                "response_types_supported": ["code"],
                "response_modes_supported": ["query"],
                "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
                "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic", "none"],
                "revocation_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic", "none"],
                "introspection_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
                "authorization_response_iss_parameter_supported": true,
                "client_id_metadata_document_supported": true,
            ], fields: ["Cache-Control": "public, max-age=300"])
    }

    private static let supportedScopes = [
        "read", "write", "follow", "push", "profile", "read:accounts", "read:statuses", "read:favourites",
        "read:bookmarks", "read:notifications", "write:accounts", "write:statuses", "write:media",
        "write:favourites", "write:bookmarks", "create", "update", "delete", "undelete", "media", "draft",
    ]

    /// `GET /.well-known/oauth-protected-resource` (RFC 9728).
    package func resourceMetadata(_ request: HTTPRequest) async throws -> HTTPResponse {
        .json(
            [
                "resource": .string(addresses.base),
                "authorization_servers": [.string(apps.issuer)],
                "scopes_supported": JSONValue(Self.supportedScopes),
                "bearer_methods_supported": ["header"],
            ], fields: ["Cache-Control": "public, max-age=300"])
    }

    // MARK: Registration

    /// `POST /oauth/register` (RFC 7591).
    package func registerClient(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answered(request) {
            try self.rates.charge(.registrations, for: request)
            let fields = try await Self.parameters(of: request)
            let method = fields.text("token_endpoint_auth_method") ?? "client_secret_basic"
            guard ["client_secret_basic", "client_secret_post", "none"].contains(method) else {
                throw OAuthError(.invalidClientMetadata, "The token_endpoint_auth_method is not supported.")
            }
            let grants = fields["grant_types"] == nil ? ["authorization_code"] : fields.list("grant_types")
            guard grants.contains("authorization_code"),
                fields["response_types"] == nil || fields.list("response_types") == ["code"]
            else { throw OAuthError(.invalidClientMetadata, "An app gets a code, and exchanges it for a token.") }
            guard let scopes = AppScopes(fields.text("scope") ?? "read") else { throw OAuthError.unknownScopeAsked }
            let redirects = fields.list("redirect_uris")
            guard !redirects.contains(RedirectURI.outOfBand) || method != "none" else {
                throw OAuthError(.invalidRedirectURI, "This address is for apps with a secret.")
            }
            let (app, secret) = try await self.apps.register(
                NewApp(
                    .registered,
                    name: fields.text("client_name") ?? redirects.first.flatMap { RedirectURI($0)?.owner } ?? "",
                    website: fields.text("client_uri"),
                    redirectURIs: redirects, scopes: scopes, hasSecret: method != "none",
                    refreshes: grants.contains("refresh_token")), requestID: request.id)
            var members: JSONObject = [
                "client_id": .string(app.clientID),
                "client_id_issued_at": .int(Int64(app.createdAt.timeIntervalSince1970)),
                "client_name": .string(app.name), "redirect_uris": JSONValue(app.redirectURIs),
                "token_endpoint_auth_method": .string(method), "response_types": ["code"],
                "grant_types": JSONValue(["authorization_code"] + (app.refreshes ? ["refresh_token"] : [])),
                "scope": .string(app.scopes.description),
            ]
            if let website = app.website { members["client_uri"] = .string(website) }
            if let secret {
                members["client_secret"] = .string(secret.reveal())
                members["client_secret_expires_at"] = 0
            }
            return .json(.object(members), status: .created, fields: Self.uncached)
        }
    }

    // MARK: Tokens

    /// `POST /oauth/token` (RFC 6749, sections 4.1.3, 4.4.2 and 6).
    package func issueToken(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answered(request) {
            let fields = try await Self.parameters(of: request)
            if fields.text("action") == "revoke" { return try await self.revoke(fields, request) }
            return .json(self.answer(try await self.tokens(fields, request)), fields: Self.uncached)
        }
    }

    private func tokens(_ fields: Parameters, _ request: HTTPRequest) async throws -> IssuedTokens {
        let app = try await client(fields, request)
        switch fields.text("grant_type") {
        case "authorization_code":
            guard let code = fields.text("code") else { throw OAuthError(.invalidRequest, "There is no code.") }
            return try await countingFailures(request) {
                try await self.apps.redeem(
                    code: code, redirectURI: fields.text("redirect_uri") ?? "",
                    verifier: fields.text("code_verifier"), by: app)
            }
        case "refresh_token":
            guard let token = fields.text("refresh_token") else {
                throw OAuthError(.invalidRequest, "There is no refresh_token.")
            }
            // An empty one is none.
            let scopes = try fields.text("scope").flatMap { text throws(OAuthError) -> AppScopes? in
                guard let scopes = AppScopes(text) else { throw .unknownScopeAsked }
                return scopes.isEmpty ? nil : scopes
            }
            return try await countingFailures(request) {
                try await self.apps.refresh(token, scopes: scopes, by: app)
            }
        case "client_credentials": return try await apps.issueOwnToken(to: app)
        default:
            throw OAuthError(
                .unsupportedGrantType, "The grant_type must be authorization_code, refresh_token or client_credentials."
            )
        }
    }

    private func answer(_ tokens: IssuedTokens) -> JSONValue {
        var members: JSONObject = [
            "access_token": .string(tokens.access.reveal()), "token_type": "Bearer",
            "scope": .string(tokens.scopes.description), "created_at": .int(Int64(Date().timeIntervalSince1970)),
        ]
        if let user = tokens.user { members["me"] = .string(profileURL(of: user.name)) }
        if let life = tokens.life { members["expires_in"] = .int(life.components.seconds) }
        if let refresh = tokens.refresh { members["refresh_token"] = .string(refresh.reveal()) }
        return .object(members)
    }

    /// `POST /oauth/authorize` of an app that exchanges its code for nothing but who its user is (IndieAuth, section 5.3.2).
    package func redeemForProfile(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answered(request) {
            let fields = try await Self.parameters(of: request)
            guard fields.text("grant_type") ?? "authorization_code" == "authorization_code",
                let code = fields.text("code")
            else { throw OAuthError(.unsupportedGrantType, "Send grant_type=authorization_code and a code.") }
            let app = try await self.client(fields, request)
            let (user, scopes) = try await self.countingFailures(request) {
                try await self.apps.redeemForProfile(
                    code: code, redirectURI: fields.text("redirect_uri") ?? "", verifier: fields.text("code_verifier"),
                    by: app)
            }
            var members: JSONObject = ["me": .string(self.profileURL(of: user.name))]
            if scopes.rights.contains(.profile) { members["profile"] = .object(try await self.profile(of: user)) }
            return .json(.object(members), fields: Self.uncached)
        }
    }

    /// `POST /oauth/revoke` (RFC 7009). The response is the same whether or not there was such a token.
    package func revokeToken(_ request: HTTPRequest) async throws -> HTTPResponse {
        // As Mastodon tells it.
        try await answered(request, unauthorizedClient: .forbidden) {
            try await self.revoke(try await Self.parameters(of: request), request)
        }
    }

    private func revoke(_ fields: Parameters, _ request: HTTPRequest) async throws -> HTTPResponse {
        guard let token = fields.text("token") else { throw OAuthError(.invalidRequest, "There is no token.") }
        // Without a client, the token alone ends itself, if its app has no secret that it would have to show.
        let isNamed = fields.text("client_id") != nil || Self.basicCredentials(request) != nil
        let app = isNamed ? try await client(fields, request) : nil
        try await apps.revoke(token, by: app, requestID: request.id)
        return .json([:], fields: Self.uncached)
    }

    /// `POST /oauth/introspect` (RFC 7662): an app with a secret asks about its own tokens, and a person with a token of their own about those
    /// of their apps.
    package func introspect(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answered(request) {
            let fields = try await Self.parameters(of: request)
            guard let token = fields.text("token") else { throw OAuthError(.invalidRequest, "There is no token.") }
            let mayKnow: (FoundAppToken) -> Bool
            if Self.basicCredentials(request) == nil, try TokenAuthentication.token(of: request) != nil {
                let caller = try await self.authentication.caller(of: request, needing: .profile)
                mayKnow = { $0.user == caller.user.name && (caller.app == nil || caller.app?.id == $0.app) }
            } else {
                let app = try await self.client(fields, request)
                guard app.hasSecret else { throw OAuthError.wrongClientSecret }
                mayKnow = { $0.app == app.id }
            }
            guard let found = try await self.apps.token(token), mayKnow(found), !found.isRefreshToken else {
                return .json(["active": false], fields: Self.uncached)
            }
            var members: JSONObject = [
                "active": true, "scope": .string(found.scopes.description), "username": .string(found.user),
                "token_type": "Bearer", "iat": .int(Int64(found.issuedAt.timeIntervalSince1970)),
                "sub": .string(self.profileURL(of: found.user)), "me": .string(self.profileURL(of: found.user)),
                "iss": .string(self.apps.issuer), "client_id": .string(found.clientID),
            ]
            if let end = found.expiresAt { members["exp"] = .int(Int64(end.timeIntervalSince1970)) }
            return .json(.object(members), fields: Self.uncached)
        }
    }

    /// `GET` and `POST /oauth/userinfo` (OpenID Connect Core 1.0, section 5.3; IndieAuth, section 9).
    package func showUser(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answered(request) {
            let caller = try await self.authentication.caller(of: request, needing: .profile)
            var members: JSONObject = [
                "iss": .string(self.apps.issuer), "sub": .string(self.profileURL(of: caller.user.name)),
                "preferred_username": .string(caller.user.name),
            ]
            for member in try await self.profile(of: caller.user) { members[member.name] = member.value }
            return .json(.object(members), fields: Self.uncached)
        }
    }

    /// `name`, `url`, and `photo` and `picture` where there is one.
    private func profile(of user: User) async throws -> JSONObject {
        let person = try await store.person(user.id)
        var members: JSONObject = [
            "name": .string(person.displayName), "url": .string(profileURL(of: user.name)),
        ]
        if let picture = person.picture {
            let address = addresses.base + PublicRendition.thumb.path(code: picture.code, recipe: picture.recipe)
            members["photo"] = .string(address)
            members["picture"] = .string(address)
        }
        return members
    }

    // MARK: Parts

    static let uncached: HTTPFields = ["Cache-Control": "no-store", "Pragma": "no-cache"]

    /// The names that may come once alone (RFC 6749, section 3.2); apps repeat others that nobody reads.
    private static let single: Set<String> = [
        "grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier", "refresh_token", "token",
        "scope",
    ]

    /// The body alone counts: what stands in an address stands in logs.
    private static func parameters(of request: HTTPRequest) async throws -> Parameters {
        let fields = try await request.parameters(withQuery: false)
        guard fields.repeated.isDisjoint(with: single) else {
            throw OAuthError(.invalidRequest, "A parameter is there twice.")
        }
        return fields
    }

    /// The app that a request comes from, by `client_id` and `client_secret` in the body, or by Basic (RFC 6749, section 2.3.1).
    private func client(_ fields: Parameters, _ request: HTTPRequest) async throws -> App {
        let basic = Self.basicCredentials(request)
        guard basic == nil || fields.text("client_secret") == nil else {
            throw OAuthError(.invalidRequest, "The app must say once who it is.")
        }
        let sent = fields.text("client_id").map {
            AppCredentials(clientID: $0, secret: fields.text("client_secret").map { Secret($0) })
        }
        guard let credentials = basic ?? sent, sent.map({ $0.clientID == credentials.clientID }) ?? true else {
            throw OAuthError.wrongClientSecret
        }
        return try await countingFailures(request) { try await self.apps.authenticate(credentials) }
    }

    /// Counts wrong secrets, codes and tokens by address; after too many each further one waits, and the right ones are let in.
    private func countingFailures<Value>(
        _ request: HTTPRequest, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as OAuthError where error.code == .invalidClient || error.code == .invalidGrant {
            try rates.demand(.wrongTokens, for: request)
            rates.count(.wrongTokens, for: request)
            throw error
        }
    }

    private static func basicCredentials(_ request: HTTPRequest) -> AppCredentials? {
        guard let value = request.fields["Authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decode(String(parts[1])),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let pair = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard pair.count == 2, let name = PercentEncoding.decode(pair[0]),
            let secret = PercentEncoding.decode(pair[1])
        else { return nil }
        return AppCredentials(clientID: name, secret: Secret(secret))
    }

    /// Answers as OAuth does, also where something goes wrong.
    private func answered(
        _ request: HTTPRequest, unauthorizedClient: HTTPStatus = .badRequest, _ make: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            return try await Initiator.$current.withValue(.app(nil, request)) { try await make() }
        } catch let error as OAuthError {
            var response = HTTPResponse.json(
                ["error": .string(error.code.rawValue), "error_description": .string(error.detail)],
                status: error.code == .unauthorizedClient ? unauthorizedClient : error.status, fields: Self.uncached)
            if error.code == .invalidClient, request.fields["Authorization"] != nil {
                response.fields.add("WWW-Authenticate", "Basic realm=\"pics\"")
            }
            return response
        } catch let error as InvalidField {
            return .json(
                ["error": "invalid_request", "error_description": .string(error.detail)], status: .badRequest,
                fields: Self.uncached)
        } catch let error as AuthenticationError {
            var response = HTTPResponse.json(
                error.oauthError, status: error.status, fields: Self.uncached)
            response.fields.add("WWW-Authenticate", error.challenge)
            return response
        }
    }
}

extension OAuthError {
    static let unknownScopeAsked = OAuthError(.invalidScope, "The scope is unknown, or no app may have it.")
    static let wrongClientSecret = OAuthError(.invalidClient, "The app must say who it is, with its secret.")

    var status: HTTPStatus {
        switch code {
        case .invalidClient: .unauthorized
        case .temporarilyUnavailable: .serviceUnavailable
        default: .badRequest
        }
    }
}

extension AuthenticationError {
    var status: HTTPStatus { if case .insufficientScope = self { .forbidden } else { .unauthorized } }

    /// In the words of RFC 6750, section 3.1.
    var oauthError: JSONValue {
        switch self {
        case .missing: ["error": "unauthorized", "error_description": "This needs a token."]
        case .malformed: ["error": "invalid_request", "error_description": "The Authorization field is none of ours."]
        case .invalid:
            ["error": "invalid_token", "error_description": "The token is unknown, revoked or expired."]
        case .insufficientScope(let scope):
            [
                "error": "insufficient_scope", "error_description": "The token may not do that.",
                "scope": .string(scope.rawValue),
            ]
        }
    }
}
