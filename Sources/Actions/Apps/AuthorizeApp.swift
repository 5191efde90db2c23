internal import Crypto
package import Domain
internal import FoundationEssentials
package import HTTP
internal import Logging
internal import Store

/// The request of an app to be let in, which its user decides about (RFC 6749, section 4.1.1).
package struct AppRequest: Sendable {
    package let app: App
    package let redirect: RedirectURI
    package let scopes: AppScopes
    /// Goes back as it came.
    package let state: String?
    /// The code challenge (RFC 7636, S256), 32 bytes; nil: the app has sent none.
    let challenge: [UInt8]?
    /// Whether the user has to sign in anew.
    package let forcesLogin: Bool
    /// The request's own parameters, for the form.
    package let parameters: FormFields
}

/// The result of a request that cannot be granted.
package enum AppRequestError: Error {
    /// Nobody is sent anywhere: the app or its address is not to be trusted.
    case shown(OAuthError)
    /// The app may be told, at this address.
    case told(OAuthError, at: String)
}

/// The end of a user's decision.
package enum AppDecision: Sendable, Equatable {
    /// The browser goes there.
    case redirect(String)
    /// The user reads the code, and types it into the app.
    case code(String)
}

extension AppActions {
    /// The parameters that count; a repeated one is refused (RFC 6749, section 3.1).
    private static let parameters = [
        "client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method",
        "force_login", "prompt",
    ]
    private static let longestState = 4096

    /// Apps with addresses as their names that send no code challenge, though they should; by the address's host.
    private static let withoutChallenge: Set<String> = ["micro.blog"]

    /// Looks at what an app asks for.
    ///
    /// Nothing is sent to an address before it is known to be the app's own (RFC 9700, section 4.11).
    ///
    /// - Throws: `AppRequestError`; `StoreError`.
    package func request(_ fields: FormFields) async throws -> AppRequest {
        var known = FormFields()
        for name in Self.parameters {
            let values = fields.values(name)
            guard values.count <= 1 else {
                throw AppRequestError.shown(.invalidRequest("The parameter \(name) is there twice."))
            }
            if let value = values.first { known.add(name, value) }
        }
        let app: App
        do {
            app = try await self.app(known["client_id"] ?? "")
        } catch let error as OAuthError {
            throw AppRequestError.shown(error)
        }
        guard let redirect = known["redirect_uri"].flatMap({ RedirectURI($0) }), Self.isOwn(redirect, of: app) else {
            throw AppRequestError.shown(
                OAuthError(.invalidRedirectURI, "The app has not registered the address it wants you sent back to."))
        }
        let state = known["state"]
        func refuse(_ error: OAuthError) -> any Error {
            redirect.place == .screen
                ? AppRequestError.shown(error)
                : AppRequestError.told(error, at: refusal(error, at: redirect, state: state))
        }
        guard state?.utf8.count ?? 0 <= Self.longestState else {
            throw AppRequestError.shown(.invalidRequest("The state is too long."))
        }
        guard known["response_type"] == "code" else {
            throw refuse(OAuthError(.unsupportedResponseType, "The response type must be code."))
        }
        let challenge: [UInt8]?
        let scopes: AppScopes
        do throws(OAuthError) {
            challenge = try Self.challenge(known, of: app)
            scopes = try Self.scopes(known["scope"], of: app)
        } catch {
            throw refuse(error)
        }
        return AppRequest(
            app: app, redirect: redirect, scopes: scopes, state: state, challenge: challenge,
            forcesLogin: known["force_login"].map { ["true", "1"].contains($0.lowercased()) } == true
                || known["prompt"] == "login",
            parameters: known)
    }

    private static func isOwn(_ redirect: RedirectURI, of app: App) -> Bool {
        if app.redirectURIs.contains(where: { redirect.matches($0) }) { return true }
        guard app.kind == .site, let site = URLComponents(string: app.clientID),
            let place = URLComponents(string: redirect.text)
        else { return false }
        // At its own address an app needs no list (IndieAuth, section 4.2.2).
        return site.scheme == place.scheme && site.serverHost != nil && site.port == place.port
            && site.serverHost?.lowercased() == place.serverHost?.lowercased()
    }

    static func challenge(_ fields: FormFields, of app: App) throws(OAuthError) -> [UInt8]? {
        guard let text = fields["code_challenge"], !text.isEmpty else {
            let host = URLComponents(string: app.clientID)?.serverHost ?? ""
            guard app.hasSecret || app.kind == .site && withoutChallenge.contains(host) else {
                throw .invalidRequest("An app without a secret must send a code_challenge (RFC 7636).")
            }
            return nil
        }
        guard fields["code_challenge_method"] == "S256" else {
            throw .invalidRequest("The code_challenge_method must be S256.")
        }
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32 else {
            throw .invalidRequest("The code_challenge must be a SHA-256 in base64url without padding.")
        }
        return bytes
    }

    private static func scopes(_ text: String?, of app: App) throws(OAuthError) -> AppScopes {
        // An app that is its address may ask for anything, and gets what there is. Without a scope it learns who its user is, no more.
        guard app.kind != .site else { return AppScopes(knownIn: text ?? "") }
        guard let text, text.contains(where: { $0 != " " }) else {
            return try app.kind == .mastodon ? scopes("read", of: app) : app.scopes
        }
        guard let scopes = AppScopes(text), scopes.isWithin(app.scopes) else { throw .unknownScope }
        return scopes
    }

    /// The address that tells an app why it gets nothing.
    private func refusal(_ error: OAuthError, at redirect: RedirectURI, state: String?) -> String {
        redirect.adding(
            [("error", error.code.rawValue), ("error_description", error.detail)]
                + (state.map { [("state", $0)] } ?? []) + [("iss", issuer)])
    }

    // MARK: The user's decision

    /// Lets the app in.
    ///
    /// - Throws: `StoreError`.
    package func allow(_ request: AppRequest, by user: User, requestID: String) async throws -> AppDecision {
        let code = makeToken(prefix: "code").reveal()
        try await store.allow(
            request.app.id, request.scopes, by: user.id, code: SHA256Digest(of: code).bytes,
            redirectURI: request.redirect.text, challenge: request.challenge)
        logger.notice(
            "app allowed",
            [
                "user": user.name, "app": request.app.name, "client": request.app.clientID,
                "scope": request.scopes.description, "request": requestID,
            ])
        if request.redirect.place == .screen { return .code(code) }
        return .redirect(
            request.redirect.adding(
                [("code", code)] + (request.state.map { [("state", $0)] } ?? []) + [("iss", issuer)]))
    }

    /// The address that tells the app that its user does not want it; nil when nobody is told.
    package func deny(_ request: AppRequest) -> String? {
        guard request.redirect.place != .screen else { return nil }
        return refusal(OAuthError(.accessDenied, "The user has denied it."), at: request.redirect, state: request.state)
    }
}
